#!/bin/sh
# usage: tests/peers/bench.sh BUILD
# CPU time and peak memory of `haichi sim` and of the simulating process of `smpirun -replay`: medians of
# RUNS (5) runs, a single run where smpirun is slow.  First an exchange with 6 neighbours, 10 rounds of
# 64 KiB, then the traces of NPB that BENCH names.  "asked": how many times as fast as smpirun haichi
# shall be; rows below that are marked.
set -eu
build=$(cd "$1" && pwd)
haichi=$build/haichi
: "${NPB:=tests/data}" "${RUNS:=5}" "${BENCH:=lu.A.64 cg.A.64 mg.A.64 is.A.64}"
# shellcheck source=tests/peers/lib.sh
. tests/peers/lib.sh
clock="/usr/bin/time -a -o $work/times -f %U+%S;%M"

# median FIELD: of the lines USER+SYSTEM;KIB in $work/times, the median of the CPU seconds (1) or of the KiB (2)
median() {
  awk -F';' -v f="$1" '{ split($1, t, "+"); print f == 1 ? t[1] + t[2] : $2 }' "$work/times" |
    sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'
}

# bench NAME DIR SPEC MAPPING ASKED RUNS: prints one line; RUNS is the number of runs of smpirun
bench() {
  np=$(grep -c . "$2/index.txt")
  xml=$work/p.xml
  "$haichi" platform "$3" -o "$xml"
  "$haichi" map "$4" --platform "$xml" --ranks "$np" -o "$work/hosts"
  rm -f "$work/times"
  for _ in $(seq "$RUNS"); do
    # Ten runs in one measurement, as `time` counts hundredths of a second.
    # shellcheck disable=SC2016
    $clock sh -c 'for i in 0 1 2 3 4 5 6 7 8 9; do "$@"; done' sh \
      "$haichi" sim --platform "$xml" --trace "$2" --mapping "$work/hosts" >"$work/out" 2>&1
  done
  cpu=$(awk -v t="$(median 1)" 'BEGIN { print t / 10 }') kib=$(median 2)
  rm -f "$work/times"
  for _ in $(seq "$6"); do
    (cd "$2" && smpirun -np "$np" -platform "$xml" -hostfile "$work/hosts" -replay index.txt \
      -wrapper "$clock" >"$work/out" 2>&1)
  done
  awk -v n="$1" -v m="$4" -v c="$cpu" -v C="$(median 1)" -v a="$5" -v k="$kib" -v K="$(median 2)" '
    BEGIN { f = C / c
      printf "%-16s %-13s %8.4f %9.2f %7.1f %5s %8d %9d%s\n", n, m, c, C, f, a, k, K,
        a != "-" && f < a + 0 ? "  below" : "" }'
}

# exchange SIDE DIR: writes a trace of SIDE^3 ranks
exchange() {
  mkdir -p "$2"
  awk -v k="$1" -v dir="$2" '
    function rank(x, y, z) { return (x + k) % k + k * ((y + k) % k + k * ((z + k) % k)) }
    BEGIN {
      for (r = 0; r < k * k * k; r++) {
        x = r % k; y = int(r / k) % k; z = int(r / k / k)
        p[0] = rank(x + 1, y, z); p[1] = rank(x - 1, y, z); p[2] = rank(x, y + 1, z)
        p[3] = rank(x, y - 1, z); p[4] = rank(x, y, z + 1); p[5] = rank(x, y, z - 1)
        file = "rank-" r ".txt"
        print file > (dir "/index.txt")
        file = dir "/" file
        print r " init" > file
        for (round = 0; round < 10; round++) {
          for (i = 0; i < 6; i++) print r " irecv " p[i] " " i + 1 - 2 * (i % 2) " 65536" > file
          for (i = 0; i < 6; i++) print r " isend " p[i] " " i " 65536" > file
          print r " waitall 12" > file
        }
        print r " finalize" > file
        close(file)
      }
    }'
}

asked_of() {
  case $1 in
  is.*) echo 50 ;;
  *) echo 10 ;;
  esac
}

printf '%-16s %-13s %8s %9s %7s %5s %8s %9s\n' case mapping cpu_s smpirun_s faster asked kib \
  smpirun_kib
for side in 8 7 6; do exchange $side "$work/exchange-$side"; done
bench exchange-8x8x8 "$work/exchange-8" torus:8x8x8 xyz 20 "$RUNS"
for side in 6 7 8; do
  asked=-
  [ $side != 8 ] || asked=100
  bench "exchange-${side}x${side}x$side" "$work/exchange-$side" "torus:${side}x${side}x$side" \
    random:seed=1 $asked 1
done
for name in $BENCH; do
  archive=$(ls "$NPB/$name".*tar.zst 2>/dev/null | head -1)
  if [ -z "$archive" ]; then
    echo "$name: not in $NPB; give its folder as NPB=DIR"
    continue
  fi
  runs=$RUNS
  case $name in is.*) runs=1 ;; esac
  bench "$name" "$(unpack "$archive")" "$(torus_of "$(ranks_of "$name")")" xyz \
    "$(asked_of "$name")" $runs
done
