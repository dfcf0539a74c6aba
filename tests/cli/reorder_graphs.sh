#!/bin/sh
# usage: tests/cli/reorder_graphs.sh HAICHI
# libhaichi-reorder under Open MPI and MPICH: programs that hang, or get the data of other ranks, with Open MPI's own
# reordering (open-mpi/ompi issues 8939 and 11756) end with the right data.
. "$(dirname "$0")/../shell.sh"
. "$root/tests/mpi.sh"
. "$root/tests/preloaded.sh"

# Hosts from which the estimated time falls by 5 % with each number of ranks.
"$haichi" map random:seed=3 -p torus:4x3 --ranks 12 -o hosts
for mpi in $mpis; do
  "mpicc.$mpi" -w -O1 -o graphs-$mpi "$root/tests/data/reorder/graphs.c" || fail "mpicc.$mpi"
  for ranks in 4 7 12; do
    preloaded $mpi $ranks ./graphs-$mpi
    for program in allgather 'allgather, adjacent' alltoallv 'alltoallv, adjacent'; do
      grep -q "^$program: 0 wrong, [1-9][0-9]* moved\$" log || { fail "$mpi, $ranks ranks: $program: wrong data, or no rank moved" && cat log; }
    done
  done
done
exit $status
