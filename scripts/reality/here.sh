#!/bin/sh
# usage: scripts/reality/here.sh [OUT]
# Predicts MPI programs on this machine.  Measures the machine with mpirun and makes a platform of its cores.  Records each
# program of examples/, predicts its time from the recording, and then measures it.  Writes to OUT (results/reality-here)
# all.tsv, with the columns of reality.sh, the summary sums.tsv and pictures, and prints both tables.
# Environment variables, with defaults in parentheses: HAICHI (./haichi)   RANKS (number of cores)   MPICC (mpicc)
#   MPIRUN (mpirun; for root with --allow-run-as-root)   RUNS (5: runs of each program)   PINGPONG (options of the ping-pong)
#   IS=PROGRAM: NPB's IS, compiled with MPI for RANKS ranks
set -eu
[ $# -le 1 ] || {
  sed -n '2p' "$0" | cut -c3- >&2
  exit 2
}
out=${1:-results/reality-here}
: "${HAICHI:=./haichi}" "${RANKS:=$(nproc)}" "${MPICC:=mpicc}" "${RUNS:=5}" "${IS:=}" "${PINGPONG:=}"
if [ -z "${MPIRUN:-}" ]; then
  MPIRUN=mpirun
  [ "$(id -u)" != 0 ] || MPIRUN='mpirun --allow-run-as-root'
fi
for tool in "$MPICC" "${MPIRUN%% *}"; do
  command -v "$tool" >/dev/null || {
    echo "$0: no program $tool: an MPI library is needed" >&2
    exit 1
  }
done
[ "$RANKS" -ge 2 ] || {
  echo "$0: RANKS=$RANKS: a ping-pong needs two ranks" >&2
  exit 1
}
haichi=$(cd "$(dirname "$HAICHI")" && pwd)/$(basename "$HAICHI")
here=$(cd "$(dirname "$0")" && pwd)
examples=$here/../../examples
mkdir -p "$out/reality"
cd "$out"
rm -rf measure trace-*

"$haichi" calibrate --sources measure
make -s -C measure measure MPIRUN="$MPIRUN -np $RANKS" MPICC="$MPICC" PINGPONG="$PINGPONG" >measure.log 2>&1 || {
  cat measure.log >&2
  exit 1
}
"$haichi" calibrate measure/pingpong.tsv measure/kernel.tsv --topology "star:$RANKS" -o platform.xml >fit.tsv

printf '#include <mpi.h>\nint main(int c, char **v) { return MPI_Init(&c, &v) || MPI_Finalize(); }\n' >empty.c
"$MPICC" -O2 -o empty empty.c
"$MPICC" -O3 -o himeno "$examples/himeno/himeno.c" -lm
"$MPICC" -O3 -o cg "$examples/cg/cg.c" -lm

# seconds COMMAND...: prints the wall times of RUNS runs by mpirun, one on a line, after a run that is not counted
seconds()
{
  # shellcheck disable=SC2086 # words of MPIRUN
  $MPIRUN -np "$RANKS" "$@" >run.log 2>&1
  for run in $(seq "$RUNS"); do
    begin=$(date +%s%N)
    # shellcheck disable=SC2086
    $MPIRUN -np "$RANKS" "$@" >run.log 2>&1
    echo "$begin $(date +%s%N) $run" | awk '{ printf "%.6f\n", ($2 - $1) / 1e9 }'
  done
}

# Predictions do not include the start of a program, so the time of an empty MPI program is subtracted from measured times.
start=$(seconds ./empty | sort -n | awk '{ x[NR] = $1 } END { print x[int((NR + 1) / 2)] }')
printf 'set\tconfiguration\tmeasured_s\tmeasured_spread\tpredicted_s\terror\tsmpi_s\tnote\n' >all.tsv

# predict NAME COMMAND...: adds a row to all.tsv
predict()
{
  name=$1
  shift
  # shellcheck disable=SC2086
  "$haichi" record --output "trace-$name" -- $MPIRUN -np "$RANKS" "$@" >record.log 2>&1 || {
    cat record.log >&2
    exit 1
  }
  # The recording has 1e9 flops for each second of computation.  With hosts of 1 Gflop/s, computations take the recorded
  # times; the network is the measured one.
  "$haichi" calibrate measure/pingpong.tsv --speed 1Gf --topology "star:$RANKS" -o recorded.xml >/dev/null
  "$haichi" sim --platform recorded.xml --trace "trace-$name" --collectives ompi >report 2>sim.log || {
    cat sim.log >&2
    exit 1
  }
  seconds "$@" >"times-$name"
  awk -v c="$name, $RANKS ranks" -v start="$start" -v p="$(awk '$1 == "simulated_time_s" { print $2 }' report)" '
    { x = $1 - start; n++; s += x; q += x * x }
    END { m = s / n; d = q / n > m * m ? sqrt(q / n - m * m) / m : 0
      printf "here\t%s\t%.6g\t%.4f\t%.6g\t%.4f\t-\t-\n", c, m, d, p, p / m - 1 }' "times-$name" >>all.tsv
}

predict himeno ./himeno 60 130 130 130
predict cg ./cg 400 512
[ -z "$IS" ] || predict is "$IS"

awk -F '\t' -v mode=sums -f "$here/reality.awk" all.tsv >sums.tsv
gnuplot -e "table='all.tsv'; name='here'; output='reality/here.png'" "$here/reality.gp"
cat all.tsv sums.tsv
