#!/bin/sh
# usage: tests/peers/hcube.sh BUILD
# Mapper hcube against the optimum: graphs that are part of a hypercube (rings, meshes with sides of
# powers of two; trees of 2^n - 1 tasks except for one arc), their tasks numbered at random LABELS (20)
# times.  Prints the cardinality, worst and mean, as a share of the optimal one, that the paper's ties, the
# search and a pairwise exchange from one start reach, and the search's longest CPU time in seconds.
# Fails if a ring is not optimal with the paper's ties, if the search reaches less than 98 %, or if it
# takes more than 5 s for up to 1024 tasks.  SHAPES names other graphs.
set -eu
haichi=$(cd "$1" && pwd)/haichi
: "${LABELS:=20}"
: "${SHAPES:=ring:16 ring:64 ring:256 ring:1024 ring:4096 \
  mesh:4x4 mesh:16x4 mesh:16x16 mesh:2x128 mesh:32x32 mesh:8x128 mesh:64x64 mesh:16x256 \
  mesh:4x2x2 mesh:4x4x4 mesh:16x4x4 mesh:8x8x8 mesh:16x8x8 mesh:16x16x16 mesh:4x32x32 \
  tree:15 tree:31 tree:63 tree:127 tree:255 tree:511 tree:1023 tree:2047 tree:4095}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# shuffled SHAPE LABELS: prints the traffic matrix, a byte for each arc
shuffled() {
  printf 'src\tdst\tmessages\tbytes\n'
  awk -v shape="$1" -v labels="$2" '
    function below(n) { state = (state * 1103515245 + 12345) % 2147483648; return int(state / 2147483648 * n) }
    function arc(a, b) { a = p[a]; b = p[b]; print (a < b ? a "\t" b : b "\t" a) "\t1\t1" }
    BEGIN {
      split(shape, kind, ":")
      n = 1
      for (sides = split(kind[2], side, "x"); sides >= ++d;) n *= side[d]
      state = labels * 7919 + 1
      for (i = 0; i < 9; i++) below(2)
      for (i = 0; i < n; i++) p[i] = i
      for (i = n - 1; i > 0; i--) { j = below(i + 1); t = p[i]; p[i] = p[j]; p[j] = t }
      for (i = 1; kind[1] == "tree" && i < n; i++) arc(i, int((i - 1) / 2))
      for (i = 0; kind[1] == "ring" && i < n; i++) arc(i, (i + 1) % n)
      for (i = 0; kind[1] == "mesh" && i < n; i++)
        for (d = stride = 1; d <= sides; stride *= side[d++])
          if (int(i / stride) % side[d] + 1 < side[d]) arc(i, i + stride)
    }' | sort -n -k1,1 -k2,2
}

# row SHAPE MAPPER MATRIX: prints SHAPE, MAPPER, tasks, cardinality, optimum, seconds
row() {
  arcs=$(($(wc -l <"$3") - 1)) tasks=$(($(echo "${1#*:}" | tr x '*')))
  bits=0
  while [ $((1 << bits)) -lt "$tasks" ]; do bits=$((bits + 1)); done
  case $1 in tree:*) best=$((arcs - 1)) ;; *) best=$arcs ;; esac
  /usr/bin/time -f '%U %S' -o "$work/time" "$haichi" map "$2" -p hypercube:$bits --matrix "$3" -o "$work/map"
  reached=$("$haichi" metrics -p hypercube:$bits --matrix "$3" "$work/map" | awk '$1 == "cardinality" { print $2 }')
  echo "$1 $2 $tasks $reached $best $(awk '{ print $1 + $2 }' "$work/time")"
}

printf '%-14s %15s %15s %15s %8s\n' tasks paper search exchange cpu_s
for shape in $SHAPES; do
  for labels in $(seq "$LABELS"); do
    shuffled "$shape" "$labels" >"$work/matrix.tsv"
    for mapper in hcube:ties=paper hcube:ties=search exchange:restarts=1; do
      row "$shape" $mapper "$work/matrix.tsv"
    done
  done | awk -v labels="$LABELS" '
    NF != 6 { next }
    { rows++ }
    { of = $4 / $5 * 100; sum[$2] += of; if (!($2 in least) || of < least[$2]) least[$2] = of }
    $2 ~ /search/ { most = $6 > most ? $6 : most }
    function show(m) { return sprintf("%7.2f %7.2f", least[m], sum[m] / labels) }
    END {
      bad = rows != 3 * labels || least["hcube:ties=search"] < 98 || ($3 <= 1024 && most > 5) || ($1 ~ /^ring/ && least["hcube:ties=paper"] < 100)
      printf "%-14s %15s %15s %15s %8.2f%s\n", $1, show("hcube:ties=paper"),
        show("hcube:ties=search"), show("exchange:restarts=1"), most, bad ? "  below" : ""
    }' | tee -a "$work/table"
done
[ "$(wc -l <"$work/table")" -eq "$(echo "$SHAPES" | wc -w)" ] && ! grep -q 'below$' "$work/table"
