#!/bin/sh
# usage: block.sh HAICHI DIR
# Figures 1 to 3 of BLOCK under SMPI (docs/predict.md): himeno on 8 equal PUs and on 4 + 4 unequal ones, with and
# without a warm-up: the full run, and the methods separate, joint and settled from a tenth of the iterations.
# Leaves in DIR a folder for each case, ranks.tsv (time of each rank by each method), errors.tsv and pictures.
set -eu
haichi=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
examples=$(cd "$(dirname "$0")/../../examples" && pwd)
mkdir -p "$2"
cd "$2"
iterations=${ITERATIONS:-100} timed=$((${ITERATIONS:-100} / 10)) size=${SIZE:-130 66 66}
i=0
while [ $i -lt 8 ]; do echo "pu-$i" && i=$((i + 1)); done >hosts

# simulated PLATFORM PROGRAM
simulated()
{
  # shellcheck disable=SC2086 # the size is three words
  smpirun -np 8 -platform "$examples/$1.xml" -hostfile hosts --cfg=smpi/simulate-computation:no \
    --log=root.thres:critical "$2" "$iterations" $size >/dev/null
}

printf 'machine\twarmup\tmethod\trank\tpredicted_s\tfull_run_s\terror\n' >ranks.tsv
for machine in equal unequal; do
  for warmup in 0 4:3:7; do
    name=$machine-$([ $warmup = 0 ] && echo plain || echo warmup)
    "$haichi" instrument "$examples/himeno/himeno.c" -D MODEL --loops iterations=$timed --warmup $warmup -o "$name" \
      >"$name.txt" 2>&1
    make -s -C "$name" CC=smpicc
    simulated $machine "$name/bin/timing"
    simulated $machine "$name/bin/counting"
    simulated $machine "$name/bin/apart"
    HAICHI_BLOCKS_FULL=1 simulated $machine "$name/bin/timing"
    for method in separate joint settled; do
      "$haichi" predict "$name" --method $method --per-rank "$name.$method.tsv" >"$name.$method.txt"
      awk -F '\t' -v OFS='\t' -v m=$machine -v w=$warmup -v how=$method 'NR > 1 { print m, w, how, $1, $4, $7, $8 }' \
        "$name.$method.tsv" >>ranks.tsv
    done
    "$haichi" plot block-error "$name" -o "$name-error.svg"
    "$haichi" plot block-times "$name" -o "$name-times.svg"
    "$haichi" plot block-series "$name/timing.7.tsv" -o "$name-series.svg"
  done
done

# The largest errors of a slow and of a fast rank; on the equal machine all are alike.
awk -F '\t' '
  function size(x) { return x < 0 ? -x : x }
  NR == 1 { next }
  { key = $1 "\t" $2 "\t" $3; if (!(key in worst)) order[++n] = key; worst[key] += 0
    if (size($7) > worst[key]) { worst[key] = size($7); at[key] = $4 } }
  END { print "machine\twarmup\tmethod\tworst_error\trank"
    for (i = 1; i <= n; i++) printf "%s\t%.6f\t%s\n", order[i], worst[order[i]], (order[i] in at) ? at[order[i]] : "-" }' \
  ranks.tsv >errors.tsv
cat errors.tsv
