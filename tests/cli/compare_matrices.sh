#!/bin/sh
# usage: tests/cli/compare_matrices.sh HAICHI
# `haichi compare` of traffic matrices: each row has the values of `haichi metrics` for the mapper; nothing is simulated.
# The tables are the same at any -j, after a resumption, and made by tasks.  Its report and its refusals.
# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"

"$haichi" trace matrix npb:cg.S.16@2 -o cg.tsv || fail 'trace matrix'

# graph W: a mesh of 4 x 4, whose edges have the weight W along rows
graph()
{
  echo '16 24 1'
  awk -v w="$1" 'BEGIN {
    for (r = 0; r < 16; r++) {
      line = ""
      if (r % 4 > 0) line = line " " r " " w
      if (r % 4 < 3) line = line " " r + 2 " " w
      if (r > 3) line = line " " r - 3 " 9"
      if (r < 12) line = line " " r + 5 " 9"
      print line
    }
  }'
}
graph 7 >mesh.graph

awk 'NR > 1 { print $1, $2, $4 }' cg.tsv >cg.edges
# compare DIR OPTION...: 2 matrices in thousands of bytes, 3 mappers, one of 3 seeds
compare()
{
  dir=$1
  shift
  "$haichi" compare -p torus:4x4 --matrix cg.edges mesh.graph --matrix-unit kB --mapper xyz greedy random:seeds=1..3 \
    -o "$dir" "$@"
}
compare one -j 1 >log 2>&1 || fail "-j 1: $(cat log)"
grep -q '^geometric means over 2 matrices$' log || fail "$(cat log)"
compare two -j 2 >/dev/null 2>&1 || fail 'compare -j 2'
for table in results summary differences; do
  cmp one/$table.tsv two/$table.tsv || fail "-j 2: another table $table"
done
[ -e one/plots/speedup.svg ] && fail 'a picture of speedups without a simulation'

# Compares each row with haichi metrics; columns of simulations are empty.
grep -v '^#' one/results.tsv | sed 1d >rows
[ "$(wc -l <rows)" -eq 10 ] || fail "$(cat one/results.tsv)"
grep -v '^#' one/results.tsv | head -n 1 |
  grep -q '^matrix	mapper	seed	status	simulated_time_s	communication_time_mean_s	' || fail "$(cat one/results.tsv)"
while IFS='	' read -r matrix mapper seed state values; do
  [ "$state" = ok ] || fail "$matrix $mapper: $state $values"
  [ "$seed" = - ] || mapper=$mapper:seed=$seed
  "$haichi" metrics -p torus:4x4 --matrix "$matrix" --matrix-unit kB "$mapper" | sed 1,2d | cut -f 2 | tr '\n' '\t' >want
  printf '%s\t' "$values" | cut -f 1-5 | grep -qx -e '-	-	-	-	-' || fail "$matrix $mapper: $values"
  printf '%s\t' "$values" | cut -f 6-14 | tr '\n' '\t' | cmp - want || fail "$matrix $mapper: $values, not $(cat want)"
done <rows

# The ranking is by the estimated time.
grep -v '^#' one/summary.tsv | head -n 1 | grep -q '	estimated_time_s	' || fail "$(cat one/summary.tsv)"
awk -F '\t' '/^#/ { next } $1 == last && $2 > 1 { compared++; bad = bad || $5 < time } { last = $1; time = $5 }
  END { exit bad || compared < 4 }' one/summary.tsv ||
  fail "$(cat one/summary.tsv)"

# The campaign is resumed with a result missing, made by tasks of another process, and made with a changed input.
rm "$(ls two/runs/*.tsv | head -n 1)"
touch -d yesterday two/runs/*.tsv
compare two >log 2>&1 || fail "resumed: $(cat log)"
cmp one/results.tsv two/results.tsv || fail 'resumed: other results'
[ "$(find two/runs -name '*.tsv' -newermt '12 hours ago' | wc -l)" -eq 1 ] || fail 'resumed: other runs were made again'
# shellcheck disable=SC2016 # for the shell of the command
compare tasks --chunk 4 --on 'command:seq $HAICHI_TASKS | xargs -n 1 sh "$HAICHI_SCRIPT"' >log 2>&1 || fail "$(cat log)"
cmp one/results.tsv tasks/results.tsv || fail 'made by tasks: other results'
graph 8 >mesh.graph
compare two >log 2>&1 || fail "another graph: $(cat log)"
cmp -s one/results.tsv two/results.tsv && fail 'another graph gives the same results'

# The report of two campaigns, with the command that made them.
"$haichi" report one two -o page.html >log 2>&1 || fail "report: $(cat log)"
for text in estimated_time_s mesh.graph '[-][-]matrix-unit'; do
  grep -q "$text" page.html || fail "the page lacks '$text'"
done

# A matrix that cannot be read gives a row with the reason.  A spec, and a compressed file of another format, are read.
printf '3 2\n2\n1 4\n2\n' >broken.graph
gzip -k mesh.graph
"$haichi" compare -p torus:4x4 --matrix broken.graph grid:4x4 mesh.graph.gz -m xyz greedy -o rows.d >log 2>&1
[ $? -eq 1 ] || fail "a bad matrix: $(cat log)"
grep -q '^broken.graph	xyz	-	failed	.*	broken.graph:3: neighbour: 4 is above the maximum of 3$' rows.d/results.tsv ||
  fail "$(cat rows.d/results.tsv)"
[ "$(grep -c '	ok	' rows.d/results.tsv)" -eq 4 ] || fail "$(cat rows.d/results.tsv)"

# refuses CODE PATTERN WORD...
refuses()
{
  code=$1 pattern=$2
  shift 2
  "$haichi" compare -p torus:4x4 -o no "$@" >out 2>err </dev/null
  got=$?
  [ $got -eq "$code" ] || fail "$*: exit $got, not $code"
  head -n 1 err | grep -q "^haichi[a-z ]*: $pattern" || fail "$*: '$(head -n 1 err)', not '$pattern'"
  [ -e no/results.tsv ] && fail "$*: is refused, but leaves results"
}
refuses 2 '--matrix and --trace exclude each other' -t ring:16 --matrix grid:4x4 -m xyz
refuses 2 '--network and --matrix exclude each other' --network x.xml --matrix grid:4x4 -s heft
refuses 2 'no --mapper given' --matrix grid:4x4
refuses 2 '--matrix-unit without --matrix' -t ring:16 -m xyz --matrix-unit kB
refuses 2 '--matrix and --audit exclude each other' --matrix grid:4x4 -m xyz --audit 1
refuses 2 '--engine=simgrid is for --trace, not for --matrix' --matrix grid:4x4 -m xyz --engine simgrid
refuses 2 '--background=tasks:10[^ ]* is for --trace, not for --matrix' --matrix grid:4x4 -m xyz --background tasks:10
refuses 2 '--job is for --trace, not for --matrix' --matrix grid:4x4 -m xyz --job ring:4
refuses 2 '--repeat without --jitter or --background' --matrix grid:4x4 -m xyz --repeat 2
refuses 2 '--scheduler without --network' --matrix grid:4x4 -m xyz -s heft
refuses 1 "mapper 'tune' simulates candidates: it needs --trace" --matrix grid:4x4 -m xyz tune
refuses 1 "matrix 'grid:4x4' is given twice" --matrix grid:4x4 grid:4x4 -m xyz
refuses 1 "matrix 'grid:x': " --matrix grid:x -m xyz
refuses 1 'grid:5x5: 25 ranks do not fit on the 16 hosts of torus:4x4 with 16 slots (--ranks-per-host)' \
  --matrix grid:5x5 -m xyz
refuses 1 '-: must be a file or a folder, since every run reads it' --matrix - -m xyz
refuses 1 'no.mtx: cannot open: No such file or directory' --matrix no.mtx -m xyz
exit $status
