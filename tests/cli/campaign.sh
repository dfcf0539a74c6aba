#!/bin/sh
# usage: tests/cli/campaign.sh HAICHI
# The folder of `haichi compare` from one campaign to the next: files that are damaged, edited, no regular files, or of an
# earlier campaign; another build of the program; and a campaign that is stopped and continued.
# shellcheck source=tests/shell.sh
. "$(dirname "$0")/../shell.sh"

# compare OPTION...: two runs, with their output in log
compare()
{
  "$haichi" compare --platform torus:4 --trace ring:4 --mapper xyz random -o out -j 1 "$@" \
    >log 2>&1 || fail "exit $?: $(cat log)"
}

# made N: the last campaign has written the files of N runs
made()
{
  n=$(find out/runs -name '????????????????????????????????.tsv' -newer stamp | wc -l)
  [ "$n" -eq "$1" ] || fail "$n runs made instead of $1"
  sleep 0.02
  touch stamp
}

touch stamp
compare --no-plots
made 2
cp out/results.tsv want
compare --no-plots
made 0

# A damaged file of a run gives one line of output, and the run is made again.
for damage in 'true' 'printf %s abc' 'printf %s \000\377\n' 'head -c 300 $kept' 'head -n 12 $kept'; do
  stored=$(ls out/runs/*.tsv | head -n 1)
  cp "$stored" kept
  kept=kept
  eval "$damage" >"$stored"
  compare --no-plots
  grep -c "^haichi: $stored.*; the run is made again$" log | grep -qx 1 || fail "$damage: $(cat log)"
  [ "$(grep -c '^haichi' log)" -eq 1 ] || fail "$damage: $(cat log)"
  made 1
  cmp out/results.tsv want || fail "$damage"
done

# The same for files from which pictures are made.
compare
made 2
cp -r out/plots kept.plots
stored=$(ls out/runs/*.matrix.tsv)
sed -i '$d' "$stored"
compare
grep -q "^haichi: $stored: not the file that its run wrote; the run is made again$" log ||
  fail "$(cat log)"
made 1
diff -r out/plots kept.plots || status=1

# A pipe, a folder or a device in place of a file would make the campaign wait for ever, stop, or read without end.
for obstacle in mkfifo mkdir 'ln -s /dev/zero'; do
  for suffix in matrix.tsv tsv; do
    stored=$(ls out/runs/*."$suffix" | tail -n 1)
    rm "$stored"
    $obstacle "$stored"
    timeout 60 "$haichi" compare --platform torus:4 --trace ring:4 --mapper xyz random -o out -j 1 \
      >log 2>&1 || fail "$obstacle: exit $?: $(cat log)"
    grep -qx "haichi: $stored: not a file; the run is made again" log || fail "$obstacle: $(cat log)"
    made 1
    cmp out/results.tsv want || fail "$obstacle"
  done
done
[ "$(find out/runs -name '*.aside-*' -type d | wc -l)" -eq 2 ] || fail "$(ls out/runs)"
rm -r out/runs/*.aside-*
for file in results.tsv timings.tsv platform.xml plots/speedup.svg lock; do
  mv out/$file kept
  mkfifo out/$file
  timeout 60 "$haichi" compare --platform torus:4 --trace ring:4 --mapper xyz random -o out >log 2>&1
  code=$?
  [ $code -eq 1 ] || fail "a pipe as $file: exit $code: $(cat log)"
  grep -q "^haichi: out/$file: " log || fail "a pipe as $file: $(cat log)"
  mv kept out/$file
done

# An edited file of a run is not used.
stored=$(ls out/runs/????????????????????????????????.tsv | head -n 1)
sed -i 's/^bytes\t.*/bytes\t1/' "$stored"
compare --no-plots
grep -q "^haichi: $stored:[0-9]*: the file was changed: .*; the run is made again" log ||
  fail "$(cat log)"
made 1
cmp out/results.tsv want || status=1

# Another build of the same version makes no run again.
cp "$haichi" other
printf x >>other
own=$haichi haichi=$work/other
compare --no-plots
haichi=$own
made 0
cmp out/results.tsv want || status=1

# Pictures of other campaigns are named and kept; pictures with names of the user are not mentioned.
touch out/plots/mine.svg out/plots/matrix-.svg out/plots/links-a.txt
compare
grep 'not of this campaign' log && status=1
"$haichi" compare -p torus:4 -t ring:4:size=9 -m xyz random -o out --overwrite >log 2>&1 || fail "$(cat log)"
grep -qx 'haichi: out/plots: 4 of the pictures are not of this campaign; the first is links-ring:4.png' log ||
  fail "$(cat log)"
[ -s out/plots/matrix-ring:4.svg ] || fail 'a picture was removed'

# The picture of link loads has up to 8 mappers: the baseline, the fastest and the peer first.
"$haichi" compare -p torus:4x4 -t npb:cg.S.16@1 -m hostname random greedy bisect anneal auto exchange qap scotch xyz -o loads \
  --format svg >log 2>&1 || fail "$(cat log)"
best=$(awk -F '\t' '/^#/ || $1 == "trace" { next } least == "" || $5 < least { least = $5; best = $2 ($3 == "-" ? "" : ":seed=" $3) }
  END { print best }' loads/results.tsv)
shown=$(sed -n 's/.*<text>\([a-z]*\(:seed=1\)*\)<.*/\1/p' loads/plots/links-cg.S.16@1.svg | head -n 3 | tr '\n' ' ')
[ "$shown" = "xyz $best scotch:seed=1 " ] || fail "shown: $shown, best: $best"
grep -q 'not shown: ' loads/plots/links-cg.S.16@1.svg || fail 'the picture does not say which of ten mappers are not shown'

# A table of another program is not overwritten.
mkdir foreign && echo mine >foreign/results.tsv
"$haichi" compare -p torus:4 -t ring:4 -m xyz -o foreign --no-plots >log 2>&1 && fail 'a foreign results.tsv is overwritten'
grep -q -x 'haichi: foreign/results.tsv: not the results of a campaign: take another folder, or replace the file with --overwrite' log || fail "$(cat log)"
[ "$(cat foreign/results.tsv)" = mine ] || fail 'a foreign results.tsv is changed'
"$haichi" compare -p torus:4 -t ring:4 -m xyz -o foreign --no-plots --overwrite >log 2>&1 || fail "$(cat log)"

# Another campaign replaces the campaign in a folder only with --overwrite, and then completely.  A campaign with more
# traces, mappers or seeds continues it.
run()
{
  "$haichi" compare -o one --no-plots "$@" >log 2>&1
}
run -p torus:4 -t ring:4 -m xyz random:seeds=1..3 --jitter 0.1 --repeat 2 || fail "$(cat log)"
run -p torus:4 -t ring:4 npb:is.S.4@1 -m random:seeds=1..4 xyz greedy --jitter 0.1 --repeat 3 || fail "a campaign with more traces, mappers and seeds: $(cat log)"
cp -r one before
while IFS='|' read -r words named; do
  # shellcheck disable=SC2086 # a list of words
  run --jitter 0.1 $words && fail "$words: replaces the campaign"
  grep -q -x "haichi: one: holds another campaign, with $named: take another folder, or replace the campaign with --overwrite" log ||
    fail "$words: $(cat log)"
  diff -r one before >diff || fail "$words: $(cat diff)"
done <<END
-p torus:4 -t ring:4 npb:is.S.4@1 -m random:seeds=1..3 xyz greedy --repeat 3|mapper random seeds 1..4
-p mesh:4 -t ring:4 npb:is.S.4@1 -m random:seeds=1..4 xyz greedy --repeat 3|platform torus:4
-p torus:4 -t ring:4 npb:is.S.4@1 -m random:seeds=1..4 xyz greedy --repeat 2|repeat 3
-p torus:4 -t ring:4 -m random:seeds=1..4 xyz greedy --repeat 3|trace npb:is.S.4@1
END
# Equal seeds in another order, and seeds from several ranges.
for seeds in 4,2,3,1 3..4,1..2 1..2,3,7,4; do
  cp before/results.tsv one/results.tsv
  run -p torus:4 -t ring:4 npb:is.S.4@1 -m random:seeds=$seeds xyz greedy --jitter 0.1 --repeat 3 || fail "seeds $seeds: $(cat log)"
done
run -p torus:4 -t ring:4 npb:is.S.4@1 -m random:seeds=4,2,7,1 xyz greedy --jitter 0.1 --repeat 3 && fail "seeds without 3 are accepted"
# Seeds in another form, as an editor may leave them.
for seeds in 5 5.. .. 1.2 1..2.; do
  sed "s/^\\(# mapper random seeds\\) .*/\\1 $seeds/" before/results.tsv >one/results.tsv
  run -p torus:4 -t ring:4 npb:is.S.4@1 -m random:seeds=1..4 xyz greedy --jitter 0.1 --repeat 3 && fail "seeds $seeds in results.tsv are accepted"
  grep -q "holds another campaign, with mapper random" log || fail "seeds $seeds: $(cat log)"
done
run -p torus:4 -t ring:4 -m xyz --overwrite || fail "$(cat log)"
[ "$(ls one)" = "$(printf '%s\n' differences.tsv lock platform.xml results.tsv runs summary.tsv timings.tsv)" ] || fail "$(ls one)"
[ "$(find one/runs -type f | wc -l)" -eq 1 ] || fail "$(ls one/runs)"

# A platform that SimGrid cannot simulate has no platform.xml.
run -p dragonfly:groups=3,chassis=2,routers=2,nodes=2 -t ring:4 -m xyz --overwrite || fail "$(cat log)"
[ "$(ls one)" = "$(printf '%s\n' differences.tsv lock results.tsv runs summary.tsv timings.tsv)" ] || fail "$(ls one)"

# Runs that failed because of the environment are tried again; other failed runs only with --retry-failed.
mine()
{
  "$haichi" compare -o own -p torus:4 -t ring:4 -m xyz command:path=mine --no-plots --overwrite >log 2>&1
}
printf '#!/bin/sh\nprintf "node-%%s\\n" 3 2 1 0\n' >mine
mine && fail 'a mapper without permission to run: exit 0'
grep -q -x 'haichi: 1 of 2 runs failed, the first one: mine: cannot run: Permission denied; the reasons are in own/results.tsv' log ||
  fail "$(cat log)"
grep -q 'mine.*failed.*Permission denied' own/results.tsv || fail "$(cat own/results.tsv)"
chmod +x mine
mine || fail "$(cat log)"
printf '#!/bin/sh\nexit 3\n' >mine
for times in 1 2; do
  mine && fail 'a mapper with exit code 3: exit 0'
done
grep -q -x 'haichi: 1 of 2 runs failed, the first one: mine: exit code 3; .*; 1 of them failed in an earlier command (--retry-failed repeats them)' log ||
  fail "$(cat log)"

# A ranking at the end; equal times share a rank.
"$haichi" compare -o tied -p torus:4 -t ring:4 -m greedy xyz --no-plots >log 2>&1
[ "$(tail -n 3 log | awk '{ print $1, $2 }' | tr '\n' ' ')" = 'rank mapper 1 greedy 1 xyz ' ] || fail "$(cat log)"
"$haichi" compare -o several -p torus:4 -t ring:4 npb:is.S.4@1 -m xyz random --no-plots >log 2>&1
grep -q -x 'geometric means over 2 traces' log || fail "$(cat log)"

# states PARENT: the states of a campaign's process and its workers, each once
states()
{
  sed 's/.*) //' /proc/[0-9]*/stat 2>/dev/null |
    awk -v parent="$1" '$2 == parent { print $1 }' | sort -u | tr -d '\n'
  sed 's/.*) \(.\).*/\1/' "/proc/$1/stat" 2>/dev/null
}

# await WHAT PARENT STATES
await()
{
  for i in $(seq 200); do
    [ "$(states "$2")" = "$3" ] && return
    sleep 0.02
  done
  fail "$1: $(states "$2") instead of $3"
}

# A campaign that is stopped, as by Ctrl-Z, stops its workers, too.  This time does not count for --timeout.
"$haichi" compare -p torus:8x8 -t npb:lu.F.64 -m xyz random -o stopped -j 2 --no-plots --timeout 2 \
  >log 2>&1 &
pid=$!
for i in $(seq 200); do
  [ "$(grep -c ") . $pid " /proc/[0-9]*/stat 2>/dev/null | grep -c ':1$')" -eq 2 ] && break
  sleep 0.02
done
sleep 0.5
kill -TSTP $pid
await stop $pid TT
sleep 3
kill -CONT $pid
sleep 0.5
case $(states $pid) in
'' | *[TZ]*) fail "continued: $(states $pid): stopped, or ended because the time while stopped counts" ;;
esac
wait $pid && fail 'runs above --timeout, but exit 0'
[ "$(grep -c '	timeout	' stopped/results.tsv)" -eq 2 ] || fail "$(cat stopped/results.tsv)"
exit $status
