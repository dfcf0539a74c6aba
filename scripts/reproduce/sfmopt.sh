#!/bin/sh
# usage: scripts/reproduce/sfmopt.sh [OUT]
# Verdicts on the statements of Asano and Kise, "SFMOPT": evaluation values and communication times of NPB CG, BT, MG
# and SP, class C, on 512 hosts of a mesh and of a torus (figures 11 to 14), and times of optimisation (figures 6 to 10,
# sfmopt_times.sh).  Writes to OUT (results/sfmopt) verdicts.tsv, verdicts.txt beside OUT, cells.tsv (a row for each
# simulation), figures 11 to 14 as tables and pictures, and times.tsv.  Only communication is simulated.
# Takes some 15 minutes on two cores.  Environment variables, with defaults in parentheses:
#   HAICHI (./haichi)   SEEDS (1..40): random orders of combinations; the first is also the first seed of the traffic for times
#   CLASS (C)   NODES (512)   BLOCKS (2@6): subgroups   OTHERS (128:C 256:A): other nodes and classes   KINDS (mesh torus)
#   JOBS: number of parallel simulations
#   TIMES=FILE: judges the times in FILE, a times.tsv of an earlier run, and measures none; TIMES=none: judges no times
#   CONTINUE=1: keeps the simulations of an earlier run in OUT
#   MUTATE=NAME=SPEC: replaces mapper NAME by SPEC, for a test
set -eu
[ $# -le 1 ] || {
  sed -n '2p' "$0" | cut -c3- >&2
  exit 2
}
out=${1:-results/sfmopt} here=$(dirname "$0")
: "${HAICHI:=./haichi}" "${SEEDS:=1..40}" "${CLASS:=C}" "${NODES:=512}" "${BLOCKS:=2@6}" "${OTHERS:=128:C 256:A}"
: "${KINDS:=mesh torus}" "${JOBS:=}" "${TIMES:=}" "${MUTATE:=}" "${CONTINUE:=0}"
mkdir -p "$out"
echo 'SFMOPT: Asano and Kise, "SFMOPT, a task mapping method for 10000 tasks"' >"$out/paper"

shape_of() {
  case $1 in
  16) echo 4x2x2 ;;
  64) echo 4x4x4 ;;
  128) echo 8x4x4 ;;
  256) echo 8x8x4 ;;
  512) echo 8x8x8 ;;
  1024) echo 16x8x8 ;;
  *)
    echo "$0: no shape for $1 nodes" >&2
    exit 1
    ;;
  esac
}

# ranks_of BENCHMARK NODES: prints the number of ranks.  BT and SP run on the largest square number of ranks.
ranks_of() {
  case $1 in
  bt | sp) awk -v n="$2" 'BEGIN { k = int(sqrt(n) + 1e-9); print k * k }' ;;
  *) echo "$2" ;;
  esac
}

# mappers ORDER...: prints the specs of the mappers by merging, with these orders of combinations.
mappers() {
  for order in "$@"; do
    for objective in minlink mincost; do
      for mapper in "fmopt-half:subgroup=$BLOCKS," "sfmopt:subgroup=$BLOCKS," fmopt:; do
        [ "${mapper%%:*}" != "${MUTATE%%=*}" ] || continue
        echo "${mapper}objective=$objective,order=$order"
      done
    done
  done
}

# simulate KIND NODES:CLASS BENCHMARKS NAME MAPPER...: runs a campaign and appends its rows to cells.tsv.
simulate() {
  kind=$1 nodes=${2%:*} class=${2#*:} benchmarks=$3
  dir=$out/$kind-$nodes-$4
  shift 4
  traces=
  for benchmark in $benchmarks; do
    traces="$traces npb:$benchmark.$class.$(ranks_of "$benchmark" "$nodes")@1"
  done
  again=--overwrite
  [ "$CONTINUE" = 0 ] || again=
  # shellcheck disable=SC2086 # lists of words
  "$HAICHI" compare --no-plots $again --platform "$kind:$(shape_of "$nodes")" --trace $traces --mapper "$@" \
    --compute-scale 0 --output "$dir" ${JOBS:+--jobs "$JOBS"} >/dev/null
  awk -F'\t' -v OFS='\t' -v kind="$kind" -v nodes="$nodes" '
    /^#/ { next }
    !at["trace"] { for (i = 1; i <= NF; i++) at[$i] = i; next }
    $at["status"] != "ok" { print "sfmopt.sh: " $0 >"/dev/stderr"; exit 1 }
    { trace = $at["trace"]; sub(/^npb:/, "", trace); sub(/\..*/, "", trace)
      print kind, nodes, trace, $at["mapper"], $at["communication_time_mean_s"], $at["hop_bytes"], $at["max_link_load_bytes"] }' \
    "$dir/results.tsv" >>"$cells"
}

# figure NUMBER OBJECTIVE COLUMN WHAT: writes the table and the picture of a figure, with a row for each mapper and a column for
# each benchmark, relative to xyz, with haichi's order of combinations.
figure() {
  awk -F'\t' -v kind="$kind" -v nodes="$NODES" -v objective="$2" -v column="$3" '
    $1 != kind || $2 != nodes || $4 ~ /order=[1-9]/ || ($4 ~ /objective=/ && $4 !~ objective) { next }
    { name = $4; sub(/:.*/, "", name); v[name, $3] = $column }
    function row(name,   i, x, sum, rest) {
      printf "%s", name
      for (i = 1; i <= 4; i++) {
        x = v["xyz", b[i]] > 0 ? v[name, b[i]] / v["xyz", b[i]] : 0
        if (column == 5 && x > 0) x = 1 / x
        printf "\t%.4f", x
        sum += x
        if (b[i] != "mg") rest += x
      }
      printf "\t%.4f\t%.4f\n", sum / 4, rest / 3
    }
    END {
      split("cg bt mg sp", b, " ")
      print "mapper\tcg\tbt\tmg\tsp\tmean\tmean_without_mg"
      row("xyz"); row("none"); row("fmopt-half"); row("sfmopt"); row("fmopt")
    }' "$out/cells.tsv" >"$out/$kind-fig$1.tsv"
  gnuplot -e "table='$out/$kind-fig$1.tsv'; output='$out/$kind-fig$1.svg'; what='$4'" "$here/sfmopt.gp"
}

cells=$out/cells.tsv.part
printf 'kind\tnodes\tbenchmark\tmapper\tcommunication_time_s\thop_bytes\tmax_link_load\n' >"$cells"
instead=${MUTATE#*=}
orders=$(seq "${SEEDS%%..*}" "${SEEDS##*..}")
for kind in $KINDS; do
  for size in "$NODES:$CLASS" $OTHERS; do
    # shellcheck disable=SC2046,SC2086 # lists of words
    simulate "$kind" "$size" 'cg bt mg sp' default xyz none auto $(mappers 0) $instead
  done
  # shellcheck disable=SC2046,SC2086
  simulate "$kind" "$NODES:$CLASS" 'cg bt sp' "orders-$SEEDS" $(mappers $orders)
done
mv "$cells" "$out/cells.tsv"
for kind in $KINDS; do
  figure 11 minlink 7 'fullest link, relative to xyz'
  figure 12 mincost 6 'bytes times hops, relative to xyz'
  figure 13 minlink 5 'speedup over xyz, minlink'
  figure 14 mincost 5 'speedup over xyz, mincost'
done

if [ -z "$TIMES" ]; then
  SEEDS=$SEEDS MUTATE=$MUTATE NODES='' "$here/sfmopt_times.sh" "$HAICHI" "$out" >/dev/null
  TIMES=$out/times.tsv
fi
# judge SCRIPT ARGUMENT...: prints the verdicts of an awk script
judge() {
  script=$1
  shift
  awk -f "$here/verdicts.awk" -f "$here/checks.awk" -f "$here/$script" "$@"
}
{
  judge sfmopt.awk -v paper_nodes="$NODES" -v fitted=order=reflections-falling -v mutated="${MUTATE%%:*}" "$out/cells.tsv"
  [ "$TIMES" = none ] || judge sfmopt_times.awk -v task=judge -v cores="$(nproc)" "$TIMES"
} >"$out/verdicts.tsv.part"
mv "$out/verdicts.tsv.part" "$out/verdicts.tsv"
"$here/verdicts.sh" "$out"
