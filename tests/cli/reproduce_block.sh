#!/bin/sh
# usage: tests/cli/reproduce_block.sh HAICHI
# Verdicts of scripts/reproduce/block.sh on two seeds of the model, without measured times: the statements are reproduced,
# and not reproduced if the unequal PUs are equal, if `joint` has the values of `separate`, if counts differ, or if errors
# or times are changed.
. "$(dirname "$0")/../shell.sh"
export SOURCES=model SEEDS=1..2 OTHERS=0 PUS='1 2 4' ITERATIONS=100 SIZE='130 66 66'

# run NAME HAICHI: writes the verdicts to NAME/verdicts.tsv
run()
{
  HAICHI="$2" "$root/scripts/reproduce/block.sh" "$1" >"$1.out" 2>&1 || { fail "$1: block.sh" && tail -n 5 "$1.out"; }
}

# verdict NAME WORDS: prints the verdict on the first statement with these words
verdict()
{
  awk -F'\t' -v words="$2" 'index($2, words) { print $6; exit }' "$1/verdicts.tsv"
}

# expect NAME VERDICT WORDS
expect()
{
  got=$(verdict "$1" "$3")
  [ "$got" = "$2" ] || fail "$1: '$3': $got, not $2"
}

# falls NAME WORDS: the statement is reproduced or consistent in plain/, and not reproduced in NAME/
falls()
{
  expect plain "$(verdict plain "$2" | grep -x 'reproduced\|consistent')" "$2"
  expect "$1" 'not reproduced' "$2"
}

# broken NAME FILE PROGRAM: judges again after awk has changed a table
broken()
{
  mkdir "$1"
  cp plain/*.tsv plain/settings.txt "$1"
  awk -F'\t' -v OFS='\t' "$3" "plain/$2" >"$1/$2"
  JUDGE=1 run "$1" "$haichi"
}

run plain "$haichi"
awk -F'\t' '
  NF != 8 { print "not 8 columns: " $0; status = 1 }
  NR > 1 { n++; of[$6]++ }
  $6 ~ /^(reproduced|consistent)$/ && $8 != "-" || $6 ~ /^(not|cannot)/ && $8 == "-" { print "reason: " $0; status = 1 }
  $6 == "consistent" && $7 == "-" { print "nothing fitted: " $0; status = 1 }
  END { exit status || n < 15 || !of["reproduced"] || !of["consistent"] }' plain/verdicts.tsv || fail 'bad rows in verdicts.tsv'
grep -q "^BLOCK *$(($(wc -l <plain/verdicts.tsv) - 1)) statements: " plain.out || fail 'the output lacks the number of statements'
for words in 'Measure the number of executions' 'sum over the blocks' 'for each PU the predicted totals' 'a short time' \
  'that should arise' 'can be expected to arise' 'unequal computing power'; do
  expect plain reproduced "$words"
done
for words in '1 % or less' 'the prediction rises'; do expect plain consistent "$words"; done
# With four PUs the times do not fall enough.
expect plain 'not reproduced' 'number of PUs'

SEEDS=1..1 UNEQUAL=equal run alike "$haichi"
falls alike 'unequal computing power'

# A line of `separate` stands before the line of `joint` of the same run and PU.
broken swapped runs.tsv '$5 == "separate" { for (i = 7; i <= NF; i++) of[$6, i] = $i }
  $5 == "joint" { for (i = 7; i <= NF; i++) $i = of[$6, i] } { print }'
for words in 'can be expected to arise' 'the prediction rises'; do falls swapped "$words"; done
broken summed facts.tsv '$1 == "sum_differs" { $2 = 1 } { print }'
falls summed 'sum over the blocks'
broken miscounted facts.tsv '$1 == "counts_differ" { $2 = 1 } { print }'
falls miscounted 'Measure the number of executions'
broken wrong runs.tsv '$5 == "joint" { $13 += 0.02 } { print }'
falls wrong '1 % or less'
broken waits runs.tsv '$5 == "separate" { $8 = $11 } { print }'
falls waits 'that should arise'
falls waits 'can be expected to arise'
broken slower pus.tsv '$1 == 4 { $2 = 1e9 } { print }'
expect slower reproduced 'number of PUs'
exit $status
