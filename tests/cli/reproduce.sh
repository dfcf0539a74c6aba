#!/bin/sh
# usage: tests/cli/reproduce.sh HAICHI
# statements.tsv of scripts/reproduce/sfmopt.sh on small inputs: each statement that does not hold
# has a reason, none that holds has one, and what is known of the usual inputs is not said of others.
set -eu

haichi=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$(dirname "$0")/../.."

BENCHMARKS='cg.S.16 bt.S.16 mg.S.16 sp.S.16' ITERATIONS=1 PLATFORMS='mesh:4x2x2 torus:8x8x8' \
  scripts/reproduce/sfmopt.sh "$haichi" "$work/out" >/dev/null 2>"$work/err" || {
  cat "$work/err"
  exit 1
}
awk -F'\t' '
  function bad(why) { print why ": " $0; status = 1 }
  NF != 6 { bad("not 6 columns") }
  NR == 1 { next }
  { here[$4]++ }
  $4 == "reproduced" && $6 != "-" { bad("holds, with a reason") }
  $4 == "not" && ($6 == "-" || $6 == "") { bad("does not hold, no reason") }
  $6 ~ /docs\/mopt\.md/ { bad("a reason of other inputs") }
  END {
    if (NR != 37 || here["reproduced"] + here["not"] != 36 || !here["reproduced"] || !here["not"]) {
      print NR - 1 " statements, " here["reproduced"] " hold, " here["not"] " do not"
      status = 1
    }
    exit status
  }' "$work/out/statements.tsv"
