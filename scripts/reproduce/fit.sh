#!/bin/sh
# usage: fit.sh HAICHI DIR [MAPPINGS]
# Which metric predicts simulated time (docs/fit.md): eight benchmarks of NPB on 64 ranks, four machines, MAPPINGS (200)
# mappings from good to random: what mappers find, random ones, and the former with ever more pairs of ranks swapped.
# Leaves in DIR the mappings, a campaign a machine, fit.tsv, summary.tsv and fit.svg.
set -eu
haichi=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
mkdir -p "$2"
cd "$2"
mappings=${3:-200}
machines='torus:4x4x4 mesh:8x8 hypercube:6 fattree:down=8x8,up=1x4,cables=1x1'
benchmarks='bt cg ep ft is lu mg sp'

# swapped FILE SWAPS SEED: the mapping with that many pairs of ranks swapped at random
swapped()
{
  awk -v swaps="$2" -v seed="$3" '{ host[NR - 1] = $1 }
    END { srand(seed)
      for (i = 0; i < swaps; i++) { a = int(rand() * NR); b = int(rand() * NR); h = host[a]; host[a] = host[b]; host[b] = h }
      for (r = 0; r < NR; r++) print host[r] }' "$1"
}

# starts MACHINE: the mappers whose mappings are swapped
starts()
{
  case $1 in
  fattree*) echo 'xyz hostname greedy' ;;
  *) echo 'xyz greedy fmopt fmopt:objective=mincost' ;;
  esac
}

for machine in $machines; do
  name=${machine%%:*}
  mkdir -p "$name"
  for b in $benchmarks; do
    trace=npb:$b.A.64@1
    folder=$name/maps-$b
    mkdir -p "$folder"
    for mapper in $(starts "$machine"); do
      "$haichi" map "$mapper" -p "$machine" -t "$trace" -o "$folder/$mapper"
    done
    # A fifth is random; the rest is in equal shares begun from each mapper, 0, 1, 2, 4, ... 64 swaps and again.
    random=$((mappings / 5)) of=$(starts "$machine" | wc -w) n=0
    while [ $n -lt $((mappings - random)) ]; do
      mapper=$(starts "$machine" | cut -d ' ' -f $((n % of + 1))) step=$((n / of))
      swaps=$([ $((step % 8)) -eq 0 ] && echo 0 || echo $((1 << (step % 8 - 1))))
      [ "$step" -ge 8 ] && [ "$swaps" -eq 0 ] && swaps=96
      swapped "$folder/$mapper" "$swaps" "$n" >"$folder/$n.map"
      n=$((n + 1))
    done
    "$haichi" compare -p "$machine" -t "$trace" --compute-scale 0 --no-plots -o "$name/$b" \
      -m "random:seeds=1..$random" "$folder"/*.map >/dev/null
    grep -h -v '^#' "$name/$b/results.tsv" | { [ "$b" = bt ] && cat || tail -n +2; }
  done >"$name/results.tsv"
done

results=$(for machine in $machines; do echo "${machine%%:*}/results.tsv"; done)
# shellcheck disable=SC2086 # words
{
  "$haichi" fit $results >fit.tsv
  "$haichi" plot fit $results -o fit.svg
}

# Over traces and machines: mean Spearman and Kendall, mean error, and how often no other single metric has less error.
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
