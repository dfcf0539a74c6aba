#!/bin/sh
# usage: tests/peers/simulated.sh BUILD
# Simulated time of the NAS Parallel Benchmarks: the best of haichi's mappers (MAPPERS) beside Scotch's best of 10 seeds.
#   CLASS=A  64 ranks, all iterations, some minutes (the default)
#   CLASS=C  512 ranks (BT, SP: 484), ITERATIONS (1) of each: an hour
# BENCHMARKS and PLATFORMS take others.  KEEP=DIR keeps the tables of all runs; begun again, it goes on where it was.
set -eu
build=$(cd "$1" && pwd)
haichi=$build/haichi
: "${CLASS:=A}" "${ITERATIONS:=1}" "${BENCHMARKS:=bt cg ep ft is lu mg sp}"
: "${MAPPERS:=xyz auto bisect greedy fmopt fmopt:objective=mincost hcube hcube:objective=hopbytes qap}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
keep=${KEEP:-$work}
mkdir -p "$keep"

case $CLASS in
A) : "${PLATFORMS:=torus:4x4x4 mesh:8x8 hypercube:6 fattree:down=4x4x4,up=1x2x2,cables=1x1x1}" ;;
C) : "${PLATFORMS:=torus:8x8x8 mesh:8x8x8 hypercube:9 fattree:down=8x8x8,up=1x4x4,cables=1x1x1}" ;;
*) echo "$0: CLASS=$CLASS is not A or C" >&2 && exit 1 ;;
esac

trace_of() {
  case $CLASS$1 in
  A*) echo "npb:$1.A.64" ;;
  Cbt | Csp) echo "npb:$1.C.484@$ITERATIONS" ;;
  *) echo "npb:$1.C.512@$ITERATIONS" ;;
  esac
}

# Of haichi's mappers those that take the platform.
mappers_of() {
  for mapper in $MAPPERS; do
    "$haichi" map "$mapper" -p "$1" -m "$work/matrix" -o "$work/map" 2>/dev/null && echo "$mapper"
  done
}

printf 'trace\tplatform\tbest\ttime_s\tscotch_s\tratio\tauto_ratio\n'
for benchmark in $BENCHMARKS; do
  trace=$(trace_of "$benchmark")
  "$haichi" trace matrix "$trace" -o "$work/matrix"
  for platform in $PLATFORMS; do
    out=$keep/$trace-${platform%%:*}
    # shellcheck disable=SC2046
    "$haichi" compare -p "$platform" -t "$trace" -m $(mappers_of "$platform") scotch:seeds=1..10 --no-plots -o "$out" \
      >/dev/null 2>"$work/err" || { cat "$work/err" >&2 && exit 1; }
    awk -F '\t' -v OFS='\t' -v trace="$trace" -v platform="$platform" '
      /^#/ { next }
      !head { for (i = 1; i <= NF; i++) at[$i] = i; head = 1; next }
      { t = $at["simulated_time_s"]; name = $at["mapper"] }
      t + 0 <= 0 { next }
      name == "auto" { auto = t }
      name ~ /^scotch/ { if (!scotch || t < scotch) scotch = t; next }
      !best || t < best { best = t; winner = name }
      END { print trace, platform, winner, best, scotch, sprintf("%.4f", best / scotch), sprintf("%.4f", auto / scotch) }
    ' "$out/results.tsv"
  done
done | tee "$work/table"
awk -F '\t' '
  { n++; sum += log($6); auto += log($7); wins[$3]++ }
  $6 > 1 { above = above "\n#   " $1 " " $2 " " $6 }
  END {
    printf "# geometric mean over %d cells: best of haichi %.4f, auto %.4f of the best of Scotch\n# above it:%s\n", n,
      exp(sum / n), exp(auto / n), above == "" ? " none" : above
    for (name in wins)
      printf "# best with %s: %d\n", name, wins[name] | "sort"
  }' "$work/table"
