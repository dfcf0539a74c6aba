#!/bin/sh
# usage: tests/cli/report.sh HAICHI
# report: one page that needs no other files, with the same bytes in two runs; its contents for one and for two campaigns;
# names of all kinds stay text; a refusal leaves no page, and an old page unchanged.
# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"
trace=$root/tests/data/is.S.16.tar.zst

# reports DIR... [OPTION...]: writes page.html and checks it
reports()
{
  "$haichi" report "$@" -o page.html >out 2>err || { fail "report $*: $(cat err)" && return; }
  [ -s out ] || [ -s err ] && fail "report $*: prints $(cat out err)"
  whole page.html
}

# whole PAGE: all scripts are closed, the page is complete, and no two elements have the same identifier
whole()
{
  [ "$(grep -o '<script' "$1" | wc -l)" = "$(grep -o '</script>' "$1" | wc -l)" ] || fail "$1: a script is not closed"
  [ "$(tail -n 1 "$1")" = '</html>' ] || fail "$1: is incomplete"
  duplicates=$(grep -oE '<[a-z]+( [a-z-]+="[^"]*")* id="[^"]*"' "$1" | grep -o ' id=".*' | sort | uniq -d)
  [ -z "$duplicates" ] || fail "$1: identifiers that several elements have: $duplicates"
}

# shows TEXT...: the page has all texts
shows()
{
  for text in "$@"; do
    grep -qF -e "$text" page.html || fail "the page has no: $text"
  done
}

# hides TEXT...: the page has none of the texts
hides()
{
  for text in "$@"; do
    grep -qF -e "$text" page.html && fail "the page has: $text"
  done
}

"$haichi" compare -p torus:4x4 -t "$trace" npb:mg.S.16@1 -m xyz greedy random:seeds=1..3 -o old >log 2>&1 ||
  fail "$(cat log)"
"$haichi" sim -p torus:4x4 -t "$trace" --timeline old/ranks.csv >log 2>&1 || fail "$(cat log)"
sum=$(sha256sum "$trace" | cut -d ' ' -f 1)

# --- one campaign -----------------------------------------------------------------------------------------------

reports old
shows '<h1>Campaign old</h1>' "$sum" 'torus:4x4' 'Ranking' 'Speedups' "Holm's correction" \
  "--mapper xyz greedy random:seeds=1..3 --model smpi" \
  'haichi plot speedup old/results.tsv -o f1-speedup.svg' \
  'haichi plot timeline old/ranks.csv -o f1-timeline-1.svg' \
  'id="f1-links-1"' 'id="f1-matrix-2"' 'id="f1-fit"' 'id="f1-results"' 'id="f1-timings"' \
  '<th scope="col" class="number">simulated_time_s</th>' 'lang="en"' 'Skip to the content' '@media print' \
  'prefers-color-scheme: dark' 'role="img"'
"$haichi" report old -o - | cmp -s - page.html || fail 'two runs give different pages'
# An unfinished campaign says so.
cp -r old part
sed '$d' old/results.tsv >part/results.tsv
reports part --no-plots
shows '>9 of 10<'
reports old
hides ' of 10<'
# The page fetches nothing, and its content security policy forbids it.  Pictures with meaningful shades keep a white
# background on a dark page.
shows '.picture.shaded svg { --paper: #ffffff;'
hides 'filter: invert' 'Ranking over all' 'src=' '<link' '@import' 'url(http' 'From old'
shows "default-src 'none'" "script-src 'sha256-"
# Each picture has a title and a description.
[ "$(grep -o '<svg' page.html | wc -l)" = "$(grep -o '<desc id=' page.html | wc -l)" ] || fail 'a picture lacks its description'
# The commands in the page draw the same pictures.
"$haichi" plot speedup old/results.tsv -o f1-speedup.svg || fail 'the command of the picture fails'
grep -oF "$(grep -o "<path [^>]*d='[^']*'" f1-speedup.svg | sed "s/.*d='//; s/'$//" | tail -n 1)" page.html >log
[ -s log ] || fail 'the command of the picture draws another one'
# Folders that lack some files of a campaign.
cp -r old bare && rm -r bare/runs bare/summary.tsv bare/differences.tsv bare/ranks.csv
reports bare --traces 0 --title 'A <b>title</b>' --baseline greedy
shows '<h1>A &lt;b&gt;title&lt;/b&gt;</h1>' 'The campaign has not ended: summary.tsv is missing' 'results.tsv --baseline greedy -o'
hides 'id="f1-links' 'id="f1-matrix' 'id="f1-summary"'
reports old --traces 1
shows 'id="f1-links-1"' 'are drawn for the first 1 of 2'
hides 'id="f1-links-2"'

# --- two campaigns ----------------------------------------------------------------------------------------------

reports old old
shows 'From old to old' '0 got better, 0 got worse, 6 are the same to the last digit'
cp -r old new
awk -F '\t' -v OFS='\t' '
  $2 == "random" { $5 *= 1.2 + $3 / 1000 }
  $2 == "greedy" && $1 ~ /^npb/ { $5 *= 0.9 }
  $2 == "xyz" && $1 ~ /^npb/ { $5 *= 1.005 }
  { print }' old/results.tsv | sed 's/^# haichi .*/# haichi 9.9.9/' >new/results.tsv
reports old new
shows '1 got better, 2 got worse, 2 are the same to the last digit, and 1 differ' 'Only after: haichi 9.9.9' \
  '<td class="worse">worse</td>' '<td class="better">better</td>' 'paired t'
reports old new --tolerance 0
shows '1 got better, 3 got worse, 2 are the same'
reports old new --tolerance 50%
shows '0 got better, 0 got worse, 2 are the same'
"$haichi" compare -p mesh:4x4 -t "$trace" -m xyz greedy -o mesh >log 2>&1 || fail "$(cat log)"
reports old mesh new
shows 'From old to new'
shows 'Ranking over all campaigns' 'Over 3 traces of 2 campaigns on different platforms' 'mean_rank' \
  'Not ranked, as a run failed or is missing: random.'
hides 'From old to mesh' 'From mesh to new'

# Changes are also tested over the repeated runs of one seed.
"$haichi" compare -p torus:4x4 -t "$trace" -m xyz greedy --background noise:every=1ms,for=50us --repeat 3 -o loud \
  >log 2>&1 || fail "$(cat log)"
reports loud
shows '--repeat 3 -o loud' '--background noise:every=1ms,for=50us' 'id="f1-repeats"'
cp -r loud quiet
for t in results repeats; do
  awk -F '\t' -v OFS='\t' '/^[^#]/ && $1 != "trace" { for (i = 4; i <= 6; i++) if ($i ~ /^0\./) $i *= 0.5 } { print }' \
    loud/$t.tsv >quiet/$t.tsv
done
reports loud quiet
shows '2 got better' 'paired t'

# --- names ------------------------------------------------------------------------------------------------------

# Quotes, tags, ends of scripts, commands and bytes that are no UTF-8 stay text in all places.
bad=$(printf "x'\"\$(touch owned)\`touch owned\`<script>alert(1)</script><!--<script>&amp;]]>\351")
mkdir "${bad%/*}" && cp "$trace" "$bad.tar.zst" || exit 1
"$haichi" map greedy -p torus:4x4 -t "$trace" -o "$bad.map" || fail 'map -o with a hostile name'
"$haichi" compare -p torus:4x4 -t "$bad.tar.zst" -m xyz "$bad.map" -o "$bad.d" >log 2>&1 || fail "$(cat log)"
cp old/ranks.csv "$bad.d/${bad##*/}.csv"
reports "$bad.d" --title "$bad"
hides '<script>alert' '<!--<script>' "$(printf '\351')"
shows '&lt;script&gt;alert(1)' '\u003cscript>alert(1)'
[ -e owned ] && fail 'a command in a name was run'
# The names in the command are quoted for a shell.
shows "--trace 'x'\\''\"\$(touch owned)\`touch owned\`&lt;script&gt;"
lines="two
lines"
cp -r old "$lines" && reports "$lines"
shows '<h1>Campaign two?lines</h1>'

# --- refusals ---------------------------------------------------------------------------------------------------

# refuses CODE SENTENCE ARGUMENT...
refuses()
{
  code=$1
  sentence=$2
  shift 2
  echo old >page.html
  "$haichi" report "$@" >out 2>err
  got=$?
  [ "$got" -eq "$code" ] || fail "report $*: exit $got instead of $code"
  [ "$(head -n 1 err)" = "$sentence" ] || fail "report $*: $(cat err)"
  [ "$code" -eq 2 ] || [ "$(wc -l <err)" -eq 1 ] || fail "report $*: $(cat err)"
  [ "$(cat page.html)" = old ] || fail "report $*: is refused, but the old page is changed"
}

refuses 2 'haichi report: no DIR given (the folder of a campaign)' -o page.html
refuses 2 'haichi report: no --output given' old
refuses 2 "haichi report: --tolerance: 'x' is not a number" old --tolerance x -o page.html
refuses 1 'haichi: none/results.tsv: cannot read: No such file or directory' none -o page.html
refuses 1 "haichi: old/results.tsv: mapper 'zzz' has no row with status ok; mappers with such rows: xyz, greedy, random" \
  old --baseline zzz -o page.html
refuses 1 'haichi: no/page.html: cannot create: No such file or directory' old -o no/page.html
mkdir cut && printf 'trace\tmapper\tstatus\nx\txyz' >cut/results.tsv
refuses 1 'haichi: cut/results.tsv:2: 2 fields instead of 3' cut -o page.html
mkdir odd && printf 'trace\tmapper\nx\txyz\n' >odd/results.tsv
refuses 1 "haichi: odd/results.tsv: no column 'status' in the header" odd -o page.html
mkdir tools && for tool in head cat wc; do ln -s "$(command -v $tool)" tools/; done
rests=$(find . -name '*.html.*')
[ -z "$rests" ] || fail "temporary files are left: $rests"

# Without gnuplot, or with --no-plots, the page has everything except for pictures.  results.tsv may be given for its folder.
PATH=$work/tools "$haichi" report old -o plain.html 2>err || fail "report without gnuplot: $(cat err)"
[ "$(cat err)" = 'haichi: note: the page has no pictures: there is no gnuplot: Debian has it in package gnuplot-nox' ] || fail "$(cat err)"
grep -q 'The pictures are left out: there was no gnuplot to draw them.' plain.html || fail 'the page without gnuplot does not give the reason'
"$haichi" report old/results.tsv --no-plots -o named.html 2>err || fail "report of results.tsv: $(cat err)"
grep -q 'The pictures are left out (--no-plots).' named.html || fail 'the page with --no-plots does not give the reason'
for page in plain named; do
  grep -q '<svg' $page.html && fail "$page.html has pictures"
  grep -q 'id="f1-results"' $page.html || fail "$page.html lacks the table of results"
done

# A campaign without successful runs still has a page.
sed '/^#/d' old/results.tsv | awk -F '\t' -v OFS='\t' 'NR > 1 { $4 = "failed"; for (i = 5; i < NF; i++) $i = "-"; $NF = "boom" } { print }' >bare/results.tsv
reports bare
shows 'No row is ok: there are no pictures of the results.' 'results.tsv has no comments with the inputs and options of the campaign.'
exit $status
