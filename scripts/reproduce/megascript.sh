#!/bin/sh
# usage: scripts/reproduce/megascript.sh [OUT]
# Verdicts on the statements of Matsumoto et al. on MegaScript: tables 3 to 10 and figure 10.
# docs/schedule.md lists the assumptions.  For each seed, NETWORKS random networks and one random
# platform of table 2 are drawn, and 3 * NETWORKS further networks for equal hosts without load,
# since the results of networks differ most there.  Each pair of a network and a platform is executed
# once, in the paper 5 times.  Intervals are over seeds.
# Load slows down communication, in two models.  The paper (5.1) has the sentence "communication time
# as basic performance x (1 - R)":
#   bandwidth  basic bandwidth x (1 - R), a possible meaning of the sentence
#   time       basic time x (1 + R), chosen because its results are closer to the tables, so that
#              statements judged with it are at most consistent
# Writes to OUT (results/megascript) verdicts.tsv, paper, verdicts.txt beside OUT, and the values:
# runs.tsv (tables 3 to 6), small.tsv (table 8), sizes.tsv (table 9), seconds.tsv (table 10) and
# figure10.tsv.
# Takes some 5 minutes on two idle cores.  Environment variables, with defaults in parentheses:
#   HAICHI (./haichi)   SEEDS (1..40)   NETWORKS (10)   JOBS (2)   FACTORS ('1 10 100'): of table 9
#   FIELDS: more fields of the specs of networks, for example draw=tasks
#   JUDGE=1: only judges the values in OUT again
#   MUTATE=single=SPEC, MUTATE=hierarchical=SPEC: replaces a scheduler of the paper by SPEC, for a test
set -eu
[ $# -le 1 ] || {
  sed -n '2p' "$0" | cut -c3- >&2
  exit 2
}
: "${HAICHI:=./haichi}" "${SEEDS:=1..40}" "${NETWORKS:=10}" "${JOBS:=2}" "${FACTORS:=1 10 100}"
: "${JUDGE:=0}" "${MUTATE:=}"
here=$(cd "$(dirname "$0")" && pwd)
haichi=$(cd "$(dirname "$HAICHI")" && pwd)/$(basename "$HAICHI")
platforms=$here/../../platforms
first=${SEEDS%..*} last=${SEEDS#*..} FIELDS=${FIELDS:+,$FIELDS}
models='bandwidth time'
mkdir -p "${1:-results/megascript}"
cd "${1:-results/megascript}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

single=local hierarchical=hierarchical:outer=shares,inner=costs,groups=all
case $MUTATE in
single=*) single=${MUTATE#*=} ;;
hierarchical=*) hierarchical=${MUTATE#*=} ;;
esac

loads='none tasks:10 tasks:100'
for model in $models; do
  for tasks in 10 100; do
    loads="$loads tasks:$tasks+links:p=0.1,of=$model"
  done
done

# named < FILE: replaces the specs of the schedulers by their names in the paper
named()
{
  awk -F '\t' -v OFS='\t' -v single="$single" -v hierarchical="$hierarchical" '
    function replace(spec, name) {
      if (index($0, spec) != 1) return
      rest = substr($0, length(spec) + 1)
      if (rest ~ /^(\t|[:,]steal=)/) { sub(/^[:,]/, ":", rest); $0 = name rest; done = 1 }
    }
    {
      done = 0
      replace(single, "single")
      if (!done) replace(hierarchical, "hierarchical")
      print
    }'
}

# compare HOSTS SEED PLATFORM OPTION...: runs a campaign and prints a line for each run: hosts, seed,
# network, load, scheduler, steal, makespan, use
compare()
{
  hosts=$1 seed=$2 platform=$3 folder=$work/$1.$2
  shift 3
  "$haichi" compare --platform "$platform" --seed "$seed" "$@" -j 1 --no-plots -o "$folder" \
    >"$folder.log" 2>&1 || {
    cat "$folder.log" >&2
    exit 1
  }
  awk -F '\t' -v OFS='\t' '
    /^#/ { next }
    !at["load"] { for (i = 1; i <= NF; i++) at[$i] = i; next }
    $at["status"] != "ok" { print "megascript.sh: " $0 >"/dev/stderr"; exit 1 }
    {
      print $at["scheduler"], $at["network"], $at["load"], $at["makespan_s"], $at["machine_use"]
    }' \
    "$folder/results.tsv" | named | awk -F '\t' -v OFS='\t' -v hosts="$hosts" -v seed="$seed" '
    {
      steal = "none"
      if (match($1, /[:,]steal=.*/)) {
        steal = substr($1, RSTART + 7)
        $1 = substr($1, 1, RSTART - 1)
      }
      print hosts, seed, $2, $3, $1, steal, $4, $5
    }'
  rm -r "$folder"
}

# networks SEED FIRST LAST: prints the specs of networks FIRST to LAST of a seed, of 1 to 4 * NETWORKS
networks()
{
  net=$((($1 - 1) * 4 * NETWORKS + $2)) end=$((($1 - 1) * 4 * NETWORKS + $3))
  while [ "$net" -le "$end" ]; do
    echo "random:tasks=1000,seed=$net$FIELDS"
    net=$((net + 1))
  done
}

# share SEED: prints the runs of tables 3 to 6 for every JOBS-th seed from SEED on
share()
{
  s=$1
  while [ "$s" -le "$last" ]; do
    some=$(networks "$s" 1 $(((NETWORKS + 4) / 5)))
    usual=$(networks "$s" 1 "$NETWORKS")
    further=$(networks "$s" $((NETWORKS + 1)) $((4 * NETWORKS)))
    equal=clusters:$platforms/mega-homogeneous.clusters
    # shellcheck disable=SC2086 # words
    {
      compare equal "$s" "$equal" --network $usual --scheduler "$single" --steal none random \
        --load $loads
      compare equal "$s" "$equal" --network $further --scheduler "$single" --steal none random
      compare unequal "$s" "random-clusters:seed=$s" --network $usual \
        --scheduler "$single" "$hierarchical" --steal none random --load $loads
      compare best "$s" "random-clusters:seed=$s" --network $some --scheduler best
    }
    s=$((s + JOBS))
  done
}

tables_3_to_6()
{
  worker=0 workers=
  while [ "$worker" -lt "$JOBS" ]; do
    share $((first + worker)) >"$work/out.$worker" &
    workers="$workers $!"
    worker=$((worker + 1))
  done
  for worker in $workers; do
    wait "$worker" || exit 1
  done
  echo 'hosts seed network load scheduler steal makespan_s machine_use' | tr ' ' '\t'
  cat "$work"/out.*
}

# network KIND FACTOR: prints a network of some 50 tasks in place of network A or B of figure 12, which
# is missing in the copy of the paper; arrays have FACTOR times as many elements
network()
{
  echo '<tasknet version="1"><task id="a" compute="10" output="5"/>'
  if [ "$1" = A ]; then
    echo "<array id='b' count='$((48 * $2))' compute='40' output='5'/>
      <task id='c' compute='10'/>
      <stream id='s1' from='a' to='b'/><stream id='s2' from='b' to='c'/>"
  else
    echo "<array id='b' count='$((20 * $2))' compute='40' output='20'/>
      <array id='c' count='$((20 * $2))' compute='20' output='5'/>
      <array id='d' count='$((10 * $2))' compute='60' output='5'/>
      <task id='e' compute='10'/>
      <stream id='s1' from='a' to='b d'/><stream id='s2' from='b' to='c' width='each'/>
      <stream id='s3' from='c d' to='e'/>"
  fi
  echo '</tasknet>'
}

makespan()
{
  "$haichi" schedule "$1" -p "clusters:$platforms/mega-table8.clusters" -s "$2" 2>/dev/null |
    sed -n 's/^makespan_s.//p'
}

# table_8: prints network, makespan of hierarchical and optimum, for the networks A and B (with the optimum
# within 0.5 %) and a random network for each seed
table_8()
{
  for kind in A B; do
    network $kind 1 >"$work/$kind.xml"
    printf '%s\t%s\t%s\n' "$kind" "$(makespan "$work/$kind.xml" "$hierarchical")" \
      "$(makespan "$work/$kind.xml" optimal:gap=0.5%,tries=5000,nodes=20000)"
  done
  s=$first
  while [ "$s" -le "$last" ]; do
    tasks=random:tasks=10,draw=tasks,seed=$s
    printf '%s\t%s\t%s\n' "$s" "$(makespan "$tasks" "$hierarchical")" "$(makespan "$tasks" optimal)"
    s=$((s + 1))
  done
}

# table_9: prints factor, network and machine use, for the networks A and B and a random network of 50 tasks
# for each seed, on the hosts of table 7, with FACTOR times as many elements of arrays and hosts
table_9()
{
  for factor in $FACTORS; do
    awk -v f="$factor" '
      /^cluster/ {
        match($0, /hosts=[0-9]+/)
        n = substr($0, RSTART + 6, RLENGTH - 6)
        $0 = substr($0, 1, RSTART + 5) n * f substr($0, RSTART + RLENGTH)
      }
      { print }' "$platforms/mega-table8.clusters" >"$work/hosts.clusters"
    specs=
    for kind in A B; do
      network $kind "$factor" >"$work/$kind.xml"
      specs="$specs $work/$kind.xml"
    done
    s=$first
    while [ "$s" -le "$last" ]; do
      specs="$specs random:tasks=50,seed=$s,large=$factor$FIELDS"
      s=$((s + 1))
    done
    # shellcheck disable=SC2086 # words
    compare "$factor" 1 "clusters:$work/hosts.clusters" --network $specs \
      --scheduler "$hierarchical" | awk -F '\t' -v OFS='\t' '
      { sub(/.*(seed=|\/)/, "", $3); sub(/(,|\.xml).*/, "", $3); print $1, $3, $8 }'
  done
}

# least NETWORK PLATFORM SCHEDULER: prints the least CPU time of the scheduler in three runs, in seconds
least()
{
  for again in 1 2 3; do
    "$haichi" schedule "$1" -p "$2" -s "$3" --seed $again 2>&1 >/dev/null
  done | awk '$1 == "scheduling_time_s" && (!n++ || $2 < least) { least = $2 } END { print least }'
}

# table_10: prints seed, scheduler, size and CPU seconds of the scheduler, for the first 10 seeds
table_10()
{
  s=$first
  while [ "$s" -le "$last" ] && [ "$s" -lt $((first + 10)) ]; do
    for large in 1 10; do
      net=random:tasks=1000,seed=$s,large=$large$FIELDS
      platform=random-clusters:seed=$s
      [ $large = 1 ] || platform=random-clusters:hosts=1000,sizes=32+64+128,seed=$s
      printf '%s\t%s\t%s\t%s\n' "$s" single $large "$(least "$net" "$platform" "$single")" \
        "$s" hierarchical $large "$(least "$net" "$platform" "$hierarchical")"
    done
    s=$((s + 1))
  done
}

# figure_10: prints elements of (ii), task and group of hosts, for the network of figure 9 on the hosts of
# figure 4.  The paper gives the costs and speeds.  Volumes and bandwidths are chosen such that the groups
# have the paper's order.
figure_10()
{
  cat >"$work/hosts.clusters" <<-END
	cluster HG3 hosts=4x0.8Gf bandwidth=100MBps
	cluster HG4a hosts=4x1Gf bandwidth=100MBps
	cluster HG4b hosts=2x1.2Gf bandwidth=100MBps
	wan HG3 HG4a rtt=10ms bandwidth=1MBps
	wan HG3 HG4b rtt=10ms bandwidth=1MBps
	wan HG4a HG4b rtt=10ms bandwidth=10MBps
	END
  for count in 4 8; do
    cat >"$work/figure9.xml" <<-END
	<tasknet version="1">
	<task id="t1" compute="1" output="8"/><task id="t30" compute="30" output="9"/>
	<array id="ii10" count="$count" compute="10" output="10"/>
	<array id="ii5" count="$count" compute="5" output="1"/>
	<task id="i25" compute="25" output="50"/><task id="i20" compute="20" output="1"/>
	<task id="t15" compute="15"/>
	<stream id="s1" from="t1" to="t30 i25"/><stream id="s2" from="t30" to="ii10"/>
	<stream id="s3" from="ii10" to="ii5" width="each"/><stream id="s4" from="i25" to="i20"/>
	<stream id="s5" from="ii5 i20" to="t15"/>
	</tasknet>
	END
    "$haichi" schedule "$work/figure9.xml" -p "clusters:$work/hosts.clusters" -s "$hierarchical" \
      -o "$work/s.tsv" >/dev/null 2>&1
    awk -F '\t' -v OFS='\t' -v n=$count 'FNR > 1 { print n, $1, substr($2, 1, 3) }' "$work/s.tsv"
  done
}

echo 'MEGA: Matsumoto, Katano, Sasaki, Ohno, Kondo, Nakashima, "A Hierarchical Scheduling Scheme' \
  'for Large Scale Heterogeneous Environments" (MegaScript)' >paper
if [ "$JUDGE" != 1 ]; then
  tables_3_to_6 >runs.tsv
  table_8 >small.tsv
  table_9 >sizes.tsv
  table_10 >seconds.tsv
  figure_10 >figure10.tsv
fi
awk -F '\t' -f "$here/verdicts.awk" -f "$here/megascript.awk" \
  runs.tsv small.tsv sizes.tsv seconds.tsv figure10.tsv >verdicts.tsv
"$here/verdicts.sh" .
