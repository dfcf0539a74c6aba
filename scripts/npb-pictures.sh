#!/bin/sh
# usage: scripts/npb-pictures.sh HAICHI [DIR]
# Draws the traffic matrices of docs/npb.md, one for each benchmark, and of docs/hpl.md into DIR (default docs/npb).
set -eu

haichi=$1
dir=${2:-docs/npb}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
mkdir -p "$dir"
# draw PICTURE SPEC: draws the traffic matrix of trace SPEC
draw() {
  "$haichi" trace matrix "$2" -o "$work/matrix.tsv"
  "$haichi" plot matrix "$work/matrix.tsv" -o "$dir/$1.png"
}
for bench in bt cg ep ft is lu mg sp; do
  draw $bench npb:$bench.A.64
done
draw hpl hpl:N=2000,NB=80,P=4,Q=4
