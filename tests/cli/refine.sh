#!/bin/sh
# usage: tests/cli/refine.sh HAICHI
# refine= on several mappers: in map, in compare, with seeds and repetitions; refusals.
. "$(dirname "$0")/../shell.sh"

traffic='--platform torus:4x4x2 --trace random:32:degree=3'

# figure NAME SPEC: prints a metric of the mapping made by the spec
figure()
{
  # shellcheck disable=SC2086 # options of several words
  "$haichi" metrics $traffic "$2" | awk -F '\t' -v name="$1" '$1 == name { print $2 }'
}

# better NAME SPEC OPTIONS: exchanges of ranks reduce the metric
better()
{
  before=$(figure "$1" "$2")
  case $2 in *:*) sign=, ;; *) sign=: ;; esac
  after=$(figure "$1" "$2$sign$3")
  [ "$after" -lt "$before" ] || fail "$2$sign$3: $1 $after, not below $before"
}

better max_link_load_bytes random:seed=3 refine=work:20000,refine-objective=linkload
better hop_bytes random:seed=3 refine=work:20000,refine-objective=hopbytes
better hop_bytes xyz refine=work:20000
better hop_bytes random:seed=3 refine=0.05
better max_link_load_bytes sfmopt refine=work:20000,refine-objective=linkload
"$haichi" map random -p torus:4x4x2 --ranks 32 -o start.txt || fail 'map random'
[ "$(figure hop_bytes file:refine=work:9000,path=start.txt)" -lt "$(figure hop_bytes start.txt)" ] ||
  fail 'file:refine=work:9000 does not reduce the hop-bytes'

# The mapping does not depend on the number of threads; --seed is the seed of the spec.
for threads in 1 2; do
  # shellcheck disable=SC2086
  "$haichi" map bisect:refine=work:2000 $traffic --threads $threads -o threads$threads || fail "map bisect:refine= with $threads threads"
done
cmp threads1 threads2 || fail 'the number of threads changes the mapping'
# Restarts in parallel, which read the phases of the trace that nothing else has read before.
for threads in 1 4 4 4 4 4 4 4 4; do
  "$haichi" map anneal:restarts=4,start=random,objective=time,work=200 -p torus:4x4x2 -t npb:cg.S.32@1 --threads $threads -o restarts$threads ||
    fail "map anneal:restarts=4 with $threads threads"
  [ $threads = 1 ] || cmp restarts1 restarts4 || fail 'the number of threads changes the best of several restarts'
done
# shellcheck disable=SC2086
"$haichi" map random:refine=work:10 $traffic --seed 7 -o seven && "$haichi" map random:refine=work:10,seed=7 $traffic |
  cmp - seven || fail '--seed and seed= of a spec with refine= give different mappings'

# In a campaign the exchanges use the traffic of the trace, with seeds and repetitions.
"$haichi" compare -p torus:4x4x2 -t random:32:degree=3 -m xyz xyz:refine=work:20000 random:refine=work:50,seeds=1..2 \
  --repeat 2 --jitter 0.01 -o out --no-plots >log 2>&1 || { fail compare && cat log; }
awk -F '\t' '/^#/ { next } !at { for (i = 1; i <= NF; i++) if ($i == "hop_bytes") at = i; next } { print $at }' \
  out/results.tsv >hops
[ "$(wc -l <hops)" -eq 4 ] || fail "not 4 rows: $(cat hops)"
[ "$(sed -n 2p hops)" -lt "$(sed -n 1p hops)" ] || fail "xyz is not refined: $(cat hops)"
[ "$(sed -n 2p hops)" -eq "$(figure hop_bytes xyz:refine=work:20000)" ] || fail "other hop-bytes than metrics: $(cat hops)"

# refuses WORDS COMMAND: one line with WORDS, exit 1
refuses()
{
  words=$1
  shift
  "$haichi" "$@" >out.txt 2>log
  code=$?
  [ $code -eq 1 ] || fail "$*: exit $code"
  [ "$(wc -l <log)" -eq 1 ] && grep -qF "$words" log || fail "$*: $(cat log)"
}

refuses "mapper 'xyz:refine=1' needs --trace or --matrix" map xyz:refine=1 --platform torus:4 --ranks 4
refuses "mapper 'xyz': refine: 'soon' is not a number" map xyz:refine=soon --platform torus:4 --trace ring:4
refuses "refine-objective=hopbytes without refine=" map xyz:refine-objective=hopbytes --platform torus:4 --trace ring:4
refuses "refine-objective: 'hops' is none of" map xyz:refine=1,refine-objective=hops --platform torus:4 --trace ring:4
refuses "mapper 'xyz' with refine= needs known routes, and the platform is opaque" \
  map xyz:refine=1 --platform "$root/tests/data/opaque.xml" --trace ring:2
refuses 'refine= is for ranks on a platform' map qap:refine=1 --qaplib "$root"/tests/data/qaplib/nug12.dat

cat >cut.xml <<'END'
<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <zone id="w" routing="Full">
    <host id="a" speed="1Gf"/><host id="b" speed="1Gf"/><host id="c" speed="1Gf"/>
    <link id="l" bandwidth="1MBps" latency="1us"/>
    <route src="a" dst="b"><link_ctn id="l"/></route>
  </zone>
</platform>
END
refuses 'route from host' map xyz:refine=1 --platform cut.xml --trace ring:3
exit $status
