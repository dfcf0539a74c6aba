# Shared by the scripts of this folder; sourced.
# NPB: a folder of traces NAME.tar.zst; the third part of a name is the number of ranks: cg.A.64.2it.

die() {
  echo "$0: $*" >&2
  exit 1
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

# need_scotch: ends the script if $haichi has no mapper scotch.
need_scotch() {
  if "$haichi" list mappers | grep -q '^scotch.*not built in'; then
    die "haichi is built without Scotch (libscotch-dev)"
  fi
}

# Factors for computations: how much the times change with them shows how chaotic a run is.
# shellcheck disable=SC2034 # for the scripts that source it
scales='1.000000000000001 0.999999999999999 1.00000000000001 0.99999999999999
  1.0000000000001 0.9999999999999 1.000000000001 0.999999999999'

ranks_of() {
  echo "$1" | cut -d. -f3
}

torus_of() {
  case $1 in
  64) echo torus:4x4x4 ;;
  *) echo torus:4x4 ;;
  esac
}

# unpack ARCHIVE: unpacks it and prints the folder of its index.txt
unpack() {
  rm -rf "$work/traces"
  mkdir "$work/traces"
  tar -C "$work/traces" --zstd -xf "$1"
  dirname "$(find "$work/traces" -name index.txt | head -1)"
}

# peer TRACE_DIR RANKS PLATFORM HOSTFILE MODEL [OPTION...]: prints smpirun's simulated time; "deadlock"
# or "crash" if SimGrid ends with one (after a deadlock it still prints a time, but not that of the
# program); nothing after any other failure.  WRAPPER: a command that starts SimGrid.
peer() {
  dir=$1 np=$2 platform=$3 hostfile=$4 model=$5
  shift 5
  (cd "$dir" && prlimit --cpu=300: smpirun -np "$np" -platform "$platform" -hostfile "$hostfile" \
    -replay index.txt --cfg=smpi/display-timing:yes --cfg="network/model:$model" "$@" \
    ${WRAPPER:+-wrapper "$WRAPPER"} \
    >"$work/peer" 2>&1) || true
  if grep -q 'Deadlock detected' "$work/peer"; then
    echo deadlock
  elif grep -q 'Execution failed with code' "$work/peer"; then
    # Also when SimGrid 4.0 would not end, and when it has printed a time: bcast__SMP_linear breaks its heap.
    echo crash
  else
    sed -n 's/.*Simulated time: \([^ ]*\) seconds.*/\1/p' "$work/peer"
  fi
}

# ours TRACE PLATFORM MAPPING MODEL [OPTION...]: prints haichi's simulated time.  The engine is ENGINE, by
# default simgrid, as smpirun has it: equality.sh compares the engines.
ours() {
  trace=$1 platform=$2 mapping=$3 model=$4
  shift 4
  "$haichi" sim --platform "$platform" --trace "$trace" --mapping "$mapping" --model "$model" \
    --engine "${ENGINE:-simgrid}" "$@" 2>"$work/err" | sed -n 's/^simulated_time_s.//p'
}

# difference A B: prints |A - B| / B in percent
difference() {
  awk -v a="$1" -v b="$2" 'BEGIN { d = a - b; if (d < 0) d = -d
    printf "%.5f", b == 0 ? (d == 0 ? 0 : 100) : 100 * d / b }'
}

# above A B: is A > B?
above() {
  awk -v a="$1" -v b="$2" 'BEGIN { exit !(a > b) }'
}

# preload: makes SimGrid start with the library of preload.c, with which replays finish where real programs do.
preload() {
  cc -shared -fPIC -o "$work/preload.so" tests/peers/preload.c
  WRAPPER="env LD_PRELOAD=$work/preload.so"
}
