#!/bin/sh
# usage: tests/cli/peers.sh HAICHI
# The committed traces and a few random programs against smpirun; `make peers` does more of both.
NPB=tests/data PROGRAMS=20 exec tests/peers/peers.sh "$(dirname "$1")"
