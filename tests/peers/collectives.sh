#!/bin/sh
# usage: tests/peers/collectives.sh BUILD
# Algorithms of collectives against `smpirun -replay --cfg=smpi/COLLECTIVE:ALGORITHM`, call by call:
# simulated times for numbers of ranks (RANKS), sizes in bytes (SIZES), platforms (PLATFORMS), ranks
# on a host (CORES), mappings (MAPPINGS) and engines (ENGINES).  TYPE is the number of the datatype in
# the trace (6: a byte), and SIZES counts elements of it; with EQUAL=1 the v forms have equal counts;
# events closer than PRECISION seconds are merged.  ALGORITHMS holds rows COLLECTIVE=ALGORITHM
# of `haichi list collectives`; default: all but reduce_scatterv, for which SimGrid has no name.
#
# One program has all sizes, each called with the first and with the last rank as root, with barriers
# between; a size at which smpirun does not finish is tried by itself.  Prints a row for each
# algorithm: the number of runs, one for each size; of these, the numbers that are
#   lazy      the last engine differs from smpirun by more than 0.01 %, or engines differ by more than
#             1e-6, but not with network/optim:Full
#   chaotic   with network/optim:Full too the engines differ, but not smpirun, and SimGrid's own times
#             change by a third of the difference or more when computations take 1e-11 to 1e-9 more or
#             less, which is 1e-15 to 1e-13 s, or latencies 1e-13 to 1e-12, which is 1e-20 to 1e-19 s,
#             or when fewer events merge
#   differ    any other difference
# then the largest difference from smpirun, in %, and the largest between engines, without chaotic runs;
# the runs that smpirun does not finish, and those that haichi refuses.  VERBOSE=1 adds a row for each run
# with one of these verdicts.  Exits 1 if a run differs or is refused, or if smpirun finishes none.
set -eu
build=$(cd "$1" && pwd)
haichi=$build/haichi
# shellcheck source=tests/peers/lib.sh
. tests/peers/lib.sh
: "${RANKS:=2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 32 64}" "${SIZES:=1 1024 100003 2097152}"
: "${PLATFORMS:=torus:4x4x4 fattree:k=8}" "${MAPPINGS:=xyz random:seed=7}" "${CORES:=1}"
: "${ENGINES:=flow simgrid}" "${VERBOSE:=}" "${TYPE:=6}" "${EQUAL:=0}" "${PRECISION:=1e-12}"
: "${LIMIT:=600}" # seconds of CPU time that smpirun may take
[ -n "${ALGORITHMS-}" ] ||
  ALGORITHMS=$("$haichi" list collectives | cut -f1 | grep -v '=reduce_scatterv$' | tr '\n' ' ')
bad=0 refusals=0 compared=0

preload
WRAPPER="prlimit --cpu=$LIMIT $WRAPPER"

# option: prints SimGrid's option for $algorithm; nothing for SimGrid's default.
option() {
  case $kind=$algorithm in
  *=default) ;;
  reducescatter=*) echo "--cfg=smpi/reduce_scatter:$algorithm" ;;
  *) echo "--cfg=smpi/$kind:$algorithm" ;;
  esac
}

# program SIZES: makes $program, if it does not exist: $np ranks make two calls of each size.  They arrive
# at different times; a sleep marks the end of a call, a computation the end of a barrier.
program() {
  program=$work/programs/$kind.$np.$(echo "$1" | tr ' ' _)
  [ ! -d "$program" ] || return 0
  mkdir -p "$program"
  seq -f 'rank%g' 0 $((np - 1)) >"$program/index.txt"
  awk -v kind="$kind" -v n="$np" -v sizes="$1" -v dir="$program" -v type="$TYPE" \
    -v equal="$EQUAL" '
    # Counts that differ by rank; what i sends to j is what j receives from i.
    function part(i, j) {
      return equal || (i * 7 + j * 5) % 3 == 0 ? b : int(b / (1 + (i + j) % 4))
    }
    function parts(me, out,    i, s) {
      s = ""
      for (i = 0; i < n; i++) s = s " " (out ? part(me, i) : part(i, me))
      return s
    }
    function list(    i, s) {
      s = ""
      for (i = 0; i < n; i++) s = s " " part(i, 0)
      return s
    }
    # Without displacements smpirun takes 0 for all, and its algorithm GB broadcasts too little.
    function displacements(    i, s, sum) {
      s = ""
      for (i = 0; i < n; i++) { s = s " " sum + 0; sum += part(i, 0) }
      return s
    }
    function call(r, root) {
      if (kind == "barrier") return kind
      if (kind == "bcast") return kind " " b " " root " " type
      if (kind == "reduce") return kind " " b " 0 " root " " type
      if (kind == "allreduce" || kind == "scan" || kind == "exscan") return kind " " b " 0 " type
      if (kind == "gather" || kind == "scatter") return kind " " b " " b " " root " " type " " type
      if (kind == "allgather" || kind == "alltoall") return kind " " b " " b " " type " " type
      if (kind == "gatherv") return kind " " part(r, 0) list() " " root " " type " " type
      if (kind == "scatterv") return kind list() " " part(r, 0) " " root " " type " " type
      if (kind == "allgatherv") return kind " " part(r, 0) list() " " type " " type displacements()
      if (kind == "alltoallv") return kind " 0" parts(r, 1) " 0" parts(r, 0) " " type " " type
      if (kind == "reducescatter") return kind list() " 0 " type
    }
    function round(r, root, late) {
      print r, "compute", 1000 * late + 1 >f
      print r, call(r, root) >f
      print r, "sleep 0.0001" >f
      print r, "barrier" >f
    }
    BEGIN {
      count = split(sizes, size, " ")
      for (r = 0; r < n; r++) {
        f = dir "/rank" r
        print r, "init" >f
        for (i = 1; i <= count; i++) {
          b = size[i]
          round(r, 0, (r * 7) % n)
          round(r, n - 1, (r * 5) % n)
        }
        print r, "finalize" >f
        close(f)
      }
    }'
}

# place: makes $hosts, a mapping of the ranks to the hosts of $xml, $cores ranks to a host.
place() {
  xml=$work/$(echo "$shape" | tr ':=,' ___).xml
  [ -f "$xml" ] || "$haichi" platform "$shape" -o "$xml"
  hosts=$(echo "$xml.$mapping.$cores.$np" | tr ':=,' ___)
  [ ! -f "$hosts" ] || return 0
  "$haichi" map "$mapping" --platform "$xml" --ranks $(((np + cores - 1) / cores)) -o "$work/nodes"
  awk -v cores="$cores" -v n="$np" '{ for (i = 0; i < cores && k < n; i++) { print $1; k++ } }' \
    "$work/nodes" >"$hosts"
}

# durations: of rows "RANK BEGIN ACTION", the time of each call: from when the last rank has left the
# barrier before it until the last rank has ended it.  Leaves out calls that not all ranks have ended.
durations() {
  awk -v n="$np" '
    $3 == "compute" { k = ++at[$1]; if ($2 + 0 > begin[k]) begin[k] = $2 + 0 }
    $3 == "sleep" { k = at[$1]; ended[k]++; if ($2 + 0 > end[k]) end[k] = $2 + 0 }
    END { for (k = 1; ended[k] == n; k++) printf "%.17g\n", end[k] - begin[k] }'
}

# theirs [OPTION...]: writes smpirun's durations to $work/theirs.
theirs() {
  # shellcheck disable=SC2046 # one word or none
  peer "$program" "$np" "$xml" "$hosts" SMPI $(option) \
    "--cfg=surf/precision:$PRECISION" \
    --log=smpi_replay.thres:verbose '--log=smpi_replay.fmt:%.15r:%m%n' "$@" >/dev/null
  awk -F '[: ]' '/^[0-9.]+:[0-9]+ / { print $2, $2 in last ? last[$2] : 0, $3; last[$2] = $1 }' \
    "$work/peer" | durations >"$work/theirs"
}

# ours ENGINE [OPTION...]: prints haichi's durations; fails if haichi does.
ours() {
  "$haichi" sim --platform "$xml" --trace "$program" --mapping "$hosts" \
    --collective "$kind=$algorithm" --timeline "$work/timeline" --timeline-format csv \
    --precision "$PRECISION" --engine "$@" >"$work/report" 2>&1 || return 1
  awk -F, '{ print $1, $2, $4 }' "$work/timeline" | durations
}

# all_ours [full]: writes the durations of all engines, a column each, to $work/ours.
all_ours() {
  : >"$work/ours"
  for engine in $ENGINES; do
    [ $# = 0 ] || [ "$engine" != simgrid ] || engine=simgrid-full
    ours "$engine" >"$work/one" || return 1
    paste "$work/ours" "$work/one" >"$work/both"
    mv "$work/both" "$work/ours"
  done
}

# judge SIZES: prints a row "SIZE FINISHED DIFFERENCE APART TIMES" for each size: whether smpirun ended both
# calls, the largest difference of the last engine from smpirun in %, the largest difference of the other
# engines from the last, which is 1 if haichi has no durations, and the durations.
judge() {
  awk -v sizes="$1" -v file="$work/theirs" '
    function relative(a, b) { return b > 0 ? (a > b ? a - b : b - a) / b : (a > 0) }
    BEGIN {
      count = split(sizes, size, " ")
      while ((getline line <file) > 0) them[++ended] = line
    }
    { i = int((NR + 1) / 2)
      times[i] = times[i] " haichi"
      for (e = 1; e <= NF; e++) {
        times[i] = times[i] sprintf(" %.9g", $e)
        d = relative($e, $NF)
        if (d > apart[i]) apart[i] = d
      }
      d = NR <= ended ? 100 * relative($NF, them[NR]) : 0
      if (d > most[i]) most[i] = d
      times[i] = times[i] " smpirun " (NR <= ended ? sprintf("%.9g", them[NR]) : "-")
    }
    END { for (i = 1; i <= count; i++) {
        if (NR < 2 * i) apart[i] = 1
        printf "%s %d %.7f %.2e%s\n", size[i], (ended >= 2 * i), most[i], apart[i], times[i] } }' \
    "$work/ours"
}

# verdict SIZE WHAT TIMES: prints them if VERBOSE is set
verdict() {
  [ -z "$VERBOSE" ] || echo "  $kind=$algorithm $np ranks $1 B $shape $mapping $cores/host: $2:$3"
}

# agrees DIFFERENCE APART: are both within their bounds?
agrees() {
  ! above "$1" 0.01 && ! above "$2" 1e-6
}

# remember DIFFERENCE APART: raises $worst and $farthest to them.
remember() {
  if above "$1" "$worst"; then worst=$1; fi
  if above "$2" "$farthest"; then farthest=$2; fi
}

# compare_own: raises $own to the relative difference of $work/one from $work/plain, if that is more.
compare_own() {
  own=$(paste "$work/one" "$work/plain" | awk -v m="$own" '
    { d = $1 / $2 - 1; if (d < 0) d = -d; if (d > m) m = d } END { print m }')
}

# with_latencies FACTOR: writes the last engine's durations with all latencies times FACTOR to $work/one.
with_latencies() {
  awk -F'"' -v OFS='"' -v factor="$1" '
    { for (i = 1; i < NF; i++)
        if ($i ~ / (loopback_)?lat=$/) $(i + 1) = sprintf("%.17gns", factor * $(i + 1))
      print }' "$xml" >"$work/moved.xml"
  (xml=$work/moved.xml && ours "$engine" >"$work/one")
}

# sensitivity: sets $own to the largest change of the last engine's durations when computations take
# slightly more or less time, when latencies are slightly different (a barrier at the beginning of an
# algorithm hides the computations), and when fewer events merge.
sensitivity() {
  own=0
  cp "$work/one" "$work/plain"
  for change in compute-scale=1.00000000001 compute-scale=0.99999999999 \
    compute-scale=1.0000000001 compute-scale=0.9999999999 compute-scale=1.000000001 \
    compute-scale=0.999999999 precision=1e-13 precision=1e-14 precision=1e-15; do
    ours "$engine" "--$change" >"$work/one"
    compare_own
  done
  for factor in 1.0000000000001 0.9999999999999 1.000000000001 0.999999999999; do
    with_latencies "$factor"
    compare_own
  done
}

triple() {
  awk -v x="$1" 'BEGIN { print 3 * x }'
}

# fully: judges a difference again with SimGrid computing all rates anew.  By default it forgets some
# (docs/validation.md).
fully() {
  before=$times was=$difference
  program "$size"
  all_ours full
  theirs --cfg=network/optim:Full
  judge "$size" >"$work/full"
  read -r _ finished difference apart times <"$work/full"
  own=0
  if agrees "$difference" "$apart"; then
    lazy=$((lazy + 1))
    remember "$difference" "$apart"
    verdict "$size" lazy " $before, full: $times"
  elif ! above "$difference" 0.01 && sensitivity && ! above "$apart" "$(triple "$own")"; then
    chaotic=$((chaotic + 1))
    remember "$difference" 0
    verdict "$size" chaotic " $apart, own $own, $before, full: $times"
  else
    differ=$((differ + 1))
    remember "$was" "$apart"
    verdict "$size" differs " $was %, $before, full: $difference % $apart, own $own $times"
  fi
}

# judged: counts one size by its row of judge.
judged() {
  if agrees "$difference" "$apart"; then
    remember "$difference" "$apart"
  else
    fully
  fi
}

# why: prints why smpirun did not finish.
why() {
  grep -m 1 -o '/CRITICAL.*' "$work/peer" || tail -1 "$work/peer"
}

alone() {
  program "$size"
  all_ours
  theirs
  judge "$size" >"$work/alone"
  read -r _ finished difference apart times <"$work/alone"
  judged
  if [ "$finished" = 0 ]; then
    unfinished=$((unfinished + 1))
    verdict "$size" 'not finished' " $times: $(why)"
  fi
}

one_run() {
  place
  program "$sizes"
  runs=$((runs + count))
  if ! all_ours; then
    refused=$((refused + count))
    verdict "$sizes" refused " $(tail -1 "$work/report")"
    return
  fi
  theirs
  judge "$sizes" >"$work/verdicts"
  while read -r size finished difference apart times <&3; do
    if [ "$finished" = 1 ]; then judged; else alone; fi
  done 3<"$work/verdicts"
}

row() {
  printf '%-38s %5s %5s %7s %6s %10s %10s %10s %7s\n' "$@"
}

one_algorithm() {
  runs=0 lazy=0 chaotic=0 differ=0 unfinished=0 refused=0 worst=0 farthest=0
  sizes=$SIZES
  [ "$kind" != barrier ] || sizes=0
  count=$(echo "$sizes" | wc -w)
  for np in $RANKS; do
    for shape in $PLATFORMS; do
      for mapping in $MAPPINGS; do
        for cores in $CORES; do
          one_run
        done
      done
    done
  done
  row "$kind=$algorithm" $runs $lazy $chaotic $differ "$worst" "$farthest" \
    $unfinished $refused
  bad=$((bad + differ)) refusals=$((refusals + refused)) compared=$((compared + runs - refused - unfinished))
}

row algorithm runs lazy chaotic differ 'worst_%' engines unfinished refused
for choice in $ALGORITHMS; do
  [ "${kind-}" = "${choice%%=*}" ] || rm -rf "$work/programs"
  kind=${choice%%=*}
  algorithm=${choice#*=}
  one_algorithm
done
[ "$bad" = 0 ] || die "$bad runs differ by more than 0.01 %, or engines by more than 1e-6"
[ "$refusals" = 0 ] || die "haichi refuses $refusals runs"
[ "$compared" -gt 0 ] || die 'no run is compared'
