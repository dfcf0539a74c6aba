#!/bin/sh
# usage: tests/cli/marks.sh HAICHI
# Times of blocks on a real machine, compared with the program's own measurement by the system's clock: computations of
# known lengths and a pause.  There are more blocks than the marks keep at a time.  Marks compile in any program.
. "$(dirname "$0")/../shell.sh"
rounds=5000
cat >known.c <<'C'
#define _POSIX_C_SOURCE 200809L
#include <mpi.h>
#include <stdio.h>
#include <time.h>
static double took[ROUNDS];
static double seconds(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
static double pass(int round)
{
  const struct timespec pause = {0, 200000000};
  const double begin = seconds(), end = begin + 10e-6 * (1 + round % 7);
  if (round == ROUNDS / 2)
    nanosleep(&pause, NULL);
  while (seconds() < end)
    ;
  return seconds() - begin;
}
int main(int argc, char **argv)
{
  MPI_Init(&argc, &argv);
  for (int i = 0; i < ROUNDS; i++) {
    took[i] = pass(i);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Finalize();
  for (int i = 0; i < ROUNDS; i++)
    printf("%.9f\n", took[i]);
  return 0;
}
C
"$haichi" instrument known.c -D ROUNDS=$rounds -o known >report 2>&1 || { fail instrument && cat report; }
make -s -C known CFLAGS='-O2 -Wall -Wextra -Werror' timing && make -s -C known counting || fail 'make timing counting'
line=$(grep -n 'took\[i\] = ' known.c | cut -d : -f 1)
block=$(awk -F '\t' -v l="$line" '$5 == l && $2 == "computation" { print $1 }' known/blocks.tsv)

./known/bin/counting >/dev/null || fail 'the counting program'
awk -F '\t' 'NR > 1 { print $1, $2 }' known/counts.0.tsv >counts
[ "$(grep -c " $rounds\$" counts)" -eq 2 ] || { fail 'not two blocks with this number of rounds' && cat counts; }

# Marks use the ticks of the processor if there are any, or the system's clock.  The time of a block agrees with the
# program's measurement, unless the machine interrupts the program between the two readings of the clock.
for warmup in 0 1:1; do
  rm -f known/timing.0.tsv
  HAICHI_BLOCKS_WARMUP=$warmup ./known/bin/timing >took || fail 'the timing program'
  awk -F '\t' -v b="$block" '$1 == b' known/timing.0.tsv >series
  awk -F '\t' 'NR > 1 { if ($2 != ++n[$1] || $3 != 1 || $4 < 0) print } END { for (b in n) print b, n[b] }' known/timing.0.tsv |
    sort -n | cmp - counts || fail "warm-up $warmup: wrong numbers of executions"
  paste took series | awk -F '\t' -v n=$rounds -v w=$warmup '
    { d = $5 - $1; if (d < 0) d = -d }
    d <= 0.01 * $1 + 0.5e-6 { near++ }
    NR == n / 2 + 1 && d > 0.01 * $1 { print "the pause: " $5 " s, not " $1; bad = 1 }
    END { if (near < 0.95 * n) { print "warm-up " w ": " near " of " n " times are right"; bad = 1 } exit bad }' || fail "warm-up $warmup: wrong times"
done

# The header compiles alone with each compiler and standard, also without GNU's extensions and without ticks.
printf '#include "known/haichi_blocks.h"\nvoid f(int n);\nvoid f(int n)\n{\n  int i;\n' >any.c
printf '  haichi_loop(1);\n  for (i = 0; i < n && haichi_more(1, 10) && haichi_exactly(2, 9); i++)\n    haichi_block(3);\n}\n' >>any.c
for cc in gcc clang; do
  for flags in -std=c89 -std=gnu11 '-std=c99 -U__GNUC__' '-std=c89 -U__x86_64__ -U__aarch64__' -O2; do
    # shellcheck disable=SC2086 # words
    $cc $flags -pedantic -Wall -Wextra -Wconversion -Werror -c any.c -o any.o || fail "$cc $flags: the header does not compile"
  done
done
exit $status
