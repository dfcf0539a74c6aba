#!/bin/sh
# usage: tests/cli/blocks.sh HAICHI
# instrument, run and predict on the examples, simulated with modelled times of blocks: the methods against a full run,
# warm-up, loops whose count depends on a clock, tables, pictures, refusals.
. "$(dirname "$0")/../shell.sh"
i=0
while [ $i -lt 8 ]; do echo "pu-$i" && i=$((i + 1)); done >hosts

# simulated PLATFORM PROGRAM ARGUMENTS...
simulated()
{
  platform=$1
  shift
  smpirun -np 8 -platform "$root/examples/$platform.xml" -hostfile hosts --cfg=smpi/simulate-computation:no \
    --log=root.thres:critical "$@" >out 2>&1 || { fail "$*" && tail -n 3 out; }
}

# runs NAME PLATFORM ARGUMENTS...: all programs of folder NAME
runs()
{
  name=$1 on=$2
  shift 2
  rm -f "$name"/timing.*.tsv "$name"/counts.*.tsv "$name"/apart.*.tsv "$name"/full.*.tsv
  simulated "$on" "$name/bin/timing" "$@"
  simulated "$on" "$name/bin/counting" "$@"
  simulated "$on" "$name/bin/apart" "$@"
  HAICHI_BLOCKS_FULL=1 simulated "$on" "$name/bin/timing" "$@"
}

# figure NAME METHOD FIGURE
figure()
{
  "$haichi" predict "$1" --method "$2" --per-rank "$1.$2.tsv" --per-block "$1.$2.blocks.tsv" >report || fail "predict $1 $2"
  awk -F '\t' -v f="$3" '$1 == f { print $2; found = 1 } END { if (!found) print "none" }' report
}

# holds CONDITION: of awk, with -v arguments before
holds()
{
  awk "$@" || fail "this does not hold: $*"
}

"$haichi" instrument "$root/examples/himeno/himeno.c" -l iterations=10 -D MODEL -o himeno >report 2>notes || { fail instrument && cat notes; }
[ "$(cut -f 1 report | tr '\n' ' ')" = 'files blocks communication_blocks loops ' ] || fail report
grep -q 'himeno.c:52: MPI_Cart_create stays: it sets g' notes || { fail notes && cat notes; }
! grep -q 'MPI_Allreduce' himeno/counting/himeno.c || fail 'the counting program still has MPI_Allreduce'
make -s -C himeno CC=smpicc || fail make

for p in equal unequal; do
  runs himeno $p 100 130 66 66
  s=$(figure himeno settled worst_rank_error) j=$(figure himeno joint worst_rank_error) a=$(figure himeno separate worst_rank_error)
  # Without a warm-up, settled equals joint, and both are exact; separate ignores waiting.
  holds -v s="$s" -v j="$j" 'BEGIN { exit !(s < 1e-6 && j < 1e-6) }'
  cmp -s himeno.settled.tsv himeno.joint.tsv || fail "$p: settled differs from joint"
  holds -v a="$a" -v p=$p 'BEGIN { exit !(p == "equal" ? a < 0.1 : a + 0 > 0.25) }'
  [ "$(figure himeno settled executions)" -gt $((5 * $(figure himeno settled executions_timed))) ] || fail "$p: too many executions are timed"
  export HAICHI_BLOCKS_WARMUP=4:3:7
  runs himeno $p 100 130 66 66
  unset HAICHI_BLOCKS_WARMUP
  s=$(figure himeno settled worst_rank_error) j=$(figure himeno joint worst_rank_error) a=$(figure himeno separate worst_rank_error)
  holds -v s="$s" -v j="$j" 'BEGIN { exit !(s < 0.01 && j + 0 > 0.2) }'
  [ $p = unequal ] || holds -v a="$a" 'BEGIN { exit !(a + 0 > 0.2) }' # the warm-up is in both means
  # The sweep (line 157) is slow four times, no more and no less.
  awk -F '\t' '$6 == 157 && $4 == "jacobi" && $11 != 4 { bad = 1; print } $6 == 157 { n++ } END { exit bad || n != 8 }' himeno.settled.blocks.tsv ||
    fail "$p: the sweep does not settle after 4 executions"
done
# A warm-up of communication on ranks 4 to 7: their reduction (line 159) settles after 4 executions or later;
# computation (line 157) is not affected.
export HAICHI_BLOCKS_WARMUP=4:3:7:communication:4
runs himeno equal 100 130 66 66
unset HAICHI_BLOCKS_WARMUP
[ "$(figure himeno joint worst_rank_error)" != "$j" ] || fail 'a warm-up of communication changes nothing'
figure himeno settled executions >executions
awk -F '\t' '$6 == 159 && $11 < 4 { bad = 1; print } $6 == 157 && $11 != 0 { bad = 1; print } $6 == 159 { n++ }
  END { exit bad || n != 8 }' himeno.settled.blocks.tsv || fail 'communication settles too early, or computation is affected'

# mean FILE BLOCK: of all executions
mean()
{
  awk -F '\t' -v b="$2" '$1 == b { n += $3; s += $3 * $4 } END { printf "%.9g\n", s / n }' "$1"
}
# Variation: the mean of 100 executions is 1 + 0.2 times as long, within 3 standard errors; other seeds, other times.
plain=$(mean himeno/full.7.tsv 21)
for s in 1 2; do
  HAICHI_BLOCKS_VARIATION=0.2:$s HAICHI_BLOCKS_FULL=1 simulated equal himeno/bin/timing 100 130 66 66
  cp himeno/full.7.tsv varied.$s
  holds -v m="$(mean varied.$s 21)" -v p="$plain" 'BEGIN { e = m / p - 1.2; exit !(e < 0.06 && e > -0.06) }'
done
cmp -s varied.1 varied.2 && fail 'two seeds of a variation give the same times'
HAICHI_BLOCKS_VARIATION=0.2:2 HAICHI_BLOCKS_FULL=1 simulated equal himeno/bin/timing 100 130 66 66
cmp -s himeno/full.7.tsv varied.2 || fail 'a seed of a variation gives other times in a second run'
# Slow ranks: like the slow hosts of another platform.
HAICHI_BLOCKS_SLOW=4:1.6 HAICHI_BLOCKS_FULL=1 simulated equal himeno/bin/timing 100 130 66 66
for r in 3 4; do
  holds -v m="$(mean himeno/full.$r.tsv 21)" -v p="$plain" -v f=$([ $r = 3 ] && echo 1.6 || echo 1) \
    'BEGIN { e = m / p / f - 1; exit !(e < 1e-3 && e > -1e-3) }'
done
for bad in WARMUP=4:3:7:caches WARMUP=4:3:7:both:x VARIATION=-1 SLOW=4 SLOW=4:0.5; do
  env "HAICHI_BLOCKS_$bad" smpirun -np 1 -platform "$root/examples/equal.xml" --log=root.thres:critical \
    himeno/bin/timing 1 130 66 66 >out 2>&1
  grep -q "haichi_blocks: .*'${bad#*=}': not " out || { fail "$bad: another message" && cat out; }
done
runs himeno unequal 100 130 66 66
figure himeno settled executions >executions
# The fast PUs of the unequal machine wait, which separate ignores.
awk -F '\t' 'NR > 1 && $1 < 4 && $3 > $2 / 2 || $1 >= 4 && $3 < $2 / 2 { bad = 1 } END { exit bad || NR != 9 }' himeno.settled.tsv || fail 'the fast PUs do not wait, or the slow ones do'

"$haichi" instrument "$root/examples/cg/cg.c" -l iterations=8 -D MODEL -o cg >report 2>&1 || fail 'instrument cg'
make -s -C cg CC=smpicc || fail 'make cg'
runs cg unequal 80 512
holds -v s="$(figure cg settled worst_rank_error)" 'BEGIN { exit !(s < 0.01) }'
"$haichi" predict cg --format json | grep -q '"predicted_time_s"' || fail json

for kind in block-series:cg/timing.7.tsv block-times:cg block-error:cg; do
  "$haichi" plot "${kind%%:*}" "${kind#*:}" -o picture.svg || fail "plot $kind"
  [ -s picture.svg ] || fail "$kind: no picture"
done

# A loop whose count depends on a clock: it is listed, refused without a count, and accepted with one.  A loop may be named
# by its place.
cat >clock.c <<'C'
#include <mpi.h>
#include <stdio.h>
static double work(int rounds)
{
  double x = 1;
  for (int n = 0; n < rounds; n++) {
    x = x / 2 + n;
    MPI_Allreduce(MPI_IN_PLACE, &x, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  }
  return x;
}
int main(int argc, char **argv)
{
  MPI_Init(&argc, &argv);
  double begin = MPI_Wtime(), x = work(3), took = MPI_Wtime() - begin;
  int rounds;
  rounds = (int)(0.1 / took);
  x += work(rounds);
  printf("%g\n", x);
  MPI_Finalize();
  return 0;
}
C
[ "$("$haichi" instrument clock.c | tail -n 1)" = "$(printf 'clock.c\t6\t(int n = 0; n < rounds; n++)\t0\t0\t15')" ] || fail 'the loops of clock.c'
printf 'haichi: clock.c:6: the count of the loop depends on the clock of line 15: give it by --loops NAME=COUNT/REAL\n' >expected
"$haichi" instrument clock.c -o clock -l rounds=5 2>err && fail 'a count that depends on a clock is accepted'
cmp expected err || fail 'a count that depends on a clock: another message'
"$haichi" instrument clock.c -o clock -l rounds=5/40 >report 2>&1 || fail 'a loop with a given count is refused'
make -s -C clock CC=smpicc || fail 'make clock'
runs clock equal
[ "$(awk -F '\t' '$1 == 2 { print $2 }' clock/counts.0.tsv)" = 43 ] || { fail 'clock.c: rounds counted' && cat clock/counts.0.tsv; }
[ "$(awk -F '\t' '$1 == 2 { n += $3 } END { print n }' clock/timing.0.tsv)" = 8 ] || fail 'clock.c: rounds timed'
"$haichi" instrument clock.c -o clock -l clock.c:6=2/9 >report 2>&1 || fail 'a loop named by its place is refused'
make -s -C clock CC=smpicc counting || fail 'make clock again'
simulated equal clock/bin/counting
[ "$(awk -F '\t' '$1 == 2 { print $2 }' clock/counts.0.tsv)" = 18 ] || fail 'a loop named by its place: rounds counted'

# refused CODE WORDS COMMAND...
refused()
{
  code=$1 words=$2
  shift 2
  "$haichi" "$@" >out 2>err
  [ $? -eq "$code" ] || fail "$*: exit code is not $code"
  grep -q -F -- "$words" err || { fail "$*: another message" && cat err; }
}

# source NAME BODY: a program with the statements in main()
source()
{
  { printf '#include <mpi.h>\n#include <setjmp.h>\nstatic void talk(void)\n{\n  MPI_Barrier(MPI_COMM_WORLD);\n}\n'
    printf 'int main(int argc, char **argv)\n{\n  MPI_Init(&argc, &argv);\n%s\n  MPI_Finalize();\n}\n' "$2"; } >"$1"
}
source pointer.c '  int (*barrier)(MPI_Comm) = MPI_Barrier; barrier(MPI_COMM_WORLD); talk();'
refused 1 'haichi: pointer.c:10: MPI_Barrier() is used as a pointer: its calls cannot be found' instrument pointer.c -o x
source callback.c '  void (*f)(void) = talk; f();'
refused 1 'haichi: callback.c:10: talk(), which communicates, is used as a pointer: its calls cannot be found' instrument callback.c -o x
source jump.c '  jmp_buf b; if (setjmp(b) == 0) talk();'
refused 1 'haichi: jump.c:10: _setjmp(): control flow that cannot be followed' instrument jump.c -o x
source parallel.c '#pragma omp parallel
  { talk(); }'
refused 1 'haichi: parallel.c:11: communication in a parallel region of OpenMP' instrument parallel.c -o x
source wrong.c '  undeclared = 3; argc + 1 = 4;'
refused 1 "haichi: wrong.c:10:3: error: use of undeclared identifier 'undeclared'" instrument wrong.c -o x
grep -q -F 'haichi: wrong.c:10:28: error: expression is not assignable' err || { fail 'wrong.c: no second error' && cat err; }
[ "$(wc -l <err)" -eq 2 ] || fail 'wrong.c: not one line for each error'
echo 'int main(void) { return 0; }' >none.c
refused 1 'haichi: none.c:1: no call of MPI in the sources' instrument none.c -o x
refused 1 'haichi: no.c: cannot read: No such file or directory' instrument no.c
refused 1 'haichi: hosts: not a C source: its name does not end in .c' instrument hosts
refused 1 "haichi: --loops size: no loop around communication has 'size' in its header" instrument clock.c -l size=3
refused 1 'haichi: --loops clock.c:7: no loop around communication begins there' instrument clock.c -l clock.c:7=3
refused 2 'haichi instrument: no PROGRAM.c given' instrument
refused 2 "expected NAME=COUNT or FILE:LINE=COUNT" instrument clock.c -l rounds
refused 2 'a loop of 0 rounds' instrument clock.c -l rounds=0
refused 2 "'12a' is neither a name nor FILE:LINE" instrument clock.c -l 12a=3
refused 2 'warmup' instrument clock.c --warmup 3:0.5
refused 2 "'caches' is none of computation, communication, both" instrument clock.c --warmup 3:2:1:caches
refused 2 'warmup' instrument clock.c --warmup 3:2:1:both:x
refused 2 'variation' instrument clock.c --variation -1
refused 2 "'4' is not RANKS:FACTOR" instrument clock.c --slow 4
refused 2 'slow' instrument clock.c --slow 4:0.5
"$haichi" instrument clock.c -o clock -l rounds=5/40 --variation 0.1:2:both --slow 4:1.6 >out 2>&1 || fail 'instrument with --variation and --slow'
grep -q '^VARIATION = 0.1:2:both$' clock/Makefile && grep -q '^SLOW = 4:1.6$' clock/Makefile || fail 'the Makefile lacks VARIATION or SLOW'

refused 2 'haichi predict: give DIR, or --platform and --trace' predict
refused 2 'haichi predict: a prediction from DIR takes no --platform' predict himeno -p torus:2
refused 2 'haichi predict: --method, --per-rank and --per-block are for a prediction from DIR' predict -p torus:2 -t ring:2 --per-rank x
refused 2 "unknown method 'best'" predict cg --method best
refused 1 'haichi: clock: files counts.RANK.tsv of 8 ranks, but timing.RANK.tsv of 7' predict "$(rm clock/timing.7.tsv && echo clock)"
rm clock/timing.*
refused 1 'haichi: clock: no timing.0.tsv: the timing program has not run' predict clock
mkdir broken && cp cg/blocks.tsv cg/*.0.tsv broken
broken()
{
  sed "$3" "cg/$2" >"broken/$2"
  refused 1 "$1" predict broken
  cp "cg/$2" "broken/$2"
}
broken 'haichi: broken/blocks.tsv:1: expected the header' blocks.tsv 1d
broken 'haichi: broken/blocks.tsv:3: block 2, but block 1 is next' blocks.tsv 3d
broken "haichi: broken/blocks.tsv:2: kind 'work' is neither computation nor communication" blocks.tsv '2s/computation/work/'
broken 'haichi: broken/timing.0.tsv:2: 3 columns, but there should be 4' timing.0.tsv '2s/	[^	]*$//'
broken "haichi: broken/timing.0.tsv:2: seconds: -1 is outside" timing.0.tsv '2s/[^	]*$/-1/'
broken 'haichi: broken/timing.0.tsv:2: execution 2, but 1 is next' timing.0.tsv '2s/	1	/	2	/'
broken 'haichi: broken/counts.0.tsv:2: block 999, but there are' counts.0.tsv '2s/^[0-9]*/999/'
broken 'haichi: broken/counts.0.tsv:3: block' counts.0.tsv 2p
exit $status
