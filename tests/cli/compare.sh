#!/bin/sh
# usage: tests/cli/compare.sh HAICHI
# Properties of `haichi compare` that compare.tesh cannot check: the same table with any number of jobs and after kills
# at random moments; rows for a run that is killed and for a run that takes too long; failed runs made again with
# --retry-failed.
# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"
cd "$root" || exit 1

# compare DIR OPTION...: 2 traces, 2 mappers, 3 seeds
compare()
{
  dir=$1
  shift
  exec "$haichi" compare --platform torus:4x4 --trace tests/data/is.S.16.tar.zst \
    tests/data/mg.S.16.tar.zst --mapper random:seeds=1..3 xyz --no-plots -o "$dir" "$@"
}

(compare "$work/one" -j 1) >"$work/log" 2>&1 || fail "-j 1: $(cat "$work/log")"
(compare "$work/two" -j 2) >"$work/log" 2>&1 || fail "-j 2: $(cat "$work/log")"
cmp "$work/one/results.tsv" "$work/two/results.tsv" || status=1
[ "$(grep -c '	ok	' "$work/one/results.tsv")" -eq 8 ] || fail "not 8 runs with status ok"

# The times equal the times of `haichi sim` to the last digit.
for m in random:seed=1 random:seed=2 random:seed=3 xyz; do
  "$haichi" sim --platform torus:4x4 --trace tests/data/mg.S.16.tar.zst -m $m 2>/dev/null |
    sed -n 's/^simulated_time_s.//p'
done >"$work/of-sim"
grep '^tests/data/mg' "$work/one/results.tsv" | cut -f 5 | cmp - "$work/of-sim" || status=1

# An audit adds a column after its runs have ended, and gives the same table with any number of jobs.
for jobs in 1 2; do
  (compare "$work/audit-$jobs" -j $jobs --audit 3) >"$work/log" 2>&1 || fail "$(cat "$work/log")"
done
cmp "$work/audit-1/results.tsv" "$work/audit-2/results.tsv" || status=1
awk -F '\t' '/^#/ { next } $20 != "audit_difference" && $20 != "-" {
  n++
  if (!($20 < 1e-4)) bad = 1
} END { exit bad || n != 3 }' "$work/audit-1/results.tsv" || fail "$(cat "$work/audit-1/results.tsv")"

# A campaign that is killed 20 times at random moments can still be completed.
awk 'BEGIN { srand(7); for (i = 0; i < 20; i++) printf "%.3f\n", rand() * 0.25 }' >"$work/moments"
while read -r moment; do
  (compare "$work/killed" -j 2) >"$work/log" 2>&1 &
  pid=$!
  sleep "$moment"
  kill -9 $pid 2>/dev/null
  wait $pid 2>/dev/null
done <"$work/moments"
(compare "$work/killed" -j 2) >"$work/log" 2>&1 || fail "after kills: $(cat "$work/log")"
cmp "$work/one/results.tsv" "$work/killed/results.tsv" || status=1
rows=$(($(wc -l <"$work/killed/timings.tsv") - 1))
[ "$rows" -eq 8 ] || fail "timings.tsv has $rows rows"

# A failed run is not made again without --retry-failed.
cp -r "$work/one" "$work/retry"
stored=$(grep -l 'random:seed=2' "$work/retry/runs"/*.tsv | head -n 1)
sed -i '/^[^#]/d' "$stored"
printf 'unpack_limit_bytes\t4294967296\nstatus\tfailed\nreason\tno reason\n' >>"$stored"
sum=$(sha256sum <"$stored" | cut -d' ' -f1)
printf 'checksum\t%s\n' "$sum" >>"$stored"
(compare "$work/retry") >"$work/log" 2>&1 && fail "a stored failure, but exit 0"
grep -q '	random	2	failed	.*	no reason$' "$work/retry/results.tsv" || fail "the failed run is made again"
(compare "$work/retry" --retry-failed) >"$work/log" 2>&1 ||
  fail "--retry-failed: $(cat "$work/log")"
cmp "$work/one/results.tsv" "$work/retry/results.tsv" || status=1

# worker PARENT: sets $worker to a process of the campaign
worker()
{
  worker=
  while [ -z "$worker" ] && kill -0 "$1"; do
    sleep 0.02
    worker=$(awk -v parent="$1" '
      $4 == parent { print $1; exit }' /proc/[0-9]*/stat 2>/dev/null)
  done
}

# Two runs would take hours: one is killed, the other ends at --timeout.  The other runs are made.  Meanwhile a second
# campaign in the same folder is refused.
"$haichi" compare --platform torus:8x8 --trace npb:lu.F.64 ring:64 --mapper xyz random --no-plots \
  -o "$work/bad" -j 1 --timeout 8 >"$work/out" 2>"$work/log" &
pid=$!
worker $pid
(compare "$work/bad" -j 1) >"$work/second" 2>&1 && fail "a second campaign in the same folder is accepted"
grep -q 'another haichi compare is running in this folder' "$work/second" || fail "$(cat "$work/second")"
kill -9 "$worker"
wait $pid && fail "failed runs, but exit 0"
grep -q 'haichi: 2 of 4 runs failed, the first one: killed by signal 9 (Killed); the reasons are in .*/results.tsv' "$work/log" ||
  fail "$(cat "$work/log")"
grep -v '^#' "$work/bad/results.tsv" | tail -n +2 | cut -f 1-4,19 >"$work/rows"
cat >"$work/expected" <<END
npb:lu.F.64	xyz	-	failed	killed by signal 9 (Killed)
npb:lu.F.64	random	1	timeout	no result within 8 s
ring:64	xyz	-	ok	-
ring:64	random	1	ok	-
END
diff "$work/expected" "$work/rows" || status=1
[ -z "$(find "$work/bad" -regextype egrep -regex '.*\.[A-Za-z0-9]{6}')" ] ||
  fail "runs that were killed leave $(ls "$work/bad/runs")"

# A run that failed because of --unpack-limit is made again with another limit.
cp "$root/tests/data/is.S.16.tar.zst" "$work/packed.tar.zst"
for limit in 1000 1000 1GiB; do
  "$haichi" compare --platform torus:4x4 --trace "$work/packed.tar.zst" --mapper xyz --no-plots \
    --unpack-limit $limit -o "$work/limit" >/dev/null 2>"$work/log" && [ $limit = 1000 ] &&
    fail 'a trace above --unpack-limit is accepted'
done
grep -q '	ok	' "$work/limit/results.tsv" || fail "another limit: $(cat "$work/log")"
exit $status
