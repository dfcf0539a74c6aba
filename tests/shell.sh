# For tests/cli/*.sh to source, as `. "$(dirname "$0")/../shell.sh"`: $haichi and $root, absolute; $work, an
# empty folder that goes with the test, in which it goes on; fail and $status.  A `make` in a test
# does not inherit the variables (CC=clang) of the one that runs the tests.
# shellcheck shell=sh disable=SC2034 # for those who source it
set -u
unset MAKEFLAGS MFLAGS MAKEOVERRIDES
haichi=$(cd "$(dirname "$1")" && pwd)/$(basename "$1") || exit 1
root=$(cd "$(dirname "$0")/../.." && pwd) || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
status=0

fail()
{
  echo "$*"
  status=1
}
