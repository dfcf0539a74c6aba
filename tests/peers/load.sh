#!/bin/sh
# usage: tests/peers/load.sh HAICHI [FIRST_SEED [LAST_SEED]]
# Background loads of every kind, drawn by the seed, on a torus, a fat tree and clusters: engine flow against
# SimGrid, which computes all rates anew at each event, within BOUND at tight precisions.  Prints a line for each
# seed; exits 1 if one differs.
set -u
haichi=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
seed=${2:-1}
last=${3:-24}
: "${BOUND:=1e-6}"
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

cat >four.clusters <<'END'
cluster A hosts=8x2Gf:2+8x1Gf latency=1us
cluster B topology=torus:4x4 latency=1us bandwidth=1GBps
wan * * rtt=100us bandwidth=100MBps
END

# pick N WORD...: prints the word after N others
pick()
{
  shift "$(($1 + 1))"
  echo "$1"
}

# profile SEED: prints profiles of all hosts and of the bandwidths of all links, with or without loops, for model
# cm02: with a model that weighs links, or with another latency, SimGrid 3.32 stops or forgets messages, and its
# solver stops at tight precisions
profile()
{
  awk -v seed="$1" 'function wave(low, high,   t, i) {
      for (i = 0; i < 4; i++) printf "%.6g %.6g\n", t += rand() * 1e-3, low + rand() * (high - low)
      if (rand() < 0.7) printf "LOOPAFTER %.6g\n", rand() * 1e-3 }
    BEGIN { srand(seed); print "# of seed " seed "\nspeed *"; wave(0.2, 2); print "bandwidth *"; wave(1e7, 2e9) }'
}

# time_of ENGINE: prints the values of the report, on one line
time_of()
{
  # shellcheck disable=SC2086 # several options
  "$haichi" sim -p "$platform" -t "$trace" -m random:seed="$seed" --precision 1e-12 --maxmin-precision "$solver" \
    --engine "$1" $load 2>log | cut -f 2 | tr '\n' ' '
}

status=0
while [ "$seed" -le "$last" ]; do
  platform=$(pick $((seed % 3)) torus:4x4x2 fattree:k=4,levels=3 clusters:four.clusters)
  trace=$(pick $((seed % 4)) npb:mg.S.16@2 npb:lu.S.16@2 npb:ft.S.16@2 npb:is.S.16)
  solver=1e-9
  case $((seed % 7)) in
  0) load="--background tasks:20,seed=$seed" ;;
  1) load="--background flows:6,size=20kB,seed=$seed" ;;
  2) load="--background flows:9,size=200kB,gap=50us,seed=$seed" ;;
  3) load="--background noise:every=200us,for=20us,seed=$seed" ;;
  4) load="--background tasks:30,seed=$seed --background links:p=0.1,seed=$seed" ;;
  5) load="--background tasks:8,seed=$seed --background flows:4,size=5kB,seed=$seed --background noise:every=1ms,for=300us" ;;
  6) profile "$seed" >profiles && solver=1e-5 load="-M cm02 --background profile:profiles --background tasks:5" ;;
  esac
  echo "$(time_of flow)$(time_of simgrid-full)" | awk -v bound="$BOUND" -v what="$seed $platform $trace $load" '
    function apart(a, b) { return (a > b ? a - b : b - a) / (b == 0 ? 1 : b) }
    NF != 16 { print what, $0, "differs"; exit 1 }
    { good = apart($1, $9) < bound && apart($6, $14) < 1e-3 && $7 == $15 && $8 == $16
      print what, $1, $9, apart($1, $9), good ? "equal" : "differs: flops " $6 " " $14 ", messages " $7 " " $15
      exit !good }' || status=1
  seed=$((seed + 1))
done
exit $status
