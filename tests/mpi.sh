# For tests of haichi record to source, after shell.sh.
# shellcheck shell=sh disable=SC2034 # for those who source it
mpis='openmpi mpich'
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_btl=self,vader OMPI_MCA_hwloc_base_binding_policy=none
unset LD_PRELOAD

# launcher MPI RANKS: the words that run a program
launcher()
{
  case $1 in
  openmpi) echo "mpirun.openmpi --oversubscribe -np $2" ;;
  mpich) echo "mpirun.mpich -np $2" ;;
  esac
}

# calls DIR: the lines of all ranks that do not depend on the run or the library
calls()
{
  cat "$1"/ranks/* | grep -v -e ' compute ' -e '^# recorded: rank '
}
