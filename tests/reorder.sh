#!/bin/sh
# usage: tests/reorder.sh BUILD [CASES]
# The argument `reorder` under libhaichi-reorder on 1 to 48 oversubscribed ranks, under Open MPI and MPICH: CASES (200) random
# topologies (tests/data/reorder/checker.c) on tori, fat trees and dragonflies with shuffled hosts.  The checker uses
# nothing of haichi.  Then the programs of open-mpi/ompi issues 8939 and 11756, three Fortran bindings, the recorder in either
# order, and faults that the checker must find.  Prints a line per run; exits 1 if one fails.
set -u
cd "$(dirname "$0")/.." || exit 1
build=$(cd "$1" && pwd) cases=${2:-200} root=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
. tests/mpi.sh
status=0

# run MPI RANKS FIRST LAST PLATFORM: the cases FIRST to LAST
run()
{
  "$build/haichi" map random:seed="$2" -p "$5" --ranks "$2" -o "$work/hosts" || exit 1
  # shellcheck disable=SC2046 # words
  LD_PRELOAD=$build/reorder/libhaichi-reorder.so HAICHI_PLATFORM=$5 HAICHI_HOSTS=$work/hosts \
    timeout 600 $(launcher "$1" "$2") "$work/checker-$1" "$3" "$4" >"$work/log" 2>&1 || status=1
  echo "$1, $2 ranks on $5: $(cat "$work/log")"
  grep -q ' 0 wrong' "$work/log" || status=1
}

for mpi in $mpis; do
  "mpicc.$mpi" -w -O1 -o "$work/checker-$mpi" tests/data/reorder/checker.c || exit 1
  first=1 number=0
  for ranks in 1 2 3 4 6 8 12 16 24 48; do
    number=$((number + 1))
    last=$((cases * number / 10))
    case $((number % 3)) in
    0) platform=torus:8x4x2 ;;
    1) platform='fattree:down=8x8,up=1x2,cables=1x1' ;;
    *) platform=dragonfly:groups=3,chassis=2,routers=4,nodes=2 ;;
    esac
    run "$mpi" $ranks $first $last $platform
    first=$((last + 1))
  done
done
for test in graphs world checker; do
  if sh "tests/cli/reorder_$test.sh" "$build/haichi" >"$work/log" 2>&1; then
    echo "tests/cli/reorder_$test.sh: ok"
  else
    echo "tests/cli/reorder_$test.sh: FAILED" && cat "$work/log" && status=1
  fi
done
exit $status
