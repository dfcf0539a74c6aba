#!/bin/sh
# usage: tests/cli/explain_compare.sh HAICHI
# `haichi compare --explain`: the text of each trace equals the output of `haichi explain`, the report shows it, and a
# campaign without --explain removes it.
set -u

haichi=$1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
status=0

fail()
{
  echo "$*"
  status=1
}

compare()
{
  "$haichi" compare --platform torus:4x4 --trace npb:mg.S.16@1 npb:ep.S.16 --mapper xyz greedy random:seeds=1..2 --no-plots \
    -o "$work/campaign" "$@" >"$work/out" 2>"$work/err" || fail "$(cat "$work/err")"
}
compare --explain
grep -qx "$work/campaign/explained.tsv" "$work/out" || fail "$(cat "$work/out")"
head -n 1 "$work/campaign/explained.tsv" | grep -qx 'trace	baseline	fastest	why	further	slower	faster	remedy' || fail 'header of explained.tsv'
sed 1d "$work/campaign/explained.tsv" >"$work/rows"
[ "$(wc -l <"$work/rows")" = 2 ] || fail "not a row for each trace: $(cat "$work/rows")"
while IFS='	' read -r trace baseline fastest why further slower faster remedy; do
  best=$(awk -F '\t' -v t="$trace" 'NR > 1 && /^#/ { next } $1 == "trace" { for (i = 1; i <= NF; i++) at[$i] = i; next }
    $1 == t && (!n++ || $at["simulated_time_s"] < least) { least = $at["simulated_time_s"]; name = $at["mapper"] ($at["seed"] == "-" ? "" : ":seed=" $at["seed"]) }
    END { print name }' "$work/campaign/results.tsv")
  [ "$baseline" = xyz ] && [ "$fastest" = "$best" ] || fail "$trace: $fastest instead of $best"
  if [ "$fastest" = xyz ]; then
    [ "$why" = 'The baseline is the fastest.' ] && [ "$remedy" = - ] || fail "$trace: $why"
  else
    "$haichi" explain -p torus:4x4 -t "$trace" -m xyz --against "$fastest" 2>/dev/null | head -n 5 >"$work/lines"
    printf '%s\n' "$why" "$further" "$slower" "$faster" "$remedy" | cmp -s - "$work/lines" || fail "$trace: $why, not $(cat "$work/lines")"
  fi
done <"$work/rows"
"$haichi" report "$work/campaign" --no-plots -o "$work/page.html" >/dev/null 2>"$work/err" || fail "$(cat "$work/err")"
ls "$work/campaign" | grep -c '^\(critical-path\|links\)-[12]-\(baseline\|fastest\).csv$' | grep -qx $((4 * $(grep -vc 'The baseline is the fastest' "$work/rows"))) || fail "$(ls "$work/campaign")"
grep -q 'Why the fastest mapping is faster than the baseline' "$work/page.html" || fail 'the report lacks the explanation'
"$haichi" explain -p torus:4x4 -t npb:mg.S.16@1 --latency-curve "$work/campaign/latency.tsv" >"$work/out" 2>&1 || fail "$(cat "$work/out")"
"$haichi" report "$work/campaign" -o "$work/page.html" >"$work/out" 2>&1 || fail "$(cat "$work/out")"
grep -c 'Tolerated latency: latency.tsv' "$work/page.html" | grep -qx '[1-9][0-9]*' && grep -q 'predicted by the derivative' "$work/page.html" || fail 'no curve of latency in the report'
grep -q 'Timeline: critical-path-1-baseline.csv' "$work/page.html" || fail 'no critical path in the report'
compare
ls "$work/campaign" | grep -q -e explained -e critical -e 'links-' && fail 'files of an earlier --explain are left'

"$haichi" compare --platform torus:4 --trace tests/data/toy --mapper xyz --engine simgrid --explain -o "$work/other" >"$work/out" 2>&1
[ $? = 2 ] && grep -q '^haichi compare: --explain: engine simgrid does not record causes; use engine flow' "$work/out" || fail "$(cat "$work/out")"
"$haichi" compare --platform torus:4 --matrix tests/data/ring4.csv --mapper xyz --explain -o "$work/other" >"$work/out" 2>&1
[ $? = 2 ] && grep -q '^haichi compare: --explain is for --trace' "$work/out" || fail "$(cat "$work/out")"
exit $status
