#!/bin/sh
# usage: tests/cli/texts.sh HAICHI
# All text formats are read with CR LF, without a last newline, with blanks in place of tabs, compressed by gzip or zstd,
# and from standard input.
# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"

# alike FILE COMMAND...: the output of a command does not depend on the form of the file that replaces FILE in its words
alike()
{
  file=$1
  shift
  sed 's/$/\r/' "$file" >form.crlf
  printf %s "$(cat "$file")" >form.cut
  tr '\t' ' ' <"$file" | sed 's/ /   /; s/$/ /' >form.blanks
  gzip -c "$file" >form.gz
  zstd -q -f "$file" -o form.zst
  run "$file" "$@" >want 2>err || { fail "$*: $(cat err)" && return; }
  [ -s want ] || fail "$*: no output"
  for form in crlf cut blanks gz zst; do
    run form.$form "$@" >got 2>err || fail "$form: $*: $(cat err)"
    cmp -s got want || fail "$form: $*: $(diff got want)"
  done
  run - "$@" <form.zst >got 2>err || fail "standard input: $*: $(cat err)"
  cmp -s got want || fail "standard input: $*: $(diff got want)"
}

# run FILE COMMAND...: replaces FILE at the ends of the words by the file, and its name in the output by NAME
run()
{
  form=$1
  shift
  for word in "$@"; do
    shift
    case $word in
    *FILE) set -- "$@" "${word%FILE}$form" ;;
    *) set -- "$@" "$word" ;;
    esac
  done
  "$haichi" "$@" >all
  code=$?
  [ "$form" = - ] && form='standard input'
  sed "s|$form|NAME|g; s|^-\t|NAME\t|" all
  return $code
}

"$haichi" trace matrix npb:cg.S.4@1 -o matrix.tsv || status=1
alike matrix.tsv metrics -p torus:4 --matrix FILE
awk 'NR > 1 { print $1, $2, $4 }' matrix.tsv >edges
(echo src,dst,bytes && tr ' ' , <edges) >csv
printf '0 1 2 3\n1 0 1 2\n2 1 0 1\n3 2 1 0\n' >dense
printf '%%%%MatrixMarket matrix coordinate real symmetric\n%% two\n4 4 2\n2 1 5\n4 1 6.0\n' >market
printf '%% a path\n4 3 1\n2 5\n1 5 3 6\n2 6 4 7\n3 7\n' >metis
printf '0\n4 6\n1 010\n1 5 2\n2 5 1 6 3\n2 6 2 7 4\n1 7 3\n' >scotch
for format in edges csv dense market metis scotch; do
  alike $format metrics -p torus:4 --matrix FILE
done
for format in hostfile rankfile coordinates vcoordfile slurm; do
  "$haichi" map random -p torus:2x2 --ranks 4 --format $format -o map.$format || status=1
  alike map.$format metrics -p torus:2x2 --matrix matrix.tsv FILE
done
alike map.hostfile sim -p torus:2x2 -t npb:cg.S.4@1 -m FILE
alike "$root/platforms/intrigger4.clusters" platform --info clusters:FILE
printf '1Gf\n2Gf\n1Gf\n3Gf\n' >speeds
alike speeds platform torus:4 --speeds @FILE
printf 'platform\ttrace\tmapper\thop_bytes\ntorus:4\tring:4\txyz\t262144\n' >base.tsv
alike base.tsv regress -b FILE
printf 'speed node-1\n0 0.5\n1e-5 1\n' >profile
alike profile sim -p torus:4 -t npb:cg.S.4@1 --background profile:FILE
printf '# pairs\nnode-0 node-2\nnode-1 node-3\n' >pairs
"$haichi" schedule "$root/tests/data/tasknets/survey.xml" -p star:4 -s heft -o schedule.tsv >/dev/null 2>&1 || status=1
alike schedule.tsv schedule "$root/tests/data/tasknets/survey.xml" -p star:4 --schedule FILE
alike "$root/tests/data/tasknets/survey.xml" tasknet info FILE
printf '0 1 2 3\n1 0 1 2\n2 1 0 1\n3 2 1 0\n' >cost
alike cost map qap:cost=FILE -p torus:4 --matrix matrix.tsv
printf 'collective\tranks\tfrom_bytes\talgorithm\nbcast\t4\t0\tflattree\n' >tuned
alike tuned trace info npb:cg.S.4@1 --collectives FILE
"$haichi" compare -p torus:4 -t npb:cg.S.4@1 -m xyz random:seeds=1..9 -o camp --no-plots >log 2>&1 || fail "$(cat log)"
cp camp/results.tsv .
alike results.tsv fit FILE
printf '0 init\n1 init\n0 send 1 0 5\n1 recv 0 0 5\n0 finalize\n1 finalize\n' >trace
alike trace trace info FILE
alike trace sim -p torus:2 -t FILE
"$haichi" trace info - <"$root/tests/data/is.S.16.tar.zst" >got
"$haichi" trace info "$root/tests/data/is.S.16.tar.zst" >want
[ -s want ] && cmp -s got want || fail 'an archive on standard input: other counts'
# A byte order mark.
"$haichi" map xyz -p torus:2 -t trace -o mapping
cp "$root/tests/data/tasknets/survey.xml" net.xml
for file in trace mapping net.xml results.tsv; do
  { printf '\357\273\277'; cat $file; } >marked-$file
done
same()
{
  "$haichi" $1 >want 2>/dev/null
  "$haichi" $2 >got 2>err || fail "$2: $(cat err)"
  sed 's/marked-//g' got | cmp -s - want || fail "$2: another output than without the mark"
}
same 'trace info trace' 'trace info marked-trace'
same 'sim -p torus:2 -t trace -m mapping' 'sim -p torus:2 -t trace -m marked-mapping'
same 'tasknet info net.xml' 'tasknet info marked-net.xml'
same 'fit results.tsv' 'fit marked-results.tsv'
printf 'num_ranks 2\nrank 0 {\n}\nrank 1 {\n}\n' | "$haichi" trace info - 2>err && fail 'GOAL in a pipe is accepted'
grep -q "foreign traces are not read from standard input or a pipe" err || fail "GOAL in a pipe: $(cat err)"
"$haichi" compare -p torus:2 -t - -m xyz random -o other --no-plots <trace 2>log && fail 'a campaign of standard input is accepted'
grep -qx 'haichi: -: must be a file or a folder, since every run reads it' log || fail "$(cat log)"
exit $status
