#!/bin/sh
# usage: tests/cli/reorder_world.sh HAICHI
# libhaichi-reorder under Open MPI and MPICH: exchanged ranks of MPI_COMM_WORLD, together with the recorder in either order,
# three Fortran bindings, and sessions.
. "$(dirname "$0")/../shell.sh"
. "$root/tests/mpi.sh"
. "$root/tests/preloaded.sh"

for mpi in $mpis; do
  "mpicc.$mpi" -w -O1 -o checker-$mpi "$root/tests/data/reorder/checker.c" || fail "mpicc.$mpi"
  "mpicc.$mpi" -w -O1 -o world-$mpi "$root/tests/data/reorder/world.c" || fail "mpicc.$mpi"

  # HAICHI_REORDER=world
  { printf 'src\tdst\tmessages\tbytes\n' && for i in 0 1 2 3 4 5 6 7 8 9 10 11; do printf '%d\t%d\t1\t65536\n' $i $(((i + 1) % 12)); done; } |
    sort -k1,1n -k2,2n >ring.tsv
  HAICHI_REORDER=world HAICHI_TRACE=ring.tsv preloaded $mpi 12 ./world-$mpi
  says '0 wrong, 10 moved'
  # Callbacks of MPI get the same communicators and the exchanged ranks, also in MPI_Finalize.
  "mpicc.$mpi" -w -O1 -o callbacks-$mpi "$root/tests/data/reorder/callbacks.c" || fail "mpicc.$mpi: callbacks"
  preload='' preloaded $mpi 12 ./callbacks-$mpi
  says '0 wrong, 0 moved, 0 in a ring'
  preloaded $mpi 12 ./callbacks-$mpi
  says '0 wrong, 0 moved, 10 in a ring'
  HAICHI_REORDER=world HAICHI_TRACE=ring.tsv preloaded $mpi 12 ./callbacks-$mpi
  says '0 wrong, 10 moved, 0 in a ring'
  HAICHI_REORDER=world preloaded $mpi 12 ./world-$mpi
  sort log | head -n 2 | tail -n 1 | grep -q '^haichi reorder: MPI_Init: HAICHI_REORDER=world needs a trace' &&
    grep -q '^0 wrong, 0 moved$' log || { fail "$mpi: HAICHI_REORDER=world without a trace" && cat log; }
  HAICHI_REORDER=everything preloaded $mpi 12 ./world-$mpi
  grep -q '^haichi reorder: MPI_Init: the only value of HAICHI_REORDER is world; no rank is moved$' log || fail "$mpi: a bad HAICHI_REORDER: another message"

  # With the recorder, preloaded before or after it: the same calls as without reordering.
  LD_PRELOAD='' "$haichi" record -o alone-$mpi -- $(launcher $mpi 12) ./checker-$mpi 9 16 >log 2>&1
  LD_PRELOAD=$reorder "$haichi" record -o after-$mpi -- $(launcher $mpi 12) ./checker-$mpi 9 16 >log 2>&1
  grep -q '^8 cases, 0 wrong, ranks moved in 4$' log || { fail "$mpi: haichi record with the library preloaded" && cat log; }
  mkdir -p before-$mpi/ranks
  HAICHI_RECORD_DIR=$work/before-$mpi preload=$reorder:$build/record/libhaichi-record.so preloaded $mpi 12 ./checker-$mpi 9 16
  says '8 cases, 0 wrong, ranks moved in 4'
  "$haichi" record --finish before-$mpi >log 2>&1 || { fail "$mpi: record --finish, with the recorder preloaded after the library" && cat log; }
  for order in alone after before; do
    "$haichi" trace info $order-$mpi | grep -v -e compute -e '^actions	' >$order.info
  done
  [ -s alone.info ] && cmp -s alone.info after.info && cmp -s alone.info before.info || fail "$mpi: the recorder counts other calls with reordering"
  HAICHI_REORDER=world HAICHI_TRACE=ring.tsv LD_PRELOAD=$reorder "$haichi" record -o world-$mpi.dir -- $(launcher $mpi 12) ./world-$mpi >log 2>&1
  grep -q '^0 wrong, 10 moved$' log || { fail "$mpi: haichi record with HAICHI_REORDER=world" && cat log; }

  # Three Fortran bindings, on hosts from which the estimated time of all four graphs falls by 5 %
  "$haichi" map random:seed=3 -p torus:4x3 --ranks 12 -o far
  for binding in 1 2 3; do
    "mpif90.$mpi" -w -fallow-argument-mismatch -ffree-line-length-none -I"$root/tests/data/record" -DBINDING=$binding -o grid "$root/tests/data/reorder/grid.F90" >log 2>&1 ||
      { fail "grid.F90: $mpi $binding: does not compile" && cat log; }
    HAICHI_HOSTS=$work/far preloaded $mpi 12 ./grid
    grep -q '^0 wrong, moved:\( [1-9][0-9]*\)\{4\}, in the world: 0$' log || { fail "Fortran: $mpi $binding" && cat log; }
    HAICHI_HOSTS=$work/far HAICHI_REORDER=world HAICHI_TRACE=ring.tsv preloaded $mpi 12 ./grid
    grep -q '^0 wrong, moved:.*, in the world: 12$' log || { fail "Fortran: $mpi $binding, HAICHI_REORDER=world" && cat log; }
  done

  # Sessions, which have no MPI_COMM_WORLD.
  echo '#include <mpi.h>' | "mpicc.$mpi" -E -x c - | grep -q MPI_Session_init || continue
  "mpicc.$mpi" -w -O1 -rdynamic -o sessions "$root/tests/data/reorder/sessions.c" || fail "mpicc.$mpi: sessions"
  preload='' preloaded $mpi 8 ./sessions
  says '0 wrong, 0 moved'
  packages="star:1,node=pack:2 core:4;machine=1us:1GBps:2GBps,names=$(uname -n)"
  HAICHI_PLATFORM=$packages HAICHI_HOSTS='' preloaded $mpi 8 ./sessions
  grep -q '^0 wrong, [2-8] moved$' log && [ "$(wc -l <log)" -eq 1 ] || { fail "$mpi: sessions" && cat log; }
  HAICHI_PLATFORM=$packages HAICHI_HOSTS='' HAICHI_REORDER=world HAICHI_TRACE=ring.tsv preloaded $mpi 8 ./sessions
  grep -q '^0 wrong, [2-8] moved$' log && [ "$(wc -l <log)" -eq 2 ] &&
    grep -q -x 'haichi reorder: MPI_Session_init: HAICHI_REORDER exchanges ranks in MPI_Init only; no rank is moved' log ||
    { fail "$mpi: sessions with HAICHI_REORDER=world" && cat log; }
  preloaded $mpi 8 ./sessions
  grep -q '^0 wrong, 0 moved$' log && [ "$(grep -c '^haichi reorder: .* names no hosts of processes outside of MPI_COMM_WORLD; no rank is moved$' log)" -eq 2 ] ||
    { fail "$mpi: sessions with HAICHI_HOSTS" && cat log; }
done
exit $status
