#!/bin/sh
# usage: tests/cli/estimate.sh HAICHI
# Compares estimated_time_s of metrics with simulated times: equal if the rates of messages do not change, and otherwise
# close and in the same order.
# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"

# Two ranks that compute, send, receive and compute; two more compute alone.
printf '0 compute 1e9\n0 send 1 0 100000 6\n0 recv 1 0 100 6\n0 compute 5e8\n' >r0
printf '1 recv 0 0 100000 6\n1 compute 2e9\n1 send 0 0 100 6\n' >r1
printf '2 compute 1e9\n2 isend 2 0 10 6\n2 irecv 2 0 10 6\n2 waitall 2\n' >r2
printf '3 compute 4e9\n' >r3
printf 'r0\nr1\nr2\nr3\n' >all
printf 'r0\nr1\n' >two

estimate()
{
  "$haichi" metrics "$@" | awk -F '\t' '$1 == "estimated_time_s" { print $2 }'
}

simulate()
{
  mapping=$1
  shift
  "$haichi" sim -m "$mapping" "$@" 2>err | awk -F '\t' '$1 == "simulated_time_s" { print $2 }'
}

# near SHARE MAPPING OPTION...: the estimate differs by at most this share
near()
{
  share=$1 mapping=$2
  shift 2
  awk -v a="$(estimate "$mapping" "$@")" -v b="$(simulate "$mapping" "$@")" -v share="$share" \
    'BEGIN { exit !(b > 0 && a >= b * (1 - share) && a <= b * (1 + share)) }' ||
    fail "$mapping $*: $(estimate "$mapping" "$@") instead of $(simulate "$mapping" "$@")"
}

zones=$root/tests/data/zones.xml
clusters=clusters:$root/platforms/intrigger4.clusters
for platform in torus:4x4 fattree:k=4 star:8 dragonfly:groups=2,chassis=2,routers=2,nodes=2 "$clusters"; do
  near 1e-9 xyz -p "$platform" -t all
  near 1e-9 random:seed=3 -p "$platform" -t all
done
near 1e-9 xyz -p "$zones" -t two
near 1e-9 xyz -p star:8 -t ring:8
near 1e-9 xyz -p torus:8 -t ring:8
near 1e-9 xyz -p star:8 -t ring:8 --model cm02
near 1e-9 random -p torus:4x4 -t all --compute-scale 0.25
near 1e-9 xyz -p torus:4x4 -t all --cores 2 --ranks-per-host 2

# Iterations, collectives, messages that share links.
near 0.02 xyz -p torus:4x4 -t npb:cg.S.16@3
near 0.02 xyz -p fattree:k=8 -t npb:bt.A.64@1 --compute-scale 0
near 0.25 greedy -p fattree:k=4 -t npb:sp.A.16@2 --compute-scale 0
near 0.25 random -p torus:4x4 -t npb:mg.A.16@1 --compute-scale 0

# Ranks that share a core and compute at the same time take the sum of their times.
printf '0 compute 1e9\n' >c0
printf '1 compute 1e9\n' >c1
printf 'c0\nc1\n' >pair
near 1e-9 xyz -p torus:4 -t pair --ranks-per-host 2

# The mappings of this program have the reverse order by hop-bytes, but the right order by estimated time.
for mapper in xyz auto:choose=hopbytes greedy; do
  set -- -p fattree:k=8 -t npb:sp.A.64@1 --compute-scale 0
  estimate "$mapper" "$@" >>estimates
  simulate "$mapper" "$@" >>times
  "$haichi" metrics "$mapper" "$@" | awk -F '\t' '$1 == "hop_bytes" { print $2 }' >>hops
done
sort -g times | cmp -s times - || fail "the simulated times are not ascending: $(cat times)"
sort -g estimates | cmp -s estimates - || fail "the estimated times are not ascending: $(cat estimates)"
sort -g hops | cmp -s hops - && fail 'the hop-bytes have the order of the times'

# Messages with longer routes get a smaller share of the cable of a host.  auto finds an order of hosts with more hops, but
# equal shares.
awk -v a="$(simulate auto -p fattree:k=8 -t npb:bt.A.64@1 --compute-scale 0)" \
  -v b="$(simulate xyz -p fattree:k=8 -t npb:bt.A.64@1 --compute-scale 0)" 'BEGIN { exit !(a > 0 && a < 0.9 * b) }' ||
  fail 'auto is not 10 % faster than xyz'

# Orders of hosts that are equal except for symmetries do not keep a faster mapping out of the second round.
set -- -p random-clusters:hosts=64,sizes=8+16,seed=25 -t butterfly:64:iterations=3
awk -v a="$(simulate auto "$@")" -v b="$(simulate xyz "$@")" 'BEGIN { exit !(a > 0 && a < 0.8 * b) }' ||
  fail 'auto is not 20 % faster than xyz on clusters'

# A mapping with a clearly lower estimate takes part in the second round, although the first part of its iteration is slow.
set -- -p mesh:64x1 -t stencil:8x8:size=65536,collective=allreduce --compute-scale 0
awk -v a="$(simulate auto "$@")" -v b="$(simulate xyz "$@")" 'BEGIN { exit !(a > 0 && a <= b) }' ||
  fail 'auto is slower than xyz on a line'

# Computations that take equally long in every mapping change nothing.
for scale in 0 1; do
  "$haichi" map auto -p fattree:k=8 -t npb:ep.A.64 --compute-scale $scale -o order$scale || fail "map with scale $scale"
done
cmp order0 order1 || fail 'computations change the mapping'

# A matrix has no order: its messages are one phase.
"$haichi" trace matrix ring:8 -o ring.tsv || fail 'trace matrix'
awk -v a="$(estimate xyz -p star:8 --matrix ring.tsv)" -v b="$(simulate xyz -p star:8 -t ring:8)" \
  'BEGIN { exit !(a > 0 && a <= b * 1.000001) }' || fail "the estimate of a matrix is not below the simulated time: $(estimate xyz -p star:8 --matrix ring.tsv)"
exit $status
