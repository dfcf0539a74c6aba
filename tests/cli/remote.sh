#!/bin/sh
# usage: tests/cli/remote.sh HAICHI
# `haichi compare --on` without Slurm: with a command, and with programs that imitate sbatch, squeue, sacct and scancel.
# The results equal those of local runs; tasks that are lost, late or cancelled, or find other inputs.
# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"
# shellcheck disable=SC2016 # for the shell of the command
each='command:seq $HAICHI_TASKS | xargs -n 1 sh "$HAICHI_SCRIPT"'

# compare OPTION...: 8 runs
compare()
{
  "$haichi" compare -p torus:4x4 -t npb:is.S.16 npb:mg.S.16@1 -m random:seeds=1..3 xyz --no-plots "$@"
}

# fails DIR SENTENCE WORD...: the campaign in DIR fails with only this line and leaves no DIR/on
fails()
{
  dir=$1 sentence=$2
  shift 2
  "$@" -o "$dir" >log 2>&1
  code=$?
  [ $code -eq 1 ] || fail "$*: exit $code: $(cat log)"
  [ "$(wc -l <log)" -eq 1 ] || fail "$*: $(cat log)"
  grep -Eqx "haichi: $sentence" log || fail "$*: '$(cat log)', not '$sentence'"
  [ ! -e "$dir/on" ] || fail "$*: left $(find "$dir/on")"
}

compare -o here -j 2 >log 2>&1 || fail "$(cat log)"
compare -o audit.here -j 2 --audit 3 >log 2>&1 || fail "$(cat log)"

# With a command: tasks of any size, audits, files for pictures, and stored runs.
for chunk in '' '--chunk 1' '--chunk 3' '--chunk 100'; do
  # shellcheck disable=SC2086 # several words
  compare -o by $chunk --on "$each" >log 2>&1 || fail "$chunk: $(cat log)"
  cmp here/results.tsv by/results.tsv || fail "$chunk: other results"
  [ ! -e by/on ] || fail "$chunk: left $(find by/on)"
  rm -r by
done
compare -o by --chunk 3 --audit 3 --on "$each" >log 2>&1 || fail "$(cat log)"
cmp audit.here/results.tsv by/results.tsv || fail 'an audit by tasks: other results'
rm "$(ls by/runs/*.tsv | head -n 1)"
compare -o by --chunk 3 --audit 3 --on "$each" >log 2>&1 || fail "$(cat log)"
cmp audit.here/results.tsv by/results.tsv || fail 'one run made again: other results'
"$haichi" compare -p torus:4 -t ring:4 -m xyz random -o pictures --chunk 1 --on "$each" >log 2>&1 || fail "$(cat log)"
[ -s pictures/plots/speedup.svg ] && [ "$(ls pictures/runs | wc -l)" -eq 5 ] || fail "$(ls pictures pictures/runs)"

# Runs that crash, are killed, take too long or fail give the same rows as locally.
printf '#!/bin/sh\nkill -9 $PPID\n' >kill.sh
printf '#!/bin/sh\nkill -SEGV $PPID\n' >crash.sh
printf '#!/bin/sh\nsleep 100\n' >sleep.sh
printf '0 init\n0 nonsense\n' >bad.txt
chmod +x ./*.sh
bad()
{
  "$haichi" compare -p torus:4 -t ring:4 bad.txt -m xyz command:path=kill.sh command:path=crash.sh command:path=sleep.sh \
    --timeout 2 --no-plots "$@"
}
bad -o bad.here -j 2 >log 2>&1 && fail 'bad runs, but exit 0'
bad -o bad.by --chunk 3 --on "$each" >log 2>&1 && fail 'bad runs by a command, but exit 0'
grep -q '7 of 8 runs failed' log || fail "$(cat log)"
cmp bad.here/results.tsv bad.by/results.tsv || status=1
bad -o bad.by --chunk 3 --retry-failed --on "$each" >log 2>&1 && fail 'bad runs again, but exit 0'
cmp bad.here/results.tsv bad.by/results.tsv || status=1

# A command that does nothing, and a command that fails, are tried three times; then a line has the last message.
fails not "the command: 8 of 8 runs are missing after 3 submissions without a result" compare --chunk 4 --on command:true
fails not "the command: 8 of 8 runs are missing after 3 submissions without a result; last message: no such queue" \
  compare --chunk 4 --on 'command:echo no such queue >&2; exit 1'
fails not "--on command: no command given; write .*" compare --on command
[ -e not/runs ] || fail 'the stored runs are gone'

# A command that ended before its start time could be read is stored with start time 0 and counts as ended.  4194304 is
# above the number of any process.
compare -o quick --chunk 8 --detach --on command:true >log 2>&1 || fail "$(cat log)"
printf 'command\t4194304-0-%s\n' "$(uname -n)" >quick/on/1/job
"$haichi" compare --status quick >log 2>&1 || fail "$(cat log)"
grep -qx 'state	over' log || fail "--status: $(cat log)"
compare -o quick --chunk 3 --on "$each" >log 2>&1 || fail "$(cat log)"
cmp here/results.tsv quick/results.tsv || fail 'after a command that ended at once: other results'

# --- an imitation of Slurm ---

mkdir bin
cat >bin/sbatch <<'SBATCH'
#!/bin/sh
echo "$@" >>"$FAKE/calls"
for script; do :; done
[ ! -e "$FAKE/refuse" ] || { cat "$FAKE/refuse" >&2 && exit 1; }
rm -f "$FAKE/ended"
tasks=$(printf '%s\n' "$@" | sed -n 's/^--array=1-//p')
[ -e "$FAKE/no-tasks" ] && tasks=0
setsid sh -c 'for i in $(seq "$1"); do
  SLURM_ARRAY_TASK_ID=$i SLURMD_NODENAME=n$((i % 2 + 1)) sh "$2"
done
touch "$FAKE/ended"' sh "$tasks" "$script" >/dev/null 2>&1 &
echo $! >"$FAKE/group"
echo '12;west'
SBATCH
cat >bin/squeue <<'SQUEUE'
#!/bin/sh
echo . >>"$FAKE/polls"
[ "$(wc -l <"$FAKE/polls")" -gt "$(cat "$FAKE/silent" 2>/dev/null || echo 0)" ] ||
  { echo 'slurm_load_jobs error: Unable to contact slurm controller (connect failure)' >&2 && exit 1; }
if [ ! -e "$FAKE/ended" ]; then
  printf '2-4|PENDING|Priority|\n1|RUNNING|None|n1\n'
elif [ -e "$FAKE/gone" ]; then
  echo 'slurm_load_jobs error: Invalid job id specified' >&2
  exit 1
else
  cat "$FAKE/states" 2>/dev/null || printf '1|COMPLETED|None|n1\n'
fi
SQUEUE
printf '#!/bin/sh\ncat "$FAKE/sacct" 2>/dev/null\n' >bin/sacct
printf '#!/bin/sh\necho "$@" >>"$FAKE/cancelled"\nkill -- "-$(cat "$FAKE/group")"\ntouch "$FAKE/ended"\n' >bin/scancel
chmod +x bin/*
export FAKE="$work/fake"
PATH=$work/bin:$PATH

# slurm OPTION...: the campaign with --on slurm
slurm()
{
  compare --on slurm:partition=a,nodelist=n1,n2,sbatch=--exclusive,time=1:30 "$@"
}
# fresh: resets the imitation
fresh()
{
  wait
  rm -rf fake && mkdir fake
}

fresh
echo 3 >fake/silent
slurm -o slurm --chunk 3 -j 2 >log 2>&1 || fail "$(cat log)"
cmp here/results.tsv slurm/results.tsv || fail 'by Slurm: other results'
want='--parsable --job-name=haichi --output=/dev/null --ntasks=1 --array=1-3 --cpus-per-task=2 --no-requeue --partition=a --nodelist=n1,n2 --exclusive --time=1:30'
[ "$(cat fake/calls)" = "$want $work/slurm/on/1/script" ] || fail "sbatch $(cat fake/calls)"

# The line names the end of the tasks.
late='Slurm: tasks reached their time limit, 8 of 8 runs are missing; .*time=60.*'
cancelled='Slurm: the job was cancelled, 8 of 8 runs are missing; run the same command again to resume'
for case in "1|TIMEOUT|TimeLimit|n1	$late" "1|CANCELLED|None|n1	$cancelled" "[1-2]|CANCELLED|None|	$cancelled" \
  "1|DEADLINE|None|	$late"; do
  fresh
  touch fake/no-tasks
  echo "${case%%	*}" >fake/states
  fails "end" "${case#*	}" slurm --chunk 4
  rm -r end
done
for case in "TIMEOUT	$late" "CANCELLED by 0	$cancelled"; do
  fresh
  touch fake/no-tasks fake/gone
  printf 'COMPLETED\n%s\n' "${case%%	*}" >fake/sacct
  fails "end" "${case#*	}" slurm --chunk 4
  rm -r end
done
fresh
echo 'sbatch: error: Batch job submission failed: Access denied' >fake/refuse
fails end 'sbatch refused the job array: Access denied; change the options of --on slurm' slurm --chunk 4
[ ! -e end ] || fail "left $(find end)"

# Lost tasks are submitted again on other nodes, up to three times without a result, with fewer runs per task.
fresh
touch fake/no-tasks
printf '1|COMPLETED|None|n1\n2|FAILED|NonZeroExitCode|n2\n3|NODE_FAIL|None|n3\n' >fake/states
fails end 'Slurm: 8 of 8 runs are missing after 3 submissions without a result' compare --on slurm --chunk 8
[ "$(grep -o -e '--array=[-0-9]*' fake/calls | tr '\n' ' ')" = '--array=1-1 --array=1-4 --array=1-8 ' ] || fail "$(cat fake/calls)"
[ "$(grep -c -e '--exclude=n2,n3 ' fake/calls)" -eq 2 ] || fail "$(cat fake/calls)"
rm -r end

# A lost task is submitted again before the others end: while tasks 1 and 3 are lost and task 2 runs, there is one more
# submission, on other nodes.
fresh
touch fake/no-tasks
printf '1|FAILED|NonZeroExitCode|n1\n3|NODE_FAIL|None|n1\n4|COMPLETED|None|n2\n2|RUNNING|None|n2\n' >fake/states
cat >bin/early <<'EARLY'
#!/bin/sh
for i in $(seq 200); do
  if [ -e early/on/2/job ]; then
    sleep 1
    [ ! -e early/on/3 ] && cut -f 1,3 early/on/2/tasks >"$FAKE/again"
    break
  fi
  sleep 0.1
done
for s in early/on/*/script; do
  for i in $(seq 8); do sh "$s" "$i"; done
done
EARLY
sh bin/early &
compare -o early --on slurm --chunk 3 >log 2>&1 || fail "$(cat log)"
wait
cmp here/results.tsv early/results.tsv || fail 'by two submissions: other results'
[ "$(cat fake/again)" = '1	0
1	1
1	2
2	6
2	7' ] || fail "submitted again: $(cat fake/again; cat fake/calls)"
[ "$(wc -l <fake/calls)" -eq 2 ] && tail -n 1 fake/calls | grep -q -e '--exclude=n1 ' || fail "$(cat fake/calls)"

# --detach leaves the tasks, --status prints their progress, and the same command collects them without another submission.
fresh
slurm -o left --chunk 4 --detach >log 2>&1 || fail "$(cat log)"
[ "$(cat log)" = '8 runs are submitted; haichi compare --status left prints their progress' ] || fail "$(cat log)"
"$haichi" compare --status left >log 2>&1 || fail "$(cat log)"
grep -qx 'campaign_runs	8' log && grep -qx 'runs	8' log && grep -qx 'job	12' log && grep -qx 'on	slurm' log || fail "--status: $(cat log)"
slurm -o left --chunk 4 >log 2>&1 || fail "$(cat log)"
cmp here/results.tsv left/results.tsv || fail 'after --detach: other results'
[ "$(wc -l <fake/calls)" -eq 1 ] && [ ! -e left/on ] || fail "$(cat fake/calls; ls left)"

# A task with other inputs, with a broken submission, or with a number above the last one.
fresh
touch fake/no-tasks
cp "$root/tests/data/is.S.16.tar.zst" trace.tar.zst
other()
{
  "$haichi" compare -p torus:4x4 -t trace.tar.zst -m xyz --no-plots -o other --chunk 1 --on slurm "$@"
}
other --detach >log 2>&1 || fail "$(cat log)"
cp "$root/tests/data/mg.S.16.tar.zst" trace.tar.zst
# says N SENTENCE: task N fails with this line
says()
{
  sh other/on/1/script "$1" && fail "task $1: exit 0"
  grep -Eqx "haichi: [^ ]*: $2" "other/on/1/log.$1" || fail "task $1: $(cat "other/on/1/log.$1")"
}
says 1 "trace.tar.zst under xyz: this machine has other inputs, or another haichi, than the plan"
sh other/on/1/script 2 || fail "a task above the last one: $(cat other/on/1/log.2)"
says 0 'tasks are numbered from 1'
says x "'x' is not a whole number"
cp other/on/1/tasks tasks
for line in '1' '1	0	0' '0	0	0	a' '1	7	0	a' '1	0	9	a' 'x	0	0	a' "1	0	0	$(printf '%0100d' 7)"; do
  echo "$line" >other/on/1/tasks
  says 1 '.*'
  [ "$(wc -l <other/on/1/log.1)" -eq 1 ] || fail "$line: $(cat other/on/1/log.1)"
done
cp tasks other/on/1/tasks
printf '/no/such/folder\0-p\0torus:4\0' >other/on/1/words
says 1 '/no/such/folder: cannot enter the folder: No such file or directory'
rm other/on/1/words
says 1 '.*/other/on/1/words: cannot read: No such file or directory'

# Files of a command that was killed before its submission are removed.
fresh
cp "$root/tests/data/is.S.16.tar.zst" trace.tar.zst
rm other/on/1/*
other >log 2>&1 || fail "$(cat log)"
[ ! -e other/on ] || fail "left $(find other/on)"

# An interrupted command cancels its job.
fresh
printf '#!/bin/sh\nsleep 20\n' >sleep.sh
(exec env --default-signal=INT "$haichi" compare -p torus:4 -t ring:4 -m xyz \
  command:path=sleep.sh --no-plots -o stop --chunk 1 --on slurm) >log 2>&1 &
pid=$!
for i in $(seq 100); do
  [ -e stop/on/1/job ] && break
  sleep 0.1
done
kill -INT $pid
wait $pid
[ $? -eq 130 ] || fail "interrupted: exit code is not 130: $(cat log)"
[ "$(cat fake/cancelled)" = 12 ] && [ ! -e stop/on ] || fail "interrupted: the job is not cancelled, or files are left: $(find stop/on)"
grep -qx 'haichi: Slurm job 12 is cancelled; run the same command again to resume' log || fail "$(cat log)"
exit $status
