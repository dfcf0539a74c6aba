#!/bin/sh
# usage: tests/cli/engines.sh HAICHI
# Engine flow against SimGrid on the committed traces and some random programs.
PROGRAMS=20 exec tests/peers/engines.sh "$(dirname "$1")"
