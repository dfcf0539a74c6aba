#!/bin/sh
# usage: tests/cli/instrument.sh HAICHI
# Programs of many kinds: the timing program of each prints the same in a full run as the program itself, and its counting
# program passes each mark as many times as the full run.  MPIRUN=1: with mpirun, too.
. "$(dirname "$0")/../shell.sh"
programs=$root/tests/data/mpi
"$haichi" platform star:8 -o star.xml || fail 'haichi platform'

# simulated PROGRAM: prints its output under smpirun
simulated()
{
  smpirun -np 5 -platform star.xml --cfg=smpi/simulate-computation:no --log=root.thres:critical "$1" 2>err || cat err
}

# executions FILES: rank, block and number of executions of a full run
executions()
{
  for f in "$1"/full.*.tsv; do
    r=${f#"$1"/full.}
    awk -v r="${r%.tsv}" 'FNR > 1 { n[$1] += $3 } END { for (b in n) print r, b, n[b] }' "$f"
  done | sort
}

counts()
{
  for f in "$1"/counts.*.tsv; do
    r=${f#"$1"/counts.}
    awk -v r="${r%.tsv}" 'FNR > 1 { print r, $1, $2 }' "$f"
  done | sort
}

# check NAME SOURCE...
check()
{
  name=$1
  shift
  "$haichi" instrument "$@" -o "$name" >/dev/null 2>notes || { fail "$name: instrument" && cat notes && return; }
  smpicc -O1 -o "$name.plain" "$@" -lm || fail "$name: smpicc"
  make -s -C "$name" CC=smpicc CFLAGS=-O1 timing counting || { fail "$name: make" && return; }
  simulated "./$name.plain" >"$name.expected"
  HAICHI_BLOCKS_FULL=1 simulated "./$name/bin/timing" >"$name.got"
  cmp "$name.expected" "$name.got" || fail "$name: the timing program prints something else"
  grep -q "^$name" "$name.expected" || fail "$name: the program prints no result"
  simulated "./$name/bin/counting" >/dev/null
  executions "$name" >"$name.run"
  counts "$name" >"$name.counts"
  [ -s "$name.run" ] || fail "$name: no executions"
  cmp "$name.run" "$name.counts" || { fail "$name: the counting program has other counts" && diff "$name.run" "$name.counts" | head; }
  [ "${MPIRUN:-}" = 1 ] || return
  make -s -C "$name" CFLAGS=-O1 timing && mpicc -O1 -o "$name.plain" "$@" -lm || fail "$name: mpicc"
  for p in "./$name.plain" "./$name/bin/timing"; do
    HAICHI_BLOCKS_FULL=1 mpirun --allow-run-as-root --oversubscribe -np 5 "$p"
  done | uniq >"$name.real"
  [ "$(wc -l <"$name.real")" -eq 1 ] || { fail "$name: mpirun: the timing program prints something else" && cat "$name.real"; }
}

for p in bucket stencil transpose reduce nbody master pipeline headers recursion branches windows odd_even macros indirect; do
  check $p "$programs/$p.c"
done
cat >parallel.c <<'E'
#include <mpi.h>
int main(int argc, char **argv)
{
  MPI_Init(&argc, &argv);
#pragma omp parallel
  /* all threads */
  {
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Finalize();
}
E
"$haichi" instrument parallel.c -o parallel >/dev/null 2>err && fail 'communication in a parallel region is accepted'
grep -qx 'haichi: parallel.c:7: communication in a parallel region of OpenMP' err || { fail 'communication in a parallel region: another message' && cat err; }
"$haichi" instrument "$programs/macros.c" --loops turns=1 -o bounded >/dev/null 2>&1 &&
  make -s -C bounded CC=smpicc timing counting apart 2>err || fail 'a bounded loop with a pragma does not compile'
check files "$programs/files_main.c" "$programs/files_other.c"
exit $status
