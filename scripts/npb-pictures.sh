#!/bin/sh
# usage: scripts/npb-pictures.sh HAICHI [DIR]
# Writes the heat maps of docs/npb.md, one a benchmark, to DIR (docs/npb).
set -eu

haichi=$1
dir=${2:-docs/npb}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
mkdir -p "$dir"
for bench in bt cg ep ft is lu mg sp; do
  "$haichi" trace matrix "npb:$bench.A.64" -o "$work/matrix.tsv"
  "$haichi" plot matrix "$work/matrix.tsv" -o "$dir/$bench.png"
done
