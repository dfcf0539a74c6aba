#!/bin/sh
# usage: tests/cli/generated.sh HAICHI
# The generators against the committed traces of real benchmarks; `make generated' takes others.
NPB="tests/data tests/data/calls" exec tests/peers/generated.sh "$(dirname "$1")"
