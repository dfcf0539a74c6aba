#!/bin/sh
# usage: scripts/reality/reality.sh DATA [OUT]
# Compares predictions with measurements on real machines: runs each set that has a folder in DATA, and writes its table to
# OUT (results/reality), and page.md with pictures.  make reality copies the page to docs/reality.md.
# A set is a script NAME.sh DATA OUT that writes OUT/NAME.tsv, a row for each configuration, with the columns
#   set configuration measured_s measured_spread predicted_s error smpi_s note
# measured_spread: standard deviation over mean.  error: predicted over measured, less 1.  smpi_s: SMPI's published
# prediction.  -: unknown value.  A row whose note begins with "calibration" is not in the sums.
# Environment variables, with defaults in parentheses: HAICHI (./haichi)   SETS (saturation incast pi hpl)
#   MEASURED=1: runs no set, only draws the tables in OUT again
#   CACHED=1: uses the finished predictions of set hpl and makes no others, since one takes half a minute to some minutes
set -eu
[ $# -ge 1 ] && [ $# -le 2 ] && [ -d "$1" ] || {
  sed -n '2p' "$0" | cut -c3- >&2
  exit 2
}
data=$1 out=${2:-results/reality}
: "${HAICHI:=./haichi}" "${SETS:=saturation incast pi hpl}" "${MEASURED:=}" "${CACHED:=}"
export HAICHI CACHED
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$out/reality"
ran=
for set in $SETS; do
  [ -d "$data/$set" ] && [ -f "$here/$set.sh" ] || continue
  [ -n "$MEASURED" ] || "$here/$set.sh" "$data" "$out"
  ran="$ran $out/$set.tsv"
done
[ -n "$ran" ] || {
  echo "$0: $data: no folder of a set: $SETS" >&2
  exit 1
}
# shellcheck disable=SC2086 # names of files without spaces
awk 'FNR > 1 || NR == 1' $ran >"$out/all.tsv"
awk -F '\t' -v mode=sums -f "$here/reality.awk" "$out/all.tsv" >"$out/sums.tsv"
for set in $(awk -F '\t' 'NR > 1 { print $1 }' "$out/sums.tsv"); do
  gnuplot -e "table='$out/all.tsv'; name='$set'; output='$out/reality/$set.png'" "$here/reality.gp"
done
{
  cat "$here/page.md"
  awk -F '\t' -v mode=page -f "$here/reality.awk" "$out/sums.tsv" "$out/all.tsv"
} >"$out/page.md"
cat "$out/sums.tsv"
