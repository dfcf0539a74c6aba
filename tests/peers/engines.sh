#!/bin/sh
# usage: tests/peers/engines.sh BUILD
# Engine flow against SimGrid: the time at which each rank ends, on the NPB traces of NPB (default
# tests/data), on a torus, a mesh and a hypercube, in XYZ order and at random, under three models;
# on platforms of other kinds; then PROGRAMS random programs, without tests and probes: their cost
# depends on who comes first at one date, which SimGrid decides otherwise.  At a precision at which
# events do not merge; SimGrid without its lazy updates, which miss some (docs/validation.md): LAZY=1
# shows the difference with them, at a precision of 1e-9 and at this one.  TRACES takes some of the
# traces.  Prints a table; exits 1 when a relative difference is above 1e-6, unless SimGrid's own
# time changes as much when computations take 1e-13 more (its rates are right within that).
set -eu
build=$(cd "$1" && pwd)
haichi=$build/haichi
genprog=$build/tests/peers/genprog
: "${NPB:=tests/data}" "${PROGRAMS:=500}" "${TRACES:=*}" "${SEED:=1}" "${LAZY:=}" "${TIME:=60}"
# shellcheck source=tests/peers/lib.sh
. tests/peers/lib.sh
precision=1e-12
slots=1
bad=0
chaotic=0
worst=0

# ends ENGINE FILE OPTION...: writes each rank's end; cm02's weights are large numbers, of which
# SimGrid's solver cannot tell 1e-9.  Fails when SimGrid does, which aborts now and then, or takes
# more than TIME seconds.
ends() {
  engine=$1 to=$2
  shift 2
  solver=1e-9
  [ "$model" != cm02 ] || solver=1e-7
  rm -f "$work/rows"
  timeout "$TIME" "$haichi" sim --platform "$platform" --ranks-per-host "$slots" --trace "$trace" --mapping "$mapping" \
    --model "$model" --engine "$engine" --precision "$precision" \
    --maxmin-precision $solver --per-rank "$work/rows" "$@" >"$work/out" 2>&1 &&
    cut -f3 "$work/rows" >"$to"
}

# differs FILE FILE: the largest relative difference, line by line.
differs() {
  paste "$1" "$2" | awk 'NR > 1 { d = $1 - $2; if (d < 0) d = -d; if ($2 > 0) d /= $2
    if (d > m) m = d } END { printf "%.3g", m }'
}

# At the precisions that haichi and smpirun have by default, and without: with lazy updates.
lazy() {
  for precision in 1e-9 1e-12; do
    if ends flow "$work/merged" && ends simgrid "$work/lazy"; then
      differs "$work/merged" "$work/lazy"
    else
      echo failed
    fi
    echo
  done
}

# compare NAME: leaves the line of the table in $line and what is not as it should be in $mark.
compare() {
  mark= d=-
  if ! ends flow "$work/flow"; then
    mark="FAIL: $(tail -1 "$work/out")"
    bad=$((bad + 1))
  elif ! ends simgrid-full "$work/full"; then
    mark='SimGrid fails or takes too long'
  else
    d=$(differs "$work/flow" "$work/full")
    if above "$d" "$worst" && ! above "$d" 1e-6; then worst=$d; fi
    if above "$d" 1e-6; then
      ends simgrid-full "$work/longer" --compute-scale 1.0000000000001
      own=$(differs "$work/longer" "$work/full")
      if above "$d" "$(awk -v o="$own" 'BEGIN { print 10 * o }')"; then
        mark="FAIL: SimGrid moves by $own itself"
        bad=$((bad + 1))
      else
        mark="chaotic: SimGrid moves by $own itself"
        chaotic=$((chaotic + 1))
      fi
    fi
  fi
  line=$(printf '%-18s %-12s %-14s %-5s %9s %s' "$1" "$platform" "$mapping" "$model" "$d" "$mark")
  # shellcheck disable=SC2046 # two words
  [ -z "$LAZY" ] || line="$line $(echo $(lazy))"
}

platforms_of() {
  case $1 in
  64) echo torus:4x4x4 mesh:4x4x4 hypercube:6 ;;
  *) echo torus:4x4 mesh:4x4 hypercube:4 ;;
  esac
}

npb_table() {
  for trace in "$NPB"/$TRACES.tar.zst; do
    name=$(basename "$trace" .tar.zst)
    for platform in $(platforms_of "$(ranks_of "$name")"); do
      for mapping in xyz "random:seed=$SEED"; do
        for model in smpi lv08 cm02; do
          compare "$name"
          echo "$line"
        done
      done
    done
  done
}

# Clusters joined by wide-area links of every sharing policy, and hosts of unequal speed; two ranks
# share a host, so that they compute at the same time.
platform_table() {
  slots=2
  trace=tests/data/mg.S.16.tar.zst
  "$haichi" platform torus:4x4 --speeds 1Gf:3,2Gf -o "$work/speeds.xml"
  for platform in tests/data/zones.xml "$work/speeds.xml"; do
    for mapping in random:seed=1 random:seed=2; do
      for model in smpi lv08 cm02; do
        compare mg.S.16
        echo "$line" | sed "s:$work/::"
      done
    done
  done
  slots=1
}

random_programs() {
  trace=$work/named
  for seed in $(seq "$PROGRAMS"); do
    model=$(echo smpi lv08 cm02 | cut -d' ' -f$((seed % 3 + 1)))
    platform=$(echo torus:4x4 mesh:4x4 hypercube:4 | cut -d' ' -f$((seed / 3 % 3 + 1)))
    mapping=random:seed=$seed
    rm -rf "$trace"
    "$genprog" "$seed" "$trace" plain >"$work/np"
    compare "program $seed"
    [ -z "$mark" ] || echo "$line"
  done
}

[ "$NPB" = none ] || npb_table
platform_table
[ "$PROGRAMS" = 0 ] || random_programs
echo "largest difference $worst; $chaotic chaotic runs, $bad failures"
[ "$bad" = 0 ]
