#!/bin/sh
# usage: tests/peers/generated.sh BUILD
# The generators of npb: specs against traces of the real benchmarks, the NAME.tar.zst in the folders
# NPB (default tests/data tests/data/calls).  Compares for each the calls of every rank, without computations
# and marks; the matrix; and, with computations of length 0, the simulated time under two mappings.
# Prints a table; exits 1 if there is a difference.
set -eu
build=$(cd "$1" && pwd)
haichi=$build/haichi
: "${NPB:=tests/data tests/data/calls}"
# shellcheck source=tests/peers/lib.sh
. tests/peers/lib.sh
bad=0

# spec_of NAME: prints the spec: npb:cg.A.64@2 for cg.A.64.2it, all iterations for cg.S.16 and mg.A.64.fullit
spec_of() {
  echo "npb:$1" | sed -E 's/\.([0-9]+)it$/@\1/; s/\.fullit$//'
}

# calls TRACE DIR: writes a file for each rank, without computations, marks and comments
calls() {
  rm -rf "$2"
  "$haichi" trace convert "$1" -o "$2" 2>"$work/err" || return 0
  for rank in "$2"/ranks/*; do
    sed '/^#/d; / compute /d' "$rank" >"$work/rank"
    mv "$work/rank" "$rank"
  done
}

# verdict COMMAND...: prints "equal" or "DIFFER" by its exit code
verdict() {
  if "$@" >"$work/differ" 2>&1; then
    echo equal
  else
    echo DIFFER
  fi
}

same_matrix() {
  "$haichi" trace matrix "$1" -o "$work/a" && "$haichi" trace matrix "$2" -o "$work/b" &&
    cmp "$work/a" "$work/b"
}

same_times() {
  torus=$(torus_of "$(ranks_of "$3")")
  for mapping in xyz random:seed=7; do
    a=$(ours "$1" "$torus" $mapping smpi --compute-scale 0)
    b=$(ours "$2" "$torus" $mapping smpi --compute-scale 0)
    [ -n "$a" ] && [ "$a" = "$b" ] || return 1
  done
}

printf '%-18s %-18s %-6s %-6s %s\n' trace generator calls matrix times
for folder in $NPB; do
  for archive in "$folder"/*.tar.zst; do
    name=$(basename "$archive" .tar.zst)
    spec=$(spec_of "$name")
    calls "$archive" "$work/real"
    calls "$spec" "$work/generated"
    calls=$(verdict diff -r "$work/real/ranks" "$work/generated/ranks")
    matrix=$(verdict same_matrix "$archive" "$spec")
    times=$(verdict same_times "$archive" "$spec" "$name")
    printf '%-18s %-18s %-6s %-6s %s\n' "$name" "$spec" "$calls" "$matrix" "$times"
    [ "$calls$matrix$times" = equalequalequal ] || bad=$((bad + 1))
  done
done
echo "$bad differ"
[ $bad -eq 0 ]
