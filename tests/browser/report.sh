#!/bin/sh
# usage: tests/browser/report.sh BUILD
# The page of `haichi report` in a headless Chromium: no errors, tables that sort and filter, 57,600 rows within 2 s,
# keys and screen readers, names that contain markup and shell code.  KEEP=FOLDER keeps the pages and screenshots.
set -eu
cd "$(dirname "$0")/../.."
root=$(pwd)
haichi=$root/$1/haichi
trace=$root/tests/data/is.S.16.tar.zst
if [ -n "${KEEP-}" ]; then
  mkdir -p "$KEEP"
  work=$(cd "$KEEP" && pwd)
else
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
fi
cd "$work"

compare()
{
  "$haichi" compare --platform torus:4x4 --mapper xyz greedy random:seeds=1..5 "$@" >log 2>&1 || {
    cat log
    exit 1
  }
}

compare --trace "$trace" npb:mg.S.16@1 npb:cg.S.16@1 -o old
compare --trace "$trace" npb:mg.S.16@1 npb:cg.S.16@1 --eager-threshold 4096 -o new
"$haichi" sim --platform torus:4x4 --trace "$trace" --timeline new/ranks.csv >log
"$haichi" report old new -o plain.html

# 40 traces, 12 mappers, 120 seeds: rows of real runs under other names, with other times.
mkdir -p large
awk -F '\t' -v OFS='\t' '
  /^#/ { next }
  !head { head = 1; print; next }
  { row[rows++] = $0 }
  END {
    srand(1)
    for (t = 0; t < 40; t++)
      for (m = 0; m < 12; m++)
        for (seed = 1; seed <= 120; seed++) {
          n = split(row[seed % rows], f)
          f[1] = "npb:t" t ".C.512"; f[2] = "m" m; f[3] = seed
          for (i = 5; i < n; i++)
            f[i] = f[i] ~ /\./ ? sprintf("%.17g", f[i] * (0.5 + rand())) : int(f[i] * (0.5 + rand()))
          for (i = 1; i <= n; i++) printf "%s%s", f[i], i < n ? OFS : "\n"
        }
  }' old/results.tsv >large/results.tsv
[ "$(wc -l <large/results.tsv)" -eq 57601 ]
"$haichi" report large -o large.html

bad="x'\"\$(touch owned)<script>window.owned=1</script><!--<script>&amp;]]>"
mkdir -p "${bad%/*}"
cp "$trace" "$bad.zst"
compare --trace "$bad.zst" -o hostile
"$haichi" report hostile --title "$bad" -o hostile.html
[ ! -e owned ]

PYTHONDONTWRITEBYTECODE=1 python3 "$root/tests/browser/report.py" "$work"
