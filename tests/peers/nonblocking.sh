#!/bin/sh
# usage: tests/peers/nonblocking.sh BUILD
# Nonblocking collectives against programs that smpirun executes (posted.c): random programs, one for
# each of SEEDS, whose traces, written by SMPI's tracer, both engines simulate on numbers of ranks
# (RANKS), in order and at random.  Prints the number of runs, of those with a difference above 0.0001 %,
# and the largest difference; exits 1 if a difference is above that.
set -eu
build=$(cd "$1" && pwd)
haichi=$build/haichi
# shellcheck source=tests/peers/lib.sh
. tests/peers/lib.sh
: "${SEEDS:=$(seq 20)}" "${RANKS:=2 5 8 16}" "${MAPPINGS:=xyz random:seed=7}" "${ROUNDS:=6}"
bad=0 runs=0 most=0
precision=1e-12
smpicc -O1 -o "$work/posted" tests/peers/posted.c
"$haichi" platform torus:4x2x2 -o "$work/p.xml"

# judge OURS: compares one engine's time with smpirun's, $them.
judge() {
  d=$(difference "${1:-0}" "${them:-nan}")
  runs=$((runs + 1))
  ! above "$d" "$most" || most=$d
  if [ -z "$1" ] || [ -z "$them" ] || above "$d" 0.0001; then
    bad=$((bad + 1))
    echo "seed $seed, $ranks ranks, $mapping, $engine: ${1:-failed}, smpirun ${them:-failed}"
  fi
}

for seed in $SEEDS; do
  for ranks in $RANKS; do
    for mapping in $MAPPINGS; do
      rm -rf "$work"/t.txt*
      "$haichi" map "$mapping" --platform "$work/p.xml" --ranks "$ranks" -o "$work/hosts"
      them=$(smpirun -np "$ranks" -platform "$work/p.xml" -hostfile "$work/hosts" -trace-ti \
        --cfg=tracing/filename:"$work/t.txt" --cfg=smpi/simulate-computation:no \
        --cfg=surf/precision:$precision "$work/posted" "$seed" "$ROUNDS" 2>/dev/null |
        sort -g | tail -1)
      for engine in simgrid flow; do
        judge "$(ENGINE=$engine ours "$work/t.txt" "$work/p.xml" "$work/hosts" smpi \
          --precision $precision)"
      done
    done
  done
done
echo "nonblocking: $runs runs, $bad above 0.0001 %, the largest difference $most %"
[ "$bad" -eq 0 ]
