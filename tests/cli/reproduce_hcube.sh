#!/bin/sh
# usage: tests/cli/reproduce_hcube.sh HAICHI
# scripts/reproduce/hcube.sh: the statements on the method are reproduced, and not reproduced with a random mapper, on a
# mesh (which the method refuses), or if the method replaces pairwise exchange.
. "$(dirname "$0")/../shell.sh"
set -e
export HAICHI="$haichi"
cd "$root"

# judged NAME SECTION TEXT: prints the verdict on the statement with TEXT in a section
judged() {
  awk -F'\t' -v section="$2" -v text="$3" '$1 ~ "^" section && index($2, text) { print $6 }' "$work/$1/verdicts.tsv"
}

# expect NAME SECTION TEXT VERDICT
expect() {
  found=$(judged "$1" "$2" "$3")
  [ "$found" = "$4" ] || fail "$1: section $2, '$3': '$found', not '$4'"
}

# run NAME MUTATION
run() {
  MUTATE=$2 SEEDS=1..4 scripts/reproduce/hcube.sh "$work/$1" >"$work/$1.txt" 2>"$work/$1.err" || fail "$1: hcube.sh fails: $(tail -n 5 "$work/$1.err")"
}
run whole ''
for statement in '2:processor 37' '2:make an' '4:in this state' '4:read as 011 to 111' '6:a ring of 16' '6:better suited' '1:execution performance'; do
  expect whole "${statement%%:*}" "${statement#*:}" reproduced
done
expect whole 3 'cardinality 4' 'cannot be checked'
grep -q '^HCUBE  *11 statements: ' "$work/whole.txt" || fail 'the output lacks the number of statements'

run random hcube=random:seed=1
expect random 6 'a ring of 16' 'not reproduced'
expect random 4 'read as 011 to 111' 'not reproduced'
run mesh hypercube=mesh:4x4x4
expect mesh 2 'processor 37' 'not reproduced'
expect mesh 2 'make an' 'not reproduced'
run exchange exchange=hcube:ties=paper
expect exchange 6 'better suited' 'not reproduced'
expect exchange 6 'can stop at' 'not reproduced'
exit $status
