#!/bin/sh
# usage: tests/cli/scotch.sh HAICHI
# Mapper scotch: a note and a column of compare have the number of moved ranks; campaigns can be continued; the library is
# loaded only if it is used.
. "$(dirname "$0")/../shell.sh"

if "$haichi" list mappers | grep -q '^scotch.*not built in'; then
  "$haichi" map scotch -p torus:4 --matrix grid:4 2>err && fail 'map scotch without Scotch is accepted'
  grep -qx "haichi: mapper 'scotch' is not built in: install libscotch-dev and build haichi again" err || fail 'map scotch without Scotch: another message'
  exit $status
fi

"$haichi" map scotch -p torus:4x4 -t npb:cg.A.16@1 -o plain 2>err || fail 'map scotch'
[ -s err ] && fail 'a note although no rank was moved'
for command in 'map -o moved' metrics sim; do
  options="-p torus:8x8 -t random:60:degree=6"
  case $command in
  map*) run="map scotch:imbalance=1 $options -o moved" ;;
  metrics) run="metrics scotch:imbalance=1 $options" ;;
  sim) run="sim -m scotch:imbalance=1 $options" ;;
  esac
  # shellcheck disable=SC2086 # words
  "$haichi" $run >out 2>err || fail "$run: fails"
  grep -Eqx "haichi: note: mapper 'scotch:imbalance=1' filled hosts too much: [0-9]+ ranks? moved to the nearest free hosts" err ||
    { fail "$run: no note on moved ranks" && cat err; }
done
[ "$(sort moved | uniq -d | wc -l)" -eq 0 ] || fail 'a host has two ranks'
moved=$(sed -n 's/.*: \([0-9]*\) ranks* moved.*/\1/p' err)

compare()
{
  "$haichi" compare -p torus:8x8 -t random:60:degree=6 -m xyz scotch scotch:imbalance=1 -o out.d --no-plots >/dev/null 2>err ||
    { fail 'haichi compare' && cat err; }
}
compare
cp out.d/results.tsv first
column()
{
  awk -F '\t' -v name="$1" '/^#/ { next } !at { for (i = 1; i <= NF; i++) if ($i == name) at = i; next } { print $2, $at }' first
}
column moved_ranks >seen
printf 'xyz -\nscotch 0\nscotch:imbalance=1 %s\n' "$moved" >expected
sed 's/^scotch [0-9]*/scotch 0/' seen | cmp -s - expected || { fail 'other values of moved_ranks' && cat seen expected; }
grep -Eq '^# mapper scotch:imbalance=1 seeds 1\.\.1 of Scotch [0-9.]+$' first || fail 'results.tsv lacks the version of Scotch'
compare
cmp first out.d/results.tsv || fail 'a continued campaign has other results'
"$haichi" compare -p torus:8x8 -t random:60:degree=6 -m xyz -o out.d --no-plots --overwrite >/dev/null 2>&1 || fail 'compare --overwrite'
grep -q moved_ranks out.d/results.tsv && fail 'results.tsv has a column moved_ranks without scotch'

# An imitation of the library that cannot start a thread: the error says so, and all handles are freed.
mkdir fake
cat >fake.c <<'END'
#include <stdio.h>
#include <stdlib.h>
static int left;
#define NEW(name) void *SCOTCH_##name(void) { left++; return malloc(1); }
#define INIT(name) int SCOTCH_##name(void) { left++; return 0; }
#define EXIT(name) void SCOTCH_##name(void) { left--; }
#define NONE(name, value) int SCOTCH_##name(void) { return value; }
NEW(archAlloc) NEW(contextAlloc) NEW(graphAlloc) NEW(stratAlloc)
INIT(archInit) INIT(contextInit) INIT(graphInit) INIT(stratInit)
EXIT(archExit) EXIT(contextExit) EXIT(graphExit) EXIT(stratExit)
void SCOTCH_memFree(void *p) { left -= p != NULL; free(p); }
NONE(contextThreadSpawn, 1) NONE(numSizeof, sizeof(int))
NONE(archCmplt, 0) NONE(archHcub, 0) NONE(archLoad, 0) NONE(archMesh2, 0) NONE(archMesh3, 0)
NONE(archMeshX, 0) NONE(archTleaf, 0) NONE(archTorusX, 0) NONE(contextBindGraph, 0)
NONE(contextOptionSetNum, 0) NONE(contextRandomClone, 0) NONE(contextRandomSeed, 0)
NONE(graphBuild, 0) NONE(graphMap, 0) NONE(stratGraphMapBuild, 0)
__attribute__((destructor)) static void report(void) { fprintf(stderr, "%d handles left\n", left); }
END
version=$(printf '#include <stdio.h>\n#include <scotch.h>\nSCOTCH_VERSION.SCOTCH_RELEASE\n' |
  cc -I/usr/include/scotch -E -P - 2>/dev/null | tail -1 | tr -d ' ')
if [ -n "$version" ] && cc -shared -fPIC -w -o "fake/libscotch-$version.so" fake.c 2>/dev/null; then
  LD_LIBRARY_PATH=$PWD/fake "$haichi" map scotch -p torus:4 --matrix grid:4 -o plain 2>err &&
    fail 'map scotch without a thread is accepted'
  { grep -q '^haichi: .*Scotch cannot start' err && grep -qx '0 handles left' err; } ||
    { fail 'no error, or handles are left, if a thread cannot start' && cat err; }
else
  echo 'skipped: no imitation of Scotch, which cannot be compiled'
fi

# Other mappers do not load the library.
if strace -o trace true 2>/dev/null; then
  # LeakSanitizer does not run under strace
  ASAN_OPTIONS=detect_leaks=0 strace -f -e trace=openat "$haichi" map greedy -p torus:4x4 -t npb:cg.A.16@1 -o plain 2>trace || fail 'map greedy under strace'
  grep -q 'openat.*plain' trace || fail 'strace shows no files'
  grep -q libscotch trace && fail 'Scotch is loaded for greedy'
else
  echo 'skipped: strace does not run, so the loading of Scotch is not checked'
fi
exit $status
