#!/bin/sh
# usage: tests/reference.sh BUILD
# Brings results/reference/*.tsv, which guard the mappers, up to date: a row for each of MAPPERS on each platform and
# trace of a table, unless the table has it or the mapper refuses; then new figures in all rows.
# Read the differences before you commit: `haichi regress` reports what got worse.
set -eu
cd "$(dirname "$0")/.."
haichi=$1/haichi
: "${MAPPERS:=auto:choose=hopbytes structure geometry bisect qap:work=100 hcube exchange:restarts=1}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

# cases TABLE: each platform and trace once, in the table's order
cases() {
  awk -F '\t' -v OFS='\t' '/^#/ { next } head++ && !seen[$1 FS $2]++ { print $1, $2 }' "$1"
}

# missing TABLE: rows without figures
missing() {
  tab=$(printf '\t')
  cases "$1" | while IFS=$tab read -r platform trace; do
    "$haichi" trace matrix "$trace" -o "$work/matrix"
    for mapper in $MAPPERS; do
      row="$platform$tab$trace$tab$mapper$tab-"
      if ! grep -qF "$row" "$1" && "$haichi" map "$mapper" -p "$platform" --matrix "$work/matrix" -o "$work/map" 2>/dev/null; then
        printf '%s\t-\t-\t-\t-\n' "$row"
      fi
    done
  done
}

for table in small large; do
  table=results/reference/$table.tsv
  missing "$table" >"$work/rows"
  # The rows of a platform and trace stay together.
  awk -F '\t' 'FILENAME == ARGV[1] { more[$1 FS $2] = more[$1 FS $2] $0 "\n"; next }
    key != "" && key != $1 FS $2 { printf "%s", more[key]; more[key] = "" }
    { print; key = $1 FS $2 }
    END { printf "%s", more[key] }' "$work/rows" "$table" >"$work/table"
  "$haichi" regress --update -b "$work/table"
  cp "$work/table" "$table"
  echo "$table: $(wc -l <"$work/rows") new rows"
done
