#!/bin/sh
# usage: tests/cli/explain_against.sh HAICHI
# Pairs of mappings that differ for a known reason: a slow link, a pair of ranks on distant hosts, contention with messages
# of other ranks, a slow host.  The first line of the output names the reason.
. "$(dirname "$0")/../shell.sh"
pairs=0

# program BYTES FLOPS PAIRS: each pair SRC-DST exchanges ten messages of BYTES bytes; rank 0 computes in between
program()
{
  rm -rf trace index
  mkdir trace
  for pair in $3; do
    src=${pair%-*} dst=${pair#*-}
    awk -v r="$src" -v to="$dst" -v b="$1" -v f="$2" 'BEGIN { print r, "init"
      for (i = 0; i < 10; i++) { print r, "compute", f; print r, "send", to, 0, b, 6 } print r, "finalize" }' >"trace/$src"
    awk -v r="$dst" -v to="$src" -v b="$1" -v f="$2" 'BEGIN { print r, "init"
      for (i = 0; i < 10; i++) { print r, "recv", to, 0, b, 6 } print r, "finalize" }' >"trace/$dst"
  done
  for rank in $(ls trace | sort -n); do
    echo "trace/$rank" >>index
  done
}

# hosts FILE HOST...: a mapping of the ranks in order
hosts()
{
  file=$1
  shift
  printf '%s\n' "$@" | awk '{ print "node-" $1 }' >"$file"
}

# names PATTERN OPTION...: the first line about mappings a and b has the pattern, and the text does not depend on the order
# of the mappings
names()
{
  pattern=$1
  shift
  pairs=$((pairs + 1))
  "$haichi" explain -p torus:16 -t index -m a.map --against b.map "$@" >out 2>err || fail "$(cat err)"
  "$haichi" explain -p torus:16 -t index -m b.map --against a.map "$@" 2>/dev/null | head -n 5 >swapped
  head -n 5 out | cmp -s - swapped || fail "pair $pairs: another text if the mappings are swapped"
  head -n 1 out | grep -Eq "^b.map (is [0-9.]+ % slower than|takes [0-9.]+ times as long as) a.map; [0-9]+ % of it: $pattern" ||
    fail "pair $pairs, expected $pattern: $(head -n 5 out)"
}

for i in 1 2 3 4 5; do
  # A slow link: the route from host i to host i + 1 has 1 % of the bandwidth.
  program $((i * 200000)) 1e5 '0-1'
  printf 'bandwidth haichi_link_from_%d_to_%d_UP\n0 1.25e7\n' $i $((i + 1)) >slow
  hosts a.map $((i + 2)) $((i + 3))
  hosts b.map $i $((i + 1))
  names "transfers, [0-9]+ % by 10 messages from rank 0 to rank 1, over link haichi_link_from_${i}_to_$((i + 1))_UP " --background profile:slow

  # A pair on distant hosts: messages of i bytes over 1 or 3 + i links.
  program $i 0 '0-1 2-3'
  hosts a.map 0 1 10 11
  hosts b.map 0 $((3 + i)) 10 11
  names "latency, [0-9]+ % by 10 messages from rank 0 to rank 1, $((3 + i)) links instead of 1"

  # Contention: the messages of ranks 2 and 3 cross the link of ranks 0 and 1.
  program $((i * 100000)) 1e5 '0-1 2-3'
  hosts a.map 0 2 8 10
  hosts b.map $i $((i + 2)) $((i + 1)) $((i + 3))
  names "contention, [0-9]+ % where [0-9]+ messages? of ranks? [0-9,-]+ to ranks? [0-9,-]+ shares? link haichi_link_from_$((i + 1))_to_$((i + 2))_UP"

  # The last line has the time of a run in which this link has a million times its bandwidth.
  link=$(sed -n 's/^Without a limit on link \([^ ]*\), b.map takes .*/\1/p' out)
  printf 'bandwidth %s\n0 1.25e15\n' "$link" >wide
  time=$("$haichi" sim -p torus:16 -t index -m b.map --background profile:wide 2>/dev/null | awk '{ printf "%.6g", $2; exit }')
  grep -q "^Without a limit on link $link, b.map takes $time s: alone worth " out || fail "link '$link': simulated $time s, but: $(tail -n +5 out | head -n 1)"

  # A late rank: rank 0 is on a host with half of the speed.
  program 1000 $((i * 1000000)) '0-1 2-3'
  printf 'speed node-%d\n0 0.5\n' $i >slow
  hosts a.map 8 9 11 12
  hosts b.map $i $((i + 1)) 11 12
  names "computation of rank 0 on host node-$i of " --background profile:slow
done
[ "$pairs" = 20 ] || fail "$pairs pairs of mappings, not 20"
# A mapping against itself: equal times stay, so the links have the whole contention.
"$haichi" explain -p torus:4x4 -t npb:is.S.16 --compute-scale 0 -m xyz --against xyz --top 1000 >out 2>/dev/null || fail 'xyz against itself'
awk -F '\t' '$1 == "link" || $1 == "cause" || $1 == "pair" { table = $1; next } NF < 2 { table = "" }
  table == "cause" && $1 == "contention" { want = $2 } table == "link" { sum += $2 }
  END { exit !(want > 0 && sum > 0.999999 * want && sum < 1.000001 * want) }' out || { fail 'links of equal runs are lost' && head -40 out; }
exit $status
