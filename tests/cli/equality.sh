#!/bin/sh
# usage: tests/cli/equality.sh HAICHI
# Engine flow against SimGrid on the committed traces and some random programs: after the first 20
# those in which it counts in which order ranks test, probe and wait at one date.  The larger trace,
# for which the sanitizers make SimGrid too slow, is chaotic at random: docs/validation.md.
build=$(dirname "$1")
export NPB=tests/data
TRACES='*.S.16' SEEDS="$(seq 20) 44 90 92 172 195 239 284 294 336 391 466" \
  tests/peers/equality.sh "$build" || exit 1
case $1 in
*-san/*) ;;
*) TRACES='cg.*' MAPPINGS=xyz SEEDS='' exec tests/peers/equality.sh "$build" ;;
esac
