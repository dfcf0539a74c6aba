#!/bin/sh
# usage: tests/cli/zones.sh HAICHI
# Random platforms of zones within zones have SimGrid's routes, link by link.
exec sh "$(dirname "$0")/../peers/zones.sh" "$(dirname "$1")/tests/peers/routes" 1 25
