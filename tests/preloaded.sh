# For tests of libhaichi-reorder to source, after shell.sh and mpi.sh.
# shellcheck shell=sh disable=SC2034 # for those who source it
build=$(dirname "$haichi")
reorder=$build/reorder/libhaichi-reorder.so

# The MPI programs have no sanitizers, whose runtime must be there before libhaichi.so is loaded.
if grep -q -a __asan_init "$build/libhaichi.so"; then
  echo 'skipped: a program without sanitizers cannot load a libhaichi.so with them, so that no rank would move'
  exit 0
fi
export HAICHI_PLATFORM=torus:4x3 HAICHI_HOSTS="$work/hosts"
"$haichi" map random:seed=7 -p torus:4x3 --ranks 12 -o hosts

# preloaded MPI RANKS COMMAND...: output goes to log; the environment is of the library
preloaded()
{
  mpi=$1 ranks=$2
  shift 2
  # shellcheck disable=SC2046 # words
  LD_PRELOAD=${preload-$reorder} $(launcher "$mpi" "$ranks") "$@" >log 2>&1
}

# says WANT...: the lines of log are these
says()
{
  printf '%s\n' "$@" >want
  cmp -s want log || { fail "$mpi: other output" && diff want log | head -20; }
}
