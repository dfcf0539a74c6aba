#!/bin/sh
# usage: [NETWORKS=40] [PLATFORMS=40] [RUNS=5] [JOBS=2] [FIELDS=draw=arrays] [OF=time] [SCALES='1 10 100'] megascript.sh HAICHI DIR
# Tables 3 to 10 of the paper on MegaScript (Matsumoto et al.) beside what haichi finds (docs/schedule.md, which lists the
# assumptions): random networks (FIELDS: further fields of their specs) on the platforms of tables 1 and 2, each pair
# executed RUNS times where load (OF: of what, as in `links:of=time`) or thieves are drawn at random.
# `hierarchical` is the paper's way; tables 8 and 10 have haichi's own beside it, `fit`.
# Leaves in DIR runs.tsv, sizes.tsv (tables 8 to 10), tables.tsv: each figure of the paper, the ratio of mean makespans, the
# mean of the ratios of the pairs, and whether the paper's is met within 10 %; statements.tsv: what the text says of them.
set -eu
here=$(cd "$(dirname "$0")/../.." && pwd)
haichi=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
mkdir -p "$2"
cd "$2"
NETWORKS=${NETWORKS:-40} PLATFORMS=${PLATFORMS:-40} RUNS=${RUNS:-5} JOBS=${JOBS:-2} FIELDS=,${FIELDS:-draw=arrays}
SCALES=${SCALES:-1 10 100} OF=${OF:-time}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# spec SCHEDULER: as haichi calls it
spec()
{
  case $1 in
  hierarchical) echo hierarchical:outer=shares,inner=costs,groups=all ;;
  fit) echo hierarchical ;;
  *) echo "$1" ;;
  esac
}

# execute ENVIRONMENT NETWORK NUMBER SCHEDULER STEAL TASKS PLATFORM: a line for each run
execute()
{
  last=$RUNS load= as=$(spec "$4")
  [ "$5 $6" = "none 0" ] && last=1
  [ "$6" -gt 0 ] && load="--background tasks:$6 --background links:p=0.1,of=$OF"
  run=1
  while [ "$run" -le "$last" ]; do
    printf 'run\t%s\t%s\t%s\t%s\t%s\t%s\n' "$1" "$2" "$3" "$4" "$5" "$6"
    # shellcheck disable=SC2086 # words
    "$haichi" schedule "random:tasks=1000,seed=$2$FIELDS" --platform "$7" --scheduler "$as" --steal "$5" $load \
      --seed "$run" 2>>"$work/errors"
    run=$((run + 1))
  done
}

# share WORKER: the runs of a worker, on every JOBS-th network
share()
{
  net=$1
  while [ "$net" -le "$NETWORKS" ]; do
    for tasks in 0 10 100; do
      for steal in none random; do
        execute equal "$net" 0 local $steal $tasks "clusters:$here/platforms/mega-homogeneous.clusters"
        number=1
        while [ "$number" -le "$PLATFORMS" ]; do
          for scheduler in local hierarchical; do
            execute unequal "$net" "$number" $scheduler $steal $tasks "random-clusters:seed=$number"
          done
          [ "$steal $tasks" != "none 0" ] || execute unequal "$net" "$number" best none 0 "random-clusters:seed=$number"
          number=$((number + 1))
        done
      done
    done
    net=$((net + JOBS))
  done
}

# collect FILE...: what `share` printed as a table of mean makespans and uses by pair
collect()
{
  awk -F '\t' -v OFS='\t' '
    $1 == "run" { key = $2 OFS $3 OFS $4 OFS $5 OFS $6 OFS $7; n[key]++ }
    $1 == "makespan_s" { sum[key] += $2 }
    $1 == "machine_use" { use[key] += $2 }
    END { for (key in n) printf "%s\t%.9g\t%.6f\t%d\n", key, sum[key] / n[key], use[key] / n[key], n[key] }' "$@" |
    sort -t "$(printf '\t')" -k 1,1 -k 4,6 -k 2,2n -k 3,3n
}

# network KIND FACTOR: stand-ins of the lost figure 12, of some 50 tasks, whose arrays have FACTOR times as many elements
network()
{
  echo '<tasknet version="1">'
  if [ "$1" = A ]; then
    echo "<task id='a' compute='10' output='5'/><array id='b' count='$((48 * $2))' compute='40' output='5'/>
      <task id='c' compute='10'/><stream id='s1' from='a' to='b'/><stream id='s2' from='b' to='c'/>"
  else
    echo "<task id='a' compute='10' output='5'/><array id='b' count='$((20 * $2))' compute='40' output='20'/>
      <array id='c' count='$((20 * $2))' compute='20' output='5'/><array id='d' count='$((10 * $2))' compute='60' output='5'/>
      <task id='e' compute='10'/><stream id='s1' from='a' to='b d'/><stream id='s2' from='b' to='c' width='each'/>
      <stream id='s3' from='c d' to='e'/>"
  fi
  echo '</tasknet>'
}

# makespan NETWORK SCHEDULER: on the hosts of table 7; nothing if it refuses
makespan()
{
  "$haichi" schedule "$1" -p "clusters:$here/platforms/mega-table8.clusters" -s "$(spec "$2")" 2>/dev/null |
    sed -n 's/^makespan_s.//p'
}

# small SCHEDULER: table 8, "small SCHEDULER NETWORKS MEAN MOST": its makespan over the optimum on random networks that
# are small enough for branch and bound, geometric mean and most.
small()
{
  net=1
  while [ "$net" -le 20 ]; do
    tasks=random:tasks=10,draw=tasks,seed=$net
    echo "$(makespan "$tasks" "$1") $(makespan "$tasks" optimal)"
    net=$((net + 1))
  done | awk -v OFS='\t' -v s="$1" 'NF == 2 { x = $1 / $2; n++; sum += log(x); if (x > most) most = x }
    END { printf "small\t%s\t%d\t%.4f\t%.4f\n", s, n, exp(sum / n), most }'
}

# over KIND SCHEDULER: "over KIND SCHEDULER RATIO": its makespan on $work/net.xml over one that is proven to be within
# 0.5 % of the optimum ($least).
over()
{
  awk -v OFS='\t' -v k="$1" -v s="$2" -v t="$(makespan "$work/net.xml" "$2")" -v least="$least" '
    BEGIN { print "over", k, s, t / least }'
}

# sizes: tables 8 to 10, lines of the functions above, "use KIND FACTOR MACHINE_USE" and "seconds SCHEDULER LARGE SECONDS".
sizes()
{
  for factor in $SCALES; do
    sed -E "s/hosts=([0-9]+)x/hosts=$factor*\1x/" "$here/platforms/mega-table8.clusters" |
      awk -v f="$factor" '{ if (match($0, /hosts=[0-9]+\*[0-9]+/)) {
        split(substr($0, RSTART + 6, RLENGTH - 6), n, "*")
        $0 = substr($0, 1, RSTART + 5) n[1] * n[2] substr($0, RSTART + RLENGTH) } print }' >"$work/hosts.clusters"
    for kind in A B; do
      network $kind "$factor" >"$work/net.xml"
      "$haichi" schedule "$work/net.xml" -p "clusters:$work/hosts.clusters" -s "$(spec hierarchical)" 2>>"$work/errors" |
        awk -v OFS='\t' -v k=$kind -v f="$factor" '$1 == "machine_use" { print "use", k, f, $2 }'
      [ "$factor" = 1 ] || continue
      least=$(makespan "$work/net.xml" optimal:gap=0.5%,tries=5000,nodes=20000)
      over $kind hierarchical
      over $kind fit
    done
  done
  small hierarchical
  small fit
  for scheduler in local hierarchical fit; do
    for large in 1 10; do
      platform=$([ $large = 1 ] && echo random-clusters:seed=1 || echo random-clusters:hosts=1000,sizes=32+64+128,seed=1)
      "$haichi" schedule "random:tasks=1000,seed=1,large=$large$FIELDS" -p "$platform" -s "$(spec $scheduler)" \
        2>&1 >/dev/null | awk -v OFS='\t' -v s=$scheduler -v l=$large '{ print "seconds", s, l, $2 }'
    done
  done
}

worker=1
workers=
while [ "$worker" -le "$JOBS" ]; do
  share $worker >"$work/out.$worker" &
  workers="$workers $!"
  worker=$((worker + 1))
done
for worker in $workers; do
  wait "$worker" || {
    grep -v ^scheduling_time_s "$work/errors" >&2
    exit 1
  }
done
{
  printf 'hosts\tnetwork\tplatform\tscheduler\tsteal\tcompeting\tmakespan_s\tmachine_use\truns\n'
  collect "$work"/out.*
} >runs.tsv
sizes >sizes.tsv

usual=$([ "$FIELDS" = ,draw=arrays ] && echo 1 || echo 0)
awk -F '\t' -v OFS='\t' -v usual="$usual" -v of="$OF" -f "$here/scripts/reproduce/megascript.awk" runs.tsv sizes.tsv
cat statements.tsv
