#!/bin/sh
# usage: tests/cli/explain_compare.sh HAICHI
# `haichi compare --explain`: the text of each trace equals the output of `haichi explain`, the report shows it, and a
# campaign without --explain removes it.
. "$(dirname "$0")/../shell.sh"

compare()
{
  "$haichi" compare --platform torus:4x4 --trace npb:mg.S.16@1 npb:ep.S.16 --mapper xyz greedy random:seeds=1..2 --no-plots \
    -o campaign "$@" >out 2>err || fail "$(cat err)"
}
compare --explain
grep -qx campaign/explained.tsv out || fail "$(cat out)"
head -n 1 campaign/explained.tsv | grep -qx 'trace	baseline	fastest	why	further	slower	faster	remedy' || fail 'header of explained.tsv'
sed 1d campaign/explained.tsv >rows
[ "$(wc -l <rows)" = 2 ] || fail "not a row for each trace: $(cat rows)"
while IFS='	' read -r trace baseline fastest why further slower faster remedy; do
  best=$(awk -F '\t' -v t="$trace" 'NR > 1 && /^#/ { next } $1 == "trace" { for (i = 1; i <= NF; i++) at[$i] = i; next }
    $1 == t && (!n++ || $at["simulated_time_s"] < least) { least = $at["simulated_time_s"]; name = $at["mapper"] ($at["seed"] == "-" ? "" : ":seed=" $at["seed"]) }
    END { print name }' campaign/results.tsv)
  [ "$baseline" = xyz ] && [ "$fastest" = "$best" ] || fail "$trace: $fastest instead of $best"
  if [ "$fastest" = xyz ]; then
    [ "$why" = 'The baseline is the fastest.' ] && [ "$remedy" = - ] || fail "$trace: $why"
  else
    "$haichi" explain -p torus:4x4 -t "$trace" -m xyz --against "$fastest" 2>/dev/null | head -n 5 >lines
    printf '%s\n' "$why" "$further" "$slower" "$faster" "$remedy" | cmp -s - lines || fail "$trace: $why, not $(cat lines)"
  fi
done <rows
"$haichi" report campaign --no-plots -o page.html >/dev/null 2>err || fail "$(cat err)"
ls campaign | grep -c '^\(critical-path\|links\)-[12]-\(baseline\|fastest\).csv$' | grep -qx $((4 * $(grep -vc 'The baseline is the fastest' rows))) || fail "$(ls campaign)"
grep -q 'Why the fastest mapping is faster than the baseline' page.html || fail 'the report lacks the explanation'
"$haichi" explain -p torus:4x4 -t npb:mg.S.16@1 --latency-curve campaign/latency.tsv >out 2>&1 || fail "$(cat out)"
"$haichi" report campaign -o page.html >out 2>&1 || fail "$(cat out)"
grep -c 'Tolerated latency: latency.tsv' page.html | grep -qx '[1-9][0-9]*' && grep -q 'predicted by the derivative' page.html || fail 'no curve of latency in the report'
grep -q 'Timeline: critical-path-1-baseline.csv' page.html || fail 'no critical path in the report'
compare
ls campaign | grep -q -e explained -e critical -e 'links-' && fail 'files of an earlier --explain are left'

"$haichi" compare --platform torus:4 --trace "$root/tests/data/toy" --mapper xyz --engine simgrid --explain -o other >out 2>&1
[ $? = 2 ] && grep -q '^haichi compare: --explain: engine simgrid does not record causes; use engine flow' out || fail "$(cat out)"
"$haichi" compare --platform torus:4 --matrix "$root/tests/data/ring4.csv" --mapper xyz --explain -o other >out 2>&1
[ $? = 2 ] && grep -q '^haichi compare: --explain without --trace' out || fail "$(cat out)"
exit $status
