#!/bin/sh
# usage: tests/cli/schedule.sh HAICHI
# haichi schedule: all schedulers, files of schedules, load and stealing.
. "$(dirname "$0")/../shell.sh"

# run OPTION...: schedules a random network on a random platform, always the same
run()
{
  "$haichi" schedule random:tasks=200,patterns=drawn -p random-clusters:seed=2 "$@" 2>err ||
    fail "$* failed: $(cat err)"
}

# get FILE NAME: prints a value of a report
get()
{
  awk -v name="$2" '$1 == name {print $2}' "$1"
}

# less A B: both are numbers, and A is below B
less()
{
  awk -v a="$1" -v b="$2" 'BEGIN {exit !(a ~ /^[0-9]/ && b ~ /^[0-9]/ && a < b)}'
}

# A file of a schedule has a line for each element, and gives the same dates when it is read and executed.
for s in $("$haichi" list schedulers | cut -f 1 | grep -v :); do
  options=
  [ "$s" != optimal ] || options=:gap=10 # no smaller gap is proven for this number of tasks
  run -s "$s$options" -o s.tsv >first
  run --schedule s.tsv >second
  grep -v '^expected_lower_bound_s' first | cmp -s - second || fail "$s: the schedule read from its file gives another report"
  [ "$(wc -l <s.tsv)" -eq $(($(get first tasks) + 1)) ] || fail "$s: lines are missing in its file"
  [ "$(get first makespan_s)" = "$(get first expected_makespan_s)" ] ||
    fail "$s: without load the makespan is not expected_makespan_s"
  grep -q '^scheduling_time_s' err && fail "$s: scheduling_time_s for a schedule from a file"
  eval "makespan_$s=$(get first makespan_s)"
done
for s in hierarchical heft cpop peft; do
  eval "less \"\$makespan_$s\" \"\$makespan_best\"" && fail "$s is better than best"
done

# share=every changes the division of work.
run -s hierarchical:outer=shares,inner=costs,groups=all >outer
run -s hierarchical:outer=shares,inner=costs,groups=all,share=every >every
cmp -s outer every && fail 'share=every changes nothing'

# A search that is stopped by nodes=, --time or a signal gives the best schedule found and a lower bound.
search='schedule random:tasks=200,patterns=drawn -p random-clusters:seed=2'
# stopped BY FILE ERR: checks the report FILE and the note in ERR of a search stopped by BY
stopped()
{
  grep -q "^haichi: note: scheduler 'optimal' was stopped by $1 after [0-9]* partial schedules; makespan [0-9.e-]* s, lower bound" "$3" ||
    fail "stopped by $1: $(cat "$3")"
  less "$(get "$2" expected_lower_bound_s)" "$(get "$2" expected_makespan_s)" || fail "stopped by $1: the lower bound is not below the makespan"
}
run -s optimal:nodes=50 -o s.tsv >stopped.out
stopped 'nodes=' stopped.out err
run --schedule s.tsv >second
grep -v '^expected_lower_bound_s' stopped.out | cmp -s - second || fail 'the schedule of a stopped search, read from its file, gives another report'
run -s optimal --time 0.2 >stopped.out
stopped '--time' stopped.out err
# On a terminal the search shows its progress; the signal is sent after that.
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
wait $! || fail "an interrupted search fails: $(cat terminal)"
sed 's/.*haichi: note/haichi: note/' terminal >stopped.err
stopped 'a signal' stopped.out stopped.err
# shellcheck disable=SC2086 # words
"$haichi" $search -s heft --time 5 >stopped.out 2>&1 && fail 'heft accepts a time limit'
grep -qx "haichi: scheduler 'heft' does not search: it takes no time limit" stopped.out || fail "$(cat stopped.out)"

# If tasks times groups of equal hosts is above 2^23, `hierarchical` uses outer=shares.
for outer in ends shares; do
  "$haichi" schedule random:tasks=90000,seed=1 -p random-clusters:hosts=1000,sizes=10,seed=1 -s hierarchical:outer=$outer \
    >"$outer" 2>err || fail "outer=$outer failed: $(cat err)"
done
cmp -s ends shares || fail 'a network too large for outer=ends: another report than with outer=shares'

# Load slows down the run.  The seed decides its place; the same seed gives the same bytes.
for seed in 1 2 1; do
  run -s heft --background tasks:50 --background links:p=0.1 --seed $seed >"load$seed"
  [ ! -e "again$seed" ] || cmp -s "load$seed" "again$seed" || fail "seed $seed: another report in a second run"
  cp "load$seed" "again$seed"
done
cmp -s load1 load2 && fail 'the seed changes nothing'
less "$(get load1 expected_makespan_s)" "$(get load1 makespan_s)" || fail 'load does not slow down'

# If all tasks are on one host, in the order of their starts, stealing shortens the run.
tab=$(printf '\t')
{
  head -n 1 s.tsv
  tail -n +2 s.tsv | sort -t "$tab" -k 4,4g |
    awk -F '\t' -v OFS='\t' '{$2 = "G0-0"; $3 = NR - 1; print}'
} >all.tsv
run --schedule all.tsv >none
for policy in random cluster group; do
  run --schedule all.tsv --steal $policy >"$policy"
  less "$(get $policy makespan_s)" "$(get none makespan_s)" || fail "--steal $policy does not shorten the run"
  [ "$(get $policy steals)" -gt 0 ] || fail "--steal $policy: nothing is stolen"
done

# Tasks without work keep the order of the schedule in --per-task, and the optimum of 0 s is printed.
cat >zero.xml <<'END'
<tasknet version="1"><task id="b" compute="0"/><task id="a" compute="0"/><stream id="s" from="a" to="b"/></tasknet>
END
"$haichi" schedule zero.xml -p star:1 -s optimal --per-task order.tsv >zero 2>err || fail "zero.xml: $(cat err)"
[ "$(get zero expected_lower_bound_s)" = 0 ] || fail "no lower bound: $(cat zero)"
[ "$(tail -n +2 order.tsv | cut -f 1,3 | tr '\t\n' '= ')" = 'b=1 a=0 ' ] || fail "another order: $(cat order.tsv)"

# WfCommons: each task has an execution on a machine of the list.
# workflow TASK MACHINE SECONDS: prints a workflow of one task
workflow()
{
  printf '{"name": "w", "schemaVersion": "1.5", "workflow": {"specification": {"tasks": [{"id": "t", "name": "t", "parents": [], "children": []}], "files": []}, "execution": {"tasks": [{"id": "%s", "runtimeInSeconds": %s, "machines": ["%s"]}], "machines": [{"nodeName": "m", "cpu": {"speedInMHz": 2000}}]}}}\n' "$1" "$3" "$2"
}
workflow t m 1 >w.json
"$haichi" schedule w.json -p star:1 -s heft >w 2>err || fail "w.json: $(cat err)"
[ "$(get w makespan_s)" = 2 ] || fail "w.json takes $(get w makespan_s) s, not 2"
for w in 'u m 1 the task has no execution' "t n 1 its machine 'n' is not in the list of machines" \
  't m [-1] a time, size or speed is .-1., not a number of'; do
  # shellcheck disable=SC2086 # words
  set -- $w
  workflow "$1" "$2" "$3" >w.json
  "$haichi" schedule w.json -p star:1 -s heft >w 2>err && fail "$w: accepted"
  shift 3
  grep -q "^haichi: w.json:1: .*$*" err || fail "another message: $(cat err)"
done
exit $status
