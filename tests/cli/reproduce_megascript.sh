#!/bin/sh
# usage: tests/cli/reproduce_megascript.sh HAICHI
# scripts/reproduce/megascript.sh: small runs have all rows; with the paper's values its statements are reproduced, and they
# are not reproduced with another scheduler or with changed values.
. "$(dirname "$0")/../shell.sh"

# reproduce OUT [NAME=VALUE...]: small runs
reproduce()
{
  out=$1
  shift
  env HAICHI="$haichi" SEEDS=1..2 NETWORKS=1 FACTORS='1 10' "$@" \
    "$root/scripts/reproduce/megascript.sh" "$out" >log 2>err || fail "megascript.sh $*: $(cat err)"
}

# verdict OUT PATTERN: prints and counts the verdicts on the statements that match
verdict()
{
  awk -F '\t' -v pattern="$2" 'FNR > 1 && $2 ~ pattern { print $6 }' "$1/verdicts.tsv" | sort |
    uniq -c | sed 's/^ *//'
}

reproduce small/out
awk -F '\t' '
  FNR == 1 { next }
  NF != 8 || /nan|inf/ { print "no number or not 8 columns: " $0; status = 1 }
  $6 !~ /^(reproduced|consistent|not reproduced|cannot be checked)$/ {
    print "a verdict: " $0
    status = 1
  }
  $7 != ($2 ~ /time x/ ? "of=time" : "-") { print "fitted or not: " $0; status = 1 }
  { sections[$1]++ }
  END {
    if (FNR != 60 || sections["5.3"] != 27 || sections["5.4"] != 19) {
      print FNR " lines, " sections["5.3"] " of 5.3, " sections["5.4"] " of 5.4"
      status = 1
    }
    exit status
  }' small/out/verdicts.tsv || fail 'bad rows in small/out/verdicts.tsv'
grep -q '^MEGA .* 59 statements:' log || fail 'the output lacks the number of statements'
[ "$(verdict small/out 'Figure 10')" = '2 reproduced' ] ||
  fail "figure 10: $(verdict small/out 'Figure 10')"

reproduce mutated/out MUTATE=hierarchical=mcp
verdict mutated/out 'Figure 10' | grep -q '^[12] not reproduced' ||
  fail 'figure 10 is reproduced with another scheduler'

# paper: writes the files to values/ that a run in agreement with the paper would write
paper()
{
  mkdir -p values
  cp small/out/figure10.tsv values
  awk -v OFS='\t' '
    function put(hosts, scheduler, steal, load, speedup,   seed, by) {
      for (seed = 1; seed <= 3; seed++) {
        by = load == "none" ? 1 : 1 + (seed - 2) / 100
        print hosts, seed, "net", load, scheduler, steal, 100 / speedup * by, 0.05
      }
    }
    function both(hosts, scheduler, steal, values,   v, m, models) {
      split(values, v, " ")
      put(hosts, scheduler, steal, "none", v[1])
      m = split(" +links:p=0.1,of=bandwidth +links:p=0.1,of=time", models, " ")
      models[0] = ""
      for (m = 0; m <= 2; m++) {
        put(hosts, scheduler, steal, "tasks:10" models[m], v[2])
        put(hosts, scheduler, steal, "tasks:100" models[m], v[3])
      }
    }
    BEGIN {
      print "hosts", "seed", "network", "load", "scheduler", "steal", "makespan_s", "machine_use"
      both("equal", "single", "none", "1 0.8330 0.4621")
      both("equal", "single", "random", "1.3440 1.0090 0.5326")
      both("unequal", "single", "none", "1 0.8529 0.4774")
      both("unequal", "single", "random", "1.4740 1.1648 0.6208")
      both("unequal", "hierarchical", "none", "9.8294 6.2993 3.3062")
      both("unequal", "hierarchical", "random", "9.7173 7.0457 3.7951") # 9.8294 * table 6
      put("best", "best", "none", "none", 10)
    }' >values/runs.tsv
  printf '%s\t%s\t1\n' A 1.025 B 1.109 1 1.06 2 1.07 3 1.08 >values/small.tsv
  awk -v OFS='\t' 'BEGIN {
    n = split("A B 1 2 3", name, " ")
    for (i = 1; i <= n; i++) {
      print 1, name[i], 0.7
      print 10, name[i], 0.7 * 0.989
      print 100, name[i], 0.7 * 0.988
    }
  }' >values/sizes.tsv
  for s in 1 2 3; do
    printf '%s\t%s\t%s\t%s\n' $s single 1 4.83 $s single 10 2812.90
    printf '%s\t%s\t%s\t%s\n' $s hierarchical 1 1.91 $s hierarchical 10 63.94
  done >values/seconds.tsv
}

judge()
{
  JUDGE=1 HAICHI="$haichi" "$root/scripts/reproduce/megascript.sh" values >log 2>err ||
    fail "judging: $(cat err)"
}

paper
judge
awk -F '\t' '$6 == "not reproduced" { print; n++ } END { exit n > 0 }' values/verdicts.tsv ||
  fail "these statements are not reproduced with the values of the paper"

# broken FILE PATTERN SED: a matching statement is not reproduced after SED has changed the file
broken()
{
  paper
  sed "$3" "values/$1" >changed && mv changed "values/$1"
  judge
  verdict values "$2" | grep -q 'not reproduced' || fail "$1 changed by $3: $(verdict values "$2")"
}

# Changes: hierarchical as slow as single, load or stealing without effect, another structure of the network, schedules far
# from the optimum, less use at a larger scale, twice the growth, elements that are not moved.
broken runs.tsv '6.9 to 9.8 times' 's/hierarchical\tnone\t[0-9.]*/hierarchical\tnone\t100/'
broken runs.tsv 'run time grows' 's/\(tasks:.*single\tnone\t\)[0-9.]*/\1100/'
broken runs.tsv 'improvement at every' 's/single\trandom\t[0-9.]*/single\trandom\t300/'
broken runs.tsv 'about 34 %' 's/\(equal.*none\tsingle\trandom\t\)[0-9.]*/\150/'
broken small.tsv 'high precision' 's/1\.0[678]/2/'
broken sizes.tsv 'as high as' 's/^10\t2.*/10\t2\t0.6/'
broken seconds.tsv 'about 580 times' 's/2812.90/5625.80/'
broken figure10.tsv 'Figure 10 .b.' 's/^\(8\tii.*\)HG3/\1HG4/'
exit $status
