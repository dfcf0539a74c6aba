#!/bin/sh
# usage: tests/run.sh BUILD UNIT...
# Runs the unit test programs, tests/cli/*.tesh and tests/cli/*.sh on BUILD/haichi, as many at once as there are cores
# (JOBS=N: N at once), each in its own folder.  Tests that start MPI ranks run one after another, at the same time as the
# others.  Shows the output of each test that fails; the last line counts programs and files.
# It starts tests/run.sh --these TEST... for each test.
set -u

cd "$(dirname "$0")/.." || exit 1

# run NAME COMMAND...: runs a test with the folder $work/NAME and prints all its lines at once
run()
{
  name=$1 status=0 begin=$(date +%s)
  shift
  here=$work/$name
  mkdir -p "$here"
  # Tests name files of these folders by relative paths.
  ln -s "$root/tests" "$root/docs" "$root/platforms" "$root/examples" "$here/"
  timeout "$limit" "$@" >"$here.log" 2>&1 </dev/null || status=$?
  took=$(($(date +%s) - begin))
  {
    if [ $status -eq 0 ]; then
      echo "ok      $name ($took s)"
      sed -n 's/^skipped: /  | &/p' "$here.log"
    else
      echo "FAILED  $name (exit $status, $took s)"
      sed 's/^/  | /' "$here.log"
    fi
  } >"$here.out"
  flock "$work/printing" cat "$here.out"
  rm -rf "$here" "$here.log"
}

if [ "$1" = --these ]; then
  shift
  for test; do
    case $test in
    # Whole stacks, which are slow: lsan.supp needs them to tell the leaks of SimGrid.
    *.tesh) run "${test#tests/}" env "ASAN_OPTIONS=$ASAN_OPTIONS:fast_unwind_on_malloc=0" tesh --cd "$work/${test#tests/}" --setenv "bindir=$bindir" "$root/$test" ;;
    *.sh) run "${test#tests/}" sh "$test" "$bindir/haichi" ;;
    *) run "${test#*tests/}" "$test" ;;
    esac
  done
  exit 0
fi

root=$(pwd)
case $1 in
/*) bindir=$1 ;;
*) bindir=$root/$1 ;;
esac
shift
# Seconds after which a test that hangs is ended.  On a busy machine cli/extending.sh takes more than 300.
limit=1200
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
export root bindir limit work

# Sanitizers: the code under test refuses an impossible size itself.  SimGrid does not free all its memory, and on its
# stacks clang's search for leaks sometimes crashes in dynamic thread-local storage.
export ASAN_OPTIONS=allocator_may_return_null=1:intercept_tls_get_addr=0
export LSAN_OPTIONS="suppressions=$root/tests/lsan.supp:print_suppressions=0"
export LC_ALL=C
unset ARGP_HELP_FMT
# Tests that run at the same time have more threads than there are cores: threads must not spin while they wait.
export OMP_WAIT_POLICY=passive

set -- "$@" tests/cli/*.tesh tests/cli/*.sh
# A line for each process of xargs; the first line has all tests that start ranks.
ranks=$(grep -lE '(^|[^s])mpirun|mpi\.sh' tests/cli/*.sh)
{
  echo "$ranks" | paste -s -d ' ' -
  printf '%s\n' "$@" | grep -vxF "$ranks"
} | xargs -P "${JOBS:-$(nproc)}" -L 1 tests/run.sh --these
passed=$(find "$work" -name '*.out' -exec grep -l '^ok  ' {} + | wc -l)
failed=$(find "$work" -name '*.out' -exec grep -l '^FAILED  ' {} + | wc -l)
missing=$(($# - passed - failed))
[ $missing -eq 0 ] || echo "$missing not run"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ $missing -eq 0 ]
