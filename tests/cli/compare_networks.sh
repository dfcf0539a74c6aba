#!/bin/sh
# usage: tests/cli/compare_networks.sh HAICHI
# `haichi compare` of task networks: each run has the values of `haichi schedule`.  The tables are the same at any -j,
# after a resumption, and made by tasks.  Its pictures, its report, and its refusals.
# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"

# A network whose costs are in a separate file.
cp "$root/tests/data/tasknets/survey.xml" survey.xml
cat >chain.xml <<'END'
<tasknet version="1">
  <program id="p" file="cost.meta"/>
  <task id="a" compute="30" output="5"/>
  <array id="b" count="3" program="p" args="4 5 6"/>
  <stream id="s" from="a" to="b"/>
</tasknet>
END
echo 'compute(10 * @arg[0]); output(1)' >cost.meta

# compare DIR OPTION...: 3 networks, 3 loads, 5 schedulers, 5 repetitions
compare()
{
  dir=$1
  shift
  "$haichi" compare -p random-clusters:seed=2 --network survey.xml chain.xml random:tasks=60,seed=3 \
    --scheduler heft cpop peft hierarchical best:tries=4 --load none tasks:10 tasks:50+links:p=0.1 \
    --repeat 5 --no-plots -o "$dir" "$@"
}

# single NETWORK LOAD SCHEDULER REPETITION OPTION...: the values that `haichi schedule` prints, in a line
single()
{
  network=$1 load=$2 scheduler=$3 repetition=$4
  shift 4
  case $network in
  random:*) network=random:tasks=60,seed=$((3 + repetition)) ;;
  esac
  case $load in
  none) ;;
  *) for l in $(echo "$load" | tr + ' '); do set -- "$@" --background "$l"; done ;;
  esac
  "$haichi" schedule "$network" -p random-clusters:seed=2 -s "$scheduler" --seed $((1 + repetition)) "$@" 2>/dev/null |
    cut -f 2 | tr '\n' ' '
  echo
}

# check TABLE OPTION...: compares each run of repeats.tsv with `haichi schedule`
check()
{
  table=$1
  shift
  while IFS='	' read -r network load scheduler repetition state values; do
    [ "$state" = ok ] || fail "$network $load $scheduler: $state $values"
    set -- "$@"
    got=$(echo "$values" | tr '\t' ' ' | sed 's/-//; s/ *$//')
    want=$(single "$network" "$load" "$scheduler" "$repetition" "$@" | sed 's/ *$//')
    [ "$got" = "$want" ] || fail "$network $load $scheduler $repetition: '$got', but schedule says '$want'"
  done <"$table"
}

compare one -j 1 >log 2>&1 || fail "-j 1: $(cat log)"
compare two -j 2 >log 2>&1 || fail "-j 2: $(cat log)"
sed 1d one/repeats.tsv >runs
[ "$(wc -l <runs)" -eq 225 ] || fail "$(wc -l <runs) runs"
check runs
for table in results repeats summary differences; do
  cmp one/$table.tsv two/$table.tsv || fail "-j 2: another table $table"
done
grep -qx 'geometric means over 9 pairs of network and load' log || fail "$(cat log)"
[ "$(sed -n 's/	.*//p' one/timings.tsv | sort -u | tr '\n' ' ')" = 'chain.xml network random:tasks=60,seed=3 survey.xml ' ] ||
  fail "$(head one/timings.tsv)"

# A row is the mean of its repetitions.
awk -F '\t' '
  FNR == 1 { file++ }
  /^#/ { next }
  file == 1 { if (FNR > 1) sum[$1 FS $2 FS $3] += $8; next }
  $4 == "ok" {
    rows++
    d = $7 / (sum[$1 FS $2 FS $3] / 5) - 1
    if (d > 1e-12 || d < -1e-12 || $13 != 5) bad = 1
  }
  END { exit bad || rows != 45 }' one/repeats.tsv one/results.tsv || fail "$(head -n 20 one/results.tsv)"

# The campaign is resumed with a result missing, and made by tasks of another process.
rm "$(ls two/runs/*.tsv | head -n 1)"
compare two >log 2>&1 || fail "resumed: $(cat log)"
cmp one/results.tsv two/results.tsv || fail 'resumed: other results'
# shellcheck disable=SC2016 # for the shell of the command
compare tasks --chunk 60 --on 'command:seq $HAICHI_TASKS | xargs -n 1 sh "$HAICHI_SCRIPT"' >log 2>&1 || fail "$(cat log)"
cmp one/results.tsv tasks/results.tsv || fail 'made by tasks: other results'

# The identity of a run includes the program file of its network.
echo 'compute(20 * @arg[0]); output(1)' >cost.meta
compare two >log 2>&1 || fail "$(cat log)"
cmp -s one/results.tsv two/results.tsv && fail 'another program gives the same results'
[ "$(ls two/runs | wc -l)" -eq 300 ] || fail "$(ls two/runs | wc -l) stored runs"

# A report of two campaigns shows the changes by the other program.
"$haichi" report one two -o both.html >log 2>&1 || fail "$(cat log)"
for text in 'Of 45 cells (a scheduler on a network) ' 'chain.xml, tasks:10' 'Changes by scheduler'; do
  grep -q "$text" both.html || fail "the page of two lacks '$text'"
done

# The command that a report shows makes the same table: on an engine, with stealing and units.
"$haichi" compare -p random-clusters:seed=2 --network survey.xml --scheduler heft best:tries=2 --steal none cluster \
  --load none tasks:20 --model flow --network-model cm02 --work 2Gf --data 500kB --seed 4 --repeat 2 -o engine >log 2>&1 ||
  fail "$(cat log)"
[ -s engine/plots/makespan.svg ] && [ -s engine/plots/use.png ] || fail "$(ls engine/plots)"
mkdir -p traces/plots
touch traces/plots/use.svg traces/plots/use-2-torus:4-1GBps.svg traces/plots/use-case.svg
"$haichi" compare -p torus:4 -t ring:4 -m xyz -o traces >log 2>&1 || fail "$(cat log)"
grep -qx 'haichi: traces/plots: 2 of the pictures are not of this campaign; the first is use-2-torus:4-1GBps.svg' log || fail "$(cat log)"
grep -q '	best:tries=2,steal=cluster	ok	' engine/results.tsv || fail "$(cat engine/results.tsv)"
"$haichi" schedule survey.xml -p random-clusters:seed=2 -s heft --steal cluster --background tasks:20 --model flow \
  --network-model cm02 --work 2Gf --data 500kB --seed 5 2>/dev/null | cut -f 2 | tr '\n' '\t' >single
awk -F '\t' '$2 == "tasks:20" && $3 == "heft:steal=cluster" && $4 == 1' engine/repeats.tsv | cut -f 6-16 | tr '\n' '\t' |
  cmp - single || fail "$(cat engine/repeats.tsv single)"
"$haichi" report engine -o page.html >log 2>&1 || fail "$(cat log)"
for text in 'makespan relative to heft' 'machine use' 'best:tries=2,steal=cluster'; do
  grep -q "$text" page.html || fail "the page lacks '$text'"
done
command=$(sed -n 's/.*\(haichi compare [^<]*-o engine\).*/\1/p' page.html | sed 's/^haichi//; s/-o engine/-o again --no-plots/')
eval "'$haichi' $command" >log 2>&1 || fail "$command: $(cat log)"
cmp engine/results.tsv again/results.tsv || fail "$command"

# On several platforms.
"$haichi" compare -p torus:4 star:4 --network survey.xml --scheduler heft cpop --load none tasks:2 -o both --no-plots >log 2>&1 ||
  fail "$(cat log)"
for title in '2 pairs of network and load on torus:4' '4 combinations of platform, network and load'; do
  grep -qx "geometric means over $title" log || fail "no '$title': $(cat log)"
done

# A network that cannot be read gives rows with the reason.
echo '<tasknet version="1"><task id="a"' >bad.xml
"$haichi" compare -p torus:4 --network bad.xml survey.xml --scheduler heft best:tries=2 -o bad --no-plots >log 2>&1 &&
  fail 'bad runs, but exit 0'
[ "$(grep -c '	failed	' bad/results.tsv)" -eq 2 ] || fail "$(cat bad/results.tsv)"
grep -q '	bad.xml:2: ' bad/results.tsv || fail "$(cat bad/results.tsv)"

# refuses CODE SENTENCE OPTION...: exits with CODE and this first line, and makes no folder
refuses()
{
  code=$1 sentence=$2
  shift 2
  "$haichi" compare -p torus:4 -o none "$@" >log 2>&1
  got=$?
  [ $got -eq "$code" ] || fail "$*: exit $got: $(cat log)"
  [ "$(head -n 1 log)" = "$sentence" ] || fail "$*: '$(head -n 1 log)', not '$sentence'"
  [ ! -e none ] || fail "$*: is refused, but leaves a folder"
}

refuses 2 'haichi compare: --network and --trace exclude each other' \
  --network survey.xml -t ring:4 -s heft
refuses 2 'haichi compare: --network and --mapper exclude each other' \
  --network survey.xml -m xyz -s heft
refuses 2 'haichi compare: no --scheduler given' --network survey.xml
refuses 1 "haichi: stealing policy 'none' is given twice" --network survey.xml -s heft --steal none none
refuses 2 'haichi compare: --scheduler without --network' -t ring:4 -m xyz -s heft
refuses 2 'haichi compare: --load without --network' -t ring:4 -m xyz --load none
refuses 2 'haichi compare: --model abstract without --network' -t ring:4 -m xyz --model abstract
refuses 2 'haichi compare: --model lv08 is for traces; use --network-model for networks' \
  --network survey.xml -s heft --model lv08
refuses 2 'haichi compare: --network-model: model abstract has no links' \
  --network survey.xml -s heft --network-model lv08
refuses 2 'haichi compare: --jitter=0.1 is for --trace, not for --network' --network survey.xml -s heft --jitter 0.1
refuses 2 'haichi compare: --engine=simgrid is for --trace, not for --network' \
  --network survey.xml -s heft --engine simgrid
refuses 2 'haichi compare: --job is for --trace, not for --network' --network survey.xml -s heft --job ring:2
refuses 2 'haichi compare: --network and --audit exclude each other' --network survey.xml -s heft --audit 2
refuses 2 'haichi compare: --seed 0: with --network, the seed is from 1 to 4294967295' --network survey.xml -s heft --seed 0
refuses 2 'haichi compare: --repeat without a --load, --steal or random network: all runs would be equal' \
  --network survey.xml -s heft --load none --repeat 2
refuses 1 "haichi: network 'survey.xml' is given twice" --network survey.xml survey.xml -s heft
refuses 1 "haichi: scheduler 'best': tries: 'x' is not a whole number" --network survey.xml -s heft best:tries=x
refuses 1 "haichi: scheduler 'heft' is given twice" --network survey.xml -s heft heft
refuses 1 "haichi: load 'tasks:1' is given twice" --network survey.xml -s heft --load tasks:1 tasks:1
refuses 1 "haichi: load 'noise:every=1ms,for=50us': $("$haichi" schedule survey.xml -p torus:4 -s heft \
  --background noise:every=1ms,for=50us 2>&1 | sed 's/^haichi: //')" \
  --network survey.xml -s heft --load none noise:every=1ms,for=50us
refuses 1 "haichi: none.xml: cannot open: No such file or directory" --network none.xml -s heft
refuses 1 "haichi: baseline 'xyz' is none of the schedulers (names without seeds: heft)" \
  --network survey.xml -s heft --baseline xyz

# Commands for results of traces refuse results of networks.
"$haichi" plot speedup one/results.tsv -o x.svg >log 2>&1 && fail 'plot speedup of networks is accepted'
"$haichi" fit one/results.tsv >log 2>&1 && fail 'fit of networks is accepted'
[ "$(wc -l <log)" -eq 1 ] || fail "$(cat log)"
exit $status
