#!/bin/sh
# usage: tests/cli/scotch.sh HAICHI
# Mapper scotch: ranks that it had to move are told, in compare by a column; campaigns go on; it is not loaded unless used.
. "$(dirname "$0")/../shell.sh"

if "$haichi" list mappers | grep -q '^scotch.*not built in'; then
  "$haichi" map scotch -p torus:4 --matrix grid:4 2>err && fail 'a mapping without Scotch'
  grep -qx "haichi: mapper 'scotch' is not built in: install libscotch-dev and build haichi again" err || fail 'not built in'
  exit $status
fi

"$haichi" map scotch -p torus:4x4 -t npb:cg.A.16@1 -o plain 2>err || fail 'map scotch'
[ -s err ] && fail 'a note though no rank moved'
for command in 'map -o moved' metrics sim; do
  options="-p torus:8x8 -t random:60:degree=6"
  case $command in
  map*) run="map scotch:imbalance=1 $options -o moved" ;;
  metrics) run="metrics scotch:imbalance=1 $options" ;;
  sim) run="sim -m scotch:imbalance=1 $options" ;;
  esac
  # shellcheck disable=SC2086 # words
  "$haichi" $run >out 2>err || fail "$run"
  grep -Eqx "haichi: note: mapper 'scotch:imbalance=1' filled hosts too much: [0-9]+ ranks? moved to the nearest free hosts" err ||
    { fail "no note: $run" && cat err; }
done
[ "$(sort moved | uniq -d | wc -l)" -eq 0 ] || fail 'a host with two ranks'
moved=$(sed -n 's/.*: \([0-9]*\) ranks* moved.*/\1/p' err)

compare()
{
  "$haichi" compare -p torus:8x8 -t random:60:degree=6 -m xyz scotch scotch:imbalance=1 -o out.d --no-plots >/dev/null 2>err ||
    { fail compare && cat err; }
}
compare
cp out.d/results.tsv first
column()
{
  awk -F '\t' -v name="$1" '/^#/ { next } !at { for (i = 1; i <= NF; i++) if ($i == name) at = i; next } { print $2, $at }' first
}
column moved_ranks >seen
printf 'xyz -\nscotch 0\nscotch:imbalance=1 %s\n' "$moved" >expected
sed 's/^scotch [0-9]*/scotch 0/' seen | cmp -s - expected || { fail 'moved_ranks' && cat seen expected; }
grep -Eq '^# mapper scotch:imbalance=1 seeds 1\.\.1 of Scotch [0-9.]+$' first || fail 'no version of Scotch'
compare
cmp first out.d/results.tsv || fail 'a campaign that goes on'
"$haichi" compare -p torus:8x8 -t random:60:degree=6 -m xyz -o out.d --no-plots --overwrite >/dev/null 2>&1
grep -q moved_ranks out.d/results.tsv && fail 'a column for nothing'

# Nothing else loads the library.
if command -v strace >/dev/null; then
  strace -f -e trace=openat "$haichi" map greedy -p torus:4x4 -t npb:cg.A.16@1 -o plain 2>trace
  grep -q libscotch trace && fail 'Scotch is loaded for greedy'
fi
exit $status
