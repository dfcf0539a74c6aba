#!/bin/sh
# usage: tests/cli/record.sh HAICHI
# haichi record on programs in C, under Open MPI and MPICH: the calls of a program, the same traces under both libraries and
# by SMPI's tracer; refusals, and programs that are killed.
. "$(dirname "$0")/../shell.sh"
. "$root/tests/mpi.sh"

# record NAME MPI RANKS PROGRAM ARGUMENT...: makes NAME.dir; output and errors go to log
record()
{
  name=$1 mpi=$2 ranks=$3
  shift 3
  # shellcheck disable=SC2046 # words
  "$haichi" record -o "$name.dir" -- $(launcher "$mpi" "$ranks") "$@" >log 2>&1
}

# --- all calls: the lines of one rank
for mpi in $mpis; do
  "mpicc.$mpi" -w -O1 -o all-$mpi "$root/tests/data/record/all.c" || fail "mpicc.$mpi"
  record all-$mpi $mpi 4 ./all-$mpi || { fail "all: $mpi" && cat log; }
  grep -q '^haichi: warning: 20 one-sided calls and 0 calls of MPI-IO' log || { fail "$mpi: no count of one-sided calls" && cat log; }
  calls all-$mpi.dir | grep -v -e ' wait [0-9]* [0-9]* 40$' >all-$mpi.calls # of MPI_Testsome: in any order
done
cmp -s all-openmpi.calls all-mpich.calls || { fail 'other traces under MPICH' && diff all-openmpi.calls all-mpich.calls | head -20; }
grep -v -e compute -e 'recorded: rank' -e ' wait [0-9]* [0-9]* 40$' all-openmpi.dir/ranks/rank-0001.txt >rank1
cmp -s rank1 "$root/tests/data/record/all.rank1" || { fail 'other lines of rank 1' && diff "$root/tests/data/record/all.rank1" rank1; }
"$haichi" sim -p torus:2x2 -t all-mpich.dir >log 2>&1 || { fail 'all: sim' && cat log; }
"$haichi" trace convert all-mpich.dir -o converted && "$haichi" trace info converted | grep -v ranks >a && "$haichi" trace info all-mpich.dir | grep -v ranks >b &&
  cmp -s a b || fail 'a converted trace differs'

# --- polling is no computation; the computation of a thread before its first call of MPI is one
# 0.3 s of CPU time each: rank 1 polls for the first 0.3 s
sum()
{
  awk -v upto="$1" '$2 == "irecv" || $2 == "recv" { received = 1 } $2 == "compute" && received == (upto == "after") { sum += $3 } END { printf "%.0f\n", sum }' "$2"
}
for mpi in $mpis; do
  "mpicc.$mpi" -pthread -O1 -o poll-$mpi "$root/tests/data/record/poll.c" || fail "mpicc.$mpi"
  record poll-$mpi $mpi 2 ./poll-$mpi || { fail "poll: $mpi" && cat log; }
  [ "$(sum before poll-$mpi.dir/ranks/rank-0000.txt)" -gt 290000000 ] || fail "poll: $mpi: rank 0 has too little computation"
  [ "$(sum before poll-$mpi.dir/ranks/rank-0001.txt)" -lt 100000000 ] || fail "poll: $mpi: polling counts as computation"
  [ "$(sum after poll-$mpi.dir/ranks/rank-0001.txt)" -gt 290000000 ] || fail "poll: $mpi: the second thread has too little computation"
done

# --- a mark of an iteration follows the computation before it
cat >marks.c <<'E'
#include <mpi.h>
static volatile double x;
static void work(void)
{
  for (int i = 0; i < 3000000; i++)
    x += i;
}
int main(int argc, char **argv)
{
  MPI_Init(&argc, &argv);
  MPI_Barrier(MPI_COMM_WORLD);
  for (int i = 0; i < 2; i++) {
    work();
    MPI_Pcontrol(2);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  work();
  MPI_Pcontrol(3);
  MPI_Finalize();
  return 0;
}
E
for mpi in $mpis; do
  "mpicc.$mpi" -O1 -o marks-$mpi marks.c || fail "mpicc.$mpi"
  record marks-$mpi $mpi 2 ./marks-$mpi || { fail "marks: $mpi" && cat log; }
  awk '/^# haichi: iteration/ { n++; bad += before !~ / compute / } { before = $0 } END { exit bad || n != 3 }' marks-$mpi.dir/ranks/rank-0001.txt ||
    { fail "marks: $mpi: a mark before the computation" && cat marks-$mpi.dir/ranks/rank-0001.txt; }
done

# --- modes, derived types and communicators: counts by hand, equal under both libraries
for mpi in $mpis; do
  "mpicc.$mpi" -w -O1 -o types-$mpi "$root/tests/data/record/types.c" || fail "mpicc.$mpi"
  record types-$mpi $mpi 4 ./types-$mpi || { fail "types: $mpi" && cat log; }
  "$haichi" trace info types-$mpi.dir | grep -v -e compute -e '^actions	' >types-$mpi.info
  "$haichi" trace matrix types-$mpi.dir >types-$mpi.matrix || fail "types: $mpi: trace matrix"
  for count in p2p_messages=145 p2p_bytes=14428 actions_reduce=30 actions_alltoallw=4; do
    grep -q "^${count%=*}	${count#*=}$" types-$mpi.info || { fail "types: $mpi: $count" && cat types-$mpi.info; }
  done
  "$haichi" sim -p torus:2x2 -t types-$mpi.dir >log 2>&1 || { fail "types: $mpi: sim" && cat log; }
done
diff types-openmpi.info types-mpich.info || fail 'types: other calls under MPICH'
cmp -s types-openmpi.matrix types-mpich.matrix || fail 'types: another matrix under MPICH'

# --- programs of the project: the actions of SMPI's tracer
"$haichi" platform star:4 -o star.xml
seq -f 'node-%g' 0 3 >hosts
for program in branches bucket pipeline reduce; do
  smpicc -w -O1 -o $program-smpi "$root/tests/data/mpi/$program.c" -lm >log 2>&1 || { fail smpicc && cat log; }
  smpirun -np 4 -platform star.xml -hostfile hosts --cfg=smpi/simulate-computation:no --log=root.thres:critical -trace-ti \
    -trace-file $program.ti ./$program-smpi >log 2>&1 || { fail smpirun && cat log; }
  "$haichi" trace info $program.ti | grep -v -e compute -e comm_ -e '^actions	' >smpi.info
  for mpi in $mpis; do
    "mpicc.$mpi" -w -O1 -o $program-$mpi "$root/tests/data/mpi/$program.c" -lm || fail "mpicc.$mpi"
    record $program-$mpi $mpi 4 ./$program-$mpi || { fail "$program: $mpi" && cat log; }
    "$haichi" trace info $program-$mpi.dir | grep -v -e compute -e '^actions	' | diff smpi.info - || fail "$program: $mpi: other actions than SMPI's tracer"
  done
done

# Recorded runs take the same time under smpirun.
for program in branches bucket pipeline reduce; do
  "$haichi" trace convert $program-openmpi.dir -o $program.replayed
  "$haichi" sim -p star.xml -t $program.replayed | sed -n 's/^simulated_time_s	//p' >ours
  (cd $program.replayed && smpirun -np 4 -platform ../star.xml -hostfile ../hosts -replay index.txt --cfg=smpi/display-timing:yes --cfg=surf/precision:1e-9) 2>&1 |
    sed -n 's/.*Simulated time: *\([0-9.e-]*\).*/\1/p' >theirs
  awk 'NR == FNR { a = $1; next } { b = $1 } END { exit !(a > 0 && (a - b) ^ 2 < (0.0001 * b) ^ 2) }' ours theirs ||
    fail "$program: simulated time: $(cat ours), smpirun $(cat theirs)"
done

# --- refusals and ends
for mpi in $mpis; do
  record multiple $mpi 2 ./all-$mpi multiple && fail 'MPI_THREAD_MULTIPLE is not refused'
  grep -q 'haichi: record: rank [01]: MPI_Init_thread: MPI_THREAD_MULTIPLE:' log || { fail "multiple: $mpi" && cat log; }
  record inter $mpi 2 ./all-$mpi inter && fail 'an intercommunicator is not refused'
  grep -q 'haichi: record: rank [01]: MPI_Intercomm_create: intercommunicators cannot be recorded' log || { fail "inter: $mpi" && cat log; }
  [ -e inter.dir ] && fail 'a refused program leaves a folder'
  record killed $mpi 3 ./all-$mpi killed && fail 'a killed program: exit 0'
  grep -q "  rank 0 ended after '0 recv 1 77 1 1' (killed.dir/ranks/rank-0000.txt, [0-9]* lines)" log || { fail "killed: $mpi" && cat log; }
  grep -q '^haichi: killed.dir: 3 of 3 ranks did not reach MPI_Finalize' log || { fail "killed: $mpi: ranks" && cat log; }
  tail -n 1 killed.dir/ranks/rank-0001.txt | grep -q '^1 barrier$' || fail "killed: $mpi: rank 1"
  rm killed.dir/index.txt
  "$haichi" record --finish killed.dir 2>log && fail '--finish of a killed program: exit 0'
  "$haichi" trace info killed.dir | grep -q '^actions_barrier	3$' || fail 'the trace of a killed program lacks barriers'
  rm -rf killed.dir
  # A running program is not truncated, and a signal to haichi record alone ends it.
  rm -f running.*
  "$haichi" record -o running.dir -- $(launcher $mpi 2) ./all-$mpi running >log 2>&1 &
  process=$!
  while kill -0 $process 2>/dev/null && ! { [ -e running.0 ] && [ -e running.1 ]; }; do sleep 0.1; done
  "$haichi" record --finish running.dir 2>finish && fail "running: $mpi: --finish of a running program: exit 0"
  grep -q '^haichi: running.dir/ranks/rank-0000.txt: a running rank of the program writes it$' finish || { fail "running: $mpi: --finish" && cat finish; }
  kill -0 "$(cat running.0)" "$(cat running.1)" || fail "running: $mpi: --finish has ended a rank"
  kill -TERM $process
  wait $process && fail "running: $mpi: exit 0 after SIGTERM"
  [ -e "/proc/$(cat running.0)/exe" ] && fail "running: $mpi: a rank still runs" # a zombie has none
  grep -q '^haichi: running.dir: 2 of 2 ranks did not reach MPI_Finalize' log || { fail "running: $mpi: after SIGTERM" && cat log; }
  [ -e running.dir/index.txt ] || fail "running: $mpi: no index"
  rm -rf running.dir
  # --compress compresses the trace while it is written: the text is the same, also for killed ranks and for a line that is
  # changed at the end.
  "mpicc.$mpi" -O1 -o many-$mpi "$root/tests/data/record/many.c" || fail "mpicc.$mpi"
  "$haichi" record --least 1000s -o plain.dir -- $(launcher $mpi 2) ./many-$mpi 200000 >log 2>&1 || { fail "many: $mpi" && cat log; }
  "$haichi" record --least 1000s --compress -o packed.dir -- $(launcher $mpi 2) ./many-$mpi 200000 >log 2>&1 || { fail "--compress: $mpi" && cat log; }
  "$haichi" record --least 1000s --compress -o cut.dir -- $(launcher $mpi 2) ./many-$mpi 200000 150000 >log 2>&1 && fail '--compress: a killed program: exit 0'
  grep -q "  rank 0 ended after '0 send 1 999 1 2' (cut.dir/ranks/rank-0000.txt.zst, 150004 lines)" log || { fail "--compress: killed: $mpi" && cat log; }
  for rank in 0 1; do
    plain=plain.dir/ranks/rank-000$rank.txt packed=packed.dir/ranks/rank-000$rank.txt
    [ ! -e $packed ] || fail "--compress: $mpi: the uncompressed text is left"
    zstdcat $packed.zst | tail -n +2 >text
    tail -n +2 $plain | cmp -s - text || fail "--compress: $mpi: another text of rank $rank"
    [ $(($(wc -c <$packed.zst) * 20)) -lt "$(wc -c <$plain)" ] || fail "--compress: $mpi: $(wc -c <$packed.zst) bytes, above 1/20 of the text"
    zstdcat cut.dir/ranks/rank-000$rank.txt.zst | tail -n +5 >text
    tail -n +5 $plain | head -n 150000 | cmp -s - text || fail "--compress: $mpi: another text of killed rank $rank"
  done
  grep -q '^#.*irecv' text && fail '--compress: the receive of a killed rank is not cancelled'
  "$haichi" trace info packed.dir >ours && "$haichi" trace info plain.dir | cmp -s - ours || fail "--compress: $mpi: other counts"
  "$haichi" record --finish cut.dir 2>log && fail '--compress --finish of a killed program: exit 0'
  "$haichi" trace info cut.dir | grep -q '^actions_send	150000$' || fail "--compress: $mpi: the trace of a killed program lacks sends"
  rm -rf plain.dir packed.dir cut.dir
  record nothing $mpi 2 ./all-$mpi nothing && fail 'a program without communication: exit 0'
  grep -q 'no communication was recorded' log || { fail "nothing: $mpi" && cat log; }
  rm -rf nothing.dir
  # A program that loads MPI at run time.
  gcc -O1 -o late "$root/tests/data/record/late.c" || fail gcc
  "mpicc.$mpi" -w -O1 -shared -fPIC -Dmain=work -o libwork.so "$root/tests/data/mpi/branches.c" -lm || fail "mpicc.$mpi"
  record late $mpi 4 ./late ./libwork.so || { fail "late: $mpi" && cat log; }
  calls branches-$mpi.dir >want
  calls late.dir | diff want - || fail "late: $mpi: another trace"
  rm -rf late.dir
  # Without the library for this MPI.
  cp "$(dirname "$haichi")/record/libhaichi-record.so" .
  LD_PRELOAD=$work/libhaichi-record.so $(launcher $mpi 2) ./branches-$mpi >log 2>&1 && fail "$mpi: no library for it: exit 0"
  grep -q "^haichi record: $work/libhaichi-record-$mpi.so: haichi was built without the headers of this MPI" log ||
    { fail "$mpi: no library for it" && cat log; }
  # Computations as counts of an event.  Containers may forbid to count it.
  "mpicc.$mpi" -w -O1 -o pages-$mpi "$root/tests/data/record/pages.c" -lpthread || fail "mpicc.$mpi"
  if "$haichi" record --counter page-faults -o pages.dir -- $(launcher $mpi 2) ./pages-$mpi >log 2>&1; then
    for rank in 0 1; do
      sed -n 's/^[01] compute //p' pages.dir/ranks/rank-000$rank.txt >counts
      awk 'NR == 1 { a = $1 } NR == 2 { b = $1 } END { exit !(NR == 2 && a >= 5000 && a <= 5100 && b >= 3000 && b <= 3100) }' counts ||
        { fail "--counter: $mpi: other counts than 5000 and 3000" && cat counts; }
    done
  elif grep -q 'haichi: record: rank [01]: --counter: kernel.perf_event_paranoid or a container forbids to count this event' log; then
    echo "skipped: $mpi: --counter: perf_event_open is forbidden"
  else
    fail "--counter: $mpi" && cat log
  fi
  rm -rf pages.dir
  "$haichi" record --counter rffffffffffffff -o pages.dir -- $(launcher $mpi 2) ./pages-$mpi >log 2>&1 && fail "--counter: $mpi: an event of no processor is counted"
  grep -q 'haichi: record: rank [01]: --counter: ' log || { fail "--counter: $mpi: an event of no processor" && cat log; }
  [ -e pages.dir ] && fail "--counter: $mpi: a refused event leaves a folder" && find pages.dir && cat log
  # A program in a script, and two programs in a script.
  echo "cd / && $(launcher $mpi 4) $work/branches-$mpi && echo done" >script
  "$haichi" record -o script.dir -- sh script >log 2>&1 || { fail "script: $mpi" && cat log; }
  calls script.dir | diff want - || fail "script: $mpi: another trace"
  rm -rf script.dir
  echo "$(launcher $mpi 2) ./branches-$mpi; $(launcher $mpi 2) ./branches-$mpi" >script
  "$haichi" record -o script.dir -- sh script >log 2>&1 && fail "$mpi: a second program is not refused"
  grep -q 'second MPI program: record one at a time' log || { fail "$mpi: a second program" && cat log; }
done

# refused MESSAGE OPTION...
refused()
{
  want=$1
  shift
  "$haichi" record "$@" >log 2>&1 && fail "$* is not refused"
  grep -qFe "$want" log || { fail "$*: another message" && cat log; }
}
mkdir -p full/of && touch full/of/it
refused 'haichi: full: cannot write into it: Directory not empty' -o full -- true
refused 'haichi: empty: nothing was recorded: the command ran no program that calls Open MPI or MPICH as a shared library' -o empty -- true
[ -e empty ] && fail 'an empty folder is left'
refused 'haichi: ./nonesuch: cannot execute: No such file or directory' -o empty -- ./nonesuch
refused 'no command: haichi record [OPTION...] -- mpirun' -o empty
refused "--counter: event 'nonesuch': event not found" --counter nonesuch -- true
refused "--counter: event 'instructions:k': only events in user space are counted" --counter instructions:k -- true
refused '--counter and --speed exclude each other' --counter instructions --speed 2Gf -- true
refused '--finish runs no command' --finish full -- true
refused 'haichi: full: nothing was recorded' --finish full
exit $status
