#!/bin/sh
# usage: scripts/reality/hpl.sh DATA OUT
# Linpack on the cluster dahu (docs/hpl.md): predicts each configuration that has measurements in DATA/hpl, from the
# calibrations of kernels and networks in DATA/hpl; nothing is fitted to times of Linpack.  Writes OUT/hpl.tsv (columns in
# reality.sh) and OUT/hpl/.  Finished predictions in OUT/hpl are kept, so the script can be run again to resume.
# Environment variables, with defaults in parentheses: HAICHI (./haichi)
#   SAMPLE (256): number of panels that are simulated; with more than SAMPLE / 8 columns of ranks, all are
#   HPL_SETS (factorial geometry sizes)
#   SEEDS (1 2 3): of pivots and noise; a prediction is the mean of the times with these seeds
#   CACHED=1: makes no predictions; leaves out configurations without a prediction in OUT/hpl
set -eu
[ $# = 2 ] || {
  sed -n '2p' "$0" | cut -c3- >&2
  exit 2
}
: "${HAICHI:=./haichi}" "${SAMPLE:=256}" "${HPL_SETS:=factorial geometry sizes}" "${SEEDS:=1 2 3}" "${CACHED:=}"
here=$(cd "$(dirname "$0")" && pwd)
data=$1/hpl out=$2/hpl
mkdir -p "$out"
tab=$(printf '\t')

# kernels FILE DATE NODES SINCE: writes the table of kernels to OUT/hpl/FILE, with the calibration of dgemm of DATE on the
# first NODES nodes (hpl_kernels.awk)
kernels() {
  awk -f "$here/hpl_kernels.awk" -v model="$2" -v nodes="$3" -v since="$4" \
    "$data/kernels.tsv" "$data/dgemm_days.tsv" "$data/dgemm_cpu.tsv" >"$out/$1"
}

# The runs of set factorial are of January 2020.  The calibration of October 2019 is scaled by the change of the daily
# measurements on 26 November 2019.
kernels factorial.kernels 2019-10-29 32 1574726400
kernels geometry.kernels 2020-09-04 30 0
kernels sizes.kernels 2019-04-05 32 0

# configurations SET: prints the configurations of a set: name, N, P, Q, options
configurations() {
  case $1 in
  factorial) awk -F '\t' 'NR > 1 && $5 == "real" && !seen[$1, $2, $3, $4]++ {
    print "nb" $1 "-depth" $2 "-bcast" $3 "-swap" $4, 250000, 32, 32, "NB=" $1 ",depth=" $2 ",bcast=" $3 ",swap=" $4 ",threshold=" $1 }' "$data/factorial.tsv" ;;
  geometry) awk -F '\t' 'NR > 1 && $3 == "real" && !seen[$1]++ {
    print $1 "x" $2, 250000, $1, $2, "NB=128,depth=1,bcast=2,swap=0" }' "$data/geometry.tsv" ;;
  sizes) awk -F '\t' 'NR > 1 && $2 == "matrix_size" && $3 == "real" && $4 ~ /^2019-03/ && !seen[$1]++ {
    print "n" $1, $1, 32, 32, "NB=128,depth=1,bcast=2,swap=0" }' "$data/matrix_size.tsv" ;;
  esac
}

# Bandwidth of a message of 256 MiB within an idle node.
within=$(awk -F '\t' '$1 == "loopback" && $2 == "classical" && $3 == "Idle" { print $4 / $8 }' "$data/interference.tsv")

# network SET: sets the platform of a set, made by SMPI's authors, and the effect of its nodes.  The platform of June 2020 was
# calibrated with large messages.  The platform of 2019 and January 2020 was calibrated with messages up to 1 MB; panels are
# larger, and move within a node.
network() {
  case $1 in
  geometry) platform=$data/smpi-dahu-ringrong.xml effect= ;;
  *) platform=$data/smpi-dahu.xml effect=within:bandwidth=${within}Bps ;;
  esac
}

# is_predicted SET NAME: true if no prediction is missing
is_predicted() {
  for seed in $SEEDS; do
    [ -s "$out/$1-$2-$seed.report" ] || return 1
  done
}

# predict SET NAME SEED N P Q OPTIONS: writes the prediction to OUT/hpl/SET-NAME-SEED.report, and prints its seconds
predict() {
  report=$out/$1-$2-$3.report
  if [ ! -s "$report" ]; then
    network "$1"
    columns=$6
    trace="hpl:N=$4,P=$5,Q=$6,$7,kernels=$out/$1.kernels,per-host=32,speed=1f,seed=$3"
    set -- --platform "$platform" --ranks-per-host 32 --effect flow-limits ${effect:+--effect "$effect"} --trace "$trace"
    if [ "$SAMPLE" -lt $((8 * columns)) ]; then
      "$HAICHI" sim "$@" >"$report.new" 2>"$out/log"
    else
      "$HAICHI" predict "$@" --sample "$SAMPLE" >"$report.new" 2>"$out/log"
    fi || {
      cat "$out/log" >&2
      exit 1
    }
    mv "$report.new" "$report"
  fi
  awk '$1 == "predicted_time_s" || $1 == "simulated_time_s" { print $2; exit }' "$report"
}

for set in $HPL_SETS; do
  configurations "$set" >"$out/$set.list"
  while read -r name n p q options; do
    if [ -n "$CACHED" ] && ! is_predicted "$set" "$name"; then
      echo "$0: $set $name: no prediction, left out" >&2
      continue
    fi
    for seed in $SEEDS; do
      predict "$set" "$name" "$seed" "$n" "$p" "$q" "$options"
    done >"$out/seconds"
    printf '%s\t%s\t%s\n' "$set" "$name" "$(awk '{ sum += $1 } END { printf "%.17g", sum / NR }' "$out/seconds")"
  done <"$out/$set.list"
done >"$out/predicted.tsv"
if [ -s "$out/predicted.tsv" ]; then
  awk -f "$here/hpl_rows.awk" "$out/predicted.tsv" "$data/factorial.tsv" "$data/geometry.tsv" "$data/matrix_size.tsv" |
    LC_ALL=C sort -s -t "$tab" -k1,1 >"$out/rows"
else
  : >"$out/rows"
fi
{
  printf 'set\tconfiguration\tmeasured_s\tmeasured_spread\tpredicted_s\terror\tsmpi_s\tnote\n'
  cat "$out/rows"
} >"$2/hpl.tsv"
