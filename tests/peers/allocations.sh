#!/bin/sh
# usage: tests/peers/allocations.sh BUILD TOPOLOGY SINFO
# Mapper auto on random allocations of a real machine: TOPOLOGY is what `scontrol show topology` prints, SINFO what `sinfo`
# prints.  Compares the load of the fullest link between switches and hop-bytes with Slurm's alphabetical order (xyz), with
# the hosts sorted by switch (xyz:order=number) and with Scotch.
# The environment may say otherwise:
#   CASES (1000) SEED (1)   SIZES ("64 128 256 512")   GRAPHS   OPTIONS: of the platform   KEEP=DIR keeps allocations and tables
# An allocation: nodes that are down or drained are never free; idle ones are; the others belong to jobs, runs of nodes in
# the order of their names with sizes from 1 to 256, of which a random share has ended.  A third of the allocations take the
# free nodes in the order of their names from a random one on, a third the switches with most free nodes first, a third draw.
set -eu
[ $# -eq 3 ] || {
  sed -n '2p' "$0" | cut -c3- >&2
  exit 2
}
haichi=$(cd "$1" && pwd)/haichi topology=$2 sinfo=$3
: "${CASES:=1000}" "${SEED:=1}" "${SIZES:=64 128 256 512}" "${OPTIONS:=}"
: "${GRAPHS:=grid2 grid3 cg bt mg geometric}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
keep=${KEEP:-$work}
mkdir -p "$keep"
platform=slurm:$topology$OPTIONS
