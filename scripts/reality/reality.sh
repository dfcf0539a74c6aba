#!/bin/sh
# usage: scripts/reality/reality.sh DATA [OUT]
# Predictions beside measurements of real machines: runs each set of which DATA has a folder, and writes into OUT
# (results/reality) its table, and page.md with pictures.  make reality copies the page to docs/reality.md.
# A set is a script NAME.sh DATA OUT that writes OUT/NAME.tsv, a row for each configuration, with the columns
#   set configuration measured_s measured_spread predicted_s error smpi_s note
# measured_spread: standard deviation over mean.  error: predicted over measured, less 1.  smpi_s: SMPI's published
# prediction.  - is an unknown value.  A note that begins with "calibration" leaves the row out of the sums.
# The environment may say otherwise: HAICHI (./haichi)   SETS (saturation incast pi hpl)   MEASURED=1: only draw again
#   CACHED=1: use the finished predictions of hpl, which take half a minute to some minutes each, and leave out the others
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
