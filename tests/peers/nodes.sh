#!/bin/sh
# usage: tests/peers/nodes.sh HAICHI [PLATFORM TRACE...]
# Mapper auto beside Scotch (tleaf, strategy=quality) on nodes with an inside: ratios of the bytes between the objects of
# each level, and of the simulated time.  Fails if a ratio of bytes is above 1.  Without PLATFORM: the eight programs of NPB
# on 16 nodes of 2 packages, 4 NUMA nodes and 32 cores; then it also fails if the geometric mean of the times is above 0.97.
set -u

haichi=$1 most=inf
shift
if [ $# -eq 0 ]; then
  most=0.97
  set -- 'star:16,node=pack:2 numa:2 core:8' npb:bt.C.484@2 npb:cg.C.512@2 npb:ep.C.512 npb:ft.C.512@1 npb:is.C.512@1 \
    npb:lu.C.512@2 npb:mg.C.512@2 npb:sp.C.484@2
fi
platform=$1
shift
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
status=0

# score MAPPER TRACE: prints names and bytes of the levels, then "time" and simulated seconds, a pair on each line
score()
{
  "$haichi" map "$1" -p "$platform" -t "$2" -o "$work/map" 2>/dev/null || exit 1
  "$haichi" metrics "$work/map" -p "$platform" -t "$2" | sed -n 's/^bytes_between_//p'
  "$haichi" sim --mapping "$work/map" -p "$platform" -t "$2" 2>/dev/null | awk '$1 == "simulated_time_s" { print "time", $2 }'
}

for b; do
  score auto "$b" >"$work/auto" && score scotch:strategy=quality "$b" >"$work/scotch" || exit 1
  paste "$work/auto" "$work/scotch" | awk -v b="$b" '
    NF != 4 || $1 != $3 { print b ": no score: " $0; bad++; next }
    { ratio = $4 > 0 ? $2 / $4 : 1; line = line sprintf("\t%s %.4f", $1, ratio); bad += $1 != "time" && ratio > 1; timed += $1 == "time" }
    END { print b line; exit bad > 0 || NR < 2 || timed != 1 }' || status=1
  paste "$work/auto" "$work/scotch" | awk -v b="$b" '$1 == "time" { print b, $2 / $4 }' >>"$work/times"
done
awk -v most=$most '
  { sum += log($2) }
  $1 !~ /^npb:(ep|ft|is)/ { some += log($2); n++ }
  END {
    printf "time, geometric mean: %.4f\n", exp(sum / NR)
    if (n > 0 && n < NR) printf "without EP, FT and IS, where all pairs of ranks have the same bytes: %.4f\n", exp(some / n)
    exit most != "inf" && exp(sum / NR) > most
  }' "$work/times" || status=1
exit $status
