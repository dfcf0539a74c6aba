#!/bin/sh
# usage: tests/cli/extending.sh HAICHI
# Follows docs/developers/extending.md in a copy of the tree: makes the files and inserts the lines that its
# comments <!-- new FILE --> and <!-- in FILE after TEXT --> name, builds, and runs the toys.
. "$(dirname "$0")/../shell.sh"
set -e
build=$(basename "$(dirname "$haichi")")
cd "$root"
git ls-files -c -o --exclude-standard >"$work/files" 2>/dev/null || find . -path ./build -prune -o -type f -print >"$work/files"
mkdir -p "$work/tree/build"
tar -cf - -T "$work/files" | tar -xf - -C "$work/tree"
cp -a "build/$build" "$work/tree/build/"
cd "$work/tree"

# Each step becomes a line "new FILE" or "in FILE after TEXT", then the lines of the block, each after a '|'.
awk '
  /^<!-- (new|in) .* -->$/ { sub(/^<!-- /, ""); sub(/ -->$/, ""); what = $0; next }
  /^```c$/ && what != "" { print what; inside = 1; next }
  /^```$/ { inside = 0; what = ""; next }
  inside { print "|" $0 }' docs/developers/extending.md >"$work/steps"
awk '
  function insert(   line, found) {
    while ((getline line < file) > 0) {
      print line >(file ".new")
      if (!found && index(line, text)) { printf "%s", block >(file ".new"); found = 1 }
    }
    close(file)
    close(file ".new")
    system("mv " file ".new " file)
    if (!found) { print "docs/developers/extending.md: no line has " text " in " file; failed = 1 }
  }
  function step() {
    if (kind == "new") {
      folder = file
      sub(/\/[^\/]*$/, "", folder)
      system("mkdir -p " folder)
      printf "%s", block >file
      close(file)
    }
    if (kind == "in") insert()
    steps += kind != ""
  }
  /^\|/ { block = block substr($0, 2) "\n"; next }
  { step(); kind = $1; file = $2; text = $0; sub(/^in [^ ]* after /, "", text); block = "" }
  END { step(); if (steps != 18) { print steps " steps, not 18"; failed = 1 } exit failed }' "$work/steps"

# The steps of each section and its row in the table name the same files; NAME and FAMILY stand for one word.
awk -F '|' '
  /^\| \*\*/ {
    name = $2
    gsub(/^ \*\*|\*\*.*/, "", name)
    name = tolower(name)
    n = split($3 "," $4, word, "`")
    for (i = 2; i <= n; i += 2) { gsub(/NAME|FAMILY/, "[a-z_]+", word[i]); row[name, ++files[name]] = "^" word[i] "$" }
    open[name] = 1
  }
  /^## / { section = tolower(substr($0, 4)); if (section in files) delete open[section] }
  /^<!-- (new|in) / {
    split($0, step, " ")
    for (i = found = 0; i++ < files[section];)
      if (step[3] ~ row[section, i]) found = used[section, i] = 1
    if (!found) { print FILENAME ": " step[3] " is not in the row of " section; failed = 1 }
  }
  END {
    for (name in open) { print FILENAME ": no section for " name; failed = 1 }
    for (name in files)
      for (i = 1; i <= files[name]; i++)
        if (!used[name, i]) { print FILENAME ": " row[name, i] " is in the row of " name ", not in its steps"; failed = 1 }
    exit failed
  }' docs/developers/extending.md

case $build in
*-san) san=1 ;;
*) san= ;;
esac
make -s CC="${build%%-*}" SAN=$san WERROR=1 all >"$work/log" 2>&1 || {
  cat "$work/log"
  exit 1
}
haichi=build/$build/haichi

$haichi map reversed -p torus:4 --ranks 4 | tr '\n' ' ' >"$work/mapping"
[ "$(cat "$work/mapping")" = 'node-3 node-2 node-1 node-0 ' ] || {
  echo "reversed: $(cat "$work/mapping")"
  exit 1
}
$haichi list mappers | grep -q '^reversed	' || { echo 'reversed is not listed'; exit 1; }
# A trace in the new format: its traffic, its replay, and a line that is refused.
printf '0 1 100\n1 2 10\n0 1 5\n' >"$work/t.messages"
$haichi trace matrix "$work/t.messages" | grep -v '^#' | tr '\t\n' ' ;' >"$work/matrix"
[ "$(cat "$work/matrix")" = 'src dst messages bytes;0 1 2 105;1 2 1 10;' ] || { cat "$work/matrix"; exit 1; }
$haichi sim -p torus:4 -t "$work/t.messages" >/dev/null
printf '0 1 100\n1 x 10\n' >"$work/bad.messages"
$haichi trace info "$work/bad.messages" 2>"$work/why" && exit 1
grep -q 'bad.messages:2: ' "$work/why" || { cat "$work/why"; exit 1; }
# In each iteration 3 of 4 messages go to a neighbouring host; the last message goes from one end of the mesh to the other.
$haichi metrics -p mesh:4 -t npb:token.S.4@5 reversed >"$work/metrics"
grep -qx 'neighbour_bytes	120' "$work/metrics" || { cat "$work/metrics"; exit 1; }
$haichi compare -p mesh:4 -t npb:token.S.4@5 -m xyz reversed -o "$work/out" --no-plots >/dev/null
column=$(grep -v '^#' "$work/out/results.tsv" | head -n 1 | tr '\t' '\n' | grep -nx neighbour_bytes | cut -d: -f1)
[ "$(grep -v '^#' "$work/out/results.tsv" | cut -f "$column" | tail -n 2 | tr '\n' ' ')" = '120 120 ' ] || {
  cat "$work/out/results.tsv"
  exit 1
}

# All routes of the new topology have one hop.  SimGrid has no such topology.
$haichi map xyz -p complete:8 --ranks 8 >"$work/map"
$haichi metrics -p complete:8 -t npb:cg.S.8@1 --per-pair xyz >"$work/complete"
grep -qx 'dilation_mean_hops	1' "$work/complete" || { cat "$work/complete"; exit 1; }
grep -qE '^bytes_per_pair	[1-9]' "$work/complete" || { cat "$work/complete"; exit 1; }
$haichi sim -p complete:8 -t npb:cg.S.8@1 >/dev/null
$haichi sim -p complete:8 -t npb:cg.S.8@1 --engine simgrid >/dev/null 2>"$work/why" && exit 1
[ "$($haichi hosts -p complete:3 | wc -l)" -eq 3 ]
# In the new engine messages take no time: in each of 5 iterations, 8 computations of 1e6 flops follow each other.
time_of() {
  $haichi sim -p torus:8 -t npb:token.S.8@5 --engine "$1" | sed -n 's/^simulated_time_s.//p'
}
awk -v instant="$(time_of instant)" -v flow="$(time_of flow)" '
  BEGIN { if (instant - 0.04 > 1e-12 || 0.04 - instant > 1e-12 || flow <= instant) { print instant, flow; exit 1 } }'
