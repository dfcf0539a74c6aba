#!/bin/sh
# usage: tests/cli/fit.sh HAICHI
# fit: known figures of constructed results, groups, rows that are left out, pictures, refusals.
. "$(dirname "$0")/../shell.sh"

# table NAME: results of two traces.  The time of trace a is 2 + 3 hop-bytes; the time of trace b falls with cardinality.
table()
{
  awk 'BEGIN { OFS = "\t"
    print "trace", "mapper", "seed", "status", "simulated_time_s", "communication_time_mean_s", "hop_bytes", "dilation_mean_hops", "max_link_load_bytes", "cardinality", "max_link_load_s", "mean_latency_s", "estimated_time_s"
    for (i = 1; i <= 20; i++) {
      load = i * 7 % 13 + 1
      print "a", "m" i, "-", "ok", 2 + 3 * i, 100 - i, i, i * i, load, 30, load * 2, 5 - i / 10, i / 2
      print "b", "m" i, "-", "ok", 50 - i - i % 3, 1, i * 3 % 7, 1, load, i, load * 2, 1 + i % 5, 7 - i % 3
    }
    print "b", "m0", "-", "failed", "-", "-", "-", "-", "-", "-", "-", "-", "-"
    print "b", "m99", "-", "ok", 1e6, 1, "-", "-", "-", "-", "-", "-", "-"
    print "c", "m1", "-", "ok", 1, 1, 1, 1, 1, 1, 1, 1, 1 }' >"$1"
}
table one.tsv

# value TRACE METRICS COLUMN
value()
{
  awk -F '\t' -v t="$1" -v m="$2" -v c="$3" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } $2 == t && $4 == m { print $at[c] }' out
}

# is TRACE METRICS COLUMN VALUE
is()
{
  [ "$(value "$1" "$2" "$3")" = "$4" ] || fail "$1 $2 $3: '$(value "$1" "$2" "$3")', not '$4'"
}

"$haichi" fit one.tsv >out 2>err || { fail fit && cat err; }
[ "$(head -n 1 out)" = "$(printf 'results\ttrace\trows\tmetrics\tspearman\tkendall\tr2\terror\tat_zero\tslope_1\tslope_2')" ] || fail 'another header'
[ "$(cut -f 1,2,3 out | tail -n +2 | uniq -c | awk '{ print $1, $2, $3, $4 }' | tr '\n' ';')" = '28 one.tsv a 20;28 one.tsv b 20;28 * * 40;' ] ||
  { fail 'other groups of rows' && cut -f 1,2,3 out | uniq -c; }
is a hop_bytes spearman 1
is a hop_bytes kendall 1
is a hop_bytes r2 1
is a hop_bytes at_zero 2
is a hop_bytes slope_1 3
is a hop_bytes slope_2 -
is a dilation_mean_hops spearman 1
is a mean_latency_s spearman -1
is a mean_latency_s slope_1 -30
is a estimated_time_s spearman 1
is a estimated_time_s slope_1 6
is a cardinality spearman -
is a cardinality error -
is a hop_bytes+mean_latency_s r2 -
is b dilation_mean_hops spearman -
awk -v x="$(value b cardinality spearman)" -v r="$(value b cardinality r2)" 'BEGIN { exit !(x < -0.97 && x > -1 && r > 0.95 && r < 1) }' || fail 'trace b: wrong correlation with cardinality'
# The best metric of each trace comes first, metrics without a fit last.
[ "$(awk -F '\t' '$2 == "b" { print $4; exit }' out | grep -c cardinality)" -eq 1 ] || fail 'trace b: cardinality is not first'
[ "$(awk -F '\t' '$2 == "b" { last = $8 } END { print last }' out)" = - ] || fail 'trace b: a metric without a fit is not last'

"$haichi" fit --time communication_time_mean_s one.tsv >out || fail 'fit --time'
is a hop_bytes slope_1 -1
is b cardinality spearman -
cp one.tsv two.tsv
"$haichi" fit one.tsv two.tsv >out || fail 'fit of two files'
is '*' hop_bytes rows 80
[ "$(cut -f 1,2 out | tail -n +2 | uniq | tr '\t\n' ' ;')" = 'one.tsv a;one.tsv b;two.tsv a;two.tsv b;* *;' ] || fail 'other groups of rows of two files'

# Results of earlier versions have no estimate.
cut -f 1-12 one.tsv >earlier.tsv
"$haichi" fit earlier.tsv >out || fail 'fit of results without estimates'
is a hop_bytes r2 1
is a estimated_time_s r2 -

# Results of a campaign.
"$haichi" compare -p torus:4x4 -t npb:cg.A.16@1 -m xyz random:seeds=1..9 -o camp --no-plots >/dev/null || fail compare
"$haichi" fit camp/results.tsv >out || fail 'fit of a campaign'
is npb:cg.A.16@1 hop_bytes rows 10
"$haichi" plot fit one.tsv two.tsv camp/results.tsv -o fit.svg || fail 'plot fit'
for text in hop-bytes cardinality 'mean latency' 'R2 ' cg.A.16; do
  grep -q "$text" fit.svg || fail "no '$text' in the picture"
done

refused()
{
  message=$1
  shift
  "$haichi" "$@" >out 2>err
  [ $? -eq 1 ] || fail "$*: exit code is not 1"
  echo "haichi: $message" | cmp -s - err || { fail "$*: another message" && cat err; }
}
head -n 5 one.tsv >few.tsv
refused 'few.tsv: no trace has 5 rows with metrics' fit few.tsv
refused 'no.tsv: cannot read: No such file or directory' fit one.tsv no.tsv
refused "'one.tsv' is given twice" fit one.tsv few.tsv one.tsv
cut -f 1-9 one.tsv >narrow.tsv
refused "narrow.tsv: no column 'max_link_load_s' in the header" fit narrow.tsv
sed '3s/	ok	[0-9]*/	ok	fast/' one.tsv >wrong.tsv
refused "wrong.tsv:3: simulated_time_s: 'fast' is not a number" fit wrong.tsv
refused 'few.tsv: no trace has 5 rows with metrics' plot fit few.tsv -o few.svg
"$haichi" fit >out 2>err
[ $? -eq 2 ] && grep -q '^haichi fit: no RESULTS.tsv given$' err || fail 'fit without files'
"$haichi" fit --time wall_s one.tsv >out 2>err
[ $? -eq 2 ] && grep -q "unknown time 'wall_s'; expected simulated_time_s, communication_time_mean_s or communication_time_max_s" err || fail 'fit with an unknown --time'
# A metric that a row lacks has no figures; the other metrics keep theirs.
awk -F '\t' -v OFS='\t' '$2 == "m3" { $13 = "-" } { print }' one.tsv >lacks.tsv
"$haichi" fit lacks.tsv >out 2>err || { fail 'fit of rows without an estimate' && cat err; }
is a estimated_time_s spearman -
is a estimated_time_s error -
is '*' estimated_time_s kendall -
is a hop_bytes spearman 1

exit $status
