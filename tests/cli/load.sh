#!/bin/sh
# usage: tests/cli/load.sh HAICHI
# Background load: its effect on times, compared with theory and with SimGrid; the same seed gives the same bytes; bad
# specs.
. "$(dirname "$0")/../shell.sh"

sh "$root/tests/peers/load.sh" "$haichi" 1 12 >log 2>&1 || { fail 'engines differ:' && grep differs log; }

# program FLOPS...: a trace in which rank i computes the i-th number of flops
program()
{
  rm -rf program && mkdir program && : >program/index.txt
  for flops in "$@"; do
    rank=$(wc -l <program/index.txt)
    printf '%d init\n%d compute %s\n%d finalize\n' "$rank" "$rank" "$flops" "$rank" >"program/$rank"
    echo "$rank" >>program/index.txt
  done
}

# figure NAME OPTION...: prints a value of the report of haichi sim, and its messages
figure()
{
  name=$1
  shift
  "$haichi" sim -t program/index.txt "$@" 2>err | sed -n "s/^$name\t//p"
  ! grep '^haichi' err
}

# equals WHAT GOT EXPECTED
equals()
{
  [ "$2" = "$3" ] || fail "$1: $2 instead of $3"
}

# n competing computations on one core leave 1 / (n + 1) of it; on several cores the shares are as in SimGrid.
program 1e9
for n in 1 2 4 9; do
  for engine in flow simgrid; do
    equals "$n tasks, $engine" "$(figure simulated_time_s -p torus:1 --background tasks:$n --engine $engine)" $((n + 1))
    equals "flops of $n tasks, $engine" "$(figure background_flops -p torus:1 --background tasks:$n --engine $engine)" ${n}000000000
  done
done
echo 'cluster A hosts=1x1Gf:4' >cores.clusters
for pair in 1:1 3:1 7:2 11:3; do
  for engine in flow simgrid; do
    equals "${pair%:*} tasks on 4 cores, $engine" \
      "$(figure simulated_time_s -p clusters:cores.clusters --background tasks:"${pair%:*}" --engine $engine)" "${pair#*:}"
  done
done
"$haichi" sim -p torus:1 -t program/index.txt --background tasks:1,seed=3 --background tasks:2 --format json 2>/dev/null |
  grep -q '"background_flops": 3000000000,' || fail 'two loads of tasks do not add up'

# N streams of messages over one link of 1.25 GB/s.  A cycle of all streams lasts latency + N * bytes / bandwidth + gap.
# Model cm02 has no factors; a message has an envelope of 16 bytes.
program 1e9 1e9
printf 'node-2\nnode-3\n' >hosts
for n in 1 2 5; do
  for gap in 0 300us; do
    yes 'node-0 node-1' | head -n $n >pairs
    for engine in flow simgrid; do
      equals "$n flows, gap $gap, $engine" \
        "$(figure background_messages -p mesh:4 -m hosts -M cm02 --engine $engine \
          --background flows:$n,size=1249984B,gap=$gap,pairs=pairs)" \
        "$(awk -v n=$n -v gap="${gap%us}" 'BEGIN { print n * int(1 / (1e-7 + n * 1e-3 + gap * 1e-6)) }')"
    done
  done
done
equals 'bytes of 5 flows' "$(figure background_bytes -p mesh:4 -m hosts -M cm02 --background flows:5,size=1249984B,pairs=pairs)" \
  "$((5 * 199 * 1249984))"

# Noise for 1/10 of the time: on one core it takes its share; one rank on two cores is not affected.
program 1e9
equals 'noise on one core' "$(figure simulated_time_s -p torus:1 --background noise:every=100us,for=10us | cut -c 1-5)" 1.111
echo 'cluster A hosts=1x1Gf:2' >two.clusters
equals 'noise beside one rank on two cores' "$(figure simulated_time_s -p clusters:two.clusters --background noise:every=1ms,for=100us)" 1

# The loss of messages by tasks: R has mean 0.1 for each task at either end.
rm -rf program && mkdir program && printf 'a\nb\n' >program/index.txt
awk 'BEGIN { for (i = 0; i < 2; i++) { f = i ? "program/b" : "program/a"; print i, "init" >f
  for (k = 0; k < 1000; k++) print i, i ? "recv 0 0 1000000" : "send 1 0 1000000" >f; print i, "finalize" >f } }'
plain=$(figure simulated_time_s -p star:2 -M cm02)
slowed=$(figure simulated_time_s -p star:2 -M cm02 --background tasks:3 --background links:p=0.1)
awk -v a="$plain" -v b="$slowed" 'BEGIN { exit !(b / a > 1.42 && b / a < 1.46) }' ||
  fail "the loss of bandwidth is not 1 / (1 - 0.3) with its spread: $slowed s, and $plain s without load"
slowed=$(figure simulated_time_s -p star:2 -M cm02 --background tasks:3 --background links:p=0.1,of=time)
awk -v a="$plain" -v b="$slowed" 'BEGIN { exit !(b / a > 1.29 && b / a < 1.31) }' ||
  fail "the loss of time is not 1 + 0.3: $slowed s, and $plain s without load"

# The same seed gives the same bytes with any number of workers; another seed gives other times.
loads='--background tasks:9 --background flows:4,size=10kB --background noise:every=1ms,for=100us --background links:p=0.2'
for jobs in 1 2; do
  # shellcheck disable=SC2086 # several options
  "$haichi" compare -p torus:4x4 -t npb:mg.S.16@1 -m xyz random:seeds=1..3 $loads -j $jobs -o jobs$jobs --no-plots >out 2>&1 ||
    { fail 'compare with loads' && cat out; }
done
cmp jobs1/results.tsv jobs2/results.tsv || fail 'the results depend on the number of workers'
grep '^# options ' jobs1/results.tsv | grep -q ' background=tasks:9 background=flows:4,size=10kB' ||
  fail 'results.tsv does not name the loads'
awk -F '\t' '$1 == "trace" { for (i = 1; i <= NF; i++) at[$i] = i } /^npb/ { rows++; good += at["background_flops"] > 0 && $at["background_flops"] > 0 }
  END { exit !(rows > 0 && good == rows) }' jobs1/results.tsv ||
  fail 'results.tsv lacks values of background_flops'
program 1e9 1e9 1e9 1e9
a=$(figure simulated_time_s -p torus:8 --background tasks:6)
b=$(for seed in 2 3 4 5; do figure simulated_time_s -p torus:8 --background tasks:6,seed=$seed; done | sort -u | wc -l)
equals 'the same seed' "$(figure simulated_time_s -p torus:8 --background tasks:6,seed=1)" "$a"
[ "$b" -gt 1 ] || fail 'all seeds give the same load'

# The identity of a run includes the file of pairs.
"$haichi" compare -p mesh:4 -t program/index.txt -m xyz --background flows:5,pairs=pairs -o files --no-plots >out 2>&1
grep -q 'background=flows:5,pairs=pairs sha256=' files/results.tsv || fail 'results.tsv lacks the checksum of the pairs'

# usage SENTENCE SPEC: bad usage, exit 2
usage()
{
  "$haichi" sim -p torus:4 -t program/index.txt --background "$2" >out 2>&1
  [ $? -eq 2 ] && head -n 1 out | grep -qF "haichi sim: --background: $1" || { fail "$2: expected $1" && cat out; }
}

usage "unknown load 'task', perhaps 'tasks'; expected tasks, flows, links, noise or profile" task:3
usage "load 'tasks': options are missing, as in tasks:10,seed=1" tasks
usage "load 'tasks:': 'N' is missing" tasks:
usage "load 'tasks:0': N: 0 is below the minimum of 1" tasks:0
usage "load 'tasks:9999999': N: 9999999 is above the maximum of 1048576" tasks:9999999
usage "load 'tasks:3,sed=1': no option 'sed'; options: work, pause, seed" tasks:3,sed=1
usage "load 'tasks:3,seed=x': seed: 'x' is not a whole number" tasks:3,seed=x
usage "load 'flows:3,size=0': size: " flows:3,size=0
usage "load 'flows:3,gap=-1s': gap: " flows:3,gap=-1s
usage "load 'noise:every=1ms': option 'for' is missing" noise:every=1ms
usage "load 'noise:every=1ms,for=0': for= must be above 0" noise:every=1ms,for=0
usage "load 'noise:every=1e-10s,for=1e-11s': every= must be at least 1e-09 s" noise:every=1e-10s,for=1e-11s
usage "load 'noise:every=1ms,for=2ms': for= 0.002 s is not below every= 0.001 s" noise:every=1ms,for=2ms
usage "load 'links:p=2': p: 2 is outside 0..1" links:p=2
usage "load 'links:of=times': of: 'times' is none of bandwidth, time" links:of=times

# refused SENTENCE SPEC: bad input, exit 1
refused()
{
  "$haichi" sim -p torus:4 -t program/index.txt --background "$2" >out 2>&1
  [ $? -eq 1 ] && [ "$(wc -l <out)" -eq 1 ] && grep -qF "haichi: $1" out || { fail "$2: expected $1" && cat out; }
}

refused "load 'links': it depends on competing tasks on the hosts, and no load 'tasks:N' is given" links:p=0.1
refused "load 'flows:1,pairs=none': none: cannot read: No such file or directory" flows:1,pairs=none
printf '# comment\n\nnode-0 node-9\n' >bad
refused "load 'flows:1,pairs=bad': bad:3: no host 'node-9' on the platform" flows:1,pairs=bad
echo 'node-0 node-0' >bad
refused "load 'flows:1,pairs=bad': bad:1: from host 'node-0' to itself" flows:1,pairs=bad
echo 'node-0 node-1 node-2' >bad
refused "load 'flows:1,pairs=bad': bad:1: expected two hosts" flows:1,pairs=bad
printf 'node-0 node-1\nnode-0 node-2\n' >bad
refused "load 'flows:1,pairs=bad': bad:2: more than 1 pairs" flows:1,pairs=bad
refused "load 'flows:3,pairs=bad': bad:2: 2 pairs of hosts for 3 flows" flows:3,pairs=bad
exit $status
