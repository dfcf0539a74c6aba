#!/bin/sh
# Algorithms of collectives against `smpirun -replay --cfg=smpi/COLLECTIVE:ALGORITHM`: simulated
# times for numbers of ranks (RANKS), sizes in bytes (SIZES), platforms (PLATFORMS), ranks a host
# (CORES), mappings (MAPPINGS) and engines (ENGINES).  TYPE is the number of the datatype in the
# trace (6: a byte), of which SIZES counts elements; with EQUAL=1 the v forms have equal counts;
# PRECISION is how close events are merged, in seconds.  ALGORITHMS holds rows COLLECTIVE=ALGORITHM
# of `haichi list collectives`; default: all of them.  Prints a row for each algorithm: runs; those
# that differ by more than 0.01 %, but not from network/optim:Full at a precision of 1e-12 s (lazy);
# those that differ from that too, the largest difference, and runs that smpirun does not finish;
# with VERBOSE=1 a row for each run that differs.  Exits 1 when any differs.
set -eu
build=$(cd "$1" && pwd)
haichi=$build/haichi
# shellcheck source=tests/peers/lib.sh
. tests/peers/lib.sh
: "${RANKS:=2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 32 64}" "${SIZES:=1 1024 100003 2097152}"
: "${PLATFORMS:=torus:4x4x4 fattree:k=8}" "${MAPPINGS:=xyz random:seed=7}" "${CORES:=1}"
: "${ENGINES:=simgrid}" "${VERBOSE:=}" "${TYPE:=6}" "${EQUAL:=0}" "${PRECISION:=1e-9}"
[ -n "${ALGORITHMS-}" ] ||
  ALGORITHMS=$("$haichi" list collectives | cut -f1 | grep -v '=default$' | tr '\n' ' ')
bad=0

preload

# SimGrid's name of a collective that haichi calls as the trace does.
simgrid_name() {
  case $1 in
  reducescatter) echo reduce_scatter ;;
  *) echo "$1" ;;
  esac
}

# program COLLECTIVE RANKS BYTES FOLDER: two calls, by ranks that arrive at different times.
program() {
  mkdir -p "$4"
  seq -f 'rank%g' 0 $(($2 - 1)) >"$4/index.txt"
  awk -v kind="$1" -v n="$2" -v b="$3" -v dir="$4" -v type="$TYPE" \
    -v equal="$EQUAL" '
    # Counts that differ by rank, of the sums that the v forms need.
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
    # smpirun takes all displacements as 0 without them, and broadcasts too little in GB.
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
    BEGIN {
      for (r = 0; r < n; r++) {
        f = dir "/rank" r
        print r, "init" >f
        print r, "compute", 1000 * ((r * 7) % n) >f
        print r, call(r, 0) >f
        print r, "compute", 1000 * ((r * 5) % n) >f
        print r, call(r, n - 1) >f
        print r, "finalize" >f
        close(f)
      }
    }'
}

# A mapping of the ranks to the hosts of platform $xml, $cores to a host.
place() {
  "$haichi" map "$mapping" --platform "$xml" --ranks $(((np + cores - 1) / cores)) -o "$work/nodes"
  awk -v cores="$cores" -v n="$np" '{ for (i = 0; i < cores && k < n; i++) { print $1; k++ } }' \
    "$work/nodes" >"$work/hosts"
}

# simulate ENGINE PRECISION [OPTION...]: sets us, them and d; smpirun takes the options.
simulate() {
  us=$("$haichi" sim --platform "$xml" --trace "$work/program" --mapping "$work/hosts" \
    --engine "$1" --precision "$2" --collective "$kind=$algorithm" 2>"$work/err" |
    sed -n 's/^simulated_time_s.//p')
  [ -n "$us" ] || us=$(tail -1 "$work/err")
  precision=$2
  shift 2
  them=$(peer "$work/program" "$np" "$xml" "$work/hosts" SMPI \
    "--cfg=surf/precision:$precision" "--cfg=smpi/$(simgrid_name "$kind"):$algorithm" "$@")
  d=$(difference "$us" "$them" 2>/dev/null || echo 100)
}

# Does the difference go if SimGrid merges no events and computes all rates anew?  By default it
# forgets some (docs/validation.md).
is_lazy() {
  full=$engine
  [ "$engine" != simgrid ] || full=simgrid-full
  before="$us, smpirun $them" was=$d
  simulate "$full" 1e-12 --cfg=network/optim:Full
  if above "$d" 0.01; then
    us=${before%%,*} them=${before##* } d=$was
    return 1
  fi
}

one_run() {
  place
  simulate "$engine" "$PRECISION"
  runs=$((runs + 1))
  case $them in
  deadlock | crash | '') d=- unfinished=$((unfinished + 1)) ;;
  *)
    if above "$d" 0.01 && is_lazy; then
      lazy=$((lazy + 1))
    fi
    if above "$d" "$worst"; then worst=$d; fi
    above "$d" 0.01 || return 0
    differ=$((differ + 1))
    ;;
  esac
  [ -z "$VERBOSE" ] || echo "  $kind=$algorithm $np ranks $size B $platform $mapping $cores/host:" \
    "$us, smpirun ${them:-failed}, $d %"
}

one_algorithm() {
  runs=0 lazy=0 differ=0 unfinished=0 worst=0
  for size in $SIZES; do
    for np in $RANKS; do
      rm -rf "$work/program"
      program "$kind" "$np" "$size" "$work/program"
      for platform in $PLATFORMS; do
        xml=$work/$(echo "$platform" | tr ':=,' ___).xml
        [ -f "$xml" ] || "$haichi" platform "$platform" -o "$xml"
        for mapping in $MAPPINGS; do
          for cores in $CORES; do
            for engine in $ENGINES; do
              one_run
            done
          done
        done
      done
    done
  done
  printf '%-44s %5d %5d %6d %10s %10d\n' "$kind=$algorithm" "$runs" "$lazy" "$differ" "$worst" \
    "$unfinished"
  bad=$((bad + differ))
}

printf '%-44s %5s %5s %6s %10s %10s\n' algorithm runs lazy differ 'worst_%' unfinished
for row in $ALGORITHMS; do
  kind=${row%%=*}
  algorithm=${row#*=}
  one_algorithm
done
[ "$bad" = 0 ] || die "$bad runs differ by more than 0.01 %"
