#!/bin/sh
# usage: tests/cli/equality.sh HAICHI
# Compares engine flow with SimGrid on the committed traces and some random programs.  The programs after the first 20
# depend on the order in which ranks test, probe and wait at one date.  The larger trace runs with one mapping only, because
# random mappings make its times chaotic (docs/validation.md), and not with sanitizers, which make SimGrid too slow.
build=$(dirname "$1")
export NPB=tests/data
TRACES='*.S.16' SEEDS="$(seq 20) 44 90 92 172 195 239 284 294 336 391 466" \
  tests/peers/equality.sh "$build" || exit 1
case $1 in
*-san/*) ;;
*) TRACES='cg.*' MAPPINGS=xyz SEEDS='' exec tests/peers/equality.sh "$build" ;;
esac
