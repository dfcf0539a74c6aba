#!/bin/sh
# usage: scripts/demo.sh [HAICHI]
# Compares mapper xyz with other mappers on a torus, a mesh and a hypercube.  The trace is the communication of
# a real run of NPB CG, class A, on 64 ranks.  Writes tables and pictures to results/demo.
set -eu
haichi=${1:-haichi}
here=$(dirname "$0")
trace=$here/../tests/data/cg.A.64.2it.tar.zst
out=results/demo
mkdir -p "$out"

# Mapper scotch exists only if haichi was built with Scotch.
scotch=scotch
if "$haichi" list mappers | grep -q '^scotch.*not built in'; then
  scotch=
fi

echo "NPB CG, class A, 64 ranks, 2 iterations, communication only"
for platform in torus:4x4x4 mesh:8x8 hypercube:6; do
  name=${platform%%:*}
  # shellcheck disable=SC2086 # without Scotch, no word
  "$haichi" compare --platform "$platform" --trace "$trace" \
    --mapper xyz random:seeds=1..5 greedy fmopt:objective=mincost fmopt $scotch auto --compute-scale 0 -o "$out/$name" >"$out/$name.made"
  echo
  echo "$platform: speedup over xyz (the baseline), and the bytes over the busiest link"
  # The first row is the run of xyz.
  awk -F '\t' '
    /^#/ { next }
    !heads { for (i = 1; i <= NF; i++) column[$i] = i; heads = 1; next }
    !($2 in runs) { order[++mappers] = $2 }
    {
      if (!xyz)
        xyz = $column["simulated_time_s"]
      runs[$2]++
      speedup[$2] += xyz / $column["simulated_time_s"]
      load[$2] += $column["max_link_load_bytes"]
    }
    END {
      for (i = 1; i <= mappers; i++) {
        m = order[i]
        printf "  %-24s %.3f  %8.0f kB", m, speedup[m] / runs[m], load[m] / runs[m] / 1000
        printf "%s\n", (runs[m] > 1 ? sprintf("  (mean of %d seeds)", runs[m]) : "")
      }
    }' "$out/$name/results.tsv"
done

# The timeline of the ranks in one run.
"$haichi" sim --platform torus:4x4x4 --trace "$trace" --mapping greedy \
  --timeline "$out/torus/timeline.csv" >"$out/sim.tsv" 2>/dev/null
"$haichi" plot timeline "$out/torus/timeline.csv" -o "$out/timeline.png"
"$haichi" report "$out/torus" "$out/mesh" "$out/hypercube" --title 'NPB CG, class A, on 64 hosts' -o "$out/report.html"

echo
echo "tables:"
for name in torus mesh hypercube; do
  echo "  $out/$name/results.tsv"
done
echo "pictures (.png, .svg):"
sed -n '/plots/s/^\(.*\)\.svg, \.png$/  \1.png/p' "$out"/*.made
echo "  $out/timeline.png"
rm -f "$out"/*.made
echo
echo "all tables and pictures in one page, for a browser:"
echo "  $out/report.html"
