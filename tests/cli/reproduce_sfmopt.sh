#!/bin/sh
# usage: tests/cli/reproduce_sfmopt.sh HAICHI
# scripts/reproduce/sfmopt.sh on small inputs: statements are not reproduced if a random mapping replaces sfmopt or fmopt.
# sfmopt_times.awk: the statements are reproduced with the paper's times, and not with other times.
. "$(dirname "$0")/../shell.sh"
set -e
export HAICHI="$haichi"
cd "$root"

# expect NAME SECTION TEXT VERDICT: all statements with TEXT in a section have VERDICT
expect() {
  awk -F'\t' -v section="$2" -v text="$3" -v verdict="$4" -v name="$1" '
    index($1, section) != 1 || !index($2, text) { next }
    { found++ }
    $6 != verdict { print name ": " $6 ", not " verdict ": " $0; bad = 1 }
    END {
      if (!found) print name ": no statement of " section " has \"" text "\""
      exit bad || !found
    }' "$work/$1/verdicts.tsv" || status=1
}

# small NAME MUTATION
small() {
  MUTATE=$2 TIMES=none CLASS=A NODES=64 BLOCKS=2@3 OTHERS=16:A SEEDS=1..2 KINDS=torus \
    scripts/reproduce/sfmopt.sh "$work/$1" >"$work/$1.txt" || fail "$1: sfmopt.sh fails"
}
small whole ''
small random sfmopt=random:seed=1
mg='4.2.2 figure 12, torus, 64 nodes'
good='4.2.2 figure 11, torus, other sizes'
expect whole "$mg" 'in MG' reproduced
expect whole "$good" 'compared with the XYZ' reproduced
expect random "$good" 'compared with the XYZ' 'not reproduced'
awk -F'\t' '
  NF != 8 { print "not 8 columns: " $0; bad = 1 }
  /nodes\t/ && /fitted/ && $6 == "reproduced" { print "fitted, but reproduced: " $0; bad = 1 }
  $1 ~ /, 64 nodes/ && $2 !~ /MG/ { fitted += $7 != "-"; all++ }
  $1 ~ /random orders/ { orders += $5 != "-"; drawn++ }
  END {
    if (!all || fitted != all) { print fitted " of " all " statements are printed as fitted"; bad = 1 }
    if (!drawn || orders != drawn) { print orders " of " drawn " statements over orders have an interval"; bad = 1 }
    exit bad
  }' "$work/whole/verdicts.tsv" || status=1

# timed NAME MUTATION
timed() {
  mkdir "$work/$1"
  MUTATE=$2 NODES=128 MOPT_NODES=128 RUNS=1 BATCH=1 scripts/reproduce/sfmopt_times.sh "$HAICHI" "$work/$1" >/dev/null
  awk -f scripts/reproduce/verdicts.awk -f scripts/reproduce/checks.awk -f scripts/reproduce/sfmopt_times.awk \
    -v task=judge -v cores=2 "$work/$1/times.tsv" >"$work/$1/verdicts.tsv"
}
timed same ''
expect same 3.2 'same output as MOPT' reproduced
timed other fmopt=random:seed=1
expect other 3.2 'same output as MOPT' 'not reproduced'

# measured NAME POWER: times as in the paper, except that the time of sfmopt grows with nodes^POWER
measured() {
  mkdir "$work/$1"
  awk -v power="$2" '
    function row(mapper, objective, n, seconds, mapping, traffic,   i) {
      for (i = 0; i < 3; i++)
        print mapper, objective, traffic == "" ? "dense" : traffic, n, 1, i, 0.5 + seconds, 0.5 + seconds, mapping
    }
    BEGIN {
      OFS = "\t"
      print "mapper", "objective", "traffic", "nodes", "threads", "run", "cpu_s", "elapsed_s", "mapping"
      split("minlink mincost", objectives, " ")
      fmopt = 0.03
      gain["mincost", 128] = 7; gain["mincost", 256] = 6; gain["mincost", 512] = 6.2
      gain["mincost", 1024] = 7; gain["mincost", 2048] = 6
      row("xyz", "minlink", 256, 0, "-", "grid")
      for (n = 128; n <= 16384; n *= 2) {
        sfmopt = n < 1024 ? 0.4 : 31 * (n / 8192) ^ power
        fmopt = n == 8192 ? 547 : fmopt * (n == 128 ? 1 : n == 1024 ? 5 : 3)
        row("xyz", "-", n, 0, "a")
        row("none", "-", n, 0.32 * sfmopt, "b")
        for (k = 1; k <= 2; k++) {
          o = objectives[k]
          s = o == "minlink" ? sfmopt : 0.32 / 0.67 * sfmopt
          f = o == "minlink" ? fmopt : fmopt / 3
          g = o == "minlink" ? 4 : gain[o, n]
          row("fmopt", o, n, f, "c" n)
          row("sfmopt", o, n, s, "d")
          row("fmopt-half", o, n, s / (n == 8192 ? 1.1 : 1.05), "e")
          if (n > 2048 || (o == "minlink" && n > 512)) continue
          row("mopt", o, n, g * f, "c" n)
          row("mopt-distinct", o, n, f, "c" n)
          row("mopt-selection", o, n, 0.005 * f, "b")
          if (n == 256) row("mopt", o, n, g * f, "g", "grid")
        }
      }
    }' >"$work/$1/times.tsv"
  awk -f scripts/reproduce/verdicts.awk -f scripts/reproduce/checks.awk -f scripts/reproduce/sfmopt_times.awk \
    -v task=judge -v cores=2 "$work/$1/times.tsv" >"$work/$1/verdicts.tsv"
}
measured paper 1
measured square 2
# One statement contradicts the sizes that the paper prints.
awk -F'\t' '$6 == "not reproduced" && $2 !~ /at 128, 512 and 8192/ { print "the paper'\''s own times: " $0; bad = 1 }
  END { exit bad || FNR < 20 }' "$work/paper/verdicts.tsv" || status=1
expect square 4.2.1 'linear function' 'not reproduced'
exit $status
