#!/bin/sh
# usage: IS=PROGRAM tests/peers/is.sh BUILD
# Records IS of the NAS Parallel Benchmarks, class W, on 4 ranks, and compares its calls one by one with npb:is.W.4.  PROGRAM is compiled for the MPI library MPI (openmpi or mpich).
set -eu
build=$(cd "$1" && pwd)
: "${IS:?IS=PROGRAM: the executable of IS, class W}" "${MPI:=openmpi}"
is=$(cd "$(dirname "$IS")" && pwd)/$(basename "$IS")
root=$PWD
# shellcheck source=tests/peers/lib.sh
. tests/peers/lib.sh
# shellcheck source=tests/mpi.sh
. "$root/tests/mpi.sh"
cd "$work"

# shellcheck disable=SC2046 # words
"$build/haichi" record -o recorded -- $(launcher "$MPI" 4) "$is" >log 2>&1 || die "IS: $(tail -n 1 log)"
for trace in recorded npb:is.W.4; do
  "$build/haichi" trace convert "$trace" -o "${trace##*:}.ti" || die "$trace cannot be converted"
  for rank in 0 1 2 3; do
    grep -v -e ' compute ' -e '^#' "${trace##*:}.ti/ranks/rank-000$rank.txt"
  done >"${trace##*:}.calls"
done
cmp -s recorded.calls is.W.4.calls || die "the calls differ (<: recorded): $(diff recorded.calls is.W.4.calls | head -n 6)"
echo "IS: all $(wc -l <recorded.calls) calls of 4 ranks are equal"
