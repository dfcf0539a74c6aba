#!/bin/sh
# usage: tests/cli/graphs.sh HAICHI
# Traces that are dependency graphs: end times calculated by hand, on both engines, and all commands that read them.
. "$(dirname "$0")/../shell.sh"

# A message takes 1000 ns, and (bytes + 16) / 1e12 s more.
"$haichi" platform star:4 --bandwidth 1000GBps --latency 500ns -o star.xml || fail 'haichi platform'

# ends FILE OPTION...: the end of each rank in ns, rounded
ends()
{
  file=$1
  shift
  case $* in
  *--eager*) ;;
  *) set -- --eager-threshold 100000000 "$@" ;;
  esac
  "$haichi" sim -p star.xml -t "$file" --model cm02 --per-rank ranks.tsv "$@" >out 2>&1 || cat out
  awk 'NR > 1 { printf "%s%.0f", (NR > 2 ? " " : ""), $3 * 1e9 }' ranks.tsv
}

# expect WHAT GOT WANT
expect()
{
  [ "$2" = "$3" ] || fail "$1: '$2' in place of '$3'"
}

# Two rings in opposite directions: 4000 ns as a graph.  In the order of the lines they would take 6000 ns.
cat >rings.goal <<'END'
num_ranks 4
rank 0 {
l1: send 1b to 1
l2: recv 1b from 3
l3: send 1b to 3
l4: recv 1b from 1
}
rank 1 {
l1: send 1b to 2
l2: recv 1b from 0
l1 requires l2
l3: send 1b to 0
l4: recv 1b from 2
l3 requires l4
}
rank 2 {
l1: send 1b to 3
l2: recv 1b from 1
l1 requires l2
l3: send 1b to 1
l4: recv 1b from 3
l3 requires l4
}
rank 3 {
l1: send 1b to 0
l2: recv 1b from 2
l1 requires l2
l3: send 1b to 2
l4: recv 1b from 0
l3 requires l4
}
END

# Streams compute at the same time, also on one core.  An operation begins when another one ends (requires) or begins
# (irequires).
cat >streams.goal <<'END'
num_ranks 2
rank 0 {
a: calc 1000
b: calc 1500 cpu 1
c: send 8b to 1 tag 3 cpu 1
c requires a
c requires b
d: calc 300 cpu 2
d irequires b
e: calc 200 cpu 1
}
rank 1 {
r: recv 8b from -1 tag -1
f: calc 100
f requires r
}
END

for engine in flow simgrid; do
  expect "rings on $engine" "$(ends rings.goal --engine $engine)" '4000 3000 2000 3000'
  expect "streams on $engine" "$(ends streams.goal --engine $engine)" '1700 2800'
done
mkfifo pipe
cat rings.goal >pipe &
"$haichi" trace info pipe >out 2>&1 && fail 'a GOAL file in a pipe is accepted'
expect 'a GOAL file in a pipe' "$(cat out)" \
  "haichi: pipe:1: there is no file 'num_ranks 4'; foreign traces are not read from standard input or a pipe"
wait
expect 'half of the computations' "$(ends streams.goal --compute-scale 0.5)" '850 1900'
expect 'messages without computation' "$("$haichi" sim -p star:2 -t streams.goal --model cm02 --compute-scale 0 | sed -n 's/^messages.//p')" 1

# A large send ends with its transfer, an eager one at once.
printf 'num_ranks 2\nrank 0 {\nsend 1000000b to 1\n}\nrank 1 {\nc: calc 5000\nr: recv 8b from 0\nr requires c\n}\n' >large.goal
expect 'a large eager send' "$(ends large.goal)" '0 5000'
expect 'a large send that waits' "$(ends large.goal --eager-threshold 0)" '7000 7000'

# Timelines, links, matrix and map; jobs, which may repeat; loads; compare.
"$haichi" sim -p star.xml -t streams.goal --model cm02 --timeline states.csv --links links.tsv >out || fail 'sim with --timeline and --links'
grep -q '^0,0,1.7.*e-06,compute$' states.csv && grep -q '^1,0,2.7.*e-06,recv$' states.csv || fail 'other states in the timeline:' "$(cat states.csv)"
grep -q '^haichi_link_0_UP	1	8	' links.tsv || fail 'other loads of links:' "$(cat links.tsv)"
"$haichi" trace matrix rings.goal >matrix.tsv || fail 'trace matrix'
expect 'the matrix' "$(awk 'NR > 1 { n++; b += $4 } END { print n, b }' matrix.tsv)" '8 8'
for mapper in random sfmopt tune auto; do
  "$haichi" map $mapper -p torus:2x2 -t rings.goal -o mapping >out 2>&1 && [ "$(sort -u mapping | wc -l)" -eq 4 ] || fail "map $mapper" "$(cat out)"
done
"$haichi" sim -p torus:4 --job large.goal --job streams.goal,start=1us,repeat --background noise:every=1us,for=100ns --engine flow >out ||
  fail 'sim with two jobs'
grep -q '^job_1_runs	[1-9]' out || fail 'the repeated job does not run:' "$(cat out)"
"$haichi" compare -p torus:2x2 -t rings.goal streams.goal -m xyz random -o dir --no-plots >out 2>&1 || fail compare "$(cat out)"
expect 'rows in results.tsv' "$(grep -c '^[a-z]*.goal' dir/results.tsv)" 4

# Commands that need a sequence of calls, and programs that block.
refuse()
{
  want=$1
  shift
  "$haichi" "$@" >out 2>&1 && fail "$* is not refused"
  [ "$(head -n 1 out)" = "haichi: $want" ] || fail "$*: '$(head -n 1 out)' in place of '$want'"
}
why='needs a sequence of calls for each rank; this trace (GOAL) has graphs'
refuse "rings.goal: trace convert $why" trace convert rings.goal -o converted
refuse "rings.goal: the search for its main loop $why" predict -p star.xml -t rings.goal
refuse "rings.goal: explain $why" explain -p star.xml -t rings.goal
printf 'num_ranks 2\nrank 0 {\nrecv 8b from 1\n}\nrank 1 {\ncalc 5\nrecv 8b from 0\n}\n' >blocked.goal
refuse 'deadlock at 5e-09 s: 2 of 2 ranks are blocked' sim -p star.xml -t blocked.goal
grep -q '^  rank 1 is blocked in recv (blocked.goal:7)$' out || fail 'the blocked operation is not named:' "$(cat out)"
printf 'num_ranks 2\nrank 0 {\ncalc 1\nsend 8b to 1\n}\nrank 1 {\n}\n' >lost.goal
refuse 'lost.goal:4: rank 1 never receives this message of 8 bytes (tag 0) from rank 0' sim -p star.xml -t lost.goal
gzip -k rings.goal && expect 'a compressed file' "$(ends rings.goal.gz)" '4000 3000 2000 3000'

# Chakra: a set of files, given by a prefix or one of its files; missing ranks; end times calculated by hand.
set_of="$root/tests/data/graphs"
for trace in "$set_of/exchange" "$set_of/exchange.1.et"; do
  expect "$trace" "$("$haichi" trace info "$trace" 2>out | sed -n 's/^p2p_messages.//p; s/^p2p_bytes.//p; s/^actions_allreduce.//p' | tr '\n' ' ')" '4 4 12000 '
done
grep -q ': 4 dependences on nodes that are not in the files are dropped$' out || fail 'no note on dropped dependences:' "$(cat out)"
grep -q ': 4 collectives do not name their root: the first member of the group is the root$' out || fail 'no note on roots:' "$(cat out)"
for engine in flow simgrid; do
  "$haichi" sim -p torus:4 -t "$set_of/exchange" --engine $engine 2>out | sed -n 's/^simulated_time_s.//p' | cut -c 1-14
done >times
expect 'both engines: number of equal times' "$(uniq -c times | awk '{ print $1 }' | tr '\n' ' ')" '2 '
# One rank computes 100 us, reduces 100000 bytes with a partner in 172 us, and computes 250 us.
expect 'the time of a set of files' "$(cut -c 1-9 times | head -n 1)" 0.0005224
"$haichi" compare -p torus:4 -t "$set_of/exchange" -m xyz -o prefix --no-plots >out 2>&1 || fail 'compare with the prefix of a set' "$(cat out)"
expect 'its rows' "$(grep -c '	ok	' prefix/results.tsv)" 1
awk 'BEGIN { for (i = 0; i < 500; i++) print "// generated by a program" }' | cat - "$set_of/pipeline.goal" >long.goal
"$haichi" trace info long.goal >out 2>&1 || fail 'a long comment before num_ranks' "$(cat out)"
(cd "$set_of" && "$haichi" trace info exchange) >out 2>&1 || fail 'the bare name of a set' "$(cat out)"
mkdir some && cp "$set_of/exchange.0.et" "$set_of/exchange.2.et" some
refuse 'some/exchange.1.et: no such file, but there is one of rank 2' trace info some
mv some/exchange.2.et some/exchange.1.et
refuse 'some/exchange.0.et: offset 408: a receive: the partner is rank 3, but there are 2 ranks' trace info some
cp "$set_of/exchange.0.et" alone.et
refuse 'alone.et: one rank alone; a trace is a set of files NAME.0.et, NAME.1.et, ...' sim -p star.xml -t alone.et
mkdir cut && cp "$set_of"/exchange.*.et cut && head -c 300 "$set_of/exchange.3.et" >cut/exchange.3.et
refuse "cut/exchange.3.et: offset 233: a message of 85 bytes, and 66 are left" trace info cut
exit $status
