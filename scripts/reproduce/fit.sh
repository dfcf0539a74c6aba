#!/bin/sh
# usage: fit.sh HAICHI DIR [MAPPINGS]
# Measures which metric predicts simulated time (docs/fit.md), for eight benchmarks of NPB on 64 ranks and seven machines.  Each
# benchmark has MAPPINGS (200) mappings on each machine: mappings of mappers, the same with more and more pairs of ranks swapped,
# and random mappings.  Writes to DIR the mappings, a campaign for each machine, fit.tsv, summary.tsv, estimate.tsv and fit.svg.
# Environment variables: JOBS: number of parallel simulations.  MACHINES: other machines.
set -eu
haichi=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
mappings=${3:-200}
root=$(cd "$(dirname "$0")/../.." && pwd)
: "${MACHINES:=torus:4x4x4 mesh:8x8 hypercube:6 fattree:k=8 fattree:down=8x8,up=1x4,cables=1x1
  dragonfly:groups=4,chassis=4,routers=2,nodes=2 clusters:$root/platforms/intrigger4.clusters}"
machines=$MACHINES
benchmarks='bt cg ep ft is lu mg sp'
mkdir -p "$2"
cd "$2"

# swapped FILE SWAPS SEED: prints the mapping FILE with SWAPS random pairs of ranks swapped
swapped()
{
  awk -v swaps="$2" -v seed="$3" '{ host[NR - 1] = $1 }
    END { srand(seed)
      for (i = 0; i < swaps; i++) { a = int(rand() * NR); b = int(rand() * NR); h = host[a]; host[a] = host[b]; host[b] = h }
      for (r = 0; r < NR; r++) print host[r] }' "$1"
}

# folder_of MACHINE: prints the name of the folder of a machine, such as torus-4x4x4
folder_of()
{
  case $1 in
  clusters:*) echo clusters ;;
  *) echo "$1" | tr ':,=' '---' ;;
  esac
}

# The mappers whose mappings are swapped.
starts='tune:runs=40 auto:choose=hopbytes auto:objective=blend xyz greedy'

for machine in $machines; do
  name=$(folder_of "$machine")
  mkdir -p "$name"
  for b in $benchmarks; do
    trace=npb:$b.A.64@1
    folder=$name/maps-$b
    mkdir -p "$folder"
    for mapper in $starts; do
      "$haichi" map "$mapper" -p "$machine" -t "$trace" --compute-scale 0 -o "$folder/$mapper"
    done
    # A fifth of the mappings is random.  The others are equal numbers of mappings of each mapper, with 0, 1, 2, 4, ... 64
    # swaps, and then again and again with 96, 1, 2, 4, ... 64 swaps.
    random=$((mappings / 5)) of=$(echo "$starts" | wc -w) n=0
    while [ $n -lt $((mappings - random)) ]; do
      mapper=$(echo "$starts" | cut -d ' ' -f $((n % of + 1))) step=$((n / of))
      swaps=$([ $((step % 8)) -eq 0 ] && echo 0 || echo $((1 << (step % 8 - 1))))
      [ "$step" -ge 8 ] && [ "$swaps" -eq 0 ] && swaps=96
      swapped "$folder/$mapper" "$swaps" "$n" >"$folder/$n.map"
      n=$((n + 1))
    done
    "$haichi" compare -p "$machine" -t "$trace" --compute-scale 0 --no-plots -o "$name/$b" ${JOBS:+--jobs "$JOBS"} \
      -m "random:seeds=1..$random" "$folder"/*.map >/dev/null
    grep -h -v '^#' "$name/$b/results.tsv" | { [ "$b" = bt ] && cat || tail -n +2; }
  done >"$name/results.tsv"
done

results=$(for machine in $machines; do echo "$(folder_of "$machine")/results.tsv"; done)
# shellcheck disable=SC2086 # words
{
  "$haichi" fit $results >fit.tsv
  "$haichi" plot fit $results -o fit.svg
}

# Means over traces and machines of Spearman's and Kendall's correlations and of the error, and the number of times that no other
# single metric has less error.
awk -F '\t' '
  NR == 1 || $1 == "*" { next }
  $5 != "-" { n[$4]++; s[$4] += $5; k[$4] += $6; r[$4] += $7; e[$4] += $8 }
  { group = $1 SUBSEP $2 }
  $8 != "-" && index($4, "+") == 0 && !(group in least) { least[group] = $8 + 0 }
  index($4, "+") == 0 && $8 != "-" && $8 + 0 <= 1.0001 * least[group] { best[$4]++ }
  END { print "metrics\tgroups\tspearman\tkendall\tr2\terror\tbest"
    for (m in n) printf "%s\t%d\t%.3f\t%.3f\t%.3f\t%.4f\t%d\n", m, n[m], s[m] / n[m], k[m] / n[m], r[m] / n[m], e[m] / n[m], best[m] | "sort -t \"\t\" -k 6n" }' \
  fit.tsv >summary.tsv
cat summary.tsv

# Spearman's correlations for each trace on each machine, and the ratio of its longest and shortest time.
# shellcheck disable=SC2086 # words
awk -F '\t' -v OFS='\t' '
  FILENAME == "fit.tsv" { s[$1, $2, $4] = $5; next }
  FNR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
  $at["status"] == "ok" {
    key = FILENAME SUBSEP $1; t = $at["simulated_time_s"]
    if (!(key in low)) { low[key] = high[key] = t; cell[++n] = key }
    if (t < low[key]) low[key] = t
    if (t > high[key]) high[key] = t
  }
  END {
    print "machine", "trace", "range", "estimated_time_s", "hop_bytes", "max_link_load_bytes", "hop_bytes+max_link_load_bytes"
    for (i = 1; i <= n; i++) {
      split(cell[i], part, SUBSEP); k = cell[i] SUBSEP
      print part[1], part[2], sprintf("%.2f", high[cell[i]] / low[cell[i]]), s[k "estimated_time_s"], s[k "hop_bytes"], \
        s[k "max_link_load_bytes"], s[k "hop_bytes+max_link_load_bytes"]
    }
  }' fit.tsv $results >estimate.tsv
cat estimate.tsv
