# A Slurm on this machine of two nodes, n1 and n2, and of n3 in another partition, for tests/slurm/*.sh to source after
# tests/shell.sh.  Needs root.  All its files are in $cluster, with munge's key and socket: a Slurm that is installed on the
# machine is not touched.
# shellcheck shell=sh disable=SC2154

# leave_out WHY: ends the script with 77, since Slurm cannot be set up
leave_out()
{
  echo "The checks of Slurm are left out: $*"
  exit 77
}

# cluster_open: starts the Slurm in $work; it is stopped and removed when the test ends
cluster_open()
{
  [ "$(id -u)" -eq 0 ] || leave_out 'munged and slurmd need root'
  for program in munged slurmctld slurmd parallel; do
    command -v $program >/dev/null || leave_out "no $program in PATH"
  done
  cluster=$work/cluster
  chmod 711 "$work" # munge requires that everybody can reach its socket
  mkdir "$cluster" scratch || exit 1
  trap 'cluster_stop; rm -rf "$work"' EXIT
  trap 'exit 1' HUP INT TERM
  export TMPDIR="$work/scratch"
  cluster_start >log 2>&1 || leave_out "it cannot be started: $(cluster_says)"
}

# cluster_says: prints the last line of the log of the start, or the last error of a daemon
cluster_says()
{
  cat "$cluster"/munge/log "$cluster"/*.log 2>/dev/null | grep -e error -e fatal | cat - log | tail -n 1
}

# cluster_start: starts all daemons and waits until both nodes are idle
cluster_start()
{
  mkdir "$cluster/state" "$cluster/spool.n1" "$cluster/spool.n2" "$cluster/spool.n3" "$cluster/munge"
  chmod 755 "$cluster" "$cluster/munge"
  head -c 1024 /dev/urandom >"$cluster/munge/key"
  chmod 400 "$cluster/munge/key"
  munged --key-file="$cluster/munge/key" --socket="$cluster/munge/socket" --pid-file="$cluster/munge.pid" \
    --log-file="$cluster/munge/log" --seed-file="$cluster/munge/seed" >"$cluster/munge.out" 2>&1 ||
    { cat "$cluster/munge.out" && return 1; }
  cluster_configure >"$cluster/slurm.conf"
  printf 'SwitchName=s1 Nodes=n1,n3\nSwitchName=s2 Nodes=n2\nSwitchName=top Switches=s1,s2\n' >"$cluster/topology.conf"
  export SLURM_CONF="$cluster/slurm.conf"
  slurmctld -f "$SLURM_CONF" || return 1
  node_start n1
  node_start n2
  node_start n3
  await 60 'both nodes idle' nodes_are idle idle
}

cluster_configure()
{
  name=$(hostname -s)
  port=$((20000 + $$ % 4000 * 4)) # another test may use such a cluster
  cat <<CONF
ClusterName=t
SlurmctldHost=$name(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$cluster/munge/socket
StateSaveLocation=$cluster/state
SlurmdSpoolDir=$cluster/spool.%n
SlurmctldPidFile=$cluster/ctld.pid
SlurmdPidFile=$cluster/%n.pid
SlurmctldLogFile=$cluster/ctld.log
SlurmdLogFile=$cluster/%n.log
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
MpiDefault=none
ReturnToService=2
KillWait=2
SlurmdTimeout=4
InactiveLimit=0
OverTimeLimit=0
TopologyPlugin=topology/tree
SchedulerParameters=sched_interval=1,bf_interval=1
SlurmctldPort=$port
NodeName=n1 NodeHostname=$name NodeAddr=127.0.0.1 Port=$((port + 1)) CPUs=1
NodeName=n2 NodeHostname=$name NodeAddr=127.0.0.1 Port=$((port + 2)) CPUs=1
NodeName=n3 NodeHostname=$name NodeAddr=127.0.0.1 Port=$((port + 3)) CPUs=1
PartitionName=p Nodes=n1,n2 Default=YES MaxTime=INFINITE State=UP
PartitionName=slow Nodes=n3 State=UP
CONF
}

# node_start NODE [COMMAND...]: starts its slurmd, as the arguments of the command if there is one
node_start()
{
  node=$1
  shift
  "$@" slurmd -N "$node" -f "$SLURM_CONF"
}

# pid_of FILE: prints the number of the process in the file; fails if that does not run
pid_of()
{
  daemon=$(cat "$1" 2>/dev/null) && kill -0 "$daemon" 2>/dev/null && echo "$daemon"
}

# processes_of NODE: prints the slurmstepd processes, which would report to Slurm, and then those of the jobs there
processes_of()
{
  for process in /proc/[0-9]*; do
    grep -qzx "SLURM_CONF=$SLURM_CONF" "$process/environ" 2>/dev/null &&
      grep -qzx "SLURMD_NODENAME=$1" "$process/environ" && jobs="${jobs-} ${process#/proc/}"
  done
  for process in ${jobs-}; do
    parent=$(sed 's/.*) . \([0-9]*\) .*/\1/' "/proc/$process/stat")
    [ "$(cat "/proc/$parent/comm")" != slurmstepd ] || echo "$parent"
  done
  echo "${jobs-}"
}

# node_kill NODE: kills all its processes, as a power cut does
node_kill()
{
  kill -9 "$(pid_of "$cluster/$1.pid")" || fail "$1 has no slurmd"
  # shellcheck disable=SC2046 # a list of words
  kill -9 $(processes_of "$1" 2>/dev/null) 2>/dev/null
}

# nodes_are STATE STATE: are n1 and n2 in these states?
nodes_are()
{
  [ "$(sinfo -h -N -p p -o %T 2>/dev/null | tr '\n' ' ')" = "$1 $2 " ]
}

# await SECONDS WHAT COMMAND...: waits until the command succeeds; fails if it does not in time
await()
{
  tries=$(($1 * 10))
  what=$2
  shift 2
  while ! "$@"; do
    tries=$((tries - 1))
    [ $tries -gt 0 ] || { fail "not in time: $what" && return 1; }
    sleep 0.1
  done
}

# cluster_stop: ends jobs and daemons; waits up to 10 s until the daemons have ended
cluster_stop()
{
  [ ! -s "$cluster/ctld.pid" ] || scancel -u root
  sleep 0.2
  for name in n1 n2 n3 ctld munge sshd; do
    daemon=$(pid_of "$cluster/$name.pid") && kill "$daemon" && daemons="${daemons-} $daemon"
  done
  tries=100
  for daemon in ${daemons-}; do
    while kill -0 "$daemon" 2>/dev/null && [ $tries -gt 0 ]; do
      tries=$((tries - 1))
      sleep 0.1
    done
  done
}
