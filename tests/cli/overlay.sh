#!/bin/sh
# usage: tests/cli/overlay.sh HAICHI
# Programs on a limited number of connections: with all connections times do not change; both engines agree; tables,
# campaigns, refusals.
. "$(dirname "$0")/../shell.sh"

fw1=$root/platforms/intrigger4.xml
fw3=$root/platforms/intrigger4-3fw.xml
tight='--precision 1e-12 --maxmin-precision 1e-9'

# report OPTION...: prints the report of haichi sim, and its messages
report()
{
  # shellcheck disable=SC2086 # several options
  "$haichi" sim $tight -m random:seed=5 "$@" 2>err
  ! grep '^haichi' err
}

# figure NAME OPTION...: prints a value of this report
figure()
{
  name=$1
  shift
  report "$@" | sed -n "s/^$name\t//p"
}

# near WHAT A B: within 1e-6
near()
{
  awk -v a="$2" -v b="$3" 'BEGIN { d = a > b ? a - b : b - a; exit !(b > 0 && d <= 1e-6 * b) }' || fail "$1: $2 and $3"
}

# above WHAT A B: A is above B, and both are numbers
above()
{
  awk -v a="$2" -v b="$3" 'BEGIN { exit !(a ~ /^[0-9]/ && b ~ /^[0-9]/ && a > b) }' || fail "$1: $2 is not above $3"
}

# If all connections are open, or open in no time, the times are the same as without an overlay.
for engine in flow simgrid; do
  for trace in npb:mg.S.16 npb:is.S.16; do
    plain=$(figure simulated_time_s -p "$fw1" -t $trace --engine $engine)
    for overlay in all lazy,setup=0; do
      time=$(figure simulated_time_s -p "$fw1" -t $trace --engine $engine --overlay $overlay)
      [ "$time" = "$plain" ] || fail "$engine, $trace, $overlay: $time instead of $plain"
    done
    above "$engine, $trace, lazy" \
      "$(figure simulated_time_s -p "$fw1" -t $trace --engine $engine --overlay lazy)" "$plain"
  done
done

# Both engines agree with firewalls, segments and eager messages.  Two runs of engine flow print the same bytes.
for trace in npb:bt.S.16@3 npb:is.S.16 npb:lu.S.16@3 npb:mg.S.16; do
  for overlay in mcmpi,density=3,queue=64KiB random,density=3,segment=8KiB; do
    for eager in 0 70000; do
      set -- -p "$fw3" -t $trace --overlay $overlay --eager-threshold $eager
      near "$trace, $overlay, eager $eager" "$(figure simulated_time_s "$@")" \
        "$(figure simulated_time_s "$@" --engine simgrid-full)"
    done
  done
  [ "$(report "$@")" = "$(report "$@")" ] || fail "$trace: two runs differ"
done

# Many connections at a time slow down an all-to-all exchange; with fewer connections it is faster.
set -- -p "$fw1" -t npb:is.W.64@3
free=$(figure simulated_time_s "$@" --overlay all)
congested=$(figure simulated_time_s "$@" --overlay all,queue=64KiB)
above 'congestion' "$congested" "$free"
above 'congestion of more connections' "$congested" "$(figure simulated_time_s "$@" --overlay mcmpi,queue=64KiB)"
above 'congestion with a small queue' "$congested" "$(figure simulated_time_s "$@" --overlay all,queue=1TiB)"
timeouts=$(figure simulated_time_s "$@" --overlay all,rto=200ms)
above "congestion by TCP's equation" "$timeouts" "$free"
above "congestion by TCP's equation with a small queue" "$timeouts" \
  "$(figure simulated_time_s "$@" --overlay all,rto=200ms,queue=16MiB)"
near "TCP's equation, both engines" "$timeouts" \
  "$(figure simulated_time_s "$@" --overlay all,rto=200ms --engine simgrid-full)"

# Requests across firewalls and relayed bytes are counted; the relayed bytes of the ranks add up to the total.
set -- -p "$fw3" -t npb:bt.S.16@3 --overlay random
above 'requests' "$(figure connection_requests "$@")" 0
report "$@" --per-rank ranks >report
total=$(sed -n 's/^relayed_bytes\t//p' report)
above 'relayed bytes' "$total" 0
awk -v total="$total" 'NR > 1 { sum += $9 } END { exit sum != total }' ranks ||
  fail "the relayed bytes of the ranks do not add up to $total"

# A connection has buffers of 512 KiB in each direction at both ends.
report -p "$fw1" -t npb:ep.S.16 --overlay all >report
printf 'connections\t120\nconnected_percent\t100\nbuffer_bytes\t%s\nbuffer_bytes_most\t%s\n' $((120 * 2 * 2 * 524288)) \
  $((15 * 2 * 524288)) >expected
grep -E '^(connections|connected_percent|buffer_bytes.*)	' report | cmp -s - expected || fail "other buffers with all connections: $(cat report)"

# The report of a single job that starts late has the connections, too.
"$haichi" sim -p "$fw3" --job npb:mg.S.16,start=1s --overlay mcmpi 2>/dev/null | grep -q '^connections	' ||
  fail 'no connections in the report of a job'

# Campaigns: the columns of the overlay, and rows that depend on the overlay.
compare()
{
  "$haichi" compare -p "$fw1" -t npb:ep.S.16 -m xyz -o out --overlay "$@" >log 2>&1 || fail "compare: $(cat log)"
}
compare mcmpi
grep -q 'connections	connected_percent	' out/results.tsv || fail 'no columns of the overlay in results.tsv'
grep -v '^#' out/results.tsv >before
rm -r out
compare all
grep -v '^#' out/results.tsv | cmp -s - before && fail 'mcmpi and all give the same row'

# refused CODE MESSAGE OPTION...
refused()
{
  code=$1 message=$2
  shift 2
  "$haichi" sim "$@" >out.txt 2>err
  [ $? = "$code" ] || fail "$*: exit code is not $code"
  grep -q "$message" err || fail "$*: $(cat err)"
}
refused 2 "unknown overlay 'mcpi', perhaps 'mcmpi'" -p "$fw1" -t npb:ep.S.16 --overlay mcpi
refused 2 "density: 0 is below" -p "$fw1" -t npb:ep.S.16 --overlay mcmpi,density=0
refused 1 "overlay 'mcmpi': the bounding graph is disconnected" -p "$fw3" -t npb:ep.S.4 -m random:seed=1 --overlay mcmpi,density=1
refused 2 "overlay 'all,queue=1MB,loss=1,rto=1s': 'loss' and 'rto' are two models of congestion" -p "$fw1" \
  -t npb:ep.S.4 --overlay all,queue=1MB,loss=1,rto=1s
refused 1 "overlay 'lazy': it takes one program" -p "$fw1" --overlay lazy --job npb:ep.S.16 --job npb:ep.S.16,repeat

exit $status
