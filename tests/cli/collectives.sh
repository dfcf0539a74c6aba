#!/bin/sh
# usage: tests/cli/collectives.sh HAICHI
# Compares a few algorithms of collectives with smpirun, call by call, also without elements and with ranks that share
# hosts; tests/peers/collectives.sh compares all of them.  smpirun must end in each case.
set -eu
table=$(ALGORITHMS="bcast=NTSL allreduce=smp_binomial reducescatter=mpich_pair gatherv=default" \
  RANKS="3 8" SIZES="0 100003" CORES="1 2" PLATFORMS=torus:4x4x4 MAPPINGS=random:seed=7 \
  tests/peers/collectives.sh "$(dirname "$1")") || {
  echo "$table"
  exit 1
}
echo "$table" |
  awk 'NR > 1 && ($2 != 8 || $8 > 0) { print; bad = 1 } END { exit bad || NR != 5 }'
