#!/bin/sh
# usage: tests/cli/generated.sh HAICHI
# Compares the generators with the committed traces of real benchmarks; `make generated' compares with other traces.
NPB="tests/data tests/data/calls" exec tests/peers/generated.sh "$(dirname "$1")"
