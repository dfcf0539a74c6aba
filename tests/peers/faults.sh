#!/bin/sh
# usage: tests/peers/faults.sh BUILD
# Hop-bytes of auto:choose=hopbytes beside Scotch's default on grids with faults: a SHARE (0.01 0.03 0.1) of the arcs or of the
# pairs gets another end, drawn at random, or a share of the arcs is left out.  whole_by_scotch: the mapping of the graph without
# faults.  RUNS (3) draws, some minutes.  SET=apart: graphs that were not used to develop the growth of lattices.
set -eu
haichi=$(cd "$1" && pwd)/haichi
: "${SET:=short}" "${RUNS:=3}" "${SHARE:=0.01 0.03 0.1}"
# shellcheck source=tests/peers/lib.sh
. tests/peers/lib.sh
need_scotch
case $SET in
short | apart) ;;
*) die "SET=$SET is not short or apart" ;;
esac

# spoil KIND SHARE SEED <MATRIX: prints the matrix with faults; KIND is arcs, pairs or missing
spoil() {
  awk -F '\t' -v OFS='\t' -v kind="$1" -v share="$2" -v seed="$3" '
    function other(a, b, to) {
      do to = int(rand() * ranks)
      while (to == a || to == b)
      return to
    }
    /^[0-9]/ { src[++n] = $1; dst[n] = $2; rest[n] = $3 OFS $4; ranks = $1 >= ranks ? $1 + 1 : ranks; next }
    { print }
    END {
      srand(seed)
      for (i = 1; i <= n; i++) {
        a = src[i] < dst[i] ? src[i] : dst[i]
        b = src[i] < dst[i] ? dst[i] : src[i]
        if (kind != "pairs" && rand() < share) {
          if (kind == "missing") continue
          dst[i] = other(src[i], src[i])
        }
        if (kind == "pairs" && !((a, b) in to)) to[a, b] = rand() < share ? other(a, b) : b
        if (kind == "pairs" && src[i] == a) dst[i] = to[a, b]
        if (kind == "pairs" && src[i] == b) src[i] = to[a, b]
        if (!((src[i], dst[i]) in seen)) print src[i], dst[i], rest[i] | "sort -t \"\t\" -k 1,1n -k 2,2n"
        seen[src[i], dst[i]] = 1
      }
    }'
}

# hops MAPPING: prints the hop-bytes of the spoilt matrix
hops() {
  "$haichi" metrics --platform "$platform" --matrix "$work/spoilt" "$1" | sed -n 's/^hop_bytes.//p'
}

row() {
  spoil "$kind" "$share" "$run" <"$work/whole" >"$work/spoilt"
  "$haichi" map auto:choose=hopbytes --platform "$platform" --matrix "$work/whole" -o "$work/map.whole"
  "$haichi" map auto:choose=hopbytes --platform "$platform" --matrix "$work/spoilt" -o "$work/map.auto"
  "$haichi" map scotch --platform "$platform" --matrix "$work/spoilt" --ranks-per-host 9 -o "$work/map.scotch" 2>/dev/null
  echo "$(hops "$work/map.scotch") $(hops "$work/map.auto") $(hops "$work/map.whole")" |
    awk -v OFS='\t' -v what="$graph	$platform	$kind	$share	$run" '{ printf "%s\t%.3f\t%.3f\n", what, $2 / $1, $3 / $1 }'
}

graphs() {
  case $SET in
  short)
    echo 'stencil:24x20:periodic torus:6x8x10'
    echo 'stencil:10x9x8 mesh:9x8x10'
    echo 'stencil:27x15:points=9 torus:9x9x5'
    echo 'stencil:12x10x6:points=27 mesh:8x9x10'
    echo 'stencil:20x20x20 torus:20x20x20'
    echo 'stencil:6x6x6x6 torus:6x6x6x6'
    echo 'stencil:100x5 torus:8x8x8'
    echo 'stencil:30x17 hypercube:9'
    echo 'stencil:31x16 mesh:40x40'
    echo 'npb:lu.B.256@1 torus:16x16'
    echo 'npb:mg.B.1024@1 torus:8x8x16'
    ;;
  apart)
    echo 'stencil:21x19 torus:8x8x8'
    echo 'stencil:15x14x5:periodic torus:15x14x5'
    echo 'stencil:48x40:periodic mesh:48x40'
    echo 'stencil:7x6x5x4 torus:7x6x5x4'
    echo 'stencil:33x31:points=9 torus:8x8x16'
    echo 'stencil:25x9x3 mesh:10x10x7'
    echo 'stencil:32x32x2 hypercube:11'
    echo 'stencil:10x10x10 fattree:k=16'
    echo 'npb:lu.A.128@1 torus:4x4x8'
    echo 'npb:mg.C.512@1 mesh:8x8x8'
    ;;
  esac
}

rows() {
  graphs | while read -r graph platform; do
    for run in $(seq "$RUNS"); do
      "$haichi" trace matrix "$graph" --shuffle "$run" -o "$work/whole"
      for kind in arcs pairs missing; do
        for share in $SHARE; do
          row </dev/null
        done
      done
    done
  done
  touch "$work/complete"
}

printf 'graph\tplatform\tfaults\tshare\trun\tauto_by_scotch\twhole_by_scotch\n'
rows | tee "$work/table"
[ -e "$work/complete" ] || die 'a command failed: the table is not complete'
awk -F '\t' '
  { n[$4]++; sum[$4] += log($6); whole[$4] += log($7); above[$4] += $6 > 1; most[$4] = $6 > most[$4] ? $6 : most[$4] }
  END {
    for (share in n)
      printf "# geometric means over %d rows of share %s: auto %.3f, map of the whole graph %.3f; above Scotch %d, at most %.3f\n",
        n[share], share, exp(sum[share] / n[share]), exp(whole[share] / n[share]), above[share], most[share] | "sort -k 8"
  }' "$work/table"
