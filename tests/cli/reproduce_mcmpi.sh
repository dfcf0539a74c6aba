#!/bin/sh
# usage: tests/cli/reproduce_mcmpi.sh HAICHI
# scripts/reproduce/mcmpi.sh on small inputs: its tables and pictures are complete, and statements are not reproduced if
# their inputs are changed: random ranks in place of GRASP, three firewalls in place of one, a doubled closed form.
. "$(dirname "$0")/../shell.sh"

script=$root/scripts/reproduce/mcmpi.sh
sed 's/=64x/=4x/' "$root/platforms/intrigger4.clusters" >1fw.clusters
sed 's/=64x/=4x/' "$root/platforms/intrigger4-3fw.clusters" >3fw.clusters
export HAICHI="$haichi" SEEDS=1..2 RUNS=1 DRAWS=1 GRAPHS=1000 MANY=1000 JOBS=1
small="RANKS=16 PLATFORM=1fw.clusters FIREWALLS=3fw.clusters"
benchmarks='bt.S@1 ep.S@1 is.S@1 lu.S@1 mg.S@1 sp.S@1'

# judge OUT VARIABLE=VALUE...: runs the script
judge()
{
  to=$1
  shift
  env "$@" "$script" "$to" >log 2>err || fail "$to: $(cat err)"
}

# verdict OUT STATEMENT: prints the verdict on the first statement that begins with this text
verdict()
{
  awk -F'\t' -v text="$2" 'index($2, text) == 1 { print $6; exit }' "$1/verdicts.tsv"
}

# falls STATEMENT WHOLE BROKEN: the statement is reproduced in WHOLE and not in BROKEN
falls()
{
  [ "$(verdict "$2" "$1")" = reproduced ] || fail "$2: '$1' is '$(verdict "$2" "$1")'"
  [ "$(verdict "$3" "$1")" = 'not reproduced' ] || fail "$3: '$1' is '$(verdict "$3" "$1")'"
}

# All tables.
# shellcheck disable=SC2086 # several variables
judge all/mcmpi $small BENCHMARKS="$benchmarks"
awk -F'\t' '
  NF != 8 { print "not 8 columns: " $0; bad = 1 }
  FNR == 1 { next }
  { for (i = 1; i <= NF; i++) if ($i == "" || $i ~ /nan/) { print "column " i ": " $0; bad = 1 } }
  $6 !~ /^(reproduced|consistent|not reproduced|cannot be checked)$/ { print "verdict: " $0; bad = 1 }
  ($6 == "consistent") > ($7 != "-") { print "consistent, nothing fitted: " $0; bad = 1 }
  { verdicts[$6]++ }
  END {
    if (FNR < 60 || !verdicts["not reproduced"] || !verdicts["reproduced"]) { print FNR - 1 " statements"; bad = 1 }
    exit bad
  }' all/mcmpi/verdicts.tsv || fail 'bad rows in verdicts.tsv'
[ "$(find all/mcmpi -name '*.svg' -size +1k | wc -l)" = 6 ] || fail 'not 6 pictures'

# Random ranks in place of GRASP.
# shellcheck disable=SC2086
judge random/mcmpi $small BENCHMARKS="mg.S@1" PARTS=figure10 GRASP=random
falls 'MG: MC-MPI is about as fast as the best hostname order' all/mcmpi random/mcmpi

# Firewalls and the closed form, on the platforms of the paper.
judge graphs/mcmpi PARTS=figure6
judge walls/mcmpi PARTS=figure6 PLATFORM="$root/platforms/intrigger4-3fw.clusters"
falls '1FW: never disconnected' graphs/mcmpi walls/mcmpi
mkdir closed && cp -r graphs/mcmpi closed/mcmpi
awk -F'\t' -v OFS='\t' '$5 == "cut_off_probability" { $6 *= 2 } 1' graphs/mcmpi/values.tsv \
  >closed/mcmpi/values.tsv
judge closed/mcmpi PARTS=figure6 KEEP=1
falls '3FW: the probability falls' graphs/mcmpi closed/mcmpi

exit $status
