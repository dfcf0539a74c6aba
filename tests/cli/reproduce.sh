#!/bin/sh
# usage: tests/cli/reproduce.sh HAICHI
# megascript.sh: all of tables 3 to 10 on a few small inputs.  mcmpi.sh: on 16 ranks, all its tables are whole and
# statements that do not hold have a reason.
set -eu

haichi=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$(dirname "$0")/../.."

# megascript.sh: every figure of the paper has a figure here or a reason, and single is executed as fast as itself.
NETWORKS=2 PLATFORMS=2 RUNS=1 SCALES='1 10' scripts/reproduce/megascript.sh "$haichi" "$work/mega" >/dev/null
awk -F'\t' '
  function bad(why) { print "megascript.sh: " why ": " $0; status = 1 }
  FNR == 1 { file++; width = NF }
  NF != width || FNR > 1 && $NF == "" { bad("not " width " columns, or an empty one") }
  FNR == 1 { next }
  file == 1 { pairs[$4 " " $5 " " $6]++; if ($7 <= 0 || $8 <= 0 || $8 > 1) bad("no makespan or use") }
  file == 2 { tables[$1]++ }
  file == 3 { tables[$1]++ }
  file > 1 && /\treproduced\t/ && $NF != "-" { bad("holds, with a reason") }
  file > 1 && /\tnot\t/ && $NF == "-" { bad("does not hold, no reason") }
  file == 2 && $1 == 5 && $2 ~ /^hierarchical, competing 0/ { ratio = $4 }
  file == 3 && $1 == 5 && $2 ~ /at each load/ { split($4, first, " "); if (first[1] - ratio > 1e-3 || ratio - first[1] > 1e-3) bad("another ratio than " ratio) }
  END {
    for (t = 3; t <= 10; t++) if (t != 7 && !tables[t]) { print "megascript.sh: nothing on table " t; status = 1 }
    if (pairs["local none 0"] != 6 || pairs["hierarchical random 100"] != 4) { print "megascript.sh: pairs are missing"; status = 1 }
    exit status
  }' "$work/mega/runs.tsv" "$work/mega/tables.tsv" "$work/mega/statements.tsv"

sed 's/=64x/=4x/' platforms/intrigger4.clusters >"$work/1fw.clusters"
sed 's/=64x/=4x/' platforms/intrigger4-3fw.clusters >"$work/3fw.clusters"
PLATFORM=clusters:$work/1fw.clusters FIREWALLS=clusters:$work/3fw.clusters RANKS=16 GRAPHS=1000 DENSITIES='1 4' WORK=1 \
  BENCHMARKS='bt.S@1 ep.S@1 is.S@1 lu.S@1 mg.S@1 sp.S@1' \
  scripts/reproduce/mcmpi.sh "$haichi" "$work/mcmpi" >/dev/null 2>"$work/err" || {
  cat "$work/err"
  exit 1
}
awk -F'\t' '
  FNR == 1 { columns = NF; files++ }
  NF != columns { print FILENAME ": not " columns " columns: " $0; status = 1 }
  { for (i = 1; i <= NF; i++) if ($i == "") { print FILENAME ": nothing in column " i ": " $0; status = 1 } }
  FILENAME !~ /statements/ || FNR == 1 { rows[FILENAME] = FNR; next }
  { said++; here[$3]++ }
  ($3 == "reproduced") != ($5 == "-") { print "a reason where it holds, or none: " $0; status = 1 }
  END {
    if (files != 10 || said != 53 || here["reproduced"] + here["not"] != said || !here["not"]) {
      print files " tables, " said " statements, " here["reproduced"] " hold, " here["not"] " do not"
      status = 1
    }
    exit status
  }' "$work"/mcmpi/*.tsv
[ "$(find "$work/mcmpi" -name '*.svg' -size +1k | wc -l)" = 6 ] || { echo 'not 6 pictures'; exit 1; }
