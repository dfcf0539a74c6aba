# For tests/cli/*.sh to source, as `. "$(dirname "$0")/../shell.sh"`.  Sets $haichi and $root, absolute paths; $work, an
# empty folder, which becomes the current one and is removed when the test ends; $status, 0; and defines fail.  A `make`
# in a test does not inherit the variables (CC=clang) of the make that runs the tests.
# shellcheck shell=sh disable=SC2034 # for the scripts that source it
set -u
unset MAKEFLAGS MFLAGS MAKEOVERRIDES
haichi=$(cd "$(dirname "$1")" && pwd)/$(basename "$1") || exit 1
root=$(cd "$(dirname "$0")/../.." && pwd) || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
status=0

# fail MESSAGE...: prints it and makes the test fail, which goes on
fail()
{
  echo "$*"
  status=1
}
