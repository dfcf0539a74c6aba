#!/bin/sh
# usage: tests/cli/dimemas.sh HAICHI
# Traces of Dimemas and Paraver: reading, traces that cannot be simulated, and traces written for Dimemas and read back.
. "$(dirname "$0")/../shell.sh"
data=$root/tests/data

# figure FILE NAME: a line of a report
figure()
{
  sed -n "s/^$2	//p" "$1"
}

"$haichi" trace info "$data/paraver/pair.dim" >info 2>notes || fail 'trace info of a .dim file'
[ "$(figure info p2p_messages) $(figure info p2p_bytes) $(figure info actions_igatherv)" = '2 100800 3' ] || fail 'other messages in the .dim file:' "$(cat info)"
grep -q ': 1 all-to-alls state sums: the counts of their pairs are guessed$' notes || fail 'no note on guessed counts:' "$(cat notes)"
for engine in flow simgrid; do
  "$haichi" sim -p torus:3 -t "$data/paraver/pair.dim" --engine $engine 2>/dev/null | figure - simulated_time_s | cut -c 1-14
done | uniq -c >times
[ "$(awk '{ print $1 }' times)" = 2 ] || fail 'the engines differ:' "$(cat times)"

"$haichi" trace info "$data/paraver/pair.prv" >info 2>notes || fail 'trace info of a .prv file'
[ "$(figure info p2p_messages) $(figure info p2p_bytes)" = '2 100800' ] || fail 'other messages in the .prv file:' "$(cat info)"
grep -q ': 1 calls of collectives are left out' notes || fail 'no note on the collectives of the .prv file:' "$(cat notes)"
for mapper in greedy auto; do
  "$haichi" map $mapper -p torus:3 -t "$data/paraver/pair.prv" -o mapping || fail "map $mapper with the .prv file"
done
"$haichi" sim -p torus:3 -t "$data/paraver/pair.prv" >out 2>&1 && fail 'sim of a .prv file is accepted'
grep -q 'its messages can be counted, but not simulated' out || fail 'sim of a .prv file: another message:' "$(cat out)"

# round TRACE: written for Dimemas and read back, the trace has the same messages and the same simulated time
round()
{
  "$haichi" trace convert "$1" --to dim -o copy.dim >out 2>&1 || { fail "convert $1" "$(cat out)" && return; }
  "$haichi" trace matrix "$1" -o before.tsv && "$haichi" trace matrix copy.dim -o after.tsv || fail "$1: trace matrix"
  cmp -s before.tsv after.tsv || fail "$1: other messages"
  "$haichi" sim -p torus:4x4 -t "$1" >before 2>/dev/null
  "$haichi" sim -p torus:4x4 -t copy.dim >after 2>/dev/null
  echo "$(figure before simulated_time_s) $(figure after simulated_time_s)" |
    awk '{ d = $1 - $2 } d > 1e-9 * $1 || -d > 1e-9 * $1 || $1 == "" { exit 1 }' || fail "$1: other times: $(cat before after)"
}
for trace in "$data/cg.A.64.2it.tar.zst" npb:mg.S.8@2 npb:lu.S.4@2 pingpong:4 butterfly:8:size=8 stencil:4x4:compute=1e6 \
  collective:6:call=gatherv collective:6:call=scatterv collective:6:call=allgatherv collective:6:call=reducescatter \
  collective:7:call=gather collective:7:call=scatter collective:7:call=allreduce collective:7:call=scan \
  ring:8:collective=iallreduce,size=100 stencil:4x4:collective=ialltoall,size=8,compute=1e5; do
  case $trace in
  */cg*) "$haichi" sim -p torus:4x4x4 -t "$trace" >/dev/null 2>&1 && "$haichi" trace convert "$trace" --to dim -o cg.dim &&
    "$haichi" trace matrix "$trace" -o before.tsv && "$haichi" trace matrix cg.dim | cmp -s - before.tsv || fail "$trace" ;;
  *) round "$trace" ;;
  esac
done

# Each task begins at the offset in its s: line, and the header has the offset of the first s: line.
awk 'NR == 1 { split($0, h, /[,:]/); header = h[4] + 0 } /^s:/ { if (!first) first = at; split($0, s, ":"); want[s[3]] = s[2] }
  { offset[at] = $0; at += length($0) + 1 }
  END { if (header != first) exit 1; for (o in want) { split(offset[o], r, ":"); if (r[2] != want[o]) exit 1 } }' copy.dim || fail 'wrong offsets in the .dim file'

# Traces that the format of Dimemas cannot express are refused.
refuse()
{
  want=$1
  shift
  "$haichi" trace convert "$@" --to dim -o no.dim >out 2>&1 && fail "$* is not refused"
  [ "$(cat out)" = "haichi: $want" ] || fail "$*: '$(cat out)' in place of '$want'"
  [ -e no.dim ] && fail "$* is refused, but leaves a file"
}
refuse 'collective:6:call=alltoallv:3: alltoallv: Dimemas cannot hold the counts of this collective' collective:6:call=alltoallv
refuse 'ring:8:collective=ibcast:6: waitall: it waits for requests in another order than it has begun them' ring:8:collective=ibcast
refuse "$data/graphs/pipeline.goal: Dimemas' format needs a sequence of calls for each rank; this trace (GOAL) has graphs" \
  "$data/graphs/pipeline.goal"
printf '0 init\n0 recv -333 0 8\n0 finalize\n1 init\n1 send 0 0 8\n1 finalize\n' >any.txt
refuse 'any.txt:2: recv: Dimemas has no receives from any source or of any tag' any.txt
exit $status
