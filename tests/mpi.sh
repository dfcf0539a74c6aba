# For tests that start MPI ranks to source, when $root and the folder $work are set.
# shellcheck shell=sh disable=SC2034 # for the scripts that source it
mpis='openmpi mpich'
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 PRTE_ALLOW_RUN_AS_ROOT=1 PRTE_ALLOW_RUN_AS_ROOT_CONFIRM=1
unset LD_PRELOAD

# The ranks share a node.  Over TCP, Open MPI 5 prints a line per pair of ranks if it cannot judge the network's addresses.
export OMPI_MCA_btl=^tcp

# Ranks that wait yield their core.  With more ranks than cores, a program would be up to 50 times slower: mpirun of Open
# MPI counts the cores of HWLOC_SYNTHETIC, and MPICH needs yield.c.
export OMPI_MCA_mpi_yield_when_idle=1
gcc -O1 -fPIC -c -o "$work/yield.o" "$root/tests/data/yield.c" || exit 1
export MPICH_CC="gcc $work/yield.o" MPICH_FC="gfortran $work/yield.o"

# launcher MPI RANKS: the command that starts a program on so many ranks
launcher()
{
  case $1 in
  openmpi) echo "mpirun.openmpi --oversubscribe -np $2" ;;
  mpich) echo "mpirun.mpich -np $2" ;;
  esac
}

# calls DIR: the lines of all ranks of a trace, without those that depend on the run or on the MPI library
calls()
{
  cat "$1"/ranks/* | grep -v -e ' compute ' -e '^# recorded: rank '
}
