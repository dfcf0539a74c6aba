#!/bin/sh
# usage: tests/peers/bench_mopt.sh BUILD
# Figures 6 to 10 of Asano and Kise, "SFMOPT", for this machine: what the mappers by merging take
# on dense random traffic of 128 to 8192 tasks on meshes, and fmopt and sfmopt on a shuffled 3-D
# grid.  CPU seconds with one thread (t1) and elapsed ones with two (t2), the traffic's making
# included: "read" is that alone.  NODES: other sizes.  mopt is left out from where it takes more
# than MOPT_SECONDS (600) on.  BIG=1: also sparse traffic of 65,536 and 1,048,576 tasks.
set -eu
haichi=$(cd "$1" && pwd)/haichi
: "${NODES:=128 256 512 1024 2048 4096 8192}" "${MOPT_SECONDS:=600}" "${BIG:=0}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

shape_of() {
  case $1 in
  128) echo 4x4x8 ;;
  256) echo 4x8x8 ;;
  512) echo 8x8x8 ;;
  1024) echo 8x8x16 ;;
  2048) echo 8x16x16 ;;
  4096) echo 16x16x16 ;;
  8192) echo 16x16x32 ;;
  65536) echo 32x32x64 ;;
  1048576) echo 128x128x64 ;;
  *)
    echo "$0: no shape for $1 nodes" >&2
    exit 1
    ;;
  esac
}

# measure FORMAT THREADS SECONDS MATRIX SHAPE MAPPER: "-" if it takes longer
measure() {
  if timeout "$3" /usr/bin/time -o "$work/time" -f "$1" "$haichi" map "$6" --platform "mesh:$5" \
    --matrix "$4" --threads "$2" -o "$work/mapping" 2>"$work/err"; then
    awk '{ n = split($0, t, "+"); s = 0; for (i = 1; i <= n; i++) s += t[i]; printf "%.2f", s }' \
      "$work/time"
  elif [ -s "$work/err" ]; then
    cat "$work/err" >&2
    exit 1
  else
    printf '%s' -
  fi
}

t1() {
  measure %U+%S 1 "$@"
}

t2() {
  measure %e 2 "$@"
}

ratio() {
  awk -v a="$1" -v b="$2" 'BEGIN { if (a == "-" || b == 0) print "-"; else printf "%.1f", a / b }'
}

objective_table() {
  objective=$1 slow=0
  printf '\n%s, dense\n%7s %7s %9s %9s %9s %9s %9s %9s %9s %9s\n' "$objective" nodes read_t1 \
    mopt_t1 fmopt_t1 fig6 fmopt_t2 fig7 sfmopt_t2 half_t2 none_t2
  for nodes in $NODES; do
    shape=$(shape_of "$nodes") matrix=dense:$nodes
    read=$(t1 600 "$matrix" "$shape" xyz)
    plain=-
    [ "$slow" = 1 ] || plain=$(t1 "$MOPT_SECONDS" "$matrix" "$shape" "mopt:objective=$objective")
    [ "$plain" != - ] || slow=1
    one=$(t1 600 "$matrix" "$shape" "fmopt:objective=$objective")
    elapsed=$(measure %e 1 600 "$matrix" "$shape" "fmopt:objective=$objective")
    two=$(t2 600 "$matrix" "$shape" "fmopt:objective=$objective")
    blocks=subgroup=2@9,objective=$objective
    [ "$nodes" -ge 1024 ] || blocks=objective=$objective
    printf '%7s %7s %9s %9s %9s %9s %9s %9s %9s %9s\n' "$nodes" "$read" "$plain" "$one" \
      "$(ratio "$plain" "$one")" "$two" "$(ratio "$elapsed" "$two")" \
      "$(t2 600 "$matrix" "$shape" "sfmopt:$blocks")" \
      "$(t2 600 "$matrix" "$shape" "fmopt-half:$blocks")" \
      "$(t2 600 "$matrix" "$shape" none)"
  done
}

sparse_table() {
  printf '\nminlink, sparse\n%7s %9s %9s\n' nodes fmopt_t2 sfmopt_t2
  for nodes in $1; do
    shape=$(shape_of "$nodes")
    fine=-
    [ "$nodes" -gt 65536 ] || fine=$(t2 600 "grid:$shape" "$shape" fmopt)
    printf '%7s %9s %9s\n' "$nodes" "$fine" "$(t2 600 "grid:$shape" "$shape" sfmopt)"
  done
}

echo 'Seconds.  fig6: mopt_t1 / fmopt_t1.  fig7: elapsed time with one thread / with two.'
echo 'Subgroups are 2@9, below 1024 nodes 2@6; none has the selection step alone.'
objective_table minlink
objective_table mincost
sparse_table 8192
[ "$BIG" = 0 ] || sparse_table '65536 1048576'
