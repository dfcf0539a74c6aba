#!/bin/sh
# usage: tests/cli/compare_platforms.sh HAICHI
# `haichi compare` over several platforms and swept options: each row equals the row of a campaign on this platform alone
# and has the time of `haichi sim` on the platform file.  The tables are the same at any -j, after a resumption, and made
# by tasks.  Rankings on each platform and over all platforms; regress, fit, report and plots; refusals.
# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"

# compare DIR OPTION...: 2 platforms, 2 bandwidths, 2 traces, 3 mappers, one of 2 seeds
compare()
{
  dir=$1
  shift
  "$haichi" compare -p torus:4x4 fattree:k=4 --bandwidth 1GBps,10GBps -t npb:cg.S.16@2 npb:mg.S.16@2 \
    -m xyz greedy random:seeds=1..2 -o "$dir" "$@"
}
compare one -j 1 --format svg >log 2>&1 || fail "-j 1: $(cat log)"
for table in 'geometric means over 2 traces on fattree:k=4, 10GBps' 'geometric means over 8 pairs of platform and trace'; do
  grep -qx "$table" log || fail "$table: $(cat log)"
done
compare two -j 2 --no-plots >/dev/null 2>&1 || fail 'compare -j 2'
# shellcheck disable=SC2016 # for the shell of the command
compare tasks --no-plots --chunk 5 --on 'command:seq $HAICHI_TASKS | xargs -n 1 sh "$HAICHI_SCRIPT"' >log 2>&1 ||
  fail "--on: $(cat log)"
for other in two tasks; do
  for table in results summary differences; do
    cmp one/$table.tsv $other/$table.tsv || fail "$other: another table $table"
  done
done
[ "$(ls one/runs/*.tsv | grep -vc -e links -e matrix)" -eq 32 ] || fail "$(ls one/runs)"

# Each row equals the row of a campaign on one machine, whose runs have the same names, and has the time of sim on a file.
grep -v '^#' one/results.tsv | head -n 1 | grep -q '^platform	bandwidth	trace	mapper	seed	status	' ||
  fail "$(cat one/results.tsv)"
for platform in torus:4x4 fattree:k=4; do
  for bandwidth in 1GBps 10GBps; do
    "$haichi" compare -p $platform --bandwidth $bandwidth -t npb:cg.S.16@2 npb:mg.S.16@2 \
      -m xyz greedy random:seeds=1..2 -o alone --no-plots >log 2>&1 || fail "$platform $bandwidth: $(cat log)"
    grep -v '^#' alone/results.tsv | sed 1d >want
    [ "$(wc -l <want)" -eq 8 ] || fail "$(cat want)"
    awk -F '\t' -v p=$platform -v b=$bandwidth '$1 == p && $2 == b' one/results.tsv | cut -f 3- | cmp - want ||
      fail "$platform $bandwidth: a campaign on one machine gives other rows"
    for file in alone/runs/*.tsv; do
      [ -e "one/runs/${file##*/}" ] || fail "$platform $bandwidth: the run $file has another name"
    done
    grep -q "^# bandwidth $bandwidth\$" alone/results.tsv || fail "$(cat alone/results.tsv)"
    "$haichi" platform $platform --bandwidth $bandwidth -o file.xml || status=1
    time=$("$haichi" sim -p file.xml -t npb:mg.S.16@2 -m greedy 2>/dev/null | sed -n 's/^simulated_time_s.//p')
    grep -q "^$platform	$bandwidth	npb:mg.S.16@2	greedy	-	ok	$time	" one/results.tsv ||
      fail "$platform $bandwidth: sim says $time"
    rm -r alone
  done
done

# The rankings: geometric means of the time relative to the best mapper, on each machine and over all, best first.
grep -v '^#' one/summary.tsv | sed 1d >summary
awk -F '\t' '
  $3 != "*" { for (of = $1 FS $2; of != ""; of = of == "*" FS "*" ? "" : "*" FS "*") {
    n[of FS $5]++
    sum[of FS $5] += log($11)
  } }
  $3 == "*" {
    of = $1 FS $2 FS $5
    want = exp(sum[of] / n[of])
    if (n[of] != $6 || $11 / want - 1 > 1e-9 || 1 - $11 / want > 1e-9) { print of, want, n[of]; bad = 1 }
    if ($4 > 1 && $11 < last) { print of, "is better than the one before"; bad = 1 }
    last = $11
    means++
  }
  END { exit bad || means != 15 }' summary || fail "$(cat one/summary.tsv)"
[ "$(tail -n 1 summary | cut -f 1-3)" = '*	*	*' ] || fail "$(cat summary)"
[ "$(grep -c '^\*	\*	\*	[a-z]*	[a-z]*	' one/differences.tsv)" -eq 3 ] || fail "$(cat one/differences.tsv)"
awk -F '\t' '$1 == "*" && $9 == "-" { exit 1 }' one/differences.tsv || fail 'no test of the differences between means'

# Repetitions and audits, which are simulated by SimGrid.
"$haichi" compare -p torus:4 star:4 --latency 1us,1ms -t npb:cg.S.4@1 -m xyz random --jitter 0.1 --repeat 3 --audit 6 \
  -o repeated --no-plots >log 2>&1 || fail "$(cat log)"
grep -v '^#' repeated/repeats.tsv | head -n 1 | grep -q '^platform	latency	trace	mapper	seed	repetition	' ||
  fail "$(cat repeated/repeats.tsv)"
[ "$(grep -c '^[ts][a-z]*:4	1[um]s	npb' repeated/repeats.tsv)" -eq 24 ] || fail "$(cat repeated/repeats.tsv)"
grep -v '^#' repeated/results.tsv | awk -F '\t' '
  NR == 1 { next }
  $NF != "-" { audits++; if (!($NF < 1e-4)) bad = 1 }
  END { exit bad || audits < 2 || NR != 9 }' || fail "$(cat repeated/results.tsv)"

# Cores and ranks per host.  An option with a single value has no column.
"$haichi" compare -p star:8 --cores 1,2 --ranks-per-host 1,2 -t npb:cg.S.8@1 -m xyz -o cores --no-plots >log 2>&1 ||
  fail "$(cat log)"
for cores in 1 2; do
  for ranks in 1 2; do
    time=$("$haichi" sim -p star:8 --cores $cores --ranks-per-host $ranks -t npb:cg.S.8@1 2>/dev/null |
      sed -n 's/^simulated_time_s.//p')
    grep -q "^star:8	$cores	$ranks	npb:cg.S.8@1	xyz	-	ok	$time	" cores/results.tsv ||
      fail "$cores cores, $ranks ranks: sim says $time: $(cat cores/results.tsv)"
  done
done
"$haichi" compare -p star:8 --cores 2 --ranks-per-host 2 --bandwidth 1GBps -t npb:cg.S.8@1 -m xyz -o single --no-plots \
  >log 2>&1 || fail "$(cat log)"
grep -q '^trace	mapper	seed	status' single/results.tsv || fail "$(cat single/results.tsv)"
grep -q '^# options .* ranks-per-host=2 cores=2$' single/results.tsv || fail "$(cat single/results.tsv)"

# Matrices and networks.
"$haichi" compare -p torus:4x4 mesh:4x4 --matrix grid:4x4 -m xyz random -o matrices >log 2>&1 || fail "$(cat log)"
for platform in torus:4x4 mesh:4x4; do
  hops=$("$haichi" metrics -p $platform --matrix grid:4x4 random:seed=1 | sed -n 's/^hop_bytes.//p')
  grep -q "^$platform	grid:4x4	random	1	ok	.*	$hops	" matrices/results.tsv || fail "$platform: $hops"
done
"$haichi" compare -p star:4 star:8 --network random:tasks=30 random:tasks=20 --load none tasks:2 -s heft minmin \
  -o networks --format svg >log 2>&1 || fail "$(cat log)"
[ "$(grep -c '^star:[48]	random:tasks=[23]0	' networks/results.tsv)" -eq 16 ] || fail "$(cat networks/results.tsv)"
[ "$(grep -c '^star:[48]	\*	\*	' networks/summary.tsv)" -eq 4 ] || fail "$(cat networks/summary.tsv)"
for picture in makespan makespan-1-star:4 makespan-2-star:8 use use-1-star:4 use-2-star:8; do
  [ -s networks/plots/$picture.svg ] || fail "no $picture: $(ls networks/plots)"
done
span=$("$haichi" schedule random:tasks=30 -p star:8 -s minmin 2>/dev/null | sed -n 's/^makespan_s.//p')
grep -q "^star:8	random:tasks=30	none	minmin	ok	.*	$span	" networks/results.tsv || fail "schedule says $span"

# One more platform continues a campaign without making its runs again.  Another option is another campaign.
"$haichi" compare -p torus:4 -t npb:cg.S.4@1 -m xyz random -o grows --no-plots >log 2>&1 || fail "$(cat log)"
touch -d '2000-01-01' grows/runs/*.tsv
"$haichi" compare -p torus:4 star:4 -t npb:cg.S.4@1 -m xyz random -o grows --no-plots >log 2>&1 || fail "$(cat log)"
[ "$(find grows/runs -name '*.tsv' ! -newermt 2000-01-02 | wc -l)" -eq 2 ] || fail 'the old runs were made again'
[ "$(grep -c '	ok	' grows/results.tsv)" -eq 4 ] || fail "$(cat grows/results.tsv)"
[ -s grows/platform-2.xml ] || fail "$(ls grows)"

# refuses SENTENCE OPTION...: exit 1 and only this line
refuses()
{
  sentence=$1
  shift
  "$haichi" compare -t npb:cg.S.4@1 -m xyz random --no-plots "$@" >log 2>&1
  code=$?
  [ $code -eq 1 ] || fail "$*: exit $code: $(cat log)"
  grep -qx "haichi: $sentence" log && [ "$(wc -l <log)" -eq 1 ] || fail "$*: '$(cat log)', not '$sentence'"
}
refuses 'grows: holds another campaign, with platform star:4: .*' -p torus:4 -o grows
refuses 'grows: holds another campaign, without bandwidth 1GBps: .*' -p torus:4 star:4 --bandwidth 1GBps,2GBps -o grows
refuses "platform 'torus:4' is given twice" -p torus:4 -p torus:4 -o refused
refuses "bandwidth '1GBps' is given twice" -p torus:4 --bandwidth 1GBps,1GBps -o refused
refuses 'npb:cg.S.4@1: 4 ranks do not fit on the 2 hosts of torus:2 with 2 slots (--ranks-per-host)' -p torus:4 torus:2 -o refused
refuses "--bandwidth: the links of 'file.xml' have the bandwidth that the file gives them" -p torus:4 file.xml --bandwidth 1GBps,2GBps -o refused
refuses "--cores: the hosts of 'file.xml' have the cores that the file gives them" -p torus:4 file.xml --cores 1,2 -o refused
[ ! -e refused ] || fail "refused, but left $(ls refused)"
for value in '--bandwidth 1GB' '--bandwidth 1GBps,' '--latency 1' '--cores 0' '--cores 1,x' '--ranks-per-host 0,1'; do
  # shellcheck disable=SC2086 # two words
  "$haichi" compare -p torus:4 -t npb:cg.S.4@1 -m xyz -o refused $value >log 2>&1
  code=$?
  [ $code -eq 2 ] && [ "$(wc -l <log)" -eq 2 ] || fail "$value: exit $code: $(cat log)"
done

# A killed campaign can be completed.  A failed run is a row of its platform.
mkdir killed && cp -r one/runs killed && rm "$(ls killed/runs/*.tsv | grep -v -e links -e matrix | head -n 1)"
compare killed --no-plots >log 2>&1 || fail "$(cat log)"
cmp one/results.tsv killed/results.tsv || status=1
printf 'node-0\nnode-1\nnode-2\nhost-4\n' >hosts
"$haichi" compare -p torus:4 torus:4,names=host-[1-4] -t npb:cg.S.4@1 -m xyz hosts -o fails --format svg >log 2>&1 &&
  fail 'a host that a platform lacks, but exit 0'
[ "$(grep -c '	failed	' fails/results.tsv)" -eq 2 ] || fail "$(cat fails/results.tsv)"

# compare --status shows the progress of a campaign by platform.
compare waits --no-plots --detach --on 'command:true' >log 2>&1 || fail "$(cat log)"
"$haichi" compare --status waits >log 2>&1 || fail "$(cat log)"
grep -qx 'platform	fattree:k=4, 10GBps' log && [ "$(grep -cx 'platform_runs	[0-9]*' log)" -eq 4 ] || fail "$(cat log)"

# Commands that read the table.
"$haichi" regress -b one/results.tsv >log 2>&1 || fail "$(cat log)"
grep -qx '32 mappings, none worse than in one/results.tsv by more than 1%' log || fail "$(cat log)"
"$haichi" regress -b cores/results.tsv >log 2>&1 || fail "$(cat log)"
"$haichi" regress -b single/results.tsv --cores 2 --ranks-per-host 2 >log 2>&1 || fail "$(cat log)"
awk -F '\t' -v OFS='\t' '$1 == "torus:4x4" && $2 == "10GBps" && $4 == "xyz" { $7 *= 0.9 } { print }' one/results.tsv >worse.tsv
"$haichi" regress -b worse.tsv >log 2>&1 && fail 'regress: worse mappings, but exit 0'
[ "$(grep -c '^torus:4x4, 10GBps	npb:.*	xyz	-	simulated_time_s	' log)" -eq 2 ] || fail "$(cat log)"
"$haichi" regress -b worse.tsv --update >log 2>&1 || fail "$(cat log)"
grep -q '^platform	bandwidth	trace	mapper	seed	' worse.tsv || fail "$(cat worse.tsv)"
"$haichi" regress -b worse.tsv >log 2>&1 || fail "$(cat log)"
"$haichi" fit repeated/results.tsv >log 2>&1 && fail 'fit of two rows per trace is accepted'
"$haichi" compare -p torus:4x4 mesh:4x4 -t npb:cg.S.16@1 -m random:seeds=1..8 -o fit --no-plots >log 2>&1 || fail "$(cat log)"
"$haichi" fit fit/results.tsv >log 2>&1 || fail "$(cat log)"
grep -q '^fit/results.tsv	npb:cg.S.16@1 on mesh:4x4	8	' log || fail "$(cat log)"

# Pictures over all platforms, of each platform, and of each trace on each platform.
for picture in speedup metrics speedup-1-torus:4x4-1GBps metrics-4-fattree:k=4-10GBps matrix-cg.S.16@2-1-torus:4x4-1GBps \
  links-mg.S.16@2-3-fattree:k=4-1GBps; do
  [ -s one/plots/$picture.svg ] || fail "no $picture: $(ls one/plots)"
done
[ "$(ls one/plots/matrix-* | wc -l)" -eq 2 ] || fail "$(ls one/plots)"
"$haichi" plot speedup one/results.tsv --machine 'torus:4x4, 1GBps' -o one.svg || status=1
cmp one.svg one/plots/speedup-1-torus:4x4-1GBps.svg || status=1
"$haichi" plot speedup one/results.tsv --machine torus:4x4 -o none.svg >log 2>&1 && fail 'plot --machine with an unknown machine is accepted'
grep -qx "haichi: one/results.tsv: no row on platform 'torus:4x4' has status ok (the first row is on 'torus:4x4, 1GBps')" log || fail "$(cat log)"
"$haichi" plot matrix cg.tsv --machine torus:4x4 -o none.svg >log 2>&1
[ $? -eq 2 ] || fail "--machine of a matrix: $(cat log)"

# The page: rankings, pictures of each platform, and changes on the same machine.
"$haichi" report one -o one.html >log 2>&1 || fail "$(cat log)"
for text in 'torus:4x4, fattree:k=4' '--platform torus:4x4 fattree:k=4' '--bandwidth 1GBps,10GBps' \
  'Speedup of each mapper on each trace, on fattree:k=4, 10GBps' 'Load of links: npb:mg.S.16@2 on fattree:k=4, 10GBps' \
  "--machine 'torus:4x4, 1GBps'" 'Traffic: npb:cg.S.16@2 on torus:4x4, 1GBps'; do
  grep -qF -e "$text" one.html || fail "the page lacks: $text"
done
cp -r one later
awk -F '\t' -v OFS='\t' '$1 == "torus:4x4" && $2 == "10GBps" && $4 == "xyz" { $7 *= 1.5 } { print }' one/results.tsv >later/results.tsv
"$haichi" report one later -o both.html --no-plots >log 2>&1 || fail "$(cat log)"
grep -qF 'Of 24 cells (a mapper on a trace) 0 got better, 2 got worse, 22 are the same' both.html || fail 'the report of changes lacks the number of cells'
grep -qF 'npb:cg.S.16@2 on torus:4x4, 10GBps' both.html || fail 'the changes do not name the platform'
exit $status
