#!/bin/sh
# usage: tests/cli/tune.sh HAICHI
# Mappers that simulate, with real simulations: hostname-best finds the best of all orders of clusters, tune is no worse
# than its starts with any settings, the mapping does not depend on the number of processes, and campaigns distinguish runs
# with different settings.
. "$(dirname "$0")/../shell.sh"
set -e

# seconds MAPPING PLATFORM TRACE [OPTION...]: prints the simulated time
seconds()
{
  m=$1 p=$2 t=$3
  shift 3
  "$haichi" sim -m "$m" -p "$p" -t "$t" "$@" 2>err | sed -n 's/^simulated_time_s.//p'
}

# no_more A B: A <= B
no_more()
{
  awk -v a="$1" -v b="$2" 'BEGIN { exit !(a != "" && b != "" && a + 0 <= b + 0) }'
}

# refuses CODE WHAT ARGUMENT...: haichi exits with CODE, and its only line contains WHAT
refuses()
{
  code=$1 what=$2
  shift 2
  got=0
  "$haichi" "$@" >out 2>err || got=$?
  [ "$got" -eq "$code" ] || fail "haichi $*: exit $got instead of $code"
  grep -qF "$what" err || fail "haichi $*: prints $(cat err) instead of $what"
  [ "$(wc -l <err)" -eq 1 ] || fail "haichi $*: prints more than a line"
}

cat >three.clusters <<'END'
cluster A hosts=2x1Gf
cluster B hosts=2x2Gf
cluster C hosts=2x1Gf
wan A B rtt=4ms  bandwidth=100MBps
wan A C rtt=10ms bandwidth=20MBps
wan B C rtt=1ms  bandwidth=50MBps
END
three=clusters:three.clusters
program=random:6:degree=1,weights=random,seed=2,compute=1e6

# Simulates all orders of the clusters.
"$haichi" map hostname -p "$three" --ranks 6 -o hosts
: >times
for order in 'A B C' 'A C B' 'B A C' 'B C A' 'C A B' 'C B A'; do
  : >order
  for cluster in $order; do
    grep "^$cluster" hosts >>order
  done
  seconds order "$three" "$program" >>times
done
[ "$(sort -g times | uniq | wc -l)" -gt 2 ] || fail "the orders of the clusters do not differ"
best=$(seconds hostname-best "$three" "$program")
worst=$(seconds hostname-worst "$three" "$program")
[ "$best" = "$(sort -g times | head -n 1)" ] || fail "hostname-best: $best s"
[ "$worst" = "$(sort -g times | tail -n 1)" ] || fail "hostname-worst: $worst s"

# tune is no slower than the mappers from which it starts, with any settings.
for options in '' '--compute-scale 0' '--model lv08 --eager-threshold 100000' '--engine simgrid' \
  '--background flows:3,size=100kB,gap=1ms' '--ranks-per-host 2'; do
  # shellcheck disable=SC2086 # several words
  tuned=$(seconds tune:runs=12 mesh:4x2 npb:cg.S.8@1 $options)
  for other in xyz greedy auto; do
    # shellcheck disable=SC2086
    no_more "$tuned" "$(seconds $other mesh:4x2 npb:cg.S.8@1 $options)" ||
      fail "tune $options: $tuned s, more than $other"
  done
done
random=$(seconds random:seed=3 mesh:4x4 npb:cg.S.16@3)
tuned=$(seconds tune:runs=40,start=random:seed=3 mesh:4x4 npb:cg.S.16@3)
no_more "$tuned" "$(awk -v t="$random" 'BEGIN { print t * 0.9 }')" ||
  fail "tune: $tuned s, not 10 % below $random s of random"

# The mapping does not depend on the number of processes, also with a trace from files.
for trace in npb:cg.S.16@2 "$root/tests/data/cg.A.64.2it.tar.zst"; do
  spec=tune:runs=3,start=random:seed=1
  "$haichi" map "$spec" -p torus:4x4x4 -t "$trace" --threads 1 -o one
  "$haichi" map "$spec" -p torus:4x4x4 -t "$trace" --threads 3 -o three
  OMP_NUM_THREADS=2 "$haichi" map "$spec" -p torus:4x4x4 -t "$trace" -o two
  cmp one two && cmp one three || fail "$trace: the mapping depends on the number of threads"
done
"$haichi" map tune:runs=3 -p mesh:2x2 -t npb:cg.S.4@1 --engine simgrid --threads 2 -o one
"$haichi" map tune:runs=3 -p mesh:2x2 -t npb:cg.S.4@1 --engine simgrid --threads 1 -o two
cmp one two || fail "engine simgrid: the mapping depends on the number of threads"

# Campaigns: the same results with any number of jobs; runs with other settings have other names.
for jobs in 1 2; do
  "$haichi" compare -p mesh:4x4 -t npb:cg.S.16@2 -m xyz tune:runs=20,seed=2 -j $jobs \
    -o "jobs$jobs" --no-plots >/dev/null 2>err || fail "$(cat err)"
done
cmp jobs1/results.tsv jobs2/results.tsv || fail "compare: the results depend on the number of jobs"
time=$(awk -F '\t' '$2 ~ /^tune/ { print $5 }' jobs1/results.tsv)
[ "$time" = "$(seconds tune:runs=20,seed=2 mesh:4x4 npb:cg.S.16@2)" ] || fail "compare: $time s, not the time of sim"
"$haichi" compare -p mesh:4x4 -t npb:cg.S.16@2 -m tune:runs=20,seed=2 --compute-scale 0 \
  -o other --no-plots >/dev/null 2>err || fail "$(cat err)"
for run in other/runs/*.tsv; do
  [ -f "$run" ] && ! [ -e "jobs1/runs/${run##*/}" ] || fail "$run: a run with other settings has the same name"
done

# Baselines of regress, and metrics under the options of a simulation.
printf 'platform\ttrace\tmapper\nmesh:2x2\tnpb:cg.S.4@1\ttune:runs=5\n' >baseline.tsv
"$haichi" regress -b baseline.tsv --update >/dev/null || fail "regress --update"
"$haichi" regress -b baseline.tsv >out || fail "regress: $(cat out)"
"$haichi" metrics tune:runs=3 -p mesh:2x2 -t npb:cg.S.4@1 --compute-scale 0 >out ||
  fail "metrics tune with options of a simulation"
grep -q '^hop_bytes' out || fail "metrics: no hop-bytes"

# Refusals.
refuses 1 "mapper 'tune' simulates candidates: it needs --trace" map tune -p mesh:4 --ranks 4
refuses 1 "mapper 'hostname-best' simulates candidates: it needs --trace" \
  map hostname-best -p mesh:4 --matrix grid:4
refuses 1 "mapper 'tune' simulates mappings: it needs a trace" metrics tune -p mesh:4 --matrix grid:4
refuses 1 "mapper 'tune': runs: " map tune:runs=many -p mesh:4 -t ring:4
refuses 1 "mapper 'hostname-worst' tries all orders of at most 7 clusters" \
  map hostname-worst -p random-clusters:hosts=16,sizes=2 -t ring:4
refuses 1 "mapper 'tune'" map tune -p "$root/tests/data/opaque.xml" -t ring:2
refuses 1 "ranks do not fit" map tune -p mesh:2 -t ring:4
printf '0 init\n0 recv 1 0 1\n0 finalize\n' >0
printf '1 init\n1 recv 0 0 1\n1 finalize\n' >1
printf '0\n1\n' >index
refuses 1 "deadlock" map tune -p mesh:2 -t index --threads 1
refuses 1 "deadlock" map tune -p mesh:2 -t index --threads 2

# auto with more slots than ranks: about as fast as with one rank per host, which is also allowed.
for each in 1 4; do
  set -- -p fattree:down=3x8,up=1x2,cables=1x2 --ranks-per-host $each -t npb:lu.A.16@1 --compute-scale 0
  "$haichi" map auto "$@" -o spare.$each 2>err && "$haichi" sim "$@" -m spare.$each 2>err | sed -n 's/^simulated_time_s.//p' >time.$each || fail "$(cat err)"
done
awk -v one="$(cat time.1)" -v four="$(cat time.4)" 'BEGIN { exit !(one > 0 && four < 1.2 * one) }' || fail "auto with spare slots: $(cat time.4), one rank per host $(cat time.1)"
exit $status
