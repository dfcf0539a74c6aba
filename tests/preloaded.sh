# For tests of libhaichi-reorder to source, after shell.sh and mpi.sh.
# shellcheck shell=sh disable=SC2034 # for the scripts that source it
build=$(dirname "$haichi")
reorder=$build/reorder/libhaichi-reorder.so

# The MPI programs are built without sanitizers: a libhaichi.so with sanitizers cannot be loaded into them.
if grep -q -a __asan_init "$build/libhaichi.so"; then
  echo 'skipped: a program without sanitizers cannot load a libhaichi.so with them, so that no rank would move'
  exit 0
fi
export HAICHI_PLATFORM=torus:4x3 HAICHI_HOSTS="$work/hosts"
"$haichi" map random:seed=7 -p torus:4x3 --ranks 12 -o hosts

# preloaded MPI RANKS COMMAND...: runs it with the library preloaded; output goes to log
preloaded()
{
  mpi=$1 ranks=$2
  shift 2
  # shellcheck disable=SC2046 # words
  LD_PRELOAD=${preload-$reorder} $(launcher "$mpi" "$ranks") "$@" >log 2>&1
}

# says LINE...: log must have these lines and no others
says()
{
  printf '%s\n' "$@" >want
  cmp -s want log || { fail "$mpi: lines of the output differ (<: expected):" && diff want log | head -20; }
}
