#!/bin/sh
# usage: tests/peers/qaplib.sh BUILD
# Mapper qap on files of QAPLIB, against the best values known: for each instance and each of METHODS,
# after TIME CPU seconds on one core, the mean gap of the seeds 1 to SEEDS in percent, then the mean
# of all.  QAPLIB is a folder of NAME.dat files and a best.tsv with lines of name, size and value;
# INSTANCES chooses some.
set -eu
haichi=$(cd "$1" && pwd)/haichi
: "${TIME:=1}" "${SEEDS:=10}" "${METHODS:=auto memetic rts sa grasp}" "${INSTANCES:=}"
[ -f "${QAPLIB:-}/best.tsv" ] || {
  echo "$0: QAPLIB=DIR names a folder with QAPLIB's instances and best.tsv" >&2
  exit 1
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

# gap METHOD NAME BEST: the mean gap in percent.
gap() {
  for seed in $(seq "$SEEDS"); do
    "$haichi" map "qap:method=$1,time=$TIME,starts=1,seed=$seed" --threads 1 \
      --qaplib "$QAPLIB/$2.dat" | awk '$1 == "value" { print $2 }'
  done | awk -v best="$3" '{ sum += ($1 - best) / best } END { printf "%.3f", 100 * sum / NR }'
}

# Standard output shows each line when it is there.
printf 'instance\tn'
for method in $METHODS; do
  printf '\t%s' "$method"
done
echo
sort -V "$QAPLIB/best.tsv" | grep -v '^#' | while read -r name n best; do
  case " ${INSTANCES:-$name} " in
  *" $name "*) ;;
  *) continue ;;
  esac
  printf '%s\t%s' "$name" "$n"
  for method in $METHODS; do
    printf '\t%s' "$(gap "$method" "$name" "$best")"
  done
  echo
done | tee "$work/table"
awk -F'\t' '{ for (i = 3; i <= NF; i++) sum[i] += $i }
  END { printf "mean\t"; for (i = 3; i <= NF; i++) printf "\t%.3f", sum[i] / NR; print "" }' "$work/table"
