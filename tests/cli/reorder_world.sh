#!/bin/sh
# usage: tests/cli/reorder_world.sh HAICHI
# libhaichi-reorder under Open MPI and MPICH: exchanged ranks of the world, the recorder beside it in either order, and three
# Fortran bindings.
. "$(dirname "$0")/../shell.sh"
. "$root/tests/mpi.sh"
. "$root/tests/preloaded.sh"

for mpi in $mpis; do
  "mpicc.$mpi" -w -O1 -o checker-$mpi "$root/tests/data/reorder/checker.c" || fail "mpicc.$mpi"
  "mpicc.$mpi" -w -O1 -o world-$mpi "$root/tests/data/reorder/world.c" || fail "mpicc.$mpi"

  # The world
  { printf 'src\tdst\tmessages\tbytes\n' && for i in 0 1 2 3 4 5 6 7 8 9 10 11; do printf '%d\t%d\t1\t65536\n' $i $(((i + 1) % 12)); done; } |
    sort -k1,1n -k2,2n >ring.tsv
  HAICHI_REORDER=world HAICHI_TRACE=ring.tsv preloaded $mpi 12 ./world-$mpi
  says '0 wrong, 10 moved'
  HAICHI_REORDER=world preloaded $mpi 12 ./world-$mpi
  sort log | head -n 2 | tail -n 1 | grep -q '^haichi reorder: MPI_Init: HAICHI_REORDER=world needs a trace' &&
    grep -q '^0 wrong, 0 moved$' log || { fail "$mpi: a world without a trace" && cat log; }
  HAICHI_REORDER=everything preloaded $mpi 12 ./world-$mpi
  grep -q '^haichi reorder: MPI_Init: HAICHI_REORDER has one value, world; no rank is moved$' log || fail "$mpi: HAICHI_REORDER"

  # Beside the recorder, in either order: the same calls as without.
  LD_PRELOAD='' "$haichi" record -o alone-$mpi -- $(launcher $mpi 12) ./checker-$mpi 9 16 >log 2>&1
  LD_PRELOAD=$reorder "$haichi" record -o after-$mpi -- $(launcher $mpi 12) ./checker-$mpi 9 16 >log 2>&1
  grep -q '^8 cases, 0 wrong, ranks moved in 5$' log || { fail "$mpi: recorder first" && cat log; }
  mkdir -p before-$mpi/ranks
  HAICHI_RECORD_DIR=$work/before-$mpi preload=$reorder:$build/record/libhaichi-record.so preloaded $mpi 12 ./checker-$mpi 9 16
  says '8 cases, 0 wrong, ranks moved in 5'
  "$haichi" record --finish before-$mpi >log 2>&1 || { fail "$mpi: recorder last" && cat log; }
  for order in alone after before; do
    "$haichi" trace info $order-$mpi | grep -v -e compute -e '^actions	' >$order.info
  done
  cmp -s alone.info after.info && cmp -s alone.info before.info || fail "$mpi: the recorder counts other calls"
  HAICHI_REORDER=world HAICHI_TRACE=ring.tsv LD_PRELOAD=$reorder "$haichi" record -o world-$mpi.dir -- $(launcher $mpi 12) ./world-$mpi >log 2>&1
  grep -q '^0 wrong, 10 moved$' log || { fail "$mpi: the recorder with another world" && cat log; }

  # Fortran
  for binding in 1 2 3; do
    "mpif90.$mpi" -w -fallow-argument-mismatch -ffree-line-length-none -I"$root/tests/data/record" -DBINDING=$binding -o grid "$root/tests/data/reorder/grid.F90" >log 2>&1 ||
      { fail "grid.F90: $mpi $binding: does not compile" && cat log; }
    preloaded $mpi 12 ./grid
    grep -q '^0 wrong, 1[0-2] moved$' log || { fail "Fortran: $mpi $binding" && cat log; }
  done
done
exit $status
