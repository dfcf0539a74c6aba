#!/bin/sh
# usage: tests/cli/profiles.sh HAICHI
# Random profiles of speeds, bandwidths and latencies have the effect that SimGrid gives them.
exec sh "$(dirname "$0")/../peers/profiles.sh" "$1" 1 6
