#!/bin/sh
# usage: tests/cli/tune_collectives.sh HAICHI
# haichi tune-collectives: its times equal the times of haichi sim, other commands use the fastest algorithms from the file
# that it writes, and its output does not depend on the number of processes.
. "$(dirname "$0")/../shell.sh"

# refuses CODE TEXT ARG...: the command exits with CODE and a message that contains TEXT; only one line if CODE is 1
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

tune --collective allreduce,barrier,alltoallv -j 1 -o one.tsv >one.txt || fail 'tune-collectives fails'
tune --collective allreduce --collective alltoallv,barrier -j 3 -o three.tsv --pictures p >three.txt || fail 'tune-collectives fails with -j 3'
cmp one.txt three.txt || fail 'the table depends on the number of processes'
cmp one.tsv three.tsv || fail 'the selection depends on the number of processes'
[ "$(ls p)" = "$(printf '%s\n' allreduce.svg allreduce.tsv alltoallv.svg alltoallv.tsv barrier.tsv)" ] ||
  fail "other files in the folder of pictures: $(ls p)"
[ "$(cut -f2 p/allreduce.tsv | sort -nu | tr '\n' ' ')" = 'bytes 8 256 8192 131072 ' ] || fail 'allreduce.tsv has other sizes'
"$haichi" plot collective p/allreduce.tsv -o again.svg
cmp again.svg p/allreduce.svg || fail 'plot collective draws another picture'

# The time of one algorithm, and the shortest time with the written file.
sim()
{
  "$haichi" sim --platform torus:4x2 --trace "$@" 2>/dev/null | awk '$1 == "simulated_time_s" { printf "%.9g", $2 }'
}
spec=collective:8:call=allreduce,size=8192
table=$(awk '$1 == "allreduce" && $2 == 8192 && $3 == "rdb" { print $4 }' one.txt)
[ "$(sim $spec --collective allreduce=rdb)" = "$table" ] || fail "allreduce=rdb: $table s in the table, another time by sim"
least=$(awk '$1 == "allreduce" && $2 == 8192 { print $4 }' one.txt | sort -g | head -n 1)
[ "$(sim $spec --collectives one.tsv)" = "$least" ] || fail "--collectives: $least s in the table, another time by sim"
[ "$(sim $spec --collectives one.tsv --collective allreduce=rdb)" = "$table" ] || fail '--collective has no precedence over --collectives'
grep -q '^alltoallv	8	0	' one.tsv || fail 'the file lacks alltoallv'
[ "$(grep -c '^alltoallv' one.tsv)" = 1 ] || fail 'the file has several rows of alltoallv'

# All commands that lower collectives read the file; the identity of a run includes it.
"$haichi" trace info $spec --collectives one.tsv >/dev/null || fail 'trace info fails'
"$haichi" metrics --platform torus:4x2 --trace $spec --collectives one.tsv >/dev/null || fail 'metrics fails'
"$haichi" compare --platform torus:4x2 --trace $spec --mapper xyz --collectives one.tsv -o c 2>/dev/null || fail 'compare fails'
grep -q "^#.* collectives=one.tsv sha256=" c/results.tsv || fail 'results.tsv lacks the checksum of the file'

refuses 2 'no --platform given' tune-collectives --ranks 8
refuses 2 'no --ranks given' tune-collectives --platform torus:8
refuses 2 "'sum' is not a collective" tune-collectives --platform torus:8 --ranks 8 --collective sum
refuses 2 'the first is larger' tune-collectives --platform torus:8 --ranks 8 --sizes 9-8
refuses 2 'is not a whole number of bytes' tune-collectives --platform torus:8 --ranks 8 --sizes 1-3GiB
refuses 1 'needs the traffic of a program' tune-collectives --platform torus:8 --ranks 8 --mapping auto
refuses 1 'cannot create the folder' tune-collectives --platform torus:8 --ranks 2 --sizes 8 \
  --collective scan --pictures one.tsv
[ ! -s out ] || fail 'the folder of pictures is checked after the simulations only'
mkdir -p d/scan.tsv
refuses 1 'd/scan.tsv' tune-collectives --platform torus:8 --ranks 2 --sizes 8 --collective scan --pictures d
[ ! -s out ] || fail 'the files of pictures are checked after the simulations only'
printf 'collective\tranks\tfrom_bytes\talgorithm\nbcast\t8\t0\tno\n' >bad.tsv
refuses 1 "haichi: bad.tsv:2: bcast has no algorithm 'no'" sim --platform torus:8 --trace $spec --collectives bad.tsv
refuses 2 "'nowhere.tsv' is none of default, ompi" sim --platform torus:8 --trace $spec --collectives nowhere.tsv
exit $status
