#!/bin/sh
# usage: scripts/reproduce/verdicts.sh DIR...
# Writes the verdicts on papers as text to verdicts.txt beside the first DIR: a list for each DIR/verdicts.tsv (columns:
# verdicts.awk), under the first line of DIR/paper, then the numbers of verdicts.  Prints the whole text for one DIR, and the
# numbers for several.
set -eu
[ $# -ge 1 ] || {
  sed -n '2p' "$0" | cut -c3- >&2
  exit 2
}
for dir in "$@"; do
  printf '\n== %s\n\n' "$(head -n 1 "$dir/paper")"
  awk -F'\t' '
    FNR == 1 { next }
    {
      count[$6]++
      printf "%s: %s\n", $1, $2
      printf "    paper %s; here %s%s\n", $3, $4, $5 == "-" ? "" : $5 ~ / at 99.9 %$/ ? " (" $5 ")" : " (95 %: " $5 ")"
      printf "    %s%s%s\n", $6, $7 == "-" ? "" : ", fitted: " $7, $8 == "-" ? "" : ": " $8
    }' "$dir/verdicts.tsv"
done >"$1/../verdicts.txt"
{
  printf '\n== Counts\n\n'
  for dir in "$@"; do
    awk -F'\t' -v paper="$(head -n 1 "$dir/paper" | sed 's/:.*//')" '
      FNR > 1 { count[$6]++; all++ }
      END { printf "%-10s %3d statements: %d reproduced, %d consistent but fitted, %d not reproduced, %d cannot be checked\n",
        paper, all, count["reproduced"], count["consistent"], count["not reproduced"], count["cannot be checked"] }' \
      "$dir/verdicts.tsv"
  done
} >>"$1/../verdicts.txt"
if [ $# -eq 1 ]; then
  cat "$1/../verdicts.txt"
else
  sed -n '/^== Counts/,$p' "$1/../verdicts.txt"
fi
