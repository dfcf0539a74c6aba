#!/bin/sh
# usage: tests/cli/jobs.sh HAICHI
# Several programs on one platform: their times alone and together, in both engines; repeated jobs, also as load of
# compare; bad jobs.
. "$(dirname "$0")/../shell.sh"

tight='--precision 1e-12 --maxmin-precision 1e-9'

# figure NAME OPTION...: prints a value of the report of haichi sim, and its messages except for one note
figure()
{
  name=$1
  shift
  # shellcheck disable=SC2086 # several options
  "$haichi" sim $tight "$@" 2>err | sed -n "s/^$name\t//p"
  ! grep '^haichi' err | grep -v '^haichi: note: the jobs have more ranks than the platform takes'
}

# near WHAT A B BOUND
near()
{
  awk -v a="$2" -v b="$3" -v bound="$4" 'BEGIN { d = a > b ? a - b : b - a; exit !(b > 0 && d <= bound * b) }' ||
    fail "$1: $2 and $3"
}

# Jobs that are far apart in time, or whose routes have no link in common, take the same time as alone.
alone=$(figure simulated_time_s -p torus:4x4 -t npb:mg.S.16@2)
for engine in flow simgrid; do
  far="-p torus:4x4 --engine $engine --job npb:mg.S.16@2 --job npb:mg.S.16@2,start=1s"
  # shellcheck disable=SC2086 # several options
  for name in job_0_simulated_time_s job_0_alone_s job_1_simulated_time_s job_1_alone_s; do
    near "$engine, far apart: $name" "$(figure $name $far)" "$alone" 1e-10
  done
  # shellcheck disable=SC2086
  near "$engine, the end of the last job" "$(figure simulated_time_s $far)" "$(awk -v t="$alone" 'BEGIN { printf "%.17g", 1 + t }')" 1e-12
  two="-p star:32 --engine $engine --job npb:mg.S.16@2,hosts=0-15 --job npb:is.S.16,hosts=16-31"
  # shellcheck disable=SC2086
  near "$engine, other hosts" "$(figure job_0_slowdown $two)" 1 1e-9
done

# Jobs on the same host: computations share a core.
mkdir one && printf '0 init\n0 compute 1e9\n0 finalize\n' >one/0 && echo 0 >one/index.txt
mkdir half && printf '0 init\n0 compute 4e8\n0 finalize\n' >half/0 && echo 0 >half/index.txt
for engine in flow simgrid; do
  got=$("$haichi" sim -p torus:1 --engine $engine --job one/index.txt --job one/index.txt,start=500ms 2>/dev/null |
    grep -E 'simulated|slowdown' | cut -f 2 | tr '\n' ' ')
  [ "$got" = '2 1.5 1.5 1.5 1.5 ' ] || fail "two jobs on one core, $engine: $got"
  got=$("$haichi" sim -p torus:1 --engine $engine --job one/index.txt --job half/index.txt,repeat --background tasks:1 2>/dev/null |
    awk -F '\t' '/simulated|slowdown|runs/ { printf "%.6g ", $2 }')
  [ "$got" = '3 3 3 1.2 3 2 ' ] || fail "a job with a repeated job and a competing task, $engine: $got"
done

# Random sets of jobs: compares engine flow with SimGrid, which recomputes all rates at each event.
pick()
{
  shift "$(($1 + 1))"
  echo "$1"
}
seed=${JOBS_FIRST:-1}
while [ "$seed" -le "${JOBS_LAST:-9}" ]; do
  jobs="--job $(pick $((seed % 3)) npb:mg.S.16@2 npb:lu.S.16@2 npb:is.S.16),hosts=0-19,mapping=random:seed=$seed"
  jobs="$jobs --job $(pick $((seed / 3 % 3)) npb:ft.S.16@1 npb:mg.S.8@2 stencil:4x4:iterations=9),start=$((seed * 7))us"
  [ $((seed % 2)) = 0 ] || jobs="$jobs --job npb:is.S.8,hosts=5-16,repeat,mapping=random"
  platform=$(pick $((seed % 2)) torus:4x4x2 fattree:k=4,levels=4)
  for engine in flow simgrid-full; do
    # shellcheck disable=SC2086
    "$haichi" sim -p "$platform" --engine $engine $tight $jobs 2>err | grep -E 'simulated|slow|runs' >$engine
  done
  paste flow simgrid-full | awk -F '\t' '
    { d = $2 > $4 ? $2 - $4 : $4 - $2; if (NF != 4 || d > 1e-6 * $4) bad = 1 }
    END { exit bad || NR < 5 }' || { fail "seed $seed: $platform $jobs" && paste flow simgrid-full; }
  seed=$((seed + 1))
done

# Tables of jobs and their ranks.  A repeated job is background load and has no rows.
"$haichi" sim -p torus:4x4 --job npb:mg.S.16@1 --job npb:is.S.8,start=1ms,hosts=0-7 --job npb:is.S.4,repeat,hosts=node-3+5+0-1 \
  --per-rank ranks.tsv --links links.tsv --timeline time.csv >out 2>err || { fail 'sim of jobs with tables' && cat err; }
[ "$(cut -f 1 ranks.tsv | sort | uniq -c | tr -s ' \n' ' ')" = ' 16 0 8 1 1 job ' ] || { fail 'ranks.tsv has other numbers of ranks' && cat ranks.tsv; }
awk -F '\t' '$1 == 1 && $4 < 0.001 { exit 1 }' ranks.tsv || fail 'a rank ends before its job starts'
[ "$(awk -F '\t' 'NR > 1 { sum += $3 } END { print (sum > 0) }' links.tsv)" = 1 ] || fail 'links.tsv has no bytes'
grep -q '^job_2_runs	[1-9]' out && grep -q '^background_flops	[1-9]' out || { fail 'the report lacks job_2_runs or background_flops' && cat out; }
"$haichi" sim -p torus:4x4 --job npb:mg.S.16@1 --job npb:is.S.8 --format json 2>/dev/null | grep -q '"job_1": "npb:is.S.8"' || fail 'the JSON lacks job_1'

# A single job gives the same times as its trace.
"$haichi" sim -p torus:4x4 -t npb:mg.S.16@1 -m random --per-rank a.tsv >/dev/null 2>&1
"$haichi" sim -p torus:4x4 --job npb:mg.S.16@1,mapping=random --per-rank b.tsv >/dev/null 2>&1
cmp a.tsv b.tsv || fail 'a single job gives other times than its trace'
"$haichi" map random -p torus:4x4 --ranks 8 -o hosts 2>err
a=$(figure job_1_simulated_time_s -p torus:4x4 -m random --job npb:mg.S.16@1 --job npb:is.S.8,mapping=hosts)
[ -n "$a" ] && [ "$a" = "$(figure job_1_simulated_time_s -p torus:4x4 -m random --job npb:mg.S.16@1 --job npb:is.S.8)" ] ||
  fail 'mapping=FILE gives another time than the mapper'

# If the jobs fit, each gets separate hosts, with any mapper, and jobs with hosts= keep their hosts.  If they do not fit, a
# note is printed.
used()
{
  "$haichi" sim --per-rank ranks.tsv "$@" >out 2>err || { fail "$*" && cat err; }
  awk -F '\t' 'NR > 1 { print $3 }' ranks.tsv | sort | uniq -c | awk '{ print $1 }' | sort -u | tr '\n' ' '
}
[ "$(head -n 1 ranks.tsv | cut -f 3)" = host ] || fail "ranks.tsv: $(head -n 1 ranks.tsv)"
for mapping in xyz random greedy auto; do
  [ "$(used -p torus:4x4x2 -m $mapping --job npb:cg.S.16@1 --job npb:mg.S.16@1)" = '1 ' ] || fail "$mapping: two jobs share a host"
  grep -q '^haichi' err && fail "$mapping: $(cat err)"
done
[ "$(used -p torus:4x4x2 --job npb:cg.S.16@1 --job npb:is.S.8,hosts=0-7,mapping=random --job npb:is.S.8,mapping=random)" = '1 ' ] ||
  fail 'a job without hosts= shares hosts with others'
[ "$(awk -F '\t' '$1 == 0 { print $3 }' ranks.tsv | head -n 1)" = node-8 ] || fail "the job without hosts= does not begin on node-8: $(cat ranks.tsv)"
[ "$(used -p fattree:k=4 --ranks-per-host 2 -m greedy --job npb:cg.S.16@1 --job npb:mg.S.16@1)" = '2 ' ] || fail 'not two ranks on each host'
[ "$(used -p torus:4x4 --job npb:cg.S.16@1 --job npb:mg.S.16@1)" = '2 ' ] || fail 'jobs that do not fit: not two ranks on each host'
grep -q '^haichi: note: the jobs have more ranks than the platform takes: some share hosts$' err || fail "$(cat err)"

# Jobs as load of compare, repeated or not: the same results with any number of workers.
for jobs in 1 2; do
  "$haichi" compare -p torus:4x4x2 -t npb:mg.S.16@1 -m xyz random:seeds=1..2 --job npb:is.S.8,repeat,mapping=random \
    --job one/index.txt,start=1ms -j $jobs -o compare$jobs --no-plots >out 2>&1 || { fail 'compare' && cat out; }
done
cmp compare1/results.tsv compare2/results.tsv || fail 'the results depend on the number of workers'
grep -q '^# options .* job=npb:is.S.8,mapping=random,repeat job=one/index.txt,start=.* sha256=' compare1/results.tsv ||
  fail 'results.tsv does not name the jobs'

# says CODE SENTENCE OPTION...
says()
{
  code=$1
  sentence=$2
  shift 2
  "$haichi" sim -p torus:8 "$@" >out 2>&1
  [ $? -eq "$code" ] && head -n 1 out | grep -qF "$sentence" || { fail "$*: expected $sentence" && cat out; }
}

says 2 'haichi sim: --trace and --job exclude each other; give a --job for each program' -t npb:is.S.4 --job npb:is.S.4
says 2 'haichi sim: all jobs are repeated, and none ends' --job npb:is.S.4,repeat
says 2 "haichi sim: --job: start: 'x' is not a time" --job npb:is.S.4,start=x
says 2 "haichi sim: --job: option 'start' is given twice" --job npb:is.S.4,start=1s,start=2s
says 2 "haichi sim: --job: option 'hosts' has no value" --job npb:is.S.4,hosts=,repeat
says 2 "haichi sim: --job: start: '2' has no unit" --job npb:is.S.4,start=2
says 1 "a job has no 'host=', perhaps 'hosts='" --job npb:is.S.4@1,host=0-3
says 2 "haichi sim: --job: 'trace' is missing" --job ,repeat
says 1 "haichi: host '0-9': 9 is above the maximum of 7" --job npb:is.S.4,hosts=0-9
says 1 "haichi: the range '2-1' ends before it begins" --job npb:is.S.4,hosts=2-1
says 1 "haichi: no host 'alice' on torus:8" --job npb:is.S.4,hosts=alice
says 1 'haichi: 4 ranks do not fit on 2 hosts with 2 slots' --job npb:is.S.4,hosts=0-1
says 1 'haichi: ./none: cannot open: No such file' --job ./none --job npb:is.S.4
says 1 'haichi: deadlock at' --job "$root/tests/data/traces/deadlock.txt" --job npb:is.S.4
grep -q '^  rank 0 is blocked in' out || fail 'no list of blocked ranks'
printf '0 init\n0 finalize\n' >one/0
says 1 'haichi: one/index.txt: a job that takes no time cannot be repeated' --job one/index.txt,repeat --job npb:is.S.4
exit $status
