#!/bin/sh
# usage: tests/cli/explain_timeline.sh HAICHI
# Timelines of `haichi explain`: the JSON is in the trace-event format that Perfetto reads.  Each arrow has two ends, both
# within a slice of their threads.  Paje has the same messages, in order of time.
. "$(dirname "$0")/../shell.sh"

# Each line is an event.  Prints "messages critical slices counters path_us outside", or the first error.
cat >check.awk <<'AWK'
BEGIN { CONVFMT = "%.17g" }
function value(name,    text) {
  if (!match($0, "\"" name "\":\"?")) return ""
  text = substr($0, RSTART + RLENGTH)
  sub(/["},].*/, "", text)
  return text
}
function wrong(what) { if (!bad++) print "line " NR ": " what ": " $0 }
{ gsub(/\r/, "") }
NR == 1 { if ($0 != "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[") wrong("header"); next }
$0 == "]}" { closed = NR; next }
{
  sub(/,$/, "")
  if ($0 !~ /^\{"ph":"[MXCsf]".*\}$/) wrong("no event")
  ph = value("ph"); pid = value("pid"); ts = value("ts") + 0; thread = pid "/" value("tid")
}
ph == "M" && value("name") == "thread_name" { known[thread] = 1; if ($0 ~ /"critical path"/) path = thread }
ph == "M" { next }
ts + 0 < 0 || pid + 0 < 1 { wrong("date or process") }
ph != "C" && !(thread in known) { wrong("unknown thread") }
ph == "X" {
  if (value("dur") + 0 <= 0) wrong("no duration")
  if (ts < end[thread] - 1e-6) wrong("overlaps the slice before")
  end[thread] = ts + value("dur"); begin[thread] = ts
  slices++; list[thread, ++n[thread]] = ts " " end[thread]
  if (thread == path) length_us += value("dur")
}
ph == "C" { counters++; use = value("use") + 0; if (use < 0 || use > 1.0001) wrong("use of a link") }
ph == "s" || ph == "f" {
  id = value("id")
  if ((id, ph) in seen) wrong("two ends of a kind")
  seen[id, ph] = ts; where[id, ph] = thread
  if (ph == "s") { messages++; critical += value("cat") == "critical" } else ends++
}
END {
  if (closed != NR) wrong("no end")
  if (ends != messages) wrong("messages without two ends")
  for (k in seen) {
    split(k, part, SUBSEP)
    if (part[2] == "f" && seen[part[1], "s"] > seen[k]) wrong("arrow " part[1] " ends before it begins")
    t = where[k]; found = 0; lo = 1; hi = n[t]
    while (lo < hi) { mid = int((lo + hi + 1) / 2); split(list[t, mid], slice, " "); if (slice[1] <= seen[k]) lo = mid; else hi = mid - 1 }
    split(list[t, lo], slice, " ")
    if (!(slice[1] <= seen[k] && seen[k] <= slice[2])) outside++
  }
  if (!bad) printf "%d %d %d %d %.3f %d\n", messages, critical, slices, counters, length_us, outside
}
AWK

# timeline OPTION...: the timeline has an arrow for each message of the program, with both ends within slices, and the
# critical path has the length of the run.
timeline()
{
  "$haichi" explain "$@" --timeline t.json --path path >out 2>err || fail "$*: $(cat err)"
  "$haichi" explain "$@" --timeline t.paje >/dev/null 2>err || fail "$*: $(cat err)"
  found=$(awk -f check.awk t.json)
  messages=$("$haichi" sim "$@" 2>/dev/null | sed -n 's/^messages	//p')
  on_path=$("$haichi" explain "$@" --top 1000000 2>/dev/null | awk -F '\t' '$1 == "pair" { inside = 1; next } NF < 2 { inside = 0 } inside { n += $4 } END { print n + 0 }')
  echo "$found" | awk -v m="$messages" -v path="$on_path" -v run="$(sed -n 's/^simulated_time_s	//p' out)" '
    { near = $5 - 1e6 * run; exit !(NF == 6 && $1 == m && $2 == path && $4 > 0 && near < 1 + 1e-3 * $5 && near > -1 - 1e-3 * $5 && $6 == 0) }' ||
    fail "$*: $messages messages, $on_path on the path; but the timeline has (messages critical slices counters path_us outside): $found"
  awk -v m="$messages" '
    /^%EventDef/ { number[$2] = $3 }
    /^%/ { next }
    $1 == number["PajeStartLink"] { started[$7 == "" ? $0 : $8]++; starts++ }
    $1 == number["PajeEndLink"] { ends++ }
    $1 >= 4 && $2 ~ /^[0-9.]+$/ { if ($2 + 0 < last) bad = 1; last = $2 + 0 }
    END { exit !(starts == m && ends == m && !bad) }' t.paje || fail "$*: Paje has other messages"
}
timeline -p torus:4 -t "$root/tests/data/toy"
timeline -p torus:4x4 -t npb:mg.S.16@2 -m random:seed=1
timeline -p fattree:k=4 -t npb:is.S.16 -m random:seed=3
timeline -p torus:4x2 -t npb:cg.S.16@1 --ranks-per-host 2
grep -q '"name":"rank 3 on ' t.json || fail 'the timeline lacks names of ranks and hosts'
"$haichi" explain -p torus:4x4 --job npb:mg.S.16@1 --job npb:is.S.16,start=1ms --background flows:4,size=20kB,seed=1 --timeline t.json >/dev/null 2>&1 || fail 'explain of jobs with --timeline'
awk -f check.awk t.json | grep -q '^[0-9]' || fail "jobs: $(awk -f check.awk t.json)"
grep -q '"name":"job 1"' t.json || fail 'the timeline lacks the name of the second job'

# In the file of the path, the parts of each rank add up to the time in the report.  In the file of the use, each link has
# 200 intervals with one of four levels.
"$haichi" explain -p torus:4x4 -t npb:mg.S.16@2 -m random:seed=1 --path path.csv --use use.csv --top 100 >out 2>&1 || fail "$(cat out)"
awk -F '[,\t]' 'FNR == 1 { file++ }
  file == 1 { inside = $1 == "rank" ? 1 : NF < 2 ? 0 : inside; if (inside && $1 != "rank") { known[$1] = $2; n++ } }
  file == 2 && FNR == 1 && $0 != "rank,start_s,end_s,state" { bad = 1 }
  file == 2 && FNR > 1 { part[$1] += $3 - $2 }
  file == 3 && FNR == 1 && $0 != "link,start_s,end_s,state" { bad = 1 }
  file == 3 && FNR > 1 { rows[$1]++; if ($4 !~ /^(below 25|25-50|50-75|above 75) %$/) bad = 1; busy += $4 ~ /above/ }
  END { for (r in known) { d = part[r] - known[r]; if (d > 1e-9 || d < -1e-9) bad = 1 }
        for (l in rows) { links++; if (rows[l] != 200) bad = 1 }
        exit !(n > 0 && links > 0 && busy > 0 && !bad) }' out path.csv use.csv || fail 'wrong parts of the path, or wrong intervals of the use'
for format in csv otf2; do
  "$haichi" explain -p torus:4 -t "$root/tests/data/toy" --timeline t.$format >out 2>&1
  [ $? = 2 ] && grep -q "^haichi explain: --timeline: format $format shows no critical path; use .json or .paje" out || fail "$(cat out)"
done
"$haichi" explain --help | grep -q otf2 && fail 'the help lists a format that explain refuses'
"$haichi" explain -p torus:4 -t "$root/tests/data/toy" --timeline t.json --path t.json >out 2>&1
[ $? = 2 ] && grep -q 'two outputs in one file' out || fail "$(cat out)"
exit $status
