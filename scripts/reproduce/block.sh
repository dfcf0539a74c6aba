#!/bin/sh
# usage: scripts/reproduce/block.sh [OUT]
# Verdicts on the statements of Chida, Sugaya and Aso (BLOCK, docs/predict.md): himeno on 8 equal PUs, and on 4 slow and 4
# fast PUs, predicted from a tenth of the iterations.  The times come from three sources:
#   model   SMPI; computation is a number of flops, with a warm-up and a random variation (settings.txt)
#   smpi    SMPI; computation is measured on this machine and scaled to the mean speed of the model
#   mpirun  Open MPI on this machine; 8 ranks share its cores, and computation takes 1.6 times as long on slow PUs
# Writes to OUT (results/block) runs.tsv (a line for each run, method and PU), series.tsv (deviation of the first executions of
# blocks), facts.tsv, pus.tsv, settings.txt, settings.tsv, verdicts.tsv, paper, and pictures of one run of each source.
# Environment variables, with defaults in parentheses:
#   HAICHI (./haichi)   SEEDS (1..40): of the model   OTHERS (10): number of seeds of all settings but the first
#   RUNS (40): runs of smpi and of mpirun   SOURCES (model smpi mpirun)   ITERATIONS (100)   SIZE (130 66 66)
#   EQUAL UNEQUAL (equal unequal): platforms, of examples/ or files   PUS (1 2 4 8 16 32 64 128 256): tried numbers of PUs
#   JUDGE=1: only judges the tables in OUT again
set -eu
[ $# -le 1 ] || {
  sed -n '2p' "$0" | cut -c3- >&2
  exit 2
}
out=${1:-results/block}
: "${HAICHI:=./haichi}"
haichi=$(cd "$(dirname "$HAICHI")" && pwd)/$(basename "$HAICHI")
here=$(cd "$(dirname "$0")" && pwd)
examples=$here/../../examples
: "${SEEDS:=1..40}" "${OTHERS:=10}" "${RUNS:=40}" "${SOURCES:=model smpi mpirun}" "${JUDGE:=}"
: "${PUS:=1 2 4 8 16 32 64 128 256}" "${ITERATIONS:=100}" "${SIZE:=130 66 66}" "${EQUAL:=equal}" "${UNEQUAL:=unequal}"
first=${SEEDS%..*} last=${SEEDS#*..}
case " $SOURCES " in *' model '*) ;; *) last=$first OTHERS=0 ;; esac
timed=$((ITERATIONS / 10))
mkdir -p "$out"
cd "$out"

# settings: prints a line for each setting of the model: name, warm-up of equal PUs, warm-up of unequal PUs, variation.  The
# factor and the PUs of setting `fast`, and the factor of setting `communication`, are fitted to the errors of `joint`; the
# other settings show the effect of this choice.  "-": not run, since equal PUs with setting `all` are the same as with setting
# `fast`.
settings()
{
  cat <<'END'
fast 4:1.5:SEED:computation:0 4:1.5:SEED:computation:4 0.02
all - 4:1.5:SEED:computation:0 0.02
communication 4:2:SEED:communication:0 4:2:SEED:communication:0 0.02
cold-fast-links 4:2:SEED:communication:0 4:2:SEED:communication:4 0.02
none 0 0 0.02
noisy 4:1.5:SEED:computation:0 4:1.5:SEED:computation:4 0.05
END
}

# launch SOURCE MACHINE RANKS PROGRAM [ITERATIONS]: runs a program
launch()
{
  case $2 in equal) platform=$EQUAL ;; unequal) platform=$UNEQUAL ;; *) platform=$2 ;; esac
  [ -f "$platform" ] || platform=$examples/$platform.xml
  case $1 in
  model) set -- "$1" "$3" "$4" "${5:-$ITERATIONS}" --cfg=smpi/simulate-computation:no ;;
  smpi) set -- "$1" "$3" "$4" "${5:-$ITERATIONS}" --cfg=smpi/cpu-threshold:0 "--cfg=smpi/host-speed:$host_speed" ;;
  mpirun) set -- "$1" "$3" "$4" "${5:-$ITERATIONS}" --oversubscribe ;;
  esac
  by=$1 ranks=$2 program=$3 iterations=$4
  shift 4
  if [ "$by" = mpirun ]; then
    [ "$(id -u)" != 0 ] || set -- "$@" --allow-run-as-root
    set -- mpirun "$@" -np "$ranks"
  else
    set -- smpirun -np "$ranks" -platform "$platform" -hostfile hosts "$@" --log=root.thres:critical
  fi
  # shellcheck disable=SC2086 # the size is three words
  "$@" "$program" "$iterations" $SIZE >"log-$by-$ranks" 2>&1 || {
    echo "block.sh: $by fails on $program:" >&2
    tail -n 3 "log-$by-$ranks" >&2
    return 1
  }
}

# programs SOURCE: instruments and compiles himeno
programs()
{
  [ "$1" = model ] && set -- "$1" smpicc -D MODEL
  [ "$1" = smpi ] && set -- "$1" smpicc
  [ "$1" = mpirun ] && set -- "$1" mpicc
  name=$1 cc=$2
  shift 2
  "$haichi" instrument "$examples/himeno/himeno.c" "$@" --loops iterations=$timed -o "programs-$name" >"$name.txt" 2>&1
  make -s -C "programs-$name" CC="$cc"
}

# experiment SOURCE SETTING MACHINE RUN WARMUP VARIATION: runs the programs and predicts; writes the lines of runs.tsv to
# part-..., the lines of series.tsv to series-...
experiment()
{
  source=$1 setting=$2 machine=$3 run=$4
  folder=$source-$setting-$machine-$run
  rm -rf "$folder"
  mkdir "$folder"
  cp "programs-$source/blocks.tsv" "$folder"
  export HAICHI_BLOCKS_DIR="$PWD/$folder" HAICHI_BLOCKS_WARMUP="$5" HAICHI_BLOCKS_SLOW=''
  [ "$source $machine" != 'mpirun unequal' ] || HAICHI_BLOCKS_SLOW=4:1.6
  cp "counts-$source"/counts.*.tsv "$folder"
  HAICHI_BLOCKS_VARIATION=$6:$((3 * run)) launch "$source" "$machine" 8 "programs-$source/bin/timing"
  HAICHI_BLOCKS_VARIATION=$6:$((3 * run + 1)) HAICHI_BLOCKS_FULL=1 launch "$source" "$machine" 8 \
    "programs-$source/bin/timing"
  HAICHI_BLOCKS_VARIATION=$6:$((3 * run + 2)) launch "$source" "$machine" 8 "programs-$source/bin/apart"
  for method in separate joint settled; do
    "$haichi" predict "$folder" --method $method --per-rank "$folder/$method.tsv" >/dev/null
  done
  row="$source	$setting	$machine	$run"
  (
    cd "$folder"
    awk -F'\t' -v OFS='\t' -v row="$row" '
      FILENAME == "blocks.tsv" { kind[$1] = $2; next }
      FNR == 1 { method = FILENAME; sub(/[.]tsv/, "", method); next }
      FILENAME ~ /^full/ { split(FILENAME, part, "."); full[part[2], kind[$1]] += $3 * $4; next }
      { print row, method, $1, $2, $3, $4, full[$1, "computation"], full[$1, "communication"], $7, $8 }' \
      blocks.tsv full.*.tsv separate.tsv joint.tsv settled.tsv
  ) >"part-$folder"
  awk -F'\t' -v OFS='\t' -v row="$row" -v timed=$timed -f "$here/block_series.awk" "$folder/blocks.tsv" \
    "$folder/full.7.tsv" >"series-$folder"
  [ "$run" = "$first" ] || rm -r "$folder"
}

# both SOURCE SETTING RUN WARMUP_EQUAL WARMUP_UNEQUAL VARIATION: an experiment on both machines, in parallel if all times are
# simulated
both()
{
  if [ "$4" = - ]; then
    experiment "$1" "$2" unequal "$3" "$5" "$6"
  elif [ "$1" = model ]; then
    experiment "$1" "$2" equal "$3" "$4" "$6" &
    other=$!
    experiment "$1" "$2" unequal "$3" "$5" "$6"
    wait $other
  else
    experiment "$1" "$2" equal "$3" "$4" "$6"
    experiment "$1" "$2" unequal "$3" "$5" "$6"
  fi
}

# counts SOURCE: runs the counting program; the counts are the same on both machines
counts()
{
  mkdir -p "counts-$1"
  HAICHI_BLOCKS_DIR=$PWD/counts-$1 launch "$1" equal 8 "programs-$1/bin/counting"
}

# sweep_time FILE...: prints the median time of the executions of the block of computation with the largest total time
sweep_time()
{
  awk -F'\t' 'NR == FNR { kind[$1] = $2; next } FNR > 1 && kind[$1] == "computation" { t[$1] += $3 * $4; print $1, $4 }
    END { for (b in t) if (t[b] > most) { most = t[b]; block = b } print "block", block }' "$@" >sweep_times
  block=$(awk '$1 == "block" { print $2 }' sweep_times)
  awk -v b="$block" '$1 == b { print $2 }' sweep_times | sort -g | awk '{ x[NR] = $1 } END { print x[int((NR + 1) / 2)] }'
}

# calibrate: sets host_speed such that source smpi is as fast as the model on average, after a trial run at 1 Gflop/s
calibrate()
{
  host_speed=1e9
  mkdir -p trial
  export HAICHI_BLOCKS_WARMUP='' HAICHI_BLOCKS_VARIATION=''
  for s in model smpi; do
    HAICHI_BLOCKS_FULL=1 HAICHI_BLOCKS_DIR=$PWD/trial launch $s equal 8 programs-$s/bin/timing
    eval "time_$s=\$(sweep_time programs-\$s/blocks.tsv trial/full.*.tsv)"
    rm trial/*
  done
  # shellcheck disable=SC2154 # by eval
  host_speed=$(awk -v m="$time_model" -v s="$time_smpi" 'BEGIN { printf "%.6g", 1e9 * m / s }')
}

# sweep_pus: writes pus.tsv, the times of 10 iterations of the model on the numbers of equal PUs of PUS
sweep_pus()
{
  "$haichi" platform "star:${PUS##* }" --speed 800Mf --bandwidth 125MBps --latency 50us -o star.xml
  mkdir -p pus
  printf 'PUs\tseconds\n' >pus.tsv
  for n in $PUS; do
    rm -f pus/*
    # shellcheck disable=SC2086 # the size is three words
    HAICHI_BLOCKS_FULL=1 HAICHI_BLOCKS_DIR=$PWD/pus smpirun -np "$n" -platform star.xml \
      --cfg=smpi/simulate-computation:no --log=root.thres:critical programs-model/bin/timing 10 $SIZE >/dev/null 2>&1
    awk -F'\t' -v n="$n" 'FNR > 1 { t[FILENAME] += $3 * $4 }
      END { for (f in t) if (t[f] > most) most = t[f]; printf "%d\t%.9g\n", n, most }' pus/full.*.tsv >>pus.tsv
  done
}

# facts: writes facts.tsv, the results of the tools for statements that are not on errors
facts()
{
  folder=model-fast-equal-$first
  awk -F'\t' -v OFS='\t' '
    function rank(  part) { split(FILENAME, part, "."); return part[length(part) - 1] }
    FNR == 1 { next }
    FILENAME ~ /counts[.]/ { count[rank(), $1] = $2; marks[rank()] += $2; next }
    FILENAME ~ /full[.]/ { full[rank(), $1] += $3; full_time[rank()] += $3 * $4; next }
    FILENAME ~ /timing[.]/ { n[rank(), $1] += $3; s[rank(), $1] += $3 * $4; time[rank()] += $3 * $4; next }
    { computation[$1] = $2; communication[$1] = $3; total[$1] = $4; ratio[$1] = $6; columns = columns == "" || columns == NF ? NF : "unequal" }
    END {
      for (k in count) { pairs++; if (count[k] != full[k]) differ++ }
      for (k in full) if (!(k in count)) differ++
      for (k in n) { split(k, part, SUBSEP); sum[part[1]] += s[k] / n[k] * count[k] }
      for (r in total) {
        ranks++
        e = sum[r] / total[r] - 1; e = e < 0 ? -e : e; if (e > sum_differs) sum_differs = e
        e = computation[r] / communication[r] / ratio[r] - 1; e = e < 0 ? -e : e; if (e > ratio_differs) ratio_differs = e
        if (marks[r] > most) most = marks[r]
        short += time[r] / full_time[r] / 8
      }
      print "counts", pairs; print "counts_differ", differ + 0; print "sum_differs", sum_differs + 0
      print "ranks", ranks; print "ratio_differs", ratio_differs + 0; print "marks", most; print "timed_share", short
    }' "$folder"/counts.*.tsv "$folder"/full.*.tsv "$folder"/timing.*.tsv "$folder/joint.tsv" >facts.tsv
}

# mark_cost: adds the time of a mark to facts.tsv, from a loop of marks: the least time of five runs
mark_cost()
{
  cat >marks.c <<'END'
#include "programs-mpirun/haichi_blocks.h"
#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv)
{
  enum { ROUNDS = 1000000 };
  MPI_Init(&argc, &argv);
  const double begin = MPI_Wtime();
  for (int i = 0; i < ROUNDS; i++)
    haichi_block(i & 1);
  printf("%.6g\n", (MPI_Wtime() - begin) / ROUNDS);
  MPI_Finalize();
  return 0;
}
END
  mpicc -O2 -o marks marks.c programs-mpirun/haichi_blocks.c -lm || return 0
  root=$([ "$(id -u)" != 0 ] || echo --allow-run-as-root)
  mkdir -p trial
  for _ in 1 2 3 4 5; do
    # shellcheck disable=SC2086 # empty if not root
    HAICHI_BLOCKS_DIR=$PWD/trial HAICHI_BLOCKS_WARMUP='' HAICHI_BLOCKS_VARIATION='' mpirun $root -np 1 ./marks
  done | sort -g | awk 'NR == 1 { printf "mark_seconds\t%s\n", $1 }' >>facts.tsv
}

simulate()
{
  i=0
  while [ $i -lt 8 ]; do echo "pu-$i" && i=$((i + 1)); done >hosts
  rm -rf part-* series-* model-* smpi-* mpirun-* programs-* counts-* facts.tsv
  settings >settings.txt
  programs model
  counts model
  seed=$first
  while [ "$seed" -le "$last" ]; do
    while read -r name equal unequal variation; do
      [ "$name" = fast ] || [ $((seed - first)) -lt "$OTHERS" ] || continue
      both model "$name" "$seed" "$(echo "$equal" | sed "s/SEED/$seed/")" "$(echo "$unequal" | sed "s/SEED/$seed/")" "$variation"
    done <settings.txt
    seed=$((seed + 1))
  done
  facts
  sweep_pus
  for source in smpi mpirun; do
    case " $SOURCES " in *" $source "*) ;; *) continue ;; esac
    programs $source
    [ $source != smpi ] || calibrate
    counts $source || continue
    run=$first
    while [ "$run" -lt $((first + RUNS)) ]; do
      both "$source" measured "$run" 0 0 0
      run=$((run + 1))
    done
  done
  case " $SOURCES " in *' mpirun '*) mark_cost ;; esac
  printf 'source\tsetting\tmachine\trun\tmethod\trank\tcomputation_s\tcommunication_s\ttotal_s\tfull_computation_s\tfull_communication_s\tfull_s\terror\n' >runs.tsv
  cat part-* >>runs.tsv
  printf 'source\tsetting\tmachine\trun\tkind\tfirst\tcontrol\tfirst_one\n' >series.tsv
  cat series-* >>series.tsv
  rm part-* series-*
  for folder in model-fast-* smpi-* mpirun-*; do
    [ -d "$folder" ] || continue
    "$haichi" plot block-error "$folder" -o "$folder-error.svg"
    "$haichi" plot block-times "$folder" -o "$folder-times.svg"
    "$haichi" plot block-series "$folder/full.7.tsv" -o "$folder-series.svg"
  done
}

[ -n "$JUDGE" ] || simulate
echo 'BLOCK: Chida, Sugaya, Aso, "Performance Estimation of Parallel Algorithms in Heterogenous Environment and Development Tuning Support System"' >paper
awk -f "$here/verdicts.awk" -f "$here/block.awk" -v settings=settings.tsv \
  -v sources="$SOURCES" settings.txt pus.tsv facts.tsv series.tsv runs.tsv >verdicts.tsv
cat settings.tsv
"$here/verdicts.sh" .
