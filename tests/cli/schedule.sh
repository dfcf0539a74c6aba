#!/bin/sh
# usage: tests/cli/schedule.sh HAICHI
# haichi schedule: every scheduler, what its file holds, load and stealing.
. "$(dirname "$0")/../shell.sh"

# run OPTION...: on one random network and platform
run()
{
  "$haichi" schedule random:tasks=200,patterns=drawn -p random-clusters:seed=2 "$@" 2>err ||
    fail "$* failed: $(cat err)"
}

# get FILE NAME: a figure of a report
get()
{
  awk -v name="$2" '$1 == name {print $2}' "$1"
}

# less A B: as numbers
less()
{
  awk -v a="$1" -v b="$2" 'BEGIN {exit !(a < b)}'
}

# Each schedule has a line for each element, and what is read again is executed to the same dates.
for s in $("$haichi" list schedulers | cut -f 1 | grep -v :); do
  options=
  [ "$s" != optimal ] || options=:gap=10 # nothing smaller is proven for so many tasks
  run -s "$s$options" -o s.tsv >first
  run --schedule s.tsv >second
  grep -v '^expected_lower_bound_s' first | cmp -s - second || fail "$s: its file gives another run"
  [ "$(wc -l <s.tsv)" -eq $(($(get first tasks) + 1)) ] || fail "$s: lines are missing"
  [ "$(get first makespan_s)" = "$(get first expected_makespan_s)" ] ||
    fail "$s: without load, another makespan than expected"
  grep -q '^scheduling_time_s' err && fail "$s: a time for a schedule that was read"
  eval "makespan_$s=$(get first makespan_s)"
done
for s in hierarchical heft cpop peft; do
  eval "less \"\$makespan_$s\" \"\$makespan_best\"" && fail "$s is better than best"
done

# With a share of each group of tasks the paper's scheduler divides the work differently.
run -s hierarchical:outer=shares,inner=costs,groups=all >outer
run -s hierarchical:outer=shares,inner=costs,groups=all,share=every >every
cmp -s outer every && fail 'share=every is share=outer'

# A search that is stopped by its nodes, the time or a signal gives the best schedule found, and a bound.
search='schedule random:tasks=200,patterns=drawn -p random-clusters:seed=2'
# stopped BY FILE ERR: a stopped search's report and notes
stopped()
{
  grep -q "^haichi: note: scheduler 'optimal' was stopped by $1 after [0-9]* partial schedules; makespan [0-9.e-]* s, lower bound" "$3" ||
    fail "stopped by $1: $(cat "$3")"
  less "$(get "$2" expected_lower_bound_s)" "$(get "$2" expected_makespan_s)" || fail "stopped by $1: no bound"
}
run -s optimal:nodes=50 -o s.tsv >stopped.out
stopped 'nodes=' stopped.out err
run --schedule s.tsv >second
grep -v '^expected_lower_bound_s' stopped.out | cmp -s - second || fail 'a stopped search: its file gives another run'
run -s optimal --time 0.2 >stopped.out
stopped '--time' stopped.out err
# On a terminal it shows how far it is; the signal comes after that.
script -qfec "echo \$\$ >pid; exec env --default-signal=INT '$haichi' $search -s optimal:nodes=1000000000 >stopped.out" \
  terminal >/dev/null </dev/null &
progress='[0-9]* partial schedules, best [0-9.]* s, lower bound [0-9.]* s'
tries=0
until grep -q "$progress" terminal 2>/dev/null || [ $tries -eq 1200 ]; do
  sleep 0.1
  tries=$((tries + 1))
done
[ $tries -lt 1200 ] || fail "no progress on a terminal: $(cat terminal)"
kill -INT "$(cat pid)"
wait $! || fail "a search that is interrupted: $(cat terminal)"
sed 's/.*haichi: note/haichi: note/' terminal >stopped.err
stopped 'a signal' stopped.out stopped.err
# shellcheck disable=SC2086 # words
"$haichi" $search -s heft --time 5 >stopped.out 2>&1 && fail 'heft takes a time limit'
grep -qx "haichi: scheduler 'heft' does not search: it takes no time limit" stopped.out || fail "$(cat stopped.out)"

# Above 2^23 tasks x groups of equal hosts `hierarchical` goes by shares.
for outer in ends shares; do
  "$haichi" schedule random:tasks=90000,seed=1 -p random-clusters:hosts=1000,sizes=10,seed=1 -s hierarchical:outer=$outer \
    >"$outer" 2>err || fail "outer=$outer failed: $(cat err)"
done
cmp -s ends shares || fail 'too many for ends, but another run than by shares'

# Load slows down; seeds decide where it is; the same seed gives the same bytes.
for seed in 1 2 1; do
  run -s heft --background tasks:50 --background links:p=0.1 --seed $seed >"load$seed"
  [ ! -e "again$seed" ] || cmp -s "load$seed" "again$seed" || fail "seed $seed: another run"
  cp "load$seed" "again$seed"
done
cmp -s load1 load2 && fail 'the seed changes nothing'
less "$(get load1 expected_makespan_s)" "$(get load1 makespan_s)" || fail 'load does not slow down'

# All on one host, in the order of their starts: thieves help.
tab=$(printf '\t')
{
  head -n 1 s.tsv
  tail -n +2 s.tsv | sort -t "$tab" -k 4,4g |
    awk -F '\t' -v OFS='\t' '{$2 = "G0-0"; $3 = NR - 1; print}'
} >all.tsv
run --schedule all.tsv >none
for policy in random cluster group; do
  run --schedule all.tsv --steal $policy >"$policy"
  less "$(get $policy makespan_s)" "$(get none makespan_s)" || fail "stealing $policy does not help"
  [ "$(get $policy steals)" -gt 0 ] || fail "$policy: nothing is stolen"
done
exit $status
