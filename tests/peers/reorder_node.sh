#!/bin/sh
# usage: tests/peers/reorder_node.sh BUILD
# haichi_reorder() beside Open MPI's reordering inside one node: MPI_Dist_graph_create() of component treematch on synthetic
# nodes of 16 to 48 cores, on which the ranks run oversubscribed.  Grids, periodic grids and weighted graphs of up to 48
# ranks, in the order of the cores.  Compares the simulated time of one exchange of all messages.  Exits 1 if the time is
# longer than treematch's in more than 5 % of the cases where treematch finishes.  Environment, with defaults:
#   CASES (60)   FIRST (1): seed of the first case   KEEP=FILE: keeps the table
set -u
[ $# -eq 1 ] || {
  sed -n '2p' "$0" | cut -c3- >&2
  exit 2
}
build=$(cd "$1" && pwd) here=$(cd "$(dirname "$0")" && pwd)
: "${CASES:=60}" "${FIRST:=1}"
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
table=${KEEP:-$work/table}
: >"$table"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
unset MAPPER QUICK OTHER MATRIX

mpicc.openmpi -O2 -rdynamic -o "$work/treematch" "$here/treematch.c" -lhwloc || exit 1

# draw CASE: prints a node, a graph and its ranks, at most as many as the node has cores
draw()
{
  awk -v seed="$1" '
    function below(n) { return int(rand() * n) }
    # Sides of a grid of n ranks.
    function sides(n, axes,   text, d, side, try) {
      for (d = 1; d < axes; d++) {
        side = 1
        for (try = 2; try * try <= n; try++)
          if (n % try == 0)
            side = try
        text = text side "x"
        n /= side
      }
      return text n
    }
    BEGIN {
      srand(seed)
      split("pack:2 numa:2 core:8;pack:2 l3:4 core:6;pack:2 core:24;numa:4 core:4;pack:2 numa:2 l3:2 core:4", node, ";")
      split("32 48 48 16 32", cores, " ")
      k = 1 + (seed - 1) % 5
      n = seed % 2 ? cores[k] : 4 + 2 * below(cores[k] / 2 - 1)
      kind = int((seed - 1) / 5) % 3
      graph = kind == 0 ? "grid:" sides(n, 2 + below(2)) : kind == 1 ? "pgrid:" sides(n, 2 + below(2)) : "geometric:" n
      print node[k]
      print graph
      print n
    }'
}

for number in $(seq "$FIRST" $((FIRST + CASES - 1))); do
  draw "$number" >"$work/case"
  node=$(sed -n 1p "$work/case") graph=$(sed -n 2p "$work/case") ranks=$(sed -n 3p "$work/case")
  MATRIX=$work/matrix "$build/tests/peers/reorder" - "$graph" list "$number" || exit 1
  HWLOC_SYNTHETIC="$node pu:1" timeout 120 mpirun.openmpi -n "$ranks" --oversubscribe --bind-to none --mca topo treematch \
    --mca mpi_yield_when_idle 1 --mca btl self,vader "$work/treematch" "$work/matrix" >"$work/order" 2>"$work/log"
  if [ "$(sort -u "$work/order" | wc -l)" != "$ranks" ]; then
    echo "case $number: $graph on $node: treematch failed: $(head -n 1 "$work/log")"
    continue
  fi
  OTHER=$work/order "$build/tests/peers/reorder" "star:1,node=$node" "$graph" list "$number" >>"$table" || exit 1
done

awk -F'\t' -v cases="$CASES" '
  {
    n++
    ratio = $7 / $15
    sum += log(ratio)
    if (ratio > 1.0001) {
      worse++
      printf "slower: %s on %s: %g s, treematch %g s, in order %g s\n", $2, $1, $7, $15, $6
    }
  }
  END {
    if (n == 0)
      exit 1
    printf "%d of %d cases in which treematch finishes: no slower in %.1f %%, time %.3f of it in geometric mean\n", n, cases,
      100 * (n - worse) / n, exp(sum / n)
    exit worse > 0.05 * n
  }' "$table"
