#!/bin/sh
# Simulated times against `smpirun -replay`: the NPB traces of NPB (default tests/data) on a torus
# under two mappings and three models, then random programs FIRST (1) to PROGRAMS (200).
# Then both again with the collectives of each of SELECTORS (default: all MPI libraries), with 1 and 2
# ranks on a host, against --cfg=smpi/coll-selector.  PLAIN= leaves out the part without selectors; TRACES
# is a pattern of names.
# Prints a table; exits 1 if a difference is above its bound.
set -eu
build=$(cd "$1" && pwd)
haichi=$build/haichi
genprog=$build/tests/peers/genprog
: "${NPB:=tests/data}" "${TRACES:=*}" "${FIRST:=1}" "${PROGRAMS:=200}"
: "${SELECTORS=ompi mpich mvapich2 impi}" "${PLAIN=yes}"
# shellcheck source=tests/peers/lib.sh
. tests/peers/lib.sh
bad=0
incomparable=0

bound_of() {
  case $1 in
  ft.* | is.* | ep.*) echo 1 ;;
  *) echo 0.1 ;;
  esac
}

# ended PEER: is the result neither a deadlock nor a crash?
ended() {
  [ "$1" != deadlock ] && [ "$1" != crash ]
}

# row NAME MAPPING MODEL OURS PEER BOUND
row() {
  d=- mark=
  ended "$5" && d=$(difference "${4:-0}" "${5:-nan}")
  if [ -n "$4" ] && ! ended "$5"; then
    incomparable=$((incomparable + 1))
    mark='smpirun does not finish'
  elif [ -z "$4" ] || [ -z "$5" ] || above "$d" "$6"; then
    mark=FAIL
    bad=$((bad + 1))
  elif above "$d" 0.01; then
    mark='above 0.01 %'
  fi
  printf '%-18s %-14s %-5s %-14s %-12s %9s %s\n' "$1" "$2" "$3" "${4:-failed}" "${5:-failed}" \
    "$d" "$mark"
}

platform_file() {
  [ -f "$work/$1.xml" ] || "$haichi" platform "$1" -o "$work/$1.xml"
  echo "$work/$1.xml"
}

# SimGrid sometimes loses a message when a rank waits for any of many, as SMPI's waitall does.
# If smpirun does not finish for that reason, it runs the same messages with a wait for each (lowered.c).
with_lowered() {
  rm -rf "$work/lowered"
  "$build/tests/peers/lowered" "$archive" "$work/lowered"
  them=$(peer "$work/lowered" "$np" "$xml" "$work/hosts" "$(echo $model | tr a-z A-Z)")
  ended "$them" || them= # no time to compare with: the row fails
  row "  with waits" "$mapping" $model "$us" "$them" "$(bound_of "$name")"
}

npb_table() {
  for archive in "$NPB"/$TRACES.tar.zst; do
    name=$(basename "$archive" .tar.zst)
    dir=$(unpack "$archive")
    np=$(ranks_of "$name")
    xml=$(platform_file "$(torus_of "$np")")
    for mapping in xyz random:seed=7; do
      "$haichi" map "$mapping" --platform "$xml" --ranks "$np" -o "$work/hosts"
      for model in smpi lv08 cm02; do
        them=$(peer "$dir" "$np" "$xml" "$work/hosts" "$(echo $model | tr a-z A-Z)")
        us=$(ours "$archive" "$xml" "$work/hosts" $model)
        row "$name" "$mapping" $model "$us" "$them" "$(bound_of "$name")"
        ended "$them" || with_lowered
      done
    done
  done
}

# waits_peer: prints smpirun's time for the current program, lowered as in with_lowered.
waits_peer() {
  rm -rf "$work/lowered"
  "$build/tests/peers/lowered" "$work/named" "$work/lowered" &&
    peer "$work/lowered" "$np" "$xml" "$work/hosts" "$(echo "$model" | tr a-z A-Z)"
}

# Every program is simulated under one of the models and a random mapping.  The same program with receives
# from any source must take the time that haichi has with all sources named.
random_programs() {
  xml=$(platform_file torus:4x4)
  worst=0
  failures=0
  for seed in $(seq "$FIRST" "$PROGRAMS"); do
    model=$(echo smpi lv08 cm02 | cut -d' ' -f$((seed % 3 + 1)))
    np=$("$genprog" "$seed" "$work/named")
    "$genprog" "$seed" "$work/any" any >"$work/np"
    "$haichi" map "random:seed=$seed" --platform "$xml" --ranks "$np" -o "$work/hosts"
    them=$(peer "$work/named" "$np" "$xml" "$work/hosts" "$(echo "$model" | tr a-z A-Z)")
    us=$(ours "$work/named" "$xml" "$work/hosts" "$model")
    any=$(ours "$work/any" "$xml" "$work/hosts" "$model")
    d=$(difference "${us:-0}" "${them:-nan}")
    a=$(difference "${any:-0}" "${us:-nan}")
    if [ -z "$us" ] || [ -z "$them" ] || [ -z "$any" ] || above "$d" 0.1 || above "$a" 0.1; then
      echo "program $seed ($np ranks, $model): ours $us, any source $any, smpirun $them: FAIL"
      failures=$((failures + 1))
    elif above "$d" 0.01; then
      echo "program $seed ($np ranks, $model): ours $us, smpirun $them: $d %, above 0.01 %;" \
        "with a wait for each request smpirun takes $(waits_peer)"
    fi
    if above "$d" "$worst"; then worst=$d; fi
    rm -rf "$work/named" "$work/any"
  done
  echo "$((PROGRAMS - FIRST + 1)) random programs: largest difference $worst %," \
    "$failures above 0.1 %"
  bad=$((bad + failures))
}

# fill_hosts RANKS CORES: a mapping that fills the hosts in order, CORES ranks to each.
fill_hosts() {
  "$haichi" map xyz --platform "$xml" --ranks $((($1 + $2 - 1) / $2)) -o "$work/nodes"
  awk -v cores="$2" -v n="$1" '{ for (i = 0; i < cores && k < n; i++) { print $1; k++ } }' \
    "$work/nodes" >"$work/hosts"
}

# with_selector TRACE FOLDER: sets us and them.  Where two ranks look for messages at the same date, the
# engines may serve them in different order (docs/validation.md).
with_selector() {
  them=$(peer "$2" "$np" "$xml" "$work/hosts" SMPI "--cfg=smpi/coll-selector:$selector")
  us=$(ours "$1" "$xml" "$work/hosts" smpi --collectives "$selector")
}

# bound_by_selector TRACE: prints 0.1, or three times the change of the time in percent when computations
# take slightly more or less time, whichever is more.
bound_by_selector() {
  own=0
  if ended "$them" && above "$(difference "${us:-0}" "${them:-nan}")" 0.1; then
    for scale in $scales; do
      moved=$(ours "$1" "$xml" "$work/hosts" smpi --collectives "$selector" --compute-scale "$scale")
      moved=$(difference "${moved:-nan}" "$us")
      if above "$moved" "$own"; then own=$moved; fi
    done
  fi
  awk -v own="$own" 'BEGIN { print (own > 0.1 / 3 ? 3 * own : 0.1) }'
}

npb_by_selectors() {
  for archive in "$NPB"/$TRACES.tar.zst; do
    name=$(basename "$archive" .tar.zst)
    dir=$(unpack "$archive")
    np=$(ranks_of "$name")
    xml=$(platform_file "$(torus_of "$np")")
    for cores in 1 2; do
      fill_hosts "$np" $cores
      for selector in $SELECTORS; do
        with_selector "$archive" "$dir"
        bound=$(bound_by_selector "$archive")
        row "$name" "$cores a host" "$selector" "$us" "$them" "$bound"
        [ "$bound" = 0.1 ] || echo "  chaotic: bound $bound %"
      done
    done
  done
}

# spare FOLDER: changes a program so that it avoids two defects of SMPI.  Adds displacements to allgatherv:
# without them smpirun takes 0, and its algorithm GB broadcasts too little.  Fills empty parts of reducescatter,
# with which ompi_basic_recursivehalving loses contributions.
spare() {
  find "$1" -name 'rank-*.txt' | while read -r file; do
    awk '$2 == "allgatherv" { last = NF - 2
        for (i = 4; i <= last; i++) { $(NF + 1) = sum + 0; sum += $i }
        sum = 0 }
      $2 == "reducescatter" { for (i = 3; i < NF - 1; i++) if ($i == 0) $i = 1 }
      { print }' "$file" >"$work/file"
    mv "$work/file" "$file"
  done
}

programs_by_selectors() {
  xml=$(platform_file torus:4x4)
  worst=0
  failures=0
  unfinished=0
  for seed in $(seq "$FIRST" "$PROGRAMS"); do
    np=$("$genprog" "$seed" "$work/named")
    spare "$work/named"
    cores=$((seed % 2 + 1))
    fill_hosts "$np" $cores
    for selector in $SELECTORS; do
      with_selector "$work/named" "$work/named"
      if [ -n "$us" ] && ! ended "$them"; then
        echo "program $seed ($np ranks, $cores a host, $selector): smpirun ends with a $them"
        unfinished=$((unfinished + 1))
        continue
      fi
      d=$(difference "${us:-0}" "${them:-nan}")
      if above "$d" 0.1; then
        ENGINE=flow with_selector "$work/named" "$work/named"
        echo "program $seed ($np ranks, $cores a host, $selector): $d % on engine simgrid"
        d=$(difference "${us:-0}" "${them:-nan}")
      fi
      if [ -z "$us" ] || [ -z "$them" ] || above "$d" 0.1; then
        echo "program $seed ($np ranks, $cores a host, $selector): ours $us, smpirun $them: FAIL"
        failures=$((failures + 1))
      fi
      if above "$d" "$worst"; then worst=$d; fi
    done
    rm -rf "$work/named"
  done
  echo "$((PROGRAMS - FIRST + 1)) random programs by selectors: largest difference $worst %," \
    "$failures above 0.1 %, $unfinished runs that smpirun does not finish"
  bad=$((bad + failures))
}

printf '%-18s %-14s %-5s %-14s %-12s %9s\n' trace mapping model haichi_s smpirun_s 'diff_%'
[ -z "$PLAIN" ] || [ "$NPB" = none ] || npb_table
[ -z "$PLAIN" ] || [ "$PROGRAMS" = 0 ] || random_programs
if [ -n "$SELECTORS" ]; then
  preload
  [ "$NPB" = none ] || npb_by_selectors
  [ "$PROGRAMS" = 0 ] || programs_by_selectors
fi
[ "$incomparable" = 0 ] || echo "$incomparable runs that smpirun does not finish"
[ "$bad" = 0 ] || die "$bad differences above their bound"
