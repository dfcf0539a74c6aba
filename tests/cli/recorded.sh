#!/bin/sh
# usage: tests/cli/recorded.sh HAICHI
# Traces in OTF2 that haichi writes: the same messages as the trace that they were made of, also with communicators and
# nonblocking collectives, and an archive; what OTF2 cannot say, and what is damaged, is refused in one line.
# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"
command -v otf2-print >/dev/null || {
  echo "otf2-print is missing"
  exit 1
}

# same TRACE: TRACE and TRACE in OTF2 have the same messages
same()
{
  rm -rf out
  "$haichi" trace convert --to otf2 "$1" -o out || fail "convert $1"
  "$haichi" trace matrix "$1" >want
  "$haichi" trace matrix out/traces.otf2 >got 2>notes || fail "$1: $(cat notes)"
  cmp -s want got || fail "$1: another matrix in OTF2: $(diff want got | head -3)"
  otf2-print out/traces.otf2 >events 2>&1 || fail "$1: otf2-print: $(tail -n 1 events)"
}
same npb:cg.S.8@2
same npb:mg.S.8@2
same npb:ft.S.4
same npb:lu.S.4@2
same stencil:4x4
grep -q '^MPI_IRECV_REQUEST' events || fail "otf2-print shows no message"

# All kinds of collectives, on the world and on a communicator, blocking or not.
cat >merged.txt <<'TRACE'
0 init
1 init
2 init
# haichi: comm 5 2 0
0 isend 1 4 100
1 irecv 0 4 100
1 wait 0 1 4
0 bcast 100 1
1 bcast 100 1
# haichi: comm 5 2 0
2 bcast 100 1
0 gatherv 10 10 20 30
1 gatherv 20 10 20 30
2 gatherv 30 10 20 30
0 scatterv 1 2 3 1
1 scatterv 1 2 3 2
2 scatterv 1 2 3 3
0 allgatherv 5 5 6 7
1 allgatherv 6 5 6 7
2 allgatherv 7 5 6 7
0 reducescatter 4 5 6 0
1 reducescatter 4 5 6 0
2 reducescatter 4 5 6 0
0 scan 8 0
1 scan 8 0
2 scan 8 0
0 exscan 8 0
1 exscan 8 0
2 exscan 8 0
0 alltoallv 9 3 3 3 9 3 3 3
1 alltoallv 9 3 3 3 9 3 3 3
2 alltoallv 9 3 3 3 9 3 3 3
# haichi: on 5
0 allreduce 64 0
# haichi: on 5
2 allreduce 64 0
# haichi: on 5
# haichi: request 1
0 iallgather 7 7
# haichi: request 1
0 wait 0 0 -557
# haichi: on 5
# haichi: request 1
2 iallgather 7 7
# haichi: request 1
2 wait 2 2 -557
# haichi: on 5
0 send 2 9 50
# haichi: on 5
2 recv 0 9 50
TRACE
same "$work/merged.txt"
[ "$("$haichi" trace info out 2>/dev/null | grep -c 'iallgather.2\|gatherv.3\|scan.3\|allreduce.2')" -ge 4 ] ||
  fail "collectives are missing: $("$haichi" trace info out 2>&1)"

# An archive, and a folder, are the trace.
tar -C out -cJf out.tar.xz .
"$haichi" trace matrix out.tar.xz >packed 2>notes || fail "archive: $(cat notes)"
cmp -s want packed || fail "the archive differs"

# Texts before the trace do not hide it.
mkdir readme && echo 'How this was recorded.' >readme/README.txt && cp readme/README.txt readme/licence.txt
tar -C readme -cf texts.tar README.txt licence.txt -C ../out .
"$haichi" trace matrix texts.tar >packed 2>notes || fail "archive with README.txt: $(cat notes)"
cmp -s want packed || fail "the archive with README.txt differs"

# The files of an archive together are within the limit, which the message names.
bytes=$(find out -type f -exec cat {} + | wc -c)
"$haichi" trace info out.tar.xz --unpack-limit "$((3 * bytes))B" >log 2>&1 || fail "limit of $((3 * bytes)) bytes: $(cat log)"
"$haichi" trace info out.tar.xz --unpack-limit "${bytes}B" >log 2>&1 && fail "unpacked files and the file made of them exceed the limit"
grep -qx "haichi: out.tar.xz: takes more than $bytes bytes; --unpack-limit allows more" log || fail "words of the sum: $(cat log)"
"$haichi" trace info out.tar.xz --unpack-limit "$((bytes - 1))B" >log 2>&1 && fail "one byte more than the limit"
grep -qx "haichi: out.tar.xz: unpacks to more than $((bytes - 1)) bytes; --unpack-limit allows more" log ||
  fail "words of the limit: $(cat log)"

# Archives as other recorders write them.  counts VARIANT COUNT...: NAME=NUMBER, of trace info.
"${CC:-cc}" -o variants "$root/tests/data/otf2/variants.c" -lopen-trace-format2 || fail "cc: variants.c"
counts()
{
  variant=$1
  shift
  ./variants "$variant" "$variant" || fail "variants $variant"
  "$haichi" trace info "$variant" >info 2>notes || fail "$variant: $(cat notes)"
  for count; do
    grep -q "^${count%=*}	${count#*=}\$" info || fail "$variant: $count: $(cat info)"
  done
  "$haichi" sim -p torus:2x2 -t "$variant" >log 2>&1 || fail "$variant: sim: $(cat log)"
}
counts requests p2p_messages=16 p2p_bytes=8064 p2p_pairs=4 actions_isend=12 actions_irecv=12 actions_wait=24
counts plain p2p_messages=4 p2p_bytes=400000 actions_isend=4 actions_recv=4
counts tau p2p_messages=4 p2p_bytes=400000 actions_isend=4 actions_recv=4
grep -q '4 nonblocking receives have no event where they begin' notes || fail "no word on the begin of receives"
for variant in communicators global; do
  counts $variant p2p_messages=10 p2p_bytes=182 actions_bcast=2 actions_gather=2 messages=12 bytes=254
done
counts inter p2p_messages=2 p2p_bytes=96
counts nonblocking actions_iallreduce=4 actions_ibcast=2 actions_wait=6
counts clocks p2p_messages=1 p2p_bytes=8
grep -q 'recording was off 1 time, 0.001 s' notes || fail "no word on the time without recording"
grep -q '1 of 1 messages were received before they were sent, by up to 5e-05 s' notes || fail "no word on clocks"
"$haichi" sim -p torus:2x2 -t clocks --align 2>&1 | grep -q simulated_time_s || fail "--align"
counts in_place actions_reduce=4 actions_gatherv=4
"$haichi" trace convert in_place -o in_place.ti 2>notes || fail "in_place: $(cat notes)"
grep -v compute in_place.ti/ranks/rank-0000.txt >rank0
cmp -s rank0 - <<'TRACE' || fail "blocks in place: $(cat rank0)"
0 init
0 reduce 4000 0 2 6
0 gather 4000 4000 2 6 6
0 scatter 4000 4000 2 6 6
0 allreduce 8 0 6
0 gatherv 100 0 0 0 0 2 6 6
0 scatterv 0 0 0 0 100 2 6 6
0 allgatherv 100 100 200 300 400 6 6
0 reducescatter 100 200 300 400 0 6
0 finalize
TRACE
"$haichi" trace matrix in_place >want 2>notes
"$haichi" trace matrix in_place.ti >got 2>notes || fail "in_place.ti: $(cat notes)"
cmp -s want got || fail "in_place: another matrix after a conversion"

# A simulated run as OTF2 has the messages of its trace, those of collectives too, and its time.
for run in 'npb:cg.S.8@2' 'npb:ft.S.4' "$root/tests/data/graphs/pipeline.goal" "$work/merged.txt" communicators; do
  "$haichi" sim -p torus:4x4 -t "$run" --timeline run.otf2 >log 2>&1 || fail "$run: $(cat log)"
  "$haichi" trace matrix "$run" >want 2>notes
  "$haichi" trace matrix run.otf2 >got 2>notes || fail "$run: run.otf2: $(cat notes)"
  cmp -s want got || fail "$run: other messages in run.otf2: $(diff want got | head -3)"
  otf2-print run.otf2 >events 2>&1 || fail "$run: otf2-print: $(tail -n 1 events)"
  awk '/^simulated_time_s/ { s = $2 } /^LEAVE/ { if ($3 > last) last = $3 }
    END { exit !(s * 1e12 - last < 1 && last - s * 1e12 < 1) }' log events || fail "$run: another time in run.otf2"
  "$haichi" sim -p torus:4x4 -t run.otf2 >log 2>&1 || fail "$run: sim of run.otf2: $(cat log)"
done
grep -q '^MPI_RECV .*Sender: 3 .*Communicator: "communicator [0-9]*" .*Tag: 5, Length: 20' events || fail "no communicators in run.otf2"
sort -u events | grep -q '"MPI_Gather"' || fail "no gather in run.otf2"

# as_long WHAT LINE...: a trace of two ranks takes as long in OTF2, except for the 1 ns of each call
as_long()
{
  what=$1
  shift
  printf '%s\n' '0 init' '1 init' "$@" >two.txt
  rm -rf two
  "$haichi" trace convert --to otf2 two.txt -o two || fail "$what: convert"
  "$haichi" sim -p torus:2 -t two.txt >want 2>&1
  "$haichi" sim -p torus:2 -t two >got 2>&1
  awk '$1 == "simulated_time_s" { t[++n] = $2 } END { d = t[1] - t[2]; exit !(n == 2 && d < 1e-7 && d > -1e-7) }' want got ||
    fail "$what: $(grep simulated_time_s want got)"
}
as_long 'a computation at the end' '0 send 1 0 8' '1 recv 0 0 8' '0 compute 1e9' '1 compute 5e8'
as_long 'computation of a collective' '0 allreduce 10 1e9 6' '1 allreduce 10 1e9 6'
as_long 'computation of a nonblocking collective' '0 iallreduce 10 1e9 6' '1 iallreduce 10 1e9 6' '0 waitall' '1 waitall'
as_long 'a message to itself' '0 sendRecv 1000000 0 1000000 0 6 6' '0 send 1 0 5' '1 recv 0 0 5'
both='0 isend 1 3 100;1 irecv 0 3 100'
named='# haichi: request 1;0 iallreduce 100000 0 0;# haichi: request 1;1 iallreduce 100000 0 0'
ends='0 compute 1e6;1 compute 1e6;# haichi: request 1;0 wait 0 0 -4446;# haichi: request 1;1 wait 0 0 -4446'
IFS=';'
# shellcheck disable=SC2086 # words are lines
as_long 'a waitall besides a collective with a name' $named $both '0 waitall' '1 waitall' $ends
# shellcheck disable=SC2086
as_long 'a waitall with a collective' '0 iallreduce 100000 0 0' '1 iallreduce 100000 0 0' $both '0 waitall 2' '1 waitall 2' '0 compute 1e6'
# shellcheck disable=SC2086
as_long 'a waitall of some messages' $both '0 isend 1 4 100' '1 irecv 0 4 100' '0 waitall 1' '0 wait 0 1 4' '1 waitall 1' '1 wait 0 1 4'
unset IFS

# refuses PATTERN WORD...: exit code 1 and one line
refuses()
{
  pattern=$1
  shift
  "$haichi" "$@" >out.txt 2>err && fail "$*: accepted"
  [ "$(wc -l <err)" -eq 1 ] && grep -q "$pattern" err || fail "$*: $(cat err)"
}
printf '0 init\n0 recv -333 1 8\n1 init\n1 send 0 1 8\n' >any.txt
refuses 'any.txt:2: recv from any source' trace convert --to otf2 any.txt -o none
[ ! -e none ] || fail "a folder is left"
mkdir -p taken/x
refuses "haichi: taken.otf2: its events would be in 'taken', which exists" sim -p torus:4 -t npb:cg.S.4@2 --timeline taken.otf2
refuses 'haichi: taken.csv: the name of an OTF2 archive ends in .otf2' sim -p torus:4 -t npb:cg.S.4@2 --timeline taken.csv --timeline-format otf2
printf '0 init\n0 recv 1 1 8\n1 init\n1 recv 0 1 8\n' >deadlock.txt
"$haichi" sim -p torus:2 -t deadlock.txt --timeline none.otf2 >log 2>&1 && fail "a deadlock is no error"
[ ! -e none.otf2 ] && [ ! -e none ] || fail "a failed run leaves an archive"
"$haichi" schedule "$root/tests/data/tasknets/survey.xml" -p "$root/platforms/mega-table8.xml" -s heft --timeline tasks.otf2 >log 2>&1 && fail "an archive of tasks is not refused"
grep -q 'haichi schedule: --timeline: format otf2 is for the ranks of MPI programs, not for tasks' log || fail "an archive of tasks: $(cat log)"
"$haichi" schedule --help | grep -q otf2 && fail 'the help of schedule lists otf2'
cp -r out cut
: >cut/traces/1.evt
refuses 'haichi: ' trace info cut
head -c 20 out/traces.otf2 >cut/traces.otf2
refuses 'haichi: ' trace info cut
exit $status
