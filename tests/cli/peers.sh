#!/bin/sh
# usage: tests/cli/peers.sh HAICHI
# Compares the committed traces and a few random programs with smpirun; `make peers` compares more of both.
NPB=tests/data PROGRAMS=20 exec tests/peers/peers.sh "$(dirname "$1")"
