#!/bin/sh
# usage: scripts/reproduce/hcube.sh [OUT]
# Verdicts on the statements of Horiike, "A task allocation method for hyper-cube connected parallel computer": the
# numbers of processors and links of a hypercube, the example of joining two cubes, and rings, mapped by the method and by
# pairwise exchange.  Writes to OUT (results/hcube) verdicts.tsv, verdicts.txt beside OUT, and values.tsv, a row for each
# measured value.  Takes some 10 s.  Environment variables, with defaults in parentheses:
#   HAICHI (./haichi)   SEEDS (1..40): random numberings of the ring, each with 4 starts of the exchange
#   MUTATE=NAME=SPEC: replaces mapper or platform NAME (hcube, exchange, hypercube) by SPEC, for a test
set -eu
[ $# -le 1 ] || {
  sed -n '2p' "$0" | cut -c3- >&2
  exit 2
}
out=${1:-results/hcube} here=$(dirname "$0")
: "${HAICHI:=./haichi}" "${SEEDS:=1..40}" "${MUTATE:=}"
mkdir -p "$out"
echo 'HCUBE: Horiike, "A task allocation method for hyper-cube connected parallel computer"' >"$out/paper"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

# or_instead NAME SPEC: prints SPEC, or the replacement of NAME in MUTATE.
or_instead() {
  if [ "${MUTATE%%=*}" = "$1" ]; then echo "${MUTATE#*=}"; else echo "$2"; fi
}
hcube=$(or_instead hcube hcube:ties=paper)

# matrix: converts lines "a b" of standard input, the arcs, to a traffic matrix with one byte for each arc.
matrix() {
  printf 'src\tdst\tmessages\tbytes\n'
  awk '{ print ($1 < $2 ? $1 "\t" $2 : $2 "\t" $1) "\t1\t1" }' | sort -n -k1,1 -k2,2
}

# map DIMENSIONS MAPPER MATRIX: writes the mapping to $work/map.
map() {
  platform=$(or_instead hypercube "hypercube:$1")
  "$HAICHI" map "$2" -p "$platform" --matrix "$3" -o "$work/map" 2>"$work/err" || {
    cat "$work/err" >&2
    exit 1
  }
}

# on_links MATRIX: prints the cardinality of the last mapping.
on_links() {
  "$HAICHI" metrics -p "$platform" --matrix "$1" "$work/map" | awk '$1 == "cardinality" { print $2 }'
}

# cardinality DIMENSIONS MAPPER MATRIX: maps, and prints the cardinality.
cardinality() {
  map "$@"
  on_links "$3"
}

# Section 2: the neighbours of processor 37, and the numbers of links of cubes of 1 to 6 dimensions.
structure() {
  list=
  map 6 xyz dense:64
  for other in $(seq 0 63); do
    [ "$other" != 37 ] || continue
    echo "37 $other" | matrix >"$work/matrix.tsv"
    [ "$(on_links "$work/matrix.tsv")" != 1 ] || list="$list $other"
  done
  printf 'neighbours\t-\t%s\n' "${list# }"
  for dimensions in 1 2 3 4 5 6; do
    printf 'links\t%s\t%s\n' "$dimensions" "$(cardinality "$dimensions" xyz "dense:$((1 << dimensions))")"
  done
}

# example END.  Section 4, figure 6: two 3-cubes, tasks 0 to 7 and 8 to 15, with 4 arcs between them.  Arc 2 ends at END.
example() {
  awk -v end="$1" 'BEGIN {
    for (a = 0; a < 16; a++)
      for (bit = 1; bit < 8; bit *= 2) if (int(a / bit) % 2 == 0) print a, a + bit
    split("1 3 2 4", from, " ")
    split("6 " end " 2 0", to, " ")
    for (i = 1; i <= 4; i++) print from[i], 8 + to[i]
  }' | matrix >"$work/matrix.tsv"
  # All arcs inside the cubes are on links in both mappings, so they are subtracted.
  inside=24
  printf 'given\t%s\t%s\n' "$1" $(($(cardinality 4 xyz "$work/matrix.tsv") - inside))
  printf 'method\t%s\t%s\n' "$1" $(($(cardinality 4 "$hcube" "$work/matrix.tsv") - inside))
}

# ring SEED: writes the matrix of a ring of 16 tasks, numbered at random, or in order for seed 0.
ring() {
  awk -v seed="$1" '
    function below(n) { state = (state * 1103515245 + 12345) % 2147483648; return int(state / 2147483648 * n) }
    BEGIN {
      state = seed * 7919 + 1
      for (i = 0; i < 9; i++) below(2)
      for (i = 0; i < 16; i++) p[i] = i
      for (i = 15; i > 0 && seed > 0; i--) { j = below(i + 1); t = p[i]; p[i] = p[j]; p[j] = t }
      for (i = 0; i < 16; i++) print p[i], p[(i + 1) % 16]
    }' | matrix >"$work/matrix.tsv"
}

# gain: prints the largest gain of cardinality by an exchange of two tasks of the last mapping.
gain() {
  awk '
    function bits(a, b,   n) { while (a > 0 || b > 0) { n += a % 2 != b % 2; a = int(a / 2); b = int(b / 2) } return n }
    function all(   k, n) { for (k = 1; k <= arcs; k++) n += bits(at[src[k]], at[dst[k]]) == 1; return n }
    FNR == 1 { file++ }
    file == 1 && FNR > 1 { src[++arcs] = $1; dst[arcs] = $2 }
    file == 2 { at[tasks++] = $1; sub(/.*-/, "", at[tasks - 1]) }
    END {
      now = all()
      most = -arcs
      for (i = 0; i < tasks; i++)
        for (j = i + 1; j < tasks; j++) {
          t = at[i]; at[i] = at[j]; at[j] = t
          if (all() - now > most) most = all() - now
          t = at[i]; at[i] = at[j]; at[j] = t
        }
      print most
    }' "$work/matrix.tsv" "$work/map"
}

# seconds MAPPER: prints the simulated time in which each task of a ring of 16 sends a message to the next task.
seconds() {
  "$HAICHI" sim -p "$(or_instead hypercube hypercube:4)" --trace ring:16 --mapping "$1" 2>/dev/null |
    awk '$1 == "simulated_time_s" { print $2 }'
}

# Section 6: rings by the method and by pairwise exchange, and the times of random mappings relative to the method.
rings() {
  ring 0
  printf 'ring\t0\t%s\n' "$(cardinality 4 "$hcube" "$work/matrix.tsv")"
  method=$(seconds "$hcube")
  for seed in $(seq "${SEEDS%%..*}" "${SEEDS##*..}"); do
    ring "$seed"
    printf 'ring\t%s\t%s\n' "$seed" "$(cardinality 4 "$hcube" "$work/matrix.tsv")"
    for start in 0 1 2 3; do
      map 4 "$(or_instead exchange "exchange:restarts=1,seed=$((seed * 4 + start))")" "$work/matrix.tsv"
      printf 'exchange\t%s\t%s\n' "$seed" "$(on_links "$work/matrix.tsv")"
      printf 'gain\t%s\t%s\n' "$seed" "$(gain)"
    done
    printf 'slower\t%s\t%s\n' "$seed" "$(seconds "random:seed=$seed") $method" | awk '{ print $1 "\t" $2 "\t" $3 / $4 }'
  done
}

printf 'what\tcase\tvalue\n' >"$out/values.tsv"
{
  structure
  example 7
  example 5
  rings
} >>"$out/values.tsv"
awk -f "$here/verdicts.awk" -f "$here/checks.awk" -f "$here/hcube.awk" "$out/values.tsv" >"$out/verdicts.tsv"
"$here/verdicts.sh" "$out"
