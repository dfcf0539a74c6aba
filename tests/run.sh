#!/bin/sh
# usage: tests/run.sh BUILD UNIT...
# Runs the unit test programs, then tests/cli/*.tesh and tests/cli/*.sh on BUILD/haichi.  Shows the
# output of what fails; the last line counts programs and files.
set -u

cd "$(dirname "$0")/.." || exit 1
root=$(pwd)
case $1 in
/*) bindir=$1 ;;
*) bindir=$root/$1 ;;
esac
shift

# The command line tests write into a folder of their own, from where tests/data is in reach.
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
mkdir "$work/cli" || exit 1
ln -s "$root/tests" "$root/docs" "$root/platforms" "$root/examples" "$work/cli/" || exit 1

# Sanitizers: an impossible size is refused by the code under test; SimGrid never frees its all, and on its
# stacks clang's search for leaks crashes now and then where it looks at dynamic thread-local storage.
export ASAN_OPTIONS=allocator_may_return_null=1:intercept_tls_get_addr=0
export LSAN_OPTIONS="suppressions=$root/tests/lsan.supp:print_suppressions=0"
export LC_ALL=C
unset ARGP_HELP_FMT

# Seconds after which a test is ended.  Sanitizers make some tests four times slower.
case $bindir in
*-san) limit=1200 ;;
*) limit=300 ;;
esac

passed=0
failed=0

# run NAME COMMAND...
run()
{
  name=$1
  shift
  if timeout $limit "$@" >"$work/log" 2>&1 </dev/null; then
    passed=$((passed + 1))
    echo "ok      $name"
    sed -n 's/^skipped: /  | &/p' "$work/log"
  else
    echo "FAILED  $name (exit $?)"
    sed 's/^/  | /' "$work/log"
    failed=$((failed + 1))
  fi
}

for unit in "$@"; do
  run "${unit#*tests/}" "$unit"
done
# Whole stacks, slow as they are: only they show which leaks are SimGrid's.
for file in tests/cli/*.tesh; do
  run "${file#tests/}" env "ASAN_OPTIONS=$ASAN_OPTIONS:fast_unwind_on_malloc=0" tesh --cd "$work/cli" --setenv "bindir=$bindir" "$root/$file"
done
for file in tests/cli/*.sh; do
  run "${file#tests/}" sh "$file" "$bindir/haichi"
done

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
