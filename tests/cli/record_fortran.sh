#!/bin/sh
# usage: tests/cli/record_fortran.sh HAICHI
# Programs in Fortran with mpif.h, use mpi and use mpi_f08, under Open MPI and MPICH: all six traces are the same except for
# computations, and have the messages of the program.
. "$(dirname "$0")/../shell.sh"
. "$root/tests/mpi.sh"

# record PROGRAM: makes PROGRAM-BINDING-MPI.dir for all bindings and libraries
record()
{
  for mpi in $mpis; do
    for binding in 1 2 3; do
      name=$1-$binding-$mpi
      "mpif90.$mpi" -w -fallow-argument-mismatch -ffree-line-length-none -DBINDING=$binding -o "$name" "$root/tests/data/record/$1.F90" >log 2>&1 ||
        { fail "$name: does not compile" && cat log && continue; }
      "$haichi" record -o "$name.dir" -- $(launcher "$mpi" 6) "./$name" >log 2>&1 || { fail "$name" && cat log; }
      calls "$name.dir" >"$name.calls"
      cmp -s "$1-1-openmpi.calls" "$name.calls" || { fail "$name: another trace" && diff "$1-1-openmpi.calls" "$name.calls" | head; }
    done
  done
}

# has DIR LINE...: trace info prints these lines
has()
{
  "$haichi" trace info "$1" >info || fail "$1: trace info"
  shift
  for line; do
    tr '\t' ' ' <info | grep -qx "$line" || fail "$1: no $line: $(grep "${line% *}" info)"
  done
}

record stencil
has stencil-3-openmpi.dir 'p2p_messages 90' 'p2p_bytes 5760' 'p2p_pairs 7' 'actions_neighbor_alltoall 30' 'actions_allreduce 30'
grep -qx '# haichi: cart [0-9]* 3 2' stencil-3-openmpi.dir/ranks/rank-0000.txt || fail 'the trace of stencil lacks the grid'

record transpose
has transpose-3-openmpi.dir 'p2p_messages 0' 'actions_bcast 6' 'actions_alltoall 12' 'actions_allgather 6' 'actions_allgatherv 6' \
  'actions_gather 6' 'actions_gatherv 6' 'actions_scatter 6' 'actions_reduce 6' 'actions_reducescatter 6' 'actions_scan 6' \
  'actions_iallreduce 6' 'actions_ibarrier 6' 'actions_barrier 6'

record workers
has workers-3-openmpi.dir 'p2p_messages 90' 'p2p_bytes 4080' 'p2p_pairs 5'
for d in stencil-3-openmpi.dir transpose-3-openmpi.dir workers-3-openmpi.dir; do
  "$haichi" sim -p torus:3x2 -t $d >sim 2>&1 || { fail "$d: sim" && cat sim; }
done
exit $status
