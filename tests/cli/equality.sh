#!/bin/sh
# usage: tests/cli/equality.sh HAICHI
# Engine flow against SimGrid on the committed traces and some random programs; the sanitizers make
# SimGrid too slow for the larger trace.
case $1 in
*-san/*) export TRACES='*.S.16' ;;
esac
NPB=tests/data PROGRAMS=20 exec tests/peers/equality.sh "$(dirname "$1")"
