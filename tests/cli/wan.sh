#!/bin/sh
# usage: tests/cli/wan.sh HAICHI
# The files of `haichi wan' agree with its report; the results do not depend on the number of threads; connections are opened
# from the side that a firewall allows.
. "$(dirname "$0")/../shell.sh"

platform=clusters:$root/platforms/intrigger4.clusters

# figure NAME: prints a value of the report
figure()
{
  sed -n "s/^$1	//p" report
}

# bounding OPTION...: makes a report, and the files graph.tsv and graph.dot
bounding()
{
  "$haichi" wan graph -p "$platform" "$@" -o graph.tsv --dot graph.dot >report || fail "wan graph $*"
}

for options in '-n 64 --beta 2' '-n 16 --beta 1 --seed 9' '-n 64 --beta 3 --select random' '--beta 4 -n 32 --root 31 --alpha 5'; do
  # shellcheck disable=SC2086 # a list of words
  bounding $options
  awk -F '\t' -v opened="$(figure opened)" -v processes="$(figure processes)" '
    NR == 1 { next }
    $1 >= $2 || $3 !~ /^(a|b|both)$/ || $6 <= 0 { print "row: " $0; bad = 1 }
    $4 != $5 && ($4 == "D" && $3 != "a" || $5 == "D" && $3 != "b") { print "firewall: " $0; bad = 1 }
    { tree += $7 }
    END { exit bad || NR - 1 != opened || tree != processes - 1 }' graph.tsv || fail "$options: bad rows in graph.tsv"
  [ "$(grep -c -- '->' graph.dot)" -eq "$(figure opened)" ] || fail "$options: another number of edges in graph.dot"
  [ "$(grep -c 'style=bold' graph.dot)" -eq $(($(figure processes) - 1)) ] || fail "$options: another number of edges of the tree in graph.dot"
  [ "$(grep -c 'dir=both' graph.dot)" -eq "$(grep -c '	both	' graph.tsv)" ] || fail "$options: another number of edges opened from both sides in graph.dot"
done
grep -q 'label="D"' graph.dot && grep -q '31 \[style=filled\]' graph.dot || fail 'graph.dot lacks cluster D or the root'

# A host may have several processes, in the order of the mapping.
printf 'A-1\nA-1\nD-0\nB-5\n' >hosts
"$haichi" wan graph -p "$platform" -n 4 --beta 4 --mapping hosts -o graph.tsv >report || fail 'wan graph with a mapping'
[ "$(sed -n '2,7p' graph.tsv | cut -f 1,2,4,5 | tr '\t\n' ',;')" = '0,1,A,A;0,2,A,D;0,3,A,B;1,2,A,D;1,3,A,B;2,3,D,B;' ] ||
  fail 'the mapping is not followed'

# A graph without connections lists its processes.
printf 'cluster A hosts=1x1Gf inbound=no\ncluster B hosts=1x1Gf inbound=no\nwan A B rtt=1ms bandwidth=1GBps\n' >shut.clusters
"$haichi" wan graph -p clusters:shut.clusters --beta 1 -o graph.tsv --dot graph.dot >report || fail 'wan graph without connections'
[ "$(cut -f 1-3 graph.tsv | tail -n 2 | tr '\t\n' ',;')" = '0,0,none;1,1,none;' ] || fail 'graph.tsv without connections does not list the processes'
[ "$(figure connected)$(figure mean_hops)" = no0 ] || fail 'the report without connections is wrong'

"$haichi" wan latency -p "$platform" -n 24 --alpha 1e9 -o d.tsv >report || fail 'wan latency'
awk -F '\t' 'NR > 1 && ($3 != $4 || $5 != 0) { print; bad = 1 } END { exit bad || NR != 1 + 24 * 23 }' d.tsv ||
  fail 'without estimates the matrix differs from the true RTTs'
"$haichi" wan latency -p torus:4x4x4 --alpha 2 -o d.tsv >report || fail 'wan latency on a torus'
awk -F '\t' -v direct="$(figure estimates_of_measured)" -v chained="$(figure estimates_of_estimates)" \
  -v most="$(figure estimates_of_measured_largest_error)" '
  NR == 1 { next }
  { error = ($3 > $4 ? $3 - $4 : $4 - $3) / $4 }
  $5 == 1 { n++; worst = error > worst ? error : worst }
  $5 > 1 { m++ }
  END { exit n != direct || m != chained || n == 0 || worst - most > 1e-12 || most - worst > 1e-12 }' d.tsv ||
  fail 'the report and d.tsv differ in the estimates or their largest error'

for threads in 1 2 5; do
  "$haichi" wan connectivity -p "clusters:$root/platforms/intrigger4-3fw.clusters" -n 8 --beta 1 --graphs 5000 \
    --threads $threads >threads.$threads || fail "connectivity with $threads threads"
done
cmp threads.1 threads.2 && cmp threads.1 threads.5 || fail 'the result depends on the number of threads'

# A table on standard output leaves the report to standard error.
"$haichi" wan graph -p "$platform" -n 8 --beta 1 -o - 2>report | "$haichi" plot wan /dev/stdin -o graph.svg && grep -q '^processes	' report ||
  fail 'wan graph -o -'
"$haichi" wan latency -p "$platform" -n 4 -o - 2>report >pairs && ! grep -q '^processes	' pairs && grep -q '^processes	' report ||
  fail 'wan latency -o -'

"$haichi" wan graph -p "$platform" -n 8 --beta 1 --dot /dev/full >report 2>log && fail 'writing to a full device: exit 0'
[ "$(cat log)" = 'haichi: /dev/full: cannot write: No space left on device' ] && ! [ -s report ] || fail "$(cat log)"
"$haichi" wan graph -p "$root/tests/data/no.xml" --beta 1 >report 2>log
[ $? -eq 1 ] && ! [ -s report ] || fail 'a missing platform: exit code is not 1, or there is a report'
exit $status
