#!/bin/sh
# usage: tests/cli/tune_collectives.sh HAICHI
# haichi tune-collectives: the times are those of haichi sim, the file that it writes makes other
# commands use the fastest algorithms, and any number of processes prints the same.
. "$(dirname "$0")/../shell.sh"

# refuses CODE TEXT ARG...: the command fails so, with one line that has the text.
refuses()
{
  code=$1 text=$2
  shift 2
  "$haichi" "$@" >out 2>err </dev/null && got=0 || got=$?
  [ "$got" = "$code" ] || fail "$*: exit $got, not $code"
  grep -qF -- "$text" err || fail "$*: no '$text' in: $(cat err)"
  [ "$code" != 1 ] || [ "$(wc -l <err)" -eq 1 ] || fail "$*: more than one line: $(cat err)"
}

tune()
{
  "$haichi" tune-collectives --platform torus:4x2 --ranks 8 --sizes 8-128KiB --factor 32 "$@"
}

tune --collective allreduce,barrier,alltoallv -j 1 -o one.tsv >one.txt || fail 'fails'
tune --collective allreduce --collective alltoallv,barrier -j 3 -o three.tsv --pictures p >three.txt || fail 'fails with -j 3'
cmp one.txt three.txt || fail 'the table depends on the number of processes'
cmp one.tsv three.tsv || fail 'the selection depends on the number of processes'
[ "$(ls p)" = "$(printf '%s\n' allreduce.svg allreduce.tsv alltoallv.svg alltoallv.tsv barrier.tsv)" ] ||
  fail "pictures: $(ls p)"
[ "$(cut -f2 p/allreduce.tsv | sort -nu | tr '\n' ' ')" = 'bytes 8 256 8192 131072 ' ] || fail 'sizes'
"$haichi" plot collective p/allreduce.tsv -o again.svg
cmp again.svg p/allreduce.svg || fail 'the picture is another one'

# The time of one algorithm, and by the file the least of all.
sim()
{
  "$haichi" sim --platform torus:4x2 --trace "$@" 2>/dev/null | awk '$1 == "simulated_time_s" { printf "%.9g", $2 }'
}
spec=collective:8:call=allreduce,size=8192
table=$(awk '$1 == "allreduce" && $2 == 8192 && $3 == "rdb" { print $4 }' one.txt)
[ "$(sim $spec --collective allreduce=rdb)" = "$table" ] || fail "rdb: $table"
least=$(awk '$1 == "allreduce" && $2 == 8192 { print $4 }' one.txt | sort -g | head -n 1)
[ "$(sim $spec --collectives one.tsv)" = "$least" ] || fail "the fastest: $least"
[ "$(sim $spec --collectives one.tsv --collective allreduce=rdb)" = "$table" ] || fail 'named by hand'
grep -q '^alltoallv	8	0	' one.tsv || fail 'no row of alltoallv'
[ "$(grep -c '^alltoallv' one.tsv)" = 1 ] || fail 'alltoallv by size'

# Every command that lowers collectives takes it, and keeps results apart that it changes.
"$haichi" trace info $spec --collectives one.tsv >/dev/null || fail 'trace info fails'
"$haichi" metrics --platform torus:4x2 --trace $spec --collectives one.tsv >/dev/null || fail 'metrics fails'
"$haichi" compare --platform torus:4x2 --trace $spec --mapper xyz --collectives one.tsv -o c 2>/dev/null || fail 'compare fails'
grep -q "^#.* collectives=one.tsv sha256=" c/results.tsv || fail 'no provenance'

refuses 2 'no --platform given' tune-collectives --ranks 8
refuses 2 'no --ranks given' tune-collectives --platform torus:8
refuses 2 "'sum' is not a collective" tune-collectives --platform torus:8 --ranks 8 --collective sum
refuses 2 'the first is larger' tune-collectives --platform torus:8 --ranks 8 --sizes 9-8
refuses 2 'is not a whole number of bytes' tune-collectives --platform torus:8 --ranks 8 --sizes 1-3GiB
refuses 1 'needs the traffic of a program' tune-collectives --platform torus:8 --ranks 8 --mapping auto
refuses 1 'cannot create the folder' tune-collectives --platform torus:8 --ranks 2 --sizes 8 \
  --collective scan --pictures one.tsv
[ ! -s out ] || fail 'pictures: the folder is checked after the simulations'
mkdir -p d/scan.tsv
refuses 1 'd/scan.tsv' tune-collectives --platform torus:8 --ranks 2 --sizes 8 --collective scan --pictures d
[ ! -s out ] || fail 'pictures: the files are checked after the simulations'
printf 'collective\tranks\tfrom_bytes\talgorithm\nbcast\t8\t0\tno\n' >bad.tsv
refuses 1 "haichi: bad.tsv:2: bcast has no algorithm 'no'" sim --platform torus:8 --trace $spec --collectives bad.tsv
refuses 2 "'nowhere.tsv' is none of default, ompi" sim --platform torus:8 --trace $spec --collectives nowhere.tsv
exit $status
