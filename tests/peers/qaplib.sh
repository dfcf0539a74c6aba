#!/bin/sh
# usage: tests/peers/qaplib.sh BUILD
# Mapper qap on files of QAPLIB, against the best known values: for each instance and each of METHODS,
# the mean gap in percent of the seeds 1 to SEEDS after TIME CPU seconds on one core, then the mean
# over all instances.  QAPLIB is a folder of NAME.dat files and a best.tsv with lines of name, size and value;
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

# gap METHOD NAME BEST: prints the mean gap in percent; fails if a seed has no value
gap() {
  for seed in $(seq "$SEEDS"); do
    "$haichi" map "qap:method=$1,time=$TIME,starts=1,seed=$seed" --threads 1 \
      --qaplib "$QAPLIB/$2.dat" | awk '$1 == "value" { print $2 }'
  done | awk -v best="$3" -v seeds="$SEEDS" '{ sum += ($1 - best) / best }
    END { if (NR != seeds) exit 1; printf "%.3f", 100 * sum / NR }'
}

# tee prints each line as soon as it is complete.
printf 'instance\tn'
for method in $METHODS; do
  printf '\t%s' "$method"
done
echo
sort -V "$QAPLIB/best.tsv" | grep -v '^#' >"$work/best"
while read -r name n best; do
  case " ${INSTANCES:-$name} " in
  *" $name "*) ;;
  *) continue ;;
  esac
  printf '%s\t%s' "$name" "$n"
  for method in $METHODS; do
    gap=$(gap "$method" "$name" "$best") || {
      echo "$0: $name: qap:method=$method fails" >&2
      touch "$work/failed"
      exit 1
    }
    printf '\t%s' "$gap"
  done
  echo
done <"$work/best" | tee "$work/table"
[ ! -e "$work/failed" ] || exit 1
awk -F'\t' '{ for (i = 3; i <= NF; i++) sum[i] += $i }
  END { printf "mean\t"; for (i = 3; i <= NF; i++) printf "\t%.3f", sum[i] / NR; print "" }' "$work/table"
