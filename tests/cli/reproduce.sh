#!/bin/sh
# usage: tests/cli/reproduce.sh HAICHI
# statements.tsv of scripts/reproduce/sfmopt.sh on small inputs: each statement that does not hold
# has a reason, none that holds has one, and what is known of the usual inputs is not said of others.
# sfmopt_times.sh: it compares the mappings of fmopt and mopt, and finds that the paper's own times
# bear the paper's statements out and that others do not.
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

NODES=128 RUNS=1 MOPT_SECONDS=100 scripts/reproduce/sfmopt_times.sh "$haichi" "$work/times" >/dev/null
awk -F'\t' '
  NF != 5 { print "not 5 columns: " $0; status = 1 }
  $1 == "3.2" && $3 == "reproduced" && $4 == "minlink:128 mincost:128" { same = 1 }
  $3 == "not" && ($5 == "-" || $5 == "") { print "no reason: " $0; status = 1 }
  END {
    if (!same) print "fmopt is not compared with mopt"
    exit status || !same
  }' "$work/times/statements.tsv"

# measured POWER: what the paper could have measured, the time of sfmopt growing with nodes^POWER
measured() {
  awk -v power="$1" 'BEGIN {
    OFS = "\t"
    print "mapper", "objective", "traffic", "nodes", "threads", "user_s", "elapsed_s", "mapping"
    gain["minlink"] = 4
    gain["mincost"] = 6.8
    fmopt = 0.3
    for (n = 128; n <= 16384; n *= 2) {
      sfmopt = n < 1024 ? 0.4 : 31 * (n / 8192) ^ power
      fmopt = n == 8192 ? 547 : fmopt * (n == 128 ? 1 : n == 1024 ? 4 : 3)
      print "xyz", "-", "dense", n, 1, 0.5, 0.5, "a"
      print "none", "-", "dense", n, 1, 0.5 + 0.32 * sfmopt, 1, "b"
      for (o in gain) {
        s = o == "minlink" ? sfmopt : 0.32 / 0.67 * sfmopt
        f = o == "minlink" ? fmopt : fmopt / 3
        print "fmopt", o, "dense", n, 1, 0.5 + f, f, "c" n
        print "sfmopt", o, "dense", n, 1, 0.5 + s, s, "d"
        print "fmopt-half", o, "dense", n, 1, 0.5 + s / (n == 8192 ? 1.1 : 1.05), s, "e"
        print "mopt", o, "dense", n, 1, 0.5 + gain[o] * f, f, "c" n
        if (n == 256) print "mopt", o, "grid", n, 1, 0.5 + gain[o] * f, f, "g"
      }
    }
  }'
}
measured 1 >"$work/paper.tsv"
TIMES=$work/paper.tsv scripts/reproduce/sfmopt_times.sh "$haichi" "$work/paper" >/dev/null
measured 2 >"$work/other.tsv"
TIMES=$work/other.tsv scripts/reproduce/sfmopt_times.sh "$haichi" "$work/other" >/dev/null
awk -F'\t' 'FNR > 1 && $3 != "reproduced" && $1 != 7 { print "the paper'\''s own times: " $0; status = 1 }
  END { exit status || FNR < 20 }' "$work/paper/statements.tsv"
awk -F'\t' '$2 ~ /nearly linear/ { found = $3 } END { exit found != "not" }' "$work/other/statements.tsv" ||
  { echo 'growth with the square of the nodes passes for linear'; exit 1; }

