#!/bin/sh
# usage: scripts/reality/pi.sh DATA OUT
# NPB on a cluster of Raspberry Pi (docs/reality.md).  For each benchmark, two runs give the cost of an operation: the
# smallest run with one rank on each node, and the smallest run with four ranks on a node.  The other runs are predicted.  The
# network has its nominal 1 Gbit/s.  Reads DATA/pi, writes OUT/pi.tsv (columns in reality.sh) and OUT/pi/.  Finished
# simulations in OUT/pi/sim are kept, so the script can be run again to resume; remove them for another version of haichi.
# Environment variable: HAICHI (./haichi)
set -eu
[ $# = 2 ] || {
  sed -n '2p' "$0" | cut -c3- >&2
  exit 2
}
: "${HAICHI:=./haichi}"
data=$1/pi out=$2/pi table=$2/pi.tsv
mkdir -p "$out/sim"

# One core can use the whole bandwidth of the memory of a node; four cores share it.  The platform has 1 Gflop/s and 1 GB/s, so
# that a flop and a byte of memory traffic each take 1 ns; costs() fits the flops and bytes of an operation.
memory=memory:curve=1:1GBps
# The L2 cache of the BCM2711, which the four cores share (Raspberry Pi Ltd, documentation of the processors, BCM2711).
cache=1048576

# A line of runs is BENCHMARK CLASS RANKS NODES SECONDS ITERATIONS MOST; lines are in the order of benchmark and size.  MOST is
# the largest number of ranks on a node under Slurm's block distribution with at least one rank per node.
awk -F '\t' 'NR > 1 && $4 != "" { most = $3 - $4 + 1 > 4 ? 4 : $3 - $4 + 1
  print $1, $2, $3, $4, $5, ($7 > 0 ? $7 : 1), most }' "$data/npb.tsv" |
  LC_ALL=C sort -k1,1 -k2,2 -k3,3n -k4,4n >"$out/runs"

# most RANKS NODES: prints the largest number of ranks on a node
most() { echo "$(($1 - $2 + 1 > 4 ? 4 : $1 - $2 + 1))"; }

for nodes in $(awk '{ print $4 }' "$out/runs" | sort -nu); do
  # Each node has its own network interface.  A single node needs no network, but a star has at least two hosts.
  "$HAICHI" platform "star:$((nodes > 1 ? nodes : 2))" --cores 4 --speed 1Gf --bandwidth 1Gbps --latency 15us \
    -o "$out/pi-$nodes.xml" >/dev/null
done

# loop BENCHMARK CLASS RANKS NODES FLOPS BYTES ITERATIONS: prints the simulated seconds of the program with ITERATIONS
# iterations and FLOPS flops and BYTES bytes of memory traffic per operation
loop()
{
  kept=$out/sim/$1.$2.$3-$4-$5-$6-$7
  if [ ! -s "$kept" ]; then
    trace=npb:$1.$2.$3@$7,flops=$5,bytes=$6
    # The ranks on the node with most ranks have equal parts of its cache.
    [ "$1" != cg ] || trace=$trace,cache=$((cache / $(most "$3" "$4")))
    hosts=--hosts=0
    [ "$4" -le 1 ] || hosts=
    "$HAICHI" sim --platform "$out/pi-$4.xml" --trace "$trace" --collectives ompi --ranks-per-host 4 \
      --mapping slurm-block $hosts --effect "$memory" >"$out/report" 2>"$out/log" || {
      cat "$out/log" >&2
      exit 1
    }
    awk '$1 == "simulated_time_s" { print $2 }' "$out/report" >"$kept.new"
    mv "$kept.new" "$kept"
  fi
  cat "$kept"
}

# main BENCHMARK CLASS RANKS NODES FLOPS BYTES ITERATIONS: prints the simulated seconds of the main loop, extrapolated from one
# and three iterations
main()
{
  b=$1 c=$2 r=$3 n=$4 f=$5 m=$6 i=$7
  if [ "$i" = 1 ]; then
    loop "$b" "$c" "$r" "$n" "$f" "$m" 1
  else
    awk -v one="$(loop "$b" "$c" "$r" "$n" "$f" "$m" 1)" -v three="$(loop "$b" "$c" "$r" "$n" "$f" "$m" 3)" -v i="$i" \
      'BEGIN { printf "%.9g\n", (three - one) / 2 * i }'
  fi
}

# calc EXPRESSION: prints the value of the expression
calc() { awk "BEGIN { printf \"%.9g\", ($1) }"; }

# Factor by which heat slows down computation when four cores of a node compute: the largest clock in throttle-*.csv over the
# mean clock of the hottest node.  With many nodes, some node is that hot, and the slowest node determines the time.
hot=$(awk -F, 'FNR == 1 { file = FILENAME; next }
  { n[file]++; sum[file] += $2; if ($2 > most) most = $2 }
  END { x = 1; for (f in n) if (most / (sum[f] / n[f]) > x) x = most / (sum[f] / n[f]); printf "%.4f", x }' \
  "$data"/throttle-*.csv)
many=8 # nodes

# costs ONE... FOUR...: prints the flops and bytes of an operation, fitted to two lines of "$out/runs".  The first run gives the
# cost of an operation by the secant method, since time is almost linear in it.  The second run gives the share of memory
# traffic in this cost by bisection.
costs()
{
  x=1 t=$(main "$1" "$2" "$3" "$4" 1 0 "$6")
  for step in 1 2 3; do
    half=$(main "$1" "$2" "$3" "$4" "$(calc "$x / 2")" 0 "$6")
    new=$(calc "$x + ($5 - $t) * $x / 2 / ($t - $half + 1e-12)")
    x=$(calc "($new > $x / 20) ? $new : $x / 20")
    t=$(main "$1" "$2" "$3" "$4" "$x" 0 "$6")
    [ "$(calc "($5 / $t - 1) ^ 2 >= 2.5e-5")" = 1 ] || break
  done
  shift 7
  low=0 high=1 share=0.5
  for step in 1 2 3 4 5 6; do
    t=$(main "$1" "$2" "$3" "$4" "$(calc "$x * (1 - $share) + 1e-9")" "$(calc "$x * $share")" "$6")
    [ "$(calc "($5 / $t - 1) ^ 2 >= 2.5e-5")" = 1 ] || break
    if [ "$(calc "($t < $5)")" = 1 ]; then low=$share; else high=$share; fi
    share=$(calc "($low + $high) / 2")
  done
  echo "$(calc "$x * (1 - $share) + 1e-9") $(calc "$x * $share")"
}

printf 'set\tconfiguration\tmeasured_s\tmeasured_spread\tpredicted_s\terror\tsmpi_s\tnote\n' >"$table"
: >"$out/costs"
for b in $(awk '{ print $1 }' "$out/runs" | uniq); do
  # The runs are sorted by class and ranks, so the first ones are the smallest.
  one=$(awk -v b="$b" '$1 == b && $7 == 1 { print; exit }' "$out/runs")
  four=$(awk -v b="$b" '$1 == b && $7 == 4 { print; exit }' "$out/runs")
  [ -n "$one" ] && [ -n "$four" ] || continue
  # shellcheck disable=SC2086 # words of runs
  found=$(costs $one $four)
  f=${found% *} m=${found#* }
  echo "$b $f $m" >>"$out/costs"
  # shellcheck disable=SC2086
  calibrated_on=$(echo $four | cut -d' ' -f4)
  awk -v b="$b" '$1 == b' "$out/runs" | while read -r bench class ranks nodes seconds iterations most; do
    heat=1 note=-
    if [ "$most" = 4 ] && [ "$nodes" -ge $many ] && [ "$calibrated_on" -lt $many ]; then
      heat=$hot note="time of computations $hot times longer: heat"
    fi
    t=$(main "$bench" "$class" "$ranks" "$nodes" "$(calc "$f * $heat")" "$(calc "$m * $heat")" "$iterations")
    case "$bench $class $ranks $nodes $seconds $iterations $most" in "$one" | "$four") note=calibration ;; esac
    [ "$bench" != ep ] || [ "$note" = calibration ] || note='calibrated on a run of only 0.4 s'
    awk -v c="$bench.$class, $ranks ranks on $nodes nodes" -v m="$seconds" -v p="$t" -v n="$note" -v most="$most" -v b="$bench" 'BEGIN {
      if (n ~ /heat$/ && (p / m - 1) ^ 2 > 0.01)
        n = n "; unexplained"
      s = b == "ep" ? "pi-ep" : most == 1 ? "pi-one" : "pi"
      printf "%s\t%s\t%.6g\t-\t%.6g\t%.4f\t-\t%s\n", s, c, m, p, p / m - 1, n }' >>"$table"
  done
done
