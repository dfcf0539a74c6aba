#!/bin/sh
# usage: tests/cli/matrices.sh HAICHI
# The same traffic in each text format of `haichi list matrices`, compressed and through a pipe, for all commands that read
# matrices; units; refusals.
# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"

# refuses CODE PATTERN WORD...: the exit code, and the first line on standard error
refuses()
{
  code=$1 pattern=$2
  shift 2
  "$haichi" "$@" >out 2>err </dev/null
  got=$?
  [ $got -eq "$code" ] || fail "$*: exit $got, not $code"
  head -n 1 err | grep -q "^haichi[a-z ]*: $pattern\$" || fail "$*: '$(head -n 1 err)', not '$pattern'"
  [ -s out ] && fail "$*: is refused, but there is output"
}

# A ring of 4 ranks: 1000 bytes along each edge in each direction.
printf 'src\tdst\tmessages\tbytes\n' >ring.tsv
for pair in '0 1' '0 3' '1 0' '1 2' '2 1' '2 3' '3 0' '3 2'; do
  echo "$pair 1 1000" | tr ' ' '\t' >>ring.tsv
done
awk 'NR > 1 { print $1 "\t" $2 "\t" $4 }' ring.tsv >ring.edges
(echo src,dst,bytes && tr '\t' , <ring.edges) >ring-list.csv
printf '0 1000 0 1000\n1000 0 1000 0\n0 1000 0 1000\n1000 0 1e3 0.0\n' >ring.dense
printf 'a\nb\nc\nd\n' >names
(echo ,a,b,c,d && tr ' ' , <ring.dense | paste -d , names -) >ring-names.csv
tr ' ' ';' <ring.dense >ring-plain.csv
{
  printf '%%%%MatrixMarket matrix coordinate integer symmetric\n%% a ring\n4 4 4\n'
  printf '2 1 1000\n4 1 1000\n3 2 1000\n4 3 1000\n'
} >ring.mtx
printf '4 4 001\n2 1000 4 1000\n1 1000 3 1000\n2 1000 4 1000\n1 1000 3 1000\n' >ring.graph
printf '0\n4\t8\n0\t010\n2\t1000\t1\t1000\t3\n2\t1000\t0\t1000\t2\n2\t1000\t1\t1000\t3\n2\t1000\t0\t1000\t2\n' >ring.grf

"$haichi" metrics -p torus:4 --matrix ring.tsv >want || fail 'metrics of ring.tsv'
grep -qx 'bytes	8000' want || fail "$(cat want)"
for file in ring.edges ring-list.csv ring.dense ring-names.csv ring-plain.csv ring.mtx ring.graph ring.grf; do
  gzip -c $file >packed.gz
  zstd -q -f $file -o packed.zst
  for form in $file packed.gz packed.zst -; do
    "$haichi" metrics -p torus:4 --matrix $form >got 2>err <packed.zst || fail "$file as $form: $(cat err)"
    cmp -s want got || fail "$file as $form: $(diff want got)"
  done
  "$haichi" map greedy -p torus:4 --matrix $file -o map.$file 2>err || fail "$file: $(cat err)"
  "$haichi" map greedy -p torus:4 --matrix ring.tsv | cmp - map.$file || fail "$file: another mapping"
  "$haichi" wan graph -p torus:4 --beta 2 --matrix $file >got 2>err || fail "wan graph: $file: $(cat err)"
  "$haichi" wan graph -p torus:4 --beta 2 --matrix ring.tsv | cmp - got || fail "wan graph: $file gives another graph"
done

# The format is given by --matrix-format.
for format in tsv:ring.tsv csv:ring-names.csv dense:ring.dense edges:ring.edges matrixmarket:ring.mtx metis:ring.graph \
  scotch:ring.grf; do
  "$haichi" metrics -p torus:4 --matrix "${format#*:}" --matrix-format "${format%:*}" | cmp want - || fail "--matrix-format ${format%:*}: other metrics"
done
refuses 1 "ring.graph:2: '1000' after 3 numbers" metrics -p torus:4 --matrix ring.graph --matrix-format dense
refuses 1 "ring.dense:1: '1000' after SRC DST BYTES" metrics -p torus:4 --matrix ring.dense --matrix-format edges
refuses 1 "ring.mtx:1: the header is '%%MatrixMarket matrix coordinate integer symmetric' instead of 'src dst messages bytes'" \
  metrics -p torus:4 --matrix ring.mtx --matrix-format tsv

# Units: edges without weights, and rates.
printf '4 4\n2 4\n1 3\n2 4\n1 3\n' >plain.graph
"$haichi" metrics -p torus:4 --matrix plain.graph --matrix-unit kB | cmp want - || fail '--matrix-unit kB: other metrics'
sed 's/1000/8.0000004/' ring.edges >rates
"$haichi" metrics -p torus:4 --matrix rates --matrix-unit kbps | cmp want - || fail '--matrix-unit kbps: other metrics'
refuses 1 "rates:1: '8.0000004' is a fraction of a byte; rates may be fractions: --matrix-unit Bps" \
  metrics -p torus:4 --matrix rates
refuses 1 'ring.tsv: format tsv is in bytes: --matrix-unit does not apply' \
  metrics -p torus:4 --matrix ring.tsv --matrix-unit B

# Bad usage, specs, and files that fit two formats.
printf '\357\273\2770,100,0,7\n100,0,3,0\n0,3,0,50\n7,0,50,0\n' >marked.csv
"$haichi" metrics xyz -p torus:4 --matrix marked.csv | grep -qx 'bytes	320' || fail 'a byte order mark'
printf 'O,100,0,7\n100,0,3,0\n0,3,0,50\n7,0,50,0\n' >typo.csv
refuses 1 "typo.csv:1: the first line has 'O' before numbers that are no names of columns: 100 is followed by 0" \
  metrics xyz -p torus:4 --matrix typo.csv
refuses 2 '--matrix-unit without --matrix' map xyz -p torus:4 --ranks 4 --matrix-unit kB
refuses 2 '--matrix-format without --matrix' metrics -p torus:4 -t ring:4 --matrix-format csv
refuses 2 '--matrix-format without --matrix' wan graph -p torus:4 --beta 2 --matrix-format csv
refuses 2 "--matrix-format: unknown format of matrices 'metos', perhaps 'metis'; expected .*" \
  map xyz -p torus:4 --matrix ring.graph --matrix-format metos
refuses 2 "--matrix-unit: 'furlong' is not a unit of bytes .*" map xyz -p torus:4 --matrix ring.graph --matrix-unit furlong
refuses 1 "matrix 'grid:4': --matrix-unit is for files" metrics -p torus:4 --matrix grid:4 --matrix-unit kB
printf '0 1\n1 0\n' >two
refuses 1 'two: may be dense, edges: choose one with --matrix-format' metrics -p torus:4 --matrix two
for format in dense edges; do
  "$haichi" metrics -p torus:4 --matrix two --matrix-format $format >/dev/null || fail "two lines as $format"
done
echo hello >hello
refuses 1 'hello:1: begins like no format of matrices: tsv, csv, dense, edges, matrixmarket, metis, scotch or ipm (--matrix-format)' \
  metrics -p torus:4 --matrix hello
refuses 1 'standard input:1: the file is empty: .*' metrics -p torus:4 --matrix -

# Pictures.
if command -v gnuplot >/dev/null; then
  "$haichi" plot matrix ring.tsv -o ring.svg && "$haichi" plot matrix ring.grf -o grf.svg && cmp ring.svg grf.svg ||
    fail 'plot matrix'
fi
exit $status
