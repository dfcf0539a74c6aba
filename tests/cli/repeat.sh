#!/bin/sh
# usage: tests/cli/repeat.sh HAICHI
# compare --repeat: means, standard deviations and intervals over runs with different seeds; the summary of all campaigns.
. "$(dirname "$0")/../shell.sh"
# shellcheck disable=SC2086 # options of several words

# compare DIR OPTION...
compare()
{
  dir=$1
  shift
  "$haichi" compare -p torus:4x4 -t npb:mg.S.16@1 npb:is.S.16 -o "$dir" --no-plots "$@" >out 2>&1 ||
    { fail "compare $*" && cat out; }
}

# column TABLE NAME: prints this column of all rows
column()
{
  awk -F '\t' -v name="$2" '/^#/ { next } !at { for (i = 1; i <= NF; i++) if ($i == name) at = i; next } { print $at }' "$1"
}

mappers='-m xyz random:seeds=1..3'
loads='--jitter 0.01 --background noise:every=500us,for=50us'
for jobs in 1 2; do
  compare jobs$jobs $mappers --repeat 4 $loads -j $jobs
done
for table in results repeats summary differences; do
  cmp "jobs1/$table.tsv" "jobs2/$table.tsv" || fail "$table.tsv depends on the number of workers"
done
grep -q '^# repeat 4$' jobs1/results.tsv && grep -q ' jitter=0.01 ' jobs1/results.tsv || fail 'results.tsv lacks the number of repetitions or the jitter'
[ "$(column jobs1/results.tsv repeats | tr '\n' ' ')" = '4 4 4 4 4 4 4 4 ' ] || fail 'not a row of 4 repetitions for each seed'
[ "$(column jobs1/repeats.tsv repetition | tr '\n' ' ' | cut -c 1-16)" = '0 1 2 3 0 1 2 3 ' ] || fail 'other numbers of repetitions'
[ "$(column jobs1/repeats.tsv simulated_time_s | sort -u | wc -l)" -eq 32 ] || fail 'some repetitions have equal times'

# Recomputes mean, standard deviation and interval; t with 3 degrees of freedom is 3.182446.
column jobs1/repeats.tsv simulated_time_s |
  awk '{ x[n++] = $1 }
    n == 4 { m = (x[0] + x[1] + x[2] + x[3]) / 4; s = 0
      for (i = 0; i < 4; i++) s += (x[i] - m) ^ 2
      s = sqrt(s / 3); printf "%.9g %.6g %.9g %.9g\n", m, s, m - 3.18244630528 * s / 2, m + 3.18244630528 * s / 2; n = 0 }' >expected
for name in simulated_time_s simulated_time_sd_s simulated_time_ci95_low_s simulated_time_ci95_high_s; do
  column jobs1/results.tsv $name >column.$name
done
paste -d ' ' column.simulated_time_s column.simulated_time_sd_s column.simulated_time_ci95_low_s column.simulated_time_ci95_high_s |
  awk '{ printf "%.9g %.6g %.9g %.9g\n", $1, $2, $3, $4 }' | cmp - expected || fail 'other means, standard deviations or intervals'

# The first repetition is the run without --repeat.  A campaign can be repeated later: only the missing runs are made.
compare once $mappers $loads
column jobs1/repeats.tsv simulated_time_s | awk 'NR % 4 == 1' >first
column once/results.tsv simulated_time_s | cmp - first || fail 'the first repetition has another time than the run without --repeat'
compare once $mappers --repeat 4 $loads
cmp once/results.tsv jobs1/results.tsv || fail 'a campaign that is repeated later: other results'

# With jitter only: a smaller jitter changes times less.
compare wide $mappers --repeat 3 --jitter 0.1
compare narrow $mappers --repeat 3 --jitter 1e-6
a=$(column wide/results.tsv simulated_time_sd_s | awk '{ s += $1 } END { print s }')
b=$(column narrow/results.tsv simulated_time_sd_s | awk '{ s += $1 } END { print s }')
awk -v a="$a" -v b="$b" 'BEGIN { exit !(b > 0 && a > 1000 * b) }' || fail "sums of standard deviations: $a with jitter 0.1, $b with jitter 1e-6"

# The summary ranks by mean.  xyz is significantly faster than random on MG with repetitions.  Single runs have no test.
grep '^npb:mg' jobs1/summary.tsv | cut -f 2,3,4 | tr '\t\n' '  ' | grep -q '^1 xyz 4 2 random 3 $' || { fail 'another ranking on MG' && cat jobs1/summary.tsv; }
grep -q '^# 3 comparisons: ' jobs1/summary.tsv || fail 'summary.tsv lacks the number of comparisons'
compare many --repeat 3 --jitter 0.001 -m xyz random:seeds=1..8
grep -q '^npb:mg.S.16@1	xyz	random	.*	yes$' many/differences.tsv || { fail 'the difference on MG is not significant' && cat many/differences.tsv; }
grep -q '^\*	1	xyz	2	-' jobs1/summary.tsv || fail 'another ranking over all traces'
grep -q '^npb:mg.S.16@1	xyz	random	[0-9.]*	-	-$' once/differences.tsv && fail 'a repeated campaign has no test of the difference'
compare single $mappers
grep -q '^npb:mg.S.16@1	xyz	random	[0-9.]*	-	-$' single/differences.tsv || { fail 'single runs have a test of the difference' && cat single/differences.tsv; }

"$haichi" plot speedup jobs1/results.tsv -o speedup.svg && grep -q '</svg>' speedup.svg || fail 'plot speedup of repeated runs'

"$haichi" compare -p torus:4 -t npb:is.S.4 -m xyz --repeat 3 -o no >out 2>&1
[ $? -eq 2 ] && grep -qF -e '--repeat without --jitter or --background: all runs would be equal' out || fail '--repeat without a random effect: another message'
"$haichi" sim -p torus:4 -t npb:is.S.4 --jitter 0.6 >out 2>&1
[ $? -eq 2 ] && grep -q 'jitter' out || fail 'a jitter of 0.6: another message'

# If a run fails, its row fails with the reason.
printf '0 init\n0 recv 1 0 8\n0 finalize\n' >bad.0
printf '1 init\n1 finalize\n' >bad.1
printf 'bad.0\nbad.1\n' >bad.txt
"$haichi" compare -p torus:4 -t bad.txt -m xyz --repeat 2 --jitter 0.1 -o bad --no-plots >out 2>&1
[ "$(column bad/results.tsv status)" = failed ] && column bad/results.tsv reason | grep -q deadlock || fail 'the row of a failed run lacks the status or the reason'

# summary.tsv leaves out a mapper of which a repetition failed: the repetitions that are left would be a biased sample.
cat >flaky.sh <<'E'
#!/bin/sh
echo >>count
[ $(($(wc -l <count) % 3)) -ne 0 ] && seq 0 3
E
chmod +x flaky.sh
"$haichi" compare -p torus:2x2 -t npb:is.S.4 npb:ep.S.4 -m xyz "command:path=$work/flaky.sh" --jitter 0.3 --repeat 3 -j 1 -o flaky --no-plots \
  >out 2>&1
grep -q '	failed	' flaky/results.tsv || { fail 'no run failed' && cat out; }
grep -c command flaky/summary.tsv | grep -qx 0 || { fail 'summary.tsv ranks a mapper with a failed repetition' && cat flaky/summary.tsv; }
# Tables with means over repetitions are no baseline.
"$haichi" regress -b jobs1/results.tsv --jitter 0.01 --background noise:every=500us,for=50us >out 2>&1
[ $? -eq 1 ] && grep -q 'jobs1/results.tsv:[0-9]*: the baseline has means over repetitions (repeat [0-9]*)' out || { fail 'a baseline with means' && cat out; }

# Repetitions that are all equal count as one run: no test.
"$haichi" compare -p torus:2x2 -t npb:cg.S.4@1 -m xyz greedy random --compute-scale 0 --jitter 0.1 --repeat 2 -o equal --no-plots >out 2>&1 ||
  { fail 'repetitions that are equal' && cat out; }
awk -F '\t' '!/^#/ { for (i = 1; i <= NF; i++) { if (NR > 1 && $i ~ /^p/) at = i }; if (at && $at !~ /^p/ && $at != "-") bad = 1; rows++ } END { exit bad || !at || rows < 4 }' \
  equal/differences.tsv || { fail 'equal repetitions are tested' && cat equal/differences.tsv; }
exit $status
