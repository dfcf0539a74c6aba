#!/bin/sh
# usage: tests/peers/treematch.sh HAICHI [TRACE...]
# Mapper auto beside Open MPI's reordering inside one node: MPI_Dist_graph_create() of component treematch on a
# synthetic node of 2 packages, 4 NUMA nodes and 32 cores, on which the ranks run oversubscribed.  Prints bytes
# between packages and NUMA nodes and simulated time of auto, relative to treematch and to ranks in order.  Fails if
# the bytes between packages or between NUMA nodes are more than treematch's.
set -u

haichi=$1
shift
[ $# -gt 0 ] || set -- npb:bt.C.25@2 npb:cg.C.32@2 npb:ep.C.32@1 npb:ft.C.32@2 npb:is.C.32@2 npb:lu.C.32@2 npb:mg.C.32@2 npb:sp.C.25@2
here=$(dirname "$0")
node='pack:2 numa:2 core:8'
platform="star:1,node=$node"
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
status=0
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

mpicc.openmpi -O2 -rdynamic -o "$work/treematch" "$here/treematch.c" -lhwloc || exit 1

# reorder TRACE RANKS: writes the mapping of treematch
reorder()
{
  "$haichi" trace matrix "$1" | awk '$1 != "src" && $1 != $2 { print $1, $2, $4 }' >"$work/matrix"
  HWLOC_SYNTHETIC="$node pu:1" mpirun.openmpi -n "$2" --oversubscribe --bind-to none --mca topo treematch \
    --mca btl self,vader "$work/treematch" "$work/matrix" 2>"$work/log" | sed 's/^/node-0./' >"$work/treematch.map"
  [ "$(sort -u "$work/treematch.map" | wc -l)" = "$2" ] || { cat "$work/log" >&2 && return 1; }
}

# score TRACE MAPPING: prints bytes between packages and NUMA nodes, then simulated seconds, on a line
score()
{
  "$haichi" metrics "$2" -p "$platform" -t "$1" | awk '/^bytes_between_(package|numa)/ { printf "%s ", $2 }'
  "$haichi" sim --mapping "$2" -p "$platform" -t "$1" --compute-scale 0 2>/dev/null | awk '$1 == "simulated_time_s" { print $2 }'
}

echo 'trace	packages	numa	time	packages/order	numa/order	time/order'
for trace; do
  "$haichi" map auto -p "$platform" -t "$trace" --compute-scale 0 -o "$work/auto.map" 2>/dev/null || exit 1
  "$haichi" map xyz -p "$platform" -t "$trace" -o "$work/order.map" 2>/dev/null || exit 1
  reorder "$trace" "$(wc -l <"$work/auto.map")" || { echo "$trace: treematch failed" >&2 && exit 1; }
  for m in auto treematch order; do score "$trace" "$work/$m.map"; done | paste -s -d ' ' | awk -v t="$trace" '
    function ratio(a, b) { return b > 0 ? a / b : a > 0 ? "inf" : 1 }
    NF != 9 { print t ": not all scores: " $0; exit 1 }
    { printf "%s", t
      for (i = 4; i <= 9; i++) printf "\t%.4f", ratio($((i - 1) % 3 + 1), $i)
      print ""; exit $1 > $4 || $2 > $5 }' >"$work/row" || status=1
  cat "$work/row"
  grep -v 'not all scores' "$work/row" >>"$work/all"
done
awk '{ a += log($4); b += log($7) } END { printf "time, geometric mean: %.4f of treematch, %.4f of the order\n", exp(a / NR), exp(b / NR) }' "$work/all"
exit $status
