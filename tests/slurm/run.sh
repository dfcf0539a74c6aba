#!/bin/sh
# usage: tests/slurm/run.sh HAICHI
# `haichi compare --on` on a Slurm of two nodes, which the script sets up on loopback and stops at the end: the table
# must be that of `-j 2`, whatever happens to nodes, jobs and the command.  And a job that maps itself.  Needs root,
# slurm-wlm, munge, parallel.  If it cannot set up Slurm, it prints one line and exits 77.  CHECKS: names of the functions
# to run.
# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"
# shellcheck source=tests/slurm/cluster.sh
. "$root/tests/slurm/cluster.sh"

cluster_open

# compare OPTION...: a campaign of 600 runs of two traces, one of which must be unpacked
compare()
{
  "$haichi" compare -p torus:4x4 -t npb:mg.S.16@1 "$root/tests/data/is.S.16.tar.zst" --no-plots \
    -m random:seeds=1..298 xyz greedy "$@"
}

compare -j 2 -o reference >log 2>&1 || fail "the campaign with -j 2 fails: $(cat log)"

# made DIR: prints the number of results
made()
{
  ls "$1/runs" 2>/dev/null | grep -c '^.\{32\}\.tsv$'
}

# reaches DIR N: are there N results or more?
reaches()
{
  [ "$(made "$1")" -ge "$2" ]
}

# begin DIR OPTION...: starts the campaign in the background, as $pid, and waits for a quarter of its runs
begin()
{
  dir=$1
  shift
  (trap - INT && exec env --default-signal=INT "$haichi" compare -p torus:4x4 -t npb:mg.S.16@1 "$root/tests/data/is.S.16.tar.zst" \
    --no-plots -m random:seeds=1..298 xyz greedy -o "$dir" "$@") >"$dir.log" 2>&1 &
  pid=$!
  await 60 "$dir: 150 runs" reaches "$dir" 150
}

# whole DIR: the table must be the one of `-j 2`, with each run once; nothing else may be left
whole()
{
  cmp reference/results.tsv "$1/results.tsv" || fail "$1: another table: $(cat "$1.log")"
  [ "$(made "$1")" -eq 600 ] || fail "$1: $(made "$1") results instead of 600"
  [ "$(wc -l <"$1/timings.tsv")" -eq 601 ] || fail "$1: timings.tsv has $(wc -l <"$1/timings.tsv") lines instead of 601"
  [ ! -e "$1/on" ] || fail "$1: files are left: $(find "$1/on")"
  [ -z "$(find "$1/runs" -regextype egrep -regex '.*\.[A-Za-z0-9]{6}')" ] || fail "$1: temporary files are left"
  await 90 "$1: an empty queue" queue_is_empty || squeue -p p # Slurm asks again after 60 s when a slurmd was away
}

queue_is_empty()
{
  [ -z "$(squeue -h -p p)" ]
}

# succeeds DIR: the command in the background must exit 0
succeeds()
{
  wait $pid || fail "$1: exit $?: $(cat "$1.log")"
}

# --- the checks ---

nothing_happens()
{
  compare -o plain --on slurm --chunk 50 >plain.log 2>&1 || fail "plain: exit $?: $(cat plain.log)"
  whole plain
  grep -q '^haichi' plain.log && fail "plain: a message: $(cat plain.log)"
  [ "$(squeue -h -p p -t all -o %T | sort | uniq -c | tr -s ' ')" = ' 12 COMPLETED' ] || fail "not 12 completed tasks: $(squeue -t all)"
  compare -o parallel --on parallel:jobs=2 --chunk 50 >parallel.log 2>&1 || fail "parallel: exit $?: $(cat parallel.log)"
  whole parallel
  # All keys are options of sbatch; without --chunk haichi chooses the size of chunks.
  compare -o options --on "slurm:partition=p,nodelist=n2,sbatch=--hold,priority=1" --detach >log 2>&1 || fail "options: exit $?: $(cat log)"
  job=$(squeue -h -o %A | head -n 1)
  scontrol show job "$job" | grep -q 'JobState=PENDING Reason=JobHeld' || fail "not held: $(scontrol show job "$job")"
  scontrol show job "$job" | grep -q 'ReqNodeList=n2' || fail "nodelist=n2 is not in the job: $(scontrol show job "$job")"
  scontrol release "$job"
  compare -o options --on slurm >options.log 2>&1 || fail "options: exit $?: $(cat options.log)"
  whole options
}

a_slurmd_is_killed()
{
  begin slurmd --on slurm --chunk 100
  kill -9 "$(pid_of "$cluster/n2.pid")" || fail 'n2 has no slurmd'
  sleep 1
  node_start n2
  succeeds slurmd
  whole slurmd
}

a_node_is_lost()
{
  begin lost --on slurm --chunk 100
  node_kill n2
  succeeds lost
  whole lost
  node_start n2
  await 60 'n2 is back' nodes_are idle idle
}

a_node_is_drained()
{
  begin drained --on slurm --chunk 100
  scontrol update nodename=n1 state=drain reason=test
  succeeds drained
  whole drained
  scontrol update nodename=n1 state=resume
  await 60 'n1 is back' nodes_are idle idle
}

the_array_is_cancelled()
{
  begin cancelled --on slurm --chunk 100
  scancel "$(squeue -h -o %A | head -n 1)"
  wait $pid && fail 'exit 0 although the array was cancelled'
  grep -Eqx 'haichi: Slurm: the job was cancelled, [0-9]+ of 600 runs are missing; run the same command again to resume' \
    cancelled.log || fail "another message: $(cat cancelled.log)"
  [ ! -e cancelled/on ] || fail "files are left: $(find cancelled/on)"
  compare -o cancelled --on slurm --chunk 100 >cancelled.log 2>&1 || fail "the same command again: exit $?: $(cat cancelled.log)"
  whole cancelled
}

the_command_is_killed()
{
  begin killed --on slurm --chunk 100
  kill -9 $pid
  wait $pid 2>/dev/null
  first=$(squeue -h -o %A | sort | head -n 1)
  [ -n "$first" ] || fail 'the array ended with the command'
  "$haichi" compare --status killed >log 2>&1 || fail "--status: exit $?: $(cat log)"
  grep -Eq '^runs_made	[1-9][0-9]*$' log || fail "--status: $(cat log)"
  grep -q '^state	at work$' log || fail "--status: $(cat log)"
  compare -o killed --on slurm --chunk 100 >killed.log 2>&1 || fail "the same command again: exit $?: $(cat killed.log)"
  whole killed
  last=$(squeue -h -t all -o %F | sort -n | tail -n 1)
  [ "$(scontrol show job "$last" | grep -c "ArrayJobId=$last ")" -eq 6 ] || fail 'tasks that were at work were submitted again'
}

the_command_is_interrupted()
{
  begin interrupted --on slurm --chunk 100
  kill -INT $pid
  wait $pid 2>/dev/null
  code=$?
  [ $code -eq 130 ] || fail "exit $code instead of 130: $(cat interrupted.log)"
  grep -Eqx 'haichi: Slurm job [0-9]+ is cancelled; run the same command again to resume' interrupted.log || fail "another message: $(cat interrupted.log)"
  await 20 'an empty queue' queue_is_empty
  [ ! -e interrupted/on ] || fail "files are left: $(find interrupted/on)"
  # The rest is run on this machine, also while an array is at work.
  compare -o interrupted --on slurm --chunk 100 --detach >log 2>&1 || fail "--detach: exit $?: $(cat log)"
  grep -Eqx '[0-9]+ runs are submitted; haichi compare --status interrupted prints their progress' log || fail "--detach: another message: $(cat log)"
  compare -o interrupted -j 1 >interrupted.log 2>&1 || fail "-j 1: exit $?: $(cat interrupted.log)"
  cmp reference/results.tsv interrupted/results.tsv || fail 'another table by an array and -j 1 at the same time'
  await 20 'an empty queue' queue_is_empty
  compare -o interrupted -j 1 >interrupted.log 2>&1 || fail "-j 1: exit $?: $(cat interrupted.log)"
  whole interrupted
}

# n2 gets a disk of 16 KB, on which a trace cannot be unpacked.
a_disk_is_full()
{
  kill "$(pid_of "$cluster/n2.pid")" || fail 'n2 has no slurmd'
  await 10 'n2 ends' not pid_of "$cluster/n2.pid"
  # shellcheck disable=SC2016 # for the inner shell
  node_start n2 unshare -m sh -c 'mount -t tmpfs -o size=16k none "$TMPDIR" && exec "$@"' sh
  await 60 'n2 is back' nodes_are idle idle
  compare -o full --on slurm --chunk 100 >full.log 2>&1 || fail "full: exit $?: $(cat full.log)"
  whole full
  compare -o full2 --on slurm:nodelist=n2 --chunk 600 >full2.log 2>&1 && fail 'full2: exit 0 although the disk is full'
  [ "$(wc -l <full2.log)" -eq 1 ] || fail "full2: not one line: $(cat full2.log)"
  grep -Eq '300 of 600 runs are missing.*last message: haichi: n2: .*No space left on device$' full2.log || fail "full2: another message: $(cat full2.log)"
  kill "$(pid_of "$cluster/n2.pid")" || fail 'n2 has no slurmd'
  await 10 'n2 ends' not pid_of "$cluster/n2.pid"
  node_start n2
  await 60 'n2 is back' nodes_are idle idle
  compare -o full2 --on slurm:nodelist=n2 --chunk 600 >full2.log 2>&1 || fail "full2 again: exit $?: $(cat full2.log)"
  whole full2
}

not()
{
  ! "$@" >/dev/null
}

# Two arrays have the same runs, and a task runs twice: each run counts once.
a_task_runs_twice()
{
  begin twice --on slurm:sbatch=--requeue --chunk 100
  job=$(squeue -h -t R -o %A | head -n 1)
  scontrol requeue "$job" || fail "job $job is not requeued"
  kill -9 $pid
  wait $pid 2>/dev/null
  mv twice/on twice.on # as if the array were forgotten: all is submitted again
  compare -o twice --on slurm --chunk 100 >twice.log 2>&1 || fail "exit $?: $(cat twice.log)"
  cmp reference/results.tsv twice/results.tsv || fail 'another table by two arrays'
  scancel -u root -p p
  whole twice
}

# Task networks: 60 runs
networks_are_run()
{
  set -- compare -p random-clusters:seed=2 --network "$root/tests/data/tasknets/survey.xml" random:tasks=60,seed=3 \
    --scheduler heft hierarchical best:tries=4 --load none tasks:10 --repeat 5 --no-plots
  "$haichi" "$@" -j 2 -o networks.here >log 2>&1 || fail "-j 2: exit $?: $(cat log)"
  "$haichi" "$@" -o networks --on slurm --chunk 15 >log 2>&1 || fail "--on slurm: exit $?: $(cat log)"
  for table in results repeats summary; do
    cmp networks.here/$table.tsv networks/$table.tsv || fail "another $table.tsv"
  done
  [ "$(made networks)" -eq 60 ] && [ ! -e networks/on ] || fail "$(made networks) results instead of 60, files left: $(find networks/on)"
}

# By GNU parallel on two hosts, through an sshd of the test, with its own port and keys; and on a host without an sshd.
machines_are_reached_by_ssh()
{
  mkdir ssh
  mkdir -p /run/sshd # sshd does not start without it
  ssh-keygen -q -t ed25519 -N '' -f ssh/host
  ssh-keygen -q -t ed25519 -N '' -f ssh/user
  ssh_port=$((36000 + $$ % 4000))
  printf '%s\n' "Port $ssh_port" 'ListenAddress 127.0.0.1' "HostKey $work/ssh/host" "AuthorizedKeysFile $work/ssh/user.pub" \
    "PidFile $cluster/sshd.pid" 'StrictModes no' 'UsePAM no' 'PermitRootLogin prohibit-password' >ssh/sshd_config
  printf '%s\n' 'HostName 127.0.0.1' "IdentityFile $work/ssh/user" "UserKnownHostsFile $work/ssh/known" \
    'StrictHostKeyChecking no' 'LogLevel ERROR' 'Host h1 h2' "Port $ssh_port" 'Host away' "Port $((ssh_port + 4000))" >ssh/config
  "$sshd" -f "$work/ssh/sshd_config" -E "$work/ssh/log" || { fail "sshd does not start: $(cat ssh/log)" && return; }
  await 20 'an sshd' test -s "$cluster/sshd.pid"
  by_ssh="parallel:jobs=1,ssh=ssh -F $work/ssh/config,sshlogin"
  compare -o ssh.two --on "$by_ssh=h1,h2" --chunk 100 >ssh.two.log 2>&1 || fail "ssh.two: exit $?: $(cat ssh.two.log)"
  whole ssh.two
  compare -o ssh.away --on "$by_ssh=away" --chunk 300 >log 2>&1 && fail 'exit 0 although the host has no sshd'
  grep -Eqx 'haichi: GNU parallel: 600 of 600 .*; last message: ssh: connect to host .* refused' log || fail "ssh.away: another message: $(cat log)"
  begin ssh.cut --on "$by_ssh=h1,h2" --chunk 300
  kill -INT $pid
  wait $pid 2>/dev/null
  code=$?
  [ $code -eq 130 ] && [ ! -e ssh.cut/on ] || fail "ssh.cut: exit $code, or files are left: $(cat ssh.cut.log)"
  await 10 'the end of the tasks on the hosts' not pgrep -f "$work/ssh.cut/on"
  kill "$(pid_of "$cluster/sshd.pid")"
}

# Names may contain anything: they are never run as commands.
names_are_names()
{
  odd="it's \"odd\" \$(touch owned) \`touch owned\` <script>alert(1)<!-- & ; touch owned
touch owned
#%j %A \\"
  mkdir "$odd" || fail 'the folder cannot be made'
  cp "$root/tests/data/is.S.16.tar.zst" "$odd/"
  cd "$odd" || return
  mv is.S.16.tar.zst "a';touch owned;'\$(touch owned)\"<b>.tar.zst"
  "$haichi" map random -p torus:4x4 --ranks 16 -o "m'\$(touch owned)\";x" || fail 'haichi map fails'
  set -- compare -p torus:4x4 -t ./a* -m xyz "./m'\$(touch owned)\";x" random:seeds=1..3 --no-plots --chunk 1
  "$haichi" "$@" -o "o'\$(touch owned)
x" --on slurm >log 2>&1 || fail "--on slurm: exit $?: $(cat log)"
  "$haichi" "$@" -o p --on parallel >log 2>&1 || fail "--on parallel: exit $?: $(cat log)"
  # shellcheck disable=SC2016 # for the command's own shell
  "$haichi" "$@" -o q --on 'command:seq $HAICHI_TASKS | xargs -n 1 sh "$HAICHI_SCRIPT"' >log 2>&1 || fail "--on command: exit $?: $(cat log)"
  "$haichi" compare -p torus:4x4 -t ./a* -m xyz "./m'\$(touch owned)\";x" random:seeds=1..3 --no-plots -o r >log 2>&1 || fail "without --on: exit $?: $(cat log)"
  for dir in o* p q; do
    cmp r/results.tsv "$dir/results.tsv" || fail "another table in $dir"
  done
  # shellcheck disable=SC2016 # haichi must not expand it either
  "$haichi" compare -p torus:4 -t ring:4 -m xyz -o s --chunk 1 --on 'slurm:partition=$(touch owned);touch owned' >log 2>&1 && fail 'exit 0 with a partition that contains commands'
  grep -q '^haichi: sbatch refused the job array: invalid partition' log || fail "another message: $(cat log)"
  [ ! -e s ] || fail "files are left: $(find s)"
  [ -z "$(find "$work" / -maxdepth 2 -name owned)" ] || fail "$(find "$work" / -maxdepth 2 -name owned): a part of a name was run"
  cd "$work" || exit 1
}

sbatch_refuses()
{
  for option in partition=none time=never nodes=7-2 sbatch=--frobnicate; do
    compare -o refused --chunk 100 --on "slurm:$option" >log 2>&1 && fail "$option: exit 0"
    [ "$(wc -l <log)" -eq 1 ] || fail "$option: not one line: $(cat log)"
    grep -q '^haichi: sbatch refused the job array: .*; change the options of --on slurm$' log || fail "$option: another message: $(cat log)"
    [ ! -e refused ] || fail "$option: files are left: $(find refused)"
  done
  compare -o refused --chunk 1 --on slurm:array=1-9 >log 2>&1 && fail 'exit 0 with the option array'
  (export PATH="$work/none" && exec "$haichi" compare -p torus:4 -t ring:4 -m xyz -o refused --on slurm) >log 2>&1 &&
    fail 'exit 0 although sbatch is not in PATH'
  grep -qx 'haichi: --on slurm: no sbatch, squeue and scancel in PATH: run it where Slurm is installed, or leave --on out .*' \
    log || fail "without sbatch: another message: $(cat log)"
  [ "$(wc -l <log)" -eq 1 ] && [ ! -e refused ] || fail "without sbatch: not one line, or files are left: $(cat log)"
}

# The lines of the README in a batch script, with a trace in which rank 0 sends to rank 2, and rank 1 to rank 3: the
# mapping must place each pair on one node, and Slurm must start the ranks where the mapping places them.
a_job_maps_itself()
{
  mkdir mapped && cd mapped || return
  cp "$cluster/topology.conf" .
  printf '0 send 2 0 1000000 6\n' >r0
  printf '1 send 3 0 1000000 6\n' >r1
  printf '2 recv 0 0 1000000 6\n' >r2
  printf '3 recv 1 0 1000000 6\n' >r3
  printf 'r%d\n' 0 1 2 3 >app.trace
  # shellcheck disable=SC2016 # variables of the tasks
  printf '#!/bin/sh\necho "$SLURM_PROCID $SLURMD_NODENAME"\n' >app
  chmod +x app
  {
    printf '#!/bin/sh\nexport SLURM_OVERCOMMIT=1\nPATH=%s:$PATH\n' "$(dirname "$haichi")"
    sed -n 's/^    \$ haichi map auto --hosts slurm/haichi map auto --hosts slurm/p; s/^        SLURM_HOSTFILE=/SLURM_HOSTFILE=/p' \
      "$root/README.md"
  } >job.sh
  [ "$(wc -l <job.sh)" -eq 5 ] || fail "the README does not have the expected lines: $(cat job.sh)"
  sbatch --wait -N 2 -n 4 --overcommit -o out -e err job.sh >log 2>&1 || fail "sbatch: exit $?: $(cat log err)"
  sort -n out | cut -d ' ' -f 2 >started
  cmp order started || fail "started on $(cat started), mapped to $(cat order)"
  [ "$(sed -n 1p order)$(sed -n 2p order)" = "$(sed -n 3p order)$(sed -n 4p order)" ] &&
    [ "$(sed -n 1p order)" != "$(sed -n 2p order)" ] || fail "the pairs are not on one node each: $(cat order)"
  cd ..
}

# The shortest limit is a minute: this campaign begins first, on a separate node, and is checked last.
time_limit_begins()
{
  printf '#!/bin/sh\nsleep 300\n' >slow.sh
  chmod +x slow.sh
  "$haichi" compare -p torus:4 -t ring:4 -m xyz "command:path=$work/slow.sh" --no-plots -o limit --chunk 1 \
    --on slurm:partition=slow,time=1 >limit.log 2>&1 &
  limited=$!
}

the_time_limit_ends_a_task()
{
  wait $limited && fail 'exit 0 although a task reached its time limit'
  [ "$(wc -l <limit.log)" -eq 1 ] || fail "not one line: $(cat limit.log)"
  grep -Eqx 'haichi: Slurm: tasks reached their time limit, 1 of 2 runs are missing; run the same command again .*' \
    limit.log || fail "another message: $(cat limit.log)"
  [ ! -e limit/on ] || fail "files are left: $(find limit/on)"
  [ -z "$(squeue -h -p slow)" ] || fail "jobs are left: $(squeue)"
}

sshd=$(PATH=$PATH:/usr/sbin command -v sshd)

# check NAME: runs the function and prints whether it passed, and its time
passed=0
failed=0
check()
{
  status=0
  start=$(date +%s)
  "$1"
  if [ $status -eq 0 ]; then
    result=ok passed=$((passed + 1))
  else
    result=FAILED failed=$((failed + 1))
  fi
  printf '%-7s slurm: %s (%s s)\n' $result "$1" "$(($(date +%s) - start))"
}

time_limit_begins
for name in ${CHECKS-nothing_happens a_slurmd_is_killed a_node_is_lost a_node_is_drained the_array_is_cancelled \
  the_command_is_killed the_command_is_interrupted a_disk_is_full a_task_runs_twice networks_are_run a_job_maps_itself names_are_names sbatch_refuses \
  ${sshd:+machines_are_reached_by_ssh} the_time_limit_ends_a_task}; do
  check "$name"
done
[ -n "$sshd" ] || echo 'machines_are_reached_by_ssh is left out: no sshd'
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
