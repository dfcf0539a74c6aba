#!/bin/sh
# Replays a real trace, NPB CG class A on 64 ranks, on a 4x4x4 torus in XYZ and in random order.
# Leaves tables in results/demo.
set -eu
haichi=${1:-haichi}
here=$(dirname "$0")
trace=$here/../tests/data/cg.A.64.2it.tar.zst
out=results/demo
mkdir -p "$out"

"$haichi" platform torus:4x4x4 -o "$out/torus.xml"
echo "NPB CG, class A, 64 ranks, 2 iterations, on torus:4x4x4"
"$haichi" trace info "$trace" >"$out/cg.info.tsv"
"$haichi" trace matrix "$trace" -o "$out/cg.matrix.tsv"
for mapping in xyz random:seed=1; do
  name=${mapping%%:*}
  "$haichi" map "$mapping" --platform "$out/torus.xml" --trace "$trace" -o "$out/$name.hosts"
  "$haichi" sim --platform "$out/torus.xml" --trace "$trace" --mapping "$out/$name.hosts" \
    --compute-scale 0 --per-rank "$out/$name.ranks.tsv" --links "$out/$name.links.tsv" \
    >"$out/$name.tsv" 2>/dev/null
  printf '  %-8s simulated time %s s\n' "$name" "$(sed -n 's/^simulated_time_s.//p' "$out/$name.tsv")"
done
gnuplot -e "out='$out/links.png'; names='xyz random'" \
  -e "files='$out/xyz.links.tsv $out/random.links.tsv'" "$here/links.gp"
echo "tables and pictures:"
ls "$out"/*.tsv "$out"/*.hosts "$out"/*.png | sed 's/^/  /'
