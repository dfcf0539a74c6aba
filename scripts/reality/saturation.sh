#!/bin/sh
# usage: scripts/reality/saturation.sh DATA OUT
# Many pairs of ranks on one switch (docs/reality.md).  The platform is calibrated with ping-pongs and, for each test, with the
# runs on the fewest ranks; the other runs are predicted.  Reads DATA/saturation, writes OUT/saturation.tsv (columns in
# reality.sh) and OUT/saturation/.  Environment variable: HAICHI (./haichi)
set -eu
[ $# = 2 ] || {
  sed -n '2p' "$0" | cut -c3- >&2
  exit 2
}
: "${HAICHI:=./haichi}"
here=$(cd "$(dirname "$0")" && pwd)
data=$1/saturation out=$2/saturation
mkdir -p "$out"
calls=10

# algorithm CLUSTER RANKS: prints the algorithm of an alltoall of 4 MB.  In step i, Open MPI 1.10 and 2.0 (taurus) send to rank
# + i and receive from rank - i (coll_tuned_decision_fixed.c).  MPICH 3.1.4 (alltoall.c) does so too, except on a power of two
# of ranks, where it exchanges with rank ^ i.
algorithm()
{
  case $1.$2 in
  taurus.*) echo ring ;;
  *.2 | *.4 | *.8 | *.16) echo pair ;;
  *) echo ring ;;
  esac
}

# simulated CLUSTER TEST RANKS CALLS: prints the simulated seconds of a sequence of calls
simulated()
{
  awk -v test="$2" -v n="$3" -v calls="$4" -f "$here/saturation_trace.awk" >"$out/trace"
  # shellcheck disable=SC2046 # the effects are words
  "$HAICHI" sim --platform "$out/$1.xml" --trace "$out/trace" --collective "alltoall=$(algorithm "$1" "$3")" \
    $(awk '$1 ~ /^effect_/ { print "--effect", $2 }' "$out/$1.fit") >"$out/report" 2>"$out/log" || {
    cat "$out/log" >&2
    exit 1
  }
  awk '$1 == "simulated_time_s" { print $2 }' "$out/report"
}

# predict CLUSTER TEST RANKS: prints the simulated seconds of a call.  The first call of the sequence is left out, as in the
# measurements.
predict()
{
  awk -v one="$(simulated "$@" 1)" -v all="$(simulated "$@" $((calls + 1)))" -v calls="$calls" \
    'BEGIN { printf "%.9g\n", (all - one) / calls }'
}

printf 'set\tconfiguration\tmeasured_s\tmeasured_spread\tpredicted_s\terror\tsmpi_s\tnote\n' >"$2/saturation.tsv"
for cluster in taurus miriel plafrim; do
  [ -f "$data/pingpong-$cluster.tsv" ] || continue
  awk -F '\t' -v cluster="$cluster" -v mode=summary -f "$here/saturation.awk" "$data/load.tsv" |
    LC_ALL=C sort -t '	' -k1,1 -k2,2n >"$out/$cluster.load"
  awk -F '\t' -v cluster="$cluster" -v mode=tests -f "$here/saturation.awk" "$data/load.tsv" >"$out/$cluster.tests"
  "$HAICHI" calibrate "$data/pingpong-$cluster.tsv" "$out/$cluster.tests" --speed 1Gf --topology star:64 \
    -o "$out/$cluster.xml" >"$out/$cluster.fit"
  while read -r test active mean spread fewest; do
    note=-
    case $test.$active in
    alltoall.2) note='the mean of only 2 calls' ;;
    alltoall.*) ;;
    *."$fewest") note=calibration ;;
    esac
    predicted=$(predict "$cluster" "$test" "$active")
    awk -v s="saturation-$cluster" -v c="$test $active ranks" -v m="$mean" -v d="$spread" -v p="$predicted" -v n="$note" \
      'BEGIN { printf "%s\t%s\t%.6g\t%.4f\t%.6g\t%.4f\t-\t%s\n", s, c, m, d, p, p / m - 1, n }' >>"$2/saturation.tsv"
  done <"$out/$cluster.load"
done
