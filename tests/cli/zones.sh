#!/bin/sh
# usage: tests/cli/zones.sh HAICHI
# On random platforms of nested zones the routes agree with SimGrid's, link by link.
exec sh "$(dirname "$0")/../peers/zones.sh" "$(dirname "$1")/tests/peers/routes" 1 25
