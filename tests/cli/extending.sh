#!/bin/sh
# usage: tests/cli/extending.sh HAICHI
# Follows docs/developers/extending.md in a copy of the tree: makes the files and inserts the lines that its
# comments <!-- new FILE --> and <!-- in FILE after TEXT --> name, builds, and runs the toys.
set -eu

build=$(basename "$(cd "$(dirname "$1")" && pwd)")
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$root"
git ls-files -c -o --exclude-standard >"$work/files" 2>/dev/null || find . -path ./build -prune -o -type f -print >"$work/files"
mkdir -p "$work/tree/build"
tar -cf - -T "$work/files" | tar -xf - -C "$work/tree"
cp -a "build/$build" "$work/tree/build/"
cd "$work/tree"

# A line "new FILE" or "in FILE after TEXT", then the block's lines, each behind a '|'.
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
    if (kind == "new") { printf "%s", block >file; close(file) }
    if (kind == "in") insert()
    steps += kind != ""
  }
  /^\|/ { block = block substr($0, 2) "\n"; next }
  { step(); kind = $1; file = $2; text = $0; sub(/^in [^ ]* after /, "", text); block = "" }
  END { step(); if (steps != 9) { print steps " steps, not 9"; failed = 1 } exit failed }' "$work/steps"

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
# A trace in the format of the page: its traffic, its replay, and a line that is refused.
printf '0 1 100\n1 2 10\n0 1 5\n' >"$work/t.messages"
$haichi trace matrix "$work/t.messages" | grep -v '^#' | tr '\t\n' ' ;' >"$work/matrix"
[ "$(cat "$work/matrix")" = 'src dst messages bytes;0 1 2 105;1 2 1 10;' ] || { cat "$work/matrix"; exit 1; }
$haichi sim -p torus:4 -t "$work/t.messages" >/dev/null
printf '0 1 100\n1 x 10\n' >"$work/bad.messages"
$haichi trace info "$work/bad.messages" 2>"$work/why" && exit 1
grep -q 'bad.messages:2: ' "$work/why" || { cat "$work/why"; exit 1; }
# 3 of 4 messages an iteration go to the next host, the last one back over the ring's other side.
$haichi metrics -p mesh:4 -t npb:token.S.4@5 reversed >"$work/metrics"
grep -qx 'neighbour_bytes	120' "$work/metrics" || { cat "$work/metrics"; exit 1; }
$haichi compare -p mesh:4 -t npb:token.S.4@5 -m xyz reversed -o "$work/out" --no-plots >/dev/null
column=$(grep -v '^#' "$work/out/results.tsv" | head -n 1 | tr '\t' '\n' | grep -nx neighbour_bytes | cut -d: -f1)
[ "$(grep -v '^#' "$work/out/results.tsv" | cut -f "$column" | tail -n 2 | tr '\n' ' ')" = '120 120 ' ] || {
  cat "$work/out/results.tsv"
  exit 1
}
