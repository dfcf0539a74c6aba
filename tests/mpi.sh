# For tests of haichi record to source, after shell.sh.
# shellcheck shell=sh disable=SC2034 # for the scripts that source it
mpis='openmpi mpich'
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 PRTE_ALLOW_RUN_AS_ROOT=1 PRTE_ALLOW_RUN_AS_ROOT_CONFIRM=1
unset LD_PRELOAD

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
