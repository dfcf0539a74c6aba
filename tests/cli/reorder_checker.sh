#!/bin/sh
# usage: tests/cli/reorder_checker.sh HAICHI
# The checkers in the other tests of libhaichi-reorder find faults: reorderings with a wrong permutation, wrong neighbours,
# weights or data (tests/data/reorder/broken.c) are found, and a reordering without a fault passes.
. "$(dirname "$0")/../shell.sh"
. "$root/tests/mpi.sh"
export OMPI_MCA_topo=^treematch # treematch hangs in a loop that creates graphs

# under FAULT RANKS PROGRAM...: runs the program with this fault; its output goes to log
under()
{
  fault=$1 ranks=$2
  shift 2
  # shellcheck disable=SC2046 # words
  FAULT=$fault LD_PRELOAD=$work/broken-$mpi.so timeout 60 $(launcher $mpi "$ranks") "$@" >log 2>&1
}

for mpi in $mpis; do
  "mpicc.$mpi" -w -O1 -shared -fPIC -o broken-$mpi.so "$root/tests/data/reorder/broken.c" || fail "mpicc.$mpi"
  for program in checker graphs; do
    "mpicc.$mpi" -w -O1 -o $program-$mpi "$root/tests/data/reorder/$program.c" || fail "mpicc.$mpi"
  done
  under 0 4 ./checker-$mpi 1 12
  grep -q -x '12 cases, 0 wrong, ranks moved in 0' log || { fail "$mpi: a reordering without a fault does not pass" && cat log; }
  for number in 1 2 3 4 5 6 7 8 9; do
    under $number 4 ./checker-$mpi 1 12
    grep -q '^case [0-9]*: .* [1-9][0-9]* wrong$' log || { fail "$mpi: fault $number is not found" && cat log; }
  done
  under 0 4 ./graphs-$mpi
  [ "$(grep -c ': 0 wrong, 0 moved$' log)" -eq 4 ] || { fail "$mpi: graphs.c: a reordering without a fault does not pass" && cat log; }
  under 7 4 ./graphs-$mpi
  code=$?
  # Wrong neighbours are reported, or the MPI library ends the program because counts or messages have wrong sizes.  MPICH's
  # mpirun exits with the class of the error, 12 (MPI_ERR_ARG) or 14 (MPI_ERR_TRUNCATE), and sometimes loses the message.
  grep -q -e 'adjacent: [1-9][0-9]* wrong, 4 moved$' -e 'Invalid argument' -e MPI_ERR_TRUNCATE log ||
    [ "$mpi $code" = 'mpich 12' ] || [ "$mpi $code" = 'mpich 14' ] || { fail "$mpi: graphs.c: fault 7 is not found" && cat log; }
done
exit $status
