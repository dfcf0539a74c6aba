#!/bin/sh
# CPU time and peak memory of `haichi sim` against `smpirun -replay`, the simulating process's
# own: medians of RUNS (5) on each trace of NPB that BENCH names; ratios below 1 are in our favour.
set -eu
build=$(cd "$1" && pwd)
haichi=$build/haichi
: "${NPB:=tests/data}" "${RUNS:=5}" "${BENCH:=lu.A.64 cg.A.64 mg.A.64 is.A.64}"
# shellcheck source=tests/peers/lib.sh
. tests/peers/lib.sh
clock="/usr/bin/time -a -o $work/times -f %U+%S;%M"

# median FIELD < lines of USER+SYSTEM;KIB
median() {
  awk -F';' -v f="$1" '{ split($1, t, "+"); print f == 1 ? t[1] + t[2] : $2 }' "$work/times" |
    sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'
}

printf '%-16s %10s %10s %7s %10s %10s %7s\n' trace cpu_s smpirun_s ratio kib smpirun_kib ratio
for name in $BENCH; do
  archive=$(ls "$NPB/$name".*tar.zst 2>/dev/null | head -1)
  if [ -z "$archive" ]; then
    echo "$name: not in $NPB; give its folder as NPB=DIR"
    continue
  fi
  dir=$(unpack "$archive")
  np=$(ranks_of "$name")
  xml=$work/p.xml
  "$haichi" platform "$(torus_of "$np")" -o "$xml"
  "$haichi" map xyz --platform "$xml" --ranks "$np" -o "$work/hosts"
  rm -f "$work/times"
  for _ in $(seq "$RUNS"); do
    $clock "$haichi" sim --platform "$xml" --trace "$dir" --mapping "$work/hosts" \
      >"$work/out" 2>&1
  done
  cpu=$(median 1) kib=$(median 2)
  rm -f "$work/times"
  for _ in $(seq "$RUNS"); do
    (cd "$dir" && smpirun -np "$np" -platform "$xml" -hostfile "$work/hosts" -replay index.txt \
      -wrapper "$clock" >"$work/out" 2>&1)
  done
  awk -v n="$name" -v c="$cpu" -v C="$(median 1)" -v k="$kib" -v K="$(median 2)" 'BEGIN {
    printf "%-16s %10.2f %10.2f %7.2f %10d %10d %7.2f\n", n, c, C, c / C, k, K, k / K }'
done
