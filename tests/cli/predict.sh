#!/bin/sh
# usage: tests/cli/predict.sh HAICHI
# predict: samples of iterations compared with complete runs, traces without marks, sweeps compared with the full search,
# refusals.
. "$(dirname "$0")/../shell.sh"

# value NAME: of the last report
value()
{
  awk -F '\t' -v n="$1" '$1 == n { print $2 }' out
}

# predicts BOUND ARGUMENT...: the prediction is within BOUND of the complete run, which lies in the predicted interval
predicts()
{
  bound=$1
  shift
  "$haichi" predict --check "$@" >out 2>err || { fail "predict $*: $(cat err)" && return; }
  [ "$(value within_interval)" = yes ] || fail "predict $*: the time is outside of the interval: $(tr '\n' ' ' <out)"
  awk -v e="$(value error)" -v b="$bound" 'BEGIN { exit !(e != "" && e <= b && -e <= b) }' || fail "predict $*: error $(value error)"
}

# refuses CODE TEXT ARGUMENT...
refuses()
{
  code=$1 text=$2
  shift 2
  "$haichi" predict "$@" >out 2>err
  [ $? -eq "$code" ] || fail "predict $*: exit code is not $code"
  grep -qF -- "$text" err || fail "predict $*: $(head -n 1 err)"
}

predicts 1e-6 -p torus:2x2x2 -t npb:lu.S.8 --sample 8
[ "$(value iterations_simulated)" = 7 ] && [ "$(value iterations)" = 50 ] || fail "LU: $(cat out)" # until they settle, and the last one, which computes norms
predicts 1e-6 -p torus:2x2x2 -t npb:cg.S.8
predicts 0.01 -p torus:4x4 -t npb:bt.S.16 -m random:seed=2 --background flows:4,size=100kB,gap=1ms --background tasks:3
predicts 0.01 -p star:16 -t npb:sp.S.16 --background tasks:4 --background links:p=0.1
predicts 0.05 -p torus:4x4 -t npb:bt.S.16 --background noise:every=1ms,for=50us --sample 20
"$haichi" platform torus:4x4 --speeds 1Gf,2Gf -o unequal.xml
predicts 0.001 -p unequal.xml -t npb:sp.S.16 -m greedy --collective allreduce=rdb --model cm02
predicts 0.02 -p torus:4x4 -t npb:bt.S.16 --jitter 0.1
# All iterations of a short program, exactly.
predicts 1e-12 -p torus:2x2 -t npb:mg.S.4 --sample 100
[ "$(value iterations_simulated)" = 4 ] || fail 'MG: not all 4 iterations are simulated'
predicts 1e-6 -p torus:2x2 -t npb:lu.S.4 --engine simgrid --sample 5
predicts 1e-6 -p torus:2x2 -t npb:cg.S.4 -m tune # a mapper that simulates

# Files with marks, the same in an archive, and files without marks.
"$haichi" trace npb bt.S.4 --iterations 30 -o marked >/dev/null || fail 'trace npb'
tar -cf packed.tar marked
predicts 1e-6 -p torus:2x2 -t marked/index.txt --sample 5
cp out marked.out
[ "$(value iterations)" = 30 ] || fail 'marked: not 30 iterations'
predicts 1e-6 -p torus:2x2 -t packed.tar --sample 5
cmp -s out marked.out || fail 'the archive gives another prediction'
cp -r marked bare
find bare -type f -exec sed -i '/^# haichi: iteration/d' {} +
predicts 1e-4 -p torus:2x2 -t bare/index.txt --sample 5
[ "$(value iterations)" -ge 29 ] && [ "$(value iterations_simulated)" -lt 8 ] || fail "bare: $(cat out)"

# The table of the iterations, and the same output as JSON.
"$haichi" predict -p torus:2x2 -t npb:lu.S.4 --sample 6 --series series.tsv >out 2>/dev/null || fail 'predict --series'
[ "$(head -n 1 series.tsv)" = "$(printf 'iteration\tbegin_s\tlength_s')" ] || fail 'header of the series'
[ "$(cut -f 1 series.tsv | tail -n +2 | tr '\n' ' ')" = '1 2 3 4 5 6 50 ' ] || fail "other iterations in the series: $(cut -f 1 series.tsv | tr '\n' ' ')"
"$haichi" predict -p torus:2x2 -t npb:lu.S.4 --sample 6 --format json 2>/dev/null | grep -q "\"predicted_time_s\": *$(value predicted_time_s)" || fail 'JSON has another predicted_time_s'

# Sweeps find the same choice as the full search, with any number of jobs; the printed command gives the predicted time.
"$haichi" platform mesh:4x2 --speeds 1Gf:4,2Gf:4 -o mesh.xml
"$haichi" predict --sweep -t 'npb:lu.S.{1,2,3,4,8,16}' -p mesh.xml --mapper xyz --mapper random:seed=1 --check -j 2 -o two >out 2>err || { fail 'predict --sweep' && cat err; }
[ "$(value found_best)" = yes ] && [ "$(value loss)" = 0 ] || fail "sweep: $(tr '\n' ' ' <out)"
awk -v s="$(value share_of_full_search)" 'BEGIN { exit !(s > 0 && s < 0.25) }' || fail "sweep: share_of_full_search is $(value share_of_full_search), not below 0.25"
cut -f 1 two/sweep.tsv | sort -un | tr '\n' ' ' | grep -qx 'ranks 1 2 4 8 ' || fail "numbers of ranks: $(cut -f 1 two/sweep.tsv | sort -un | tr '\n' ' ')"
grep -qx 'haichi: note: left out of the sweep: npb:lu.S.16: 16 ranks do not fit on 8 hosts with 1 ranks per host' err || fail "16 ranks: $(cat err)"
[ -s two/sweep.svg ] || fail 'the sweep makes no sweep.svg'

# Runs the printed command, which gives the time of the full search.
repeats() {
  value command | sed "s|^haichi|'$haichi'|" >command
  time=$(sh command 2>/dev/null | awk '$1 == "simulated_time_s" { print $2 }')
  awk -v a="$time" -v b="$(value full_time_s)" 'BEGIN { exit !(a > 0 && (a - b) ^ 2 < (1e-9 * b) ^ 2) }' || fail "$(cat command) gives '$time', not $(value full_time_s)"
}
repeats
"$haichi" predict --sweep -t 'ring:{8}:iterations=20,compute=1e6' -p torus:4 --cores 2 --ranks-per-host 2 --overlay mcmpi,density=2 --check -o cores >out 2>&1 || { fail 'sweep of two cores' && cat out; }
repeats
"$haichi" predict --sweep -t 'npb:lu.S.{1,2,3,4,8,16}' -p mesh.xml --mapper xyz --mapper random:seed=1 -j 1 -o one >/dev/null 2>&1 || fail 'sweep with one job'
cmp -s one/sweep.tsv two/sweep.tsv && cmp -s one/best.map two/best.map || fail 'the results depend on the number of jobs'
"$haichi" predict --sweep -t 'ring:{2,4}:iterations=20' -p "mesh.xml" --background "tasks:2,seed=3" --model cm02 -o 'a b' >out 2>/dev/null || fail 'sweep with load'
value command | grep -qF -- "--mapping 'a b/best.map' --model cm02 --background tasks:2,seed=3" || fail "command: $(value command)"

# Algorithms of mpich send other messages if other ranks share a host: choices are compared at the same points of the loop.
"$haichi" predict --sweep -t 'npb:is.A.{16,32}' -p fattree:k=4 --ranks-per-host 4 --collectives mpich --compute-scale 0.1 \
  --mapper xyz --mapper greedy --mapper slurm-cyclic --check -o nodes >out 2>/dev/null || fail 'sweep with mpich'
[ "$(value found_best)" = yes ] || fail "sweep with mpich: $(tr '\n' ' ' <out)"
time=$("$haichi" sim -t npb:is.A.32 -p fattree:k=4 --ranks-per-host 4 --collectives mpich --compute-scale 0.1 -m slurm-cyclic 2>/dev/null |
  awk '$1 == "simulated_time_s" { print $2 }')
awk -F '\t' -v time="$time" '$1 == 32 && $2 == "all" && $3 == "slurm-cyclic" { p = $6 } END { exit !(p > 0.98 * time && p < 1.02 * time) }' \
  nodes/sweep.tsv || fail "sweep with mpich: $(grep slurm-cyclic nodes/sweep.tsv), not $time s"

# On nodes with cores, two-level algorithms take the ranks of a node as one host, as sim does.
"$haichi" predict --sweep --check -p star:4 --node core:4 -t collective:14:call=allreduce,size=20000,iterations=40 --collectives mpich \
  --compute-scale 0 --mapper slurm-cyclic -o cores >out 2>&1 || { fail 'sweep on nodes' && cat out; }
value command | sed "s|^haichi|'$haichi'|" >command
sh command 2>/dev/null | awk -v p="$(value predicted_time_s)" '$1 == "simulated_time_s" { s = $2 } END { exit !(p > 0.99 * s && p < 1.01 * s) }' ||
  fail "sweep on nodes: $(value predicted_time_s) s, another time than sim's"

# The full search simulates all iterations, even if a sample would suffice.
"$haichi" predict --sweep -t 'npb:bt.S.{4,9}' -p torus:3x3 --jitter 0.2 --check -o jitter >out 2>err || { fail 'sweep with jitter' && cat err; }
time=$("$haichi" sim -t "$(value full_trace)" -p torus:3x3 --jitter 0.2 2>/dev/null | awk '$1 == "simulated_time_s" { print $2 }')
[ "$(value full_time_s)" = "$time" ] || fail "full_time_s is $(value full_time_s), but sim gives $time"
grep -q '^wall time .* s, of the full search .* s$' err || fail "$(cat err)"
# A sweep of a program with few iterations is cheaper than the full search, too.  Each number of ranks has a prediction, and
# none is better than the best.
"$haichi" predict --sweep -t 'npb:mg.S.{2,4,8}' -p mesh.xml --mapper xyz --mapper greedy --mapper random:seed=1 --check -o few >out 2>err || { fail 'sweep of few iterations' && cat err; }
[ "$(value found_best)" = yes ] || fail "few iterations: $(tr '\n' ' ' <out)"
awk -v s="$(value share_of_full_search)" 'BEGIN { exit !(s > 0 && s < 0.4) }' || fail "few iterations: share $(value share_of_full_search)"
awk -F '\t' -v best="$(value predicted_time_s)" '
  NR > 1 && $6 != "nan" { seen[$1] = 1; if ($6 < best * (1 - 1e-8)) bad = 1; least = least < $6 && least ? least : $6 }
  NR > 1 && $6 == "nan" && $7 != "nan" { bad = 1 }
  END { exit !(!bad && seen[2] && seen[4] && seen[8] && (least - best) ^ 2 < (1e-8 * best) ^ 2) }' few/sweep.tsv || fail "predictions: $(cat few/sweep.tsv)"
for engine in flow simgrid; do
  "$haichi" predict --sweep -t 'ring:{2,4}:iterations=20,compute=1e6' -p mesh.xml --mapper greedy --engine $engine -j 3 -o $engine >$engine.out 2>err || fail "sweep: $engine: $(cat err)"
done
cut -f 1-3 flow/sweep.tsv | cmp -s - flow/sweep.tsv && fail 'sweep.tsv has no predictions'
grep -E '^(trace|hosts|mapper)' flow.out >flow.best
[ "$(wc -l <flow.best)" -eq 3 ] && grep -E '^(trace|hosts|mapper)' simgrid.out | cmp -s - flow.best || fail "the engines find different choices: $(cat flow.out simgrid.out)"

refuses 2 'no --platform given' -t npb:lu.S.4
refuses 2 'no --trace given' -p torus:2x2
refuses 2 'sample' -p torus:2x2 -t npb:lu.S.4 --sample 3
refuses 2 '--sweep and --mapping exclude each other' -p torus:2x2 -t npb:lu.S.4 --sweep -o x -m greedy
refuses 2 'a prediction from DIR takes no --mapping and no --sample' . --sample 5
refuses 2 '--sweep without --output' -p torus:2x2 -t npb:lu.S.4 --sweep
refuses 2 '--mapper without --sweep' -p torus:2x2 -t npb:lu.S.4 --mapper xyz
refuses 1 'do not fit' -p torus:2 -t npb:lu.S.4
refuses 1 'a main loop of 2 iterations or more is needed, and this one has 1' -p torus:2x2 -t npb:ep.S.4
printf '0 init\n0 send 1 0 8 0\n0 finalize\n1 init\n1 recv 0 0 8 0\n1 finalize\n' >once
refuses 1 'once: no marks of iterations, and the actions of rank 0 do not repeat' -p torus:2x2 -t once
# Iteration i has i barriers.
awk 'BEGIN { print "0 init"; for (i = 1; i <= 5; i++) { print "# haichi: iteration " (i < 5 ? i : "end"); for (k = 0; k < i && i < 5; k++) print "0 barrier" } print "0 finalize" }' >uneven
refuses 1 'uneven: its iterations do not repeat' -p torus:2 -t uneven
refuses 1 'expected one list of numbers in braces' -p torus:2x2 -t 'npb:lu.S.{1' --sweep -o x
refuses 1 '--sweep: 2 ranks per node are no multiple of its 4 cores' -p star:4 --node core:4 --ranks-per-host 2 -t 'npb:lu.S.{8}' --sweep -o x
refuses 1 '8 ranks do not fit on 4 hosts' -p torus:2x2 -t 'npb:lu.S.{8}' --sweep -o x
refuses 1 "npb:lu.S.0" -p torus:2x2 -t 'npb:lu.S.{0}' --sweep -o x
exit $status
