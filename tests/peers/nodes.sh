#!/bin/sh
# usage: tests/peers/nodes.sh HAICHI [TRACE...]
# Mapper auto beside Scotch (tleaf, strategy=quality) on 16 nodes of 2 packages, 4 NUMA nodes and 32 cores: bytes
# between nodes, packages and NUMA nodes, and simulated time, as ratios.  Fails if a ratio of bytes is above 1.
set -u

haichi=$1
shift
[ $# -gt 0 ] || set -- npb:bt.C.484@2 npb:cg.C.512@2 npb:ep.C.512 npb:ft.C.512@1 npb:is.C.512@1 npb:lu.C.512@2 npb:mg.C.512@2 npb:sp.C.484@2
platform='star:16,node=pack:2 numa:2 core:8'
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
status=0

# score MAPPER TRACE: bytes by level, then simulated seconds, on a line
score()
{
  "$haichi" map "$1" -p "$platform" -t "$2" -o "$work/map" 2>/dev/null || exit 1
  "$haichi" metrics "$work/map" -p "$platform" -t "$2" | awk '/^bytes_between_/ { printf "%s ", $2 }'
  "$haichi" sim --mapping "$work/map" -p "$platform" -t "$2" 2>/dev/null | awk '$1 == "simulated_time_s" { print $2 }'
}

echo 'trace	nodes	packages	numa	time'
for b; do
  score auto "$b" >"$work/auto" && score scotch:strategy=quality "$b" >"$work/scotch" || exit 1
  paste -d ' ' "$work/auto" "$work/scotch" | awk -v b="$b" '
    function ratio(x, y) { return y > 0 ? x / y : 1 }
    {
      printf "%s", b
      for (i = 1; i <= 4; i++) { printf "\t%.4f", ratio($i, $(i + 4)); bad += i < 4 && $i > $(i + 4) }
      print ""; exit bad > 0 }' | tee -a "$work/all" || exit 1
  awk -v b="$b" '$1 == b && ($2 > 1 || $3 > 1 || $4 > 1) { exit 1 }' "$work/all" || status=1
done
awk '{ sum += log($5) } END { printf "time, geometric mean: %.4f\n", exp(sum / NR) }' "$work/all"
exit $status
