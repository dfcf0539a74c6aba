#!/bin/sh
# usage: scripts/reproduce/sfmopt_times.sh HAICHI OUT
# Measures the times of Asano and Kise, "SFMOPT", figures 6 to 10: the times of the mappers by merging on dense random
# traffic of 128 to 16,384 tasks on 3-D meshes.  Writes to OUT times.tsv, a row for each measurement, and figures.tsv, the
# ratios of the figures, and prints figures.tsv; sfmopt_times.awk judges the paper's statements by times.tsv.
# mopt:combinations=distinct evaluates each combination from scratch, but skips the combinations that FMOPT skips: the
# paper's FMOPT without threads.  mopt:combinations=none is the selection step of mopt.
# A time is the time of one mapping, in seconds of CPU time of one thread and in elapsed seconds.  It is the least of up to
# SAMPLES samples, since other programs and other virtual machines only lengthen it.  The samples are minutes apart, one in
# each pass over all measurements.  CPU time is user plus system time: Linux may divide it between the two by sampling, but
# the sum is exact.
# Run I has traffic of seed FIRST + I.  The time to make the traffic is measured as mapper xyz.
# Environment variables, with defaults in parentheses:
#   NODES (128 to 8192, and 16384 if 12 GB are free)   RUNS (10)   SEEDS (1..40): the first seed is FIRST
#   MOPT_NODES (128 256 512 1024; for minlink only up to 256)
#   BATCH: number of mappings of a measurement; by default it depends on the size
#   BIG=1: measures fmopt and sfmopt on sparse traffic of 65,536 and 1,048,576 tasks, too
#   MUTATE=NAME=SPEC: replaces mapper NAME by SPEC, for a test
set -eu
[ $# -eq 2 ] || {
  sed -n '2p' "$0" | cut -c3- >&2
  exit 2
}
haichi=$1 out=$2
here=$(dirname "$0")
sizes='128 256 512 1024 2048 4096 8192'
free_kb=$(awk '/^MemAvailable:/ { print $2 }' /proc/meminfo)
[ "${free_kb:-0}" -lt 12000000 ] || sizes="$sizes 16384"
: "${NODES:=$sizes}" "${RUNS:=10}" "${SEEDS:=1..40}" "${BIG:=0}" "${MUTATE:=}" "${BATCH:=}"
: "${MOPT_NODES:=128 256 512 1024}"
SAMPLES=6
cores=$(nproc)
threads=$((cores < 4 ? cores : 4)) # the paper: 4
mkdir -p "$out"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

# shape_of NODES: prints the shape of the mesh.  The longest axis is first, so that cubes are merged along X as in the paper's
# tables 1 to 3.
shape_of() {
  case $1 in
  128) echo 8x4x4 ;;
  256) echo 8x8x4 ;;
  512) echo 8x8x8 ;;
  1024) echo 16x8x8 ;;
  2048) echo 16x16x8 ;;
  4096) echo 16x16x16 ;;
  8192) echo 32x16x16 ;;
  16384) echo 32x32x16 ;;
  65536) echo 64x32x32 ;;
  1048576) echo 128x128x64 ;;
  *)
    echo "$0: no shape for $1 nodes" >&2
    exit 1
    ;;
  esac
}

# batch_of NODES: prints the number of mappings of a measurement.
batch_of() {
  echo "${BATCH:-$(($1 > 8192 ? 3 : $1 > 1024 ? 6 : $1 > 512 ? 12 : 30))}"
}

# seconds EACH COMMAND...: runs the command EACH times and prints the mean CPU time and the mean elapsed time.
seconds() {
  ERR=$work/err bash -c '
    TIMEFORMAT="%3U %3S %3R" each=$1
    shift
    repeat() {
      for ((k = 0; k < each; k++)); do
        "$@" 2>"$ERR" || exit
      done
    }
    time repeat "$@"' bash "$@" 2>"$work/time" || return
  awk -v each="$1" '{ printf "%.4f\t%.4f\n", ($1 + $2) / each, $3 / each }' "$work/time"
}

# measure LABEL SPEC TRAFFIC NODES THREADS RUN BATCH: takes the sample of this pass and writes its row.  LABEL is mapper and
# objective.
measure() {
  each=$((($7 + SAMPLES - 1) / SAMPLES))
  [ "$pass" -lt $(($7 / each)) ] || return 0
  name=${1%% *} spec=$2
  [ "$name" != "${MUTATE%%=*}" ] || spec=${MUTATE#*=}
  took=$(seconds "$each" timeout 600 "$haichi" map "$spec" --platform "mesh:$(shape_of "$4")" --matrix "$3" \
    --threads "$5" -o "$work/mapping") || {
    cat "$work/err" >&2
    echo "$0: no result of $spec on $4 nodes" >&2
    exit 1
  }
  printf '%s\t%s\t%d\t%d\t%d\t%s\t%s\n' "$(echo "$1" | tr ' ' '\t')" "${3%%:*}" "$4" "$5" "$6" "$took" \
    "$(cksum <"$work/mapping" | tr ' ' -)" >>"$work/samples"
}

# measure_size NODES RUN: measures all mappers but mopt.  From 1024 nodes on, subgroups are the subgroups of figures 9 and 10;
# below, the subgroups of figures 11 to 14.
measure_size() {
  nodes=$1 run=$2
  traffic=dense:$nodes:seed=$((${SEEDS%%..*} + run)) batch=$(batch_of "$1")
  blocks=subgroup=2@9
  [ "$nodes" -ge 1024 ] || blocks=subgroup=2@6
  for mapper in xyz none; do
    measure "$mapper -" $mapper "$traffic" "$nodes" 1 "$run" "$batch"
  done
  mappers="fmopt: fmopt-half:$blocks, sfmopt:$blocks,"
  [ "$nodes" -lt 16384 ] || mappers=sfmopt:$blocks,
  for objective in minlink mincost; do
    for mapper in $mappers; do
      measure "${mapper%%:*} $objective" "${mapper}objective=$objective" "$traffic" "$nodes" 1 "$run" "$batch"
    done
  done
  [ "$threads" -ge 4 ] || return 0
  measure "xyz -" xyz "$traffic" "$nodes" "$threads" "$run" "$batch"
  for objective in minlink mincost; do
    measure "fmopt $objective" "fmopt:objective=$objective" "$traffic" "$nodes" "$threads" "$run" "$batch"
  done
}

# measure_mopt OBJECTIVE RUN: measures mopt, mopt without symmetric combinations, and the selection step of mopt.
measure_mopt() {
  for nodes in $MOPT_NODES; do
    [ "$1" = mincost ] || [ "$nodes" -le 256 ] || return 0
    traffic=dense:$nodes:seed=$((${SEEDS%%..*} + $2))
    all=$((nodes > 512 ? 2 : 6))
    for combinations in all distinct none; do
      label=mopt-$combinations batch=$SAMPLES
      case $combinations in all) label=mopt batch=$all ;; none) label=mopt-selection ;; esac
      measure "$label $1" "mopt:objective=$1,combinations=$combinations" "$traffic" "$nodes" 1 "$2" "${BATCH:-$batch}"
    done
    [ "$nodes" != 256 ] || measure "mopt $1" "mopt:objective=$1" grid:8x8x4 256 1 "$2" "${BATCH:-$all}"
  done
}

measure_sparse() {
  for nodes in 1024 8192 65536 1048576; do
    case " $NODES $([ "$BIG" = 0 ] || echo '65536 1048576') " in *" $nodes "*) ;; *) continue ;; esac
    for mapper in xyz fmopt sfmopt; do
      spec=$mapper:objective=minlink
      case $mapper in xyz) spec=xyz ;; sfmopt) spec=$spec,subgroup=2@9 ;; esac
      [ $mapper$nodes = fmopt1048576 ] ||
        measure "$mapper minlink" $spec "grid:$(shape_of "$nodes")" "$nodes" 1 "$1" $((nodes > 1024 ? 3 : 12))
    done
  done
}

pass=0
while [ "$pass" -lt "$SAMPLES" ]; do
  run=0
  while [ "$run" -lt "$RUNS" ]; do
    for size in $NODES; do
      measure_size "$size" "$run"
    done
    measure_mopt minlink "$run"
    measure_mopt mincost "$run"
    measure_sparse "$run"
    run=$((run + 1))
  done
  pass=$((pass + 1))
done
awk '
  BEGIN {
    FS = OFS = "\t"
    print "mapper", "objective", "traffic", "nodes", "threads", "run", "cpu_s", "elapsed_s", "mapping"
  }
  {
    key = $1 FS $2 FS $3 FS $4 FS $5 FS $6
    if (!(key in mapping)) {
      order[++n] = key
      mapping[key] = $9
      cpu[key] = $7
      elapsed[key] = $8
    }
    if ($7 < cpu[key]) cpu[key] = $7
    if ($8 < elapsed[key]) elapsed[key] = $8
  }
  END { for (i = 1; i <= n; i++) print order[i], cpu[order[i]], elapsed[order[i]], mapping[order[i]] }
' "$work/samples" >"$out/times.tsv"
awk -f "$here/verdicts.awk" -f "$here/checks.awk" -f "$here/sfmopt_times.awk" -v task=figures "$out/times.tsv" >"$out/figures.tsv"
cat "$out/figures.tsv"
