#!/bin/sh
# usage: tests/peers/equality.sh BUILD
# Engine flow against SimGrid: the time at which each rank ends, on the NPB traces of NPB (default
# tests/data), on a torus, a mesh and a hypercube, in XYZ order and at random, under three models;
# on platforms of other kinds; then random programs, one for each of SEEDS.
#
# Each line has the largest relative difference of a rank's end from engine simgrid-full, at a
# precision at which events do not merge.  With WHOLE=1, as `make equality` has it, it also has the difference
# of the simulated time, both differences from engine simgrid, and both from it at the default precisions.
# "maxmin" is the least maxmin/precision, from 1e-9 on, at which SimGrid does not stop ("Cannot saturate
# more a constraint").  "own" is the largest change of SimGrid's own ends when computations take 1e-15,
# 1e-14, 1e-13 or 1e-12 more or less, in eight runs.  These runs are samples of a chaotic program; any other
# program changes by about 1e-12 at most ("own" is not measured where engines agree).  The verdict, at a
# bound of 1e-6:
#   equal    flow agrees with simgrid (without WHOLE=1: with simgrid-full)
#   lazy     it agrees with simgrid-full, but not with simgrid, whose lazy updates miss links, or which stops
#   chaotic  it agrees with neither, but SimGrid's own ends change by a third of the difference or more
#   none     SimGrid takes more than LIMIT seconds of CPU time, on either engine
#   DIFFERS  none of these: exit 1
#   FAILS    flow fails, or SimGrid does at any maxmin/precision: exit 1
# TRACES, PLATFORMS, MAPPINGS and MODELS choose some of each; OPTIONS are more options of haichi sim, as
# --collectives ompi.  PROGRAMS replaces all traces: specs of traces, as npb:lu.A.256@1, with PLATFORMS that
# may be specs or files.  KEEP=DIR keeps SimGrid's results, so that a table that is begun again continues.
# Remove them when engine simgrid or the programs have changed.
set -eu
build=$(cd "$1" && pwd)
haichi=$build/haichi
genprog=$build/tests/peers/genprog
: "${NPB:=tests/data}" "${TRACES:=*}" "${PLATFORMS:=torus mesh hypercube}" "${MODELS:=smpi lv08 cm02}"
: "${MAPPINGS:=xyz random:seed=7}" "${LIMIT:=300}" "${WHOLE:=}" "${KEEP:=}" "${OPTIONS:=}"
: "${SEEDS=$(seq 500)}" "${PROGRAMS:=}"
# shellcheck source=tests/peers/lib.sh
. tests/peers/lib.sh
bound=1e-6
export TMPDIR="$work" # SimGrid leaves files there when it stops
slots=1
bad=0
# The ways in which SimGrid's solver stops.  Its message names the link before the right one, and if the right
# one is the first of the table, it crashes instead: the last two forms, without and with sanitizers.
stop='Cannot saturate more a constraint|SimGrid stops: signal SEGV|#0 .* in simgrid::kernel::lmm::MaxMin'
cpu_limit=152 # exit code: 128 + SIGXCPU
kept=${KEEP:-$work/kept}
mkdir -p "$kept"

# simulate ENGINE PRECISION MAXMIN SCALE: writes the end of each rank, a line each, to $work/rows.
simulate() {
  rm -f "$work/table"
  # shellcheck disable=SC2086 # words
  prlimit --cpu="$LIMIT:$((LIMIT + 1))" "$haichi" sim --engine "$1" --platform "$platform" \
    --ranks-per-host $slots --trace "$trace" --mapping "$mapping" --model "$model" \
    --precision "$2" --maxmin-precision "$3" --compute-scale "$4" $OPTIONS \
    --per-rank "$work/table" >"$work/out" 2>&1 &&
    sed 1d "$work/table" | cut -f3 >"$work/rows"
}

# peer_ends ENGINE PRECISION MAXMIN SCALE: sets $ends to the name of a file with SimGrid's ends, or to
# "stops" or "limit" and fails.  A sanitizer must not look for leaks: it crashes on some memory that SimGrid
# does not free.
peer_ends() {
  ends=$kept/$(echo "$name $(basename "$platform") $slots $mapping $model $* $OPTIONS" | tr ' /' __)
  if [ ! -f "$ends" ]; then
    code=0
    (export ASAN_OPTIONS="${ASAN_OPTIONS:-}:detect_leaks=0" && simulate "$@") || code=$?
    case $code in
    0) mv "$work/rows" "$ends" ;;
    "$cpu_limit") echo limit >"$ends" ;;
    *)
      grep -Eq "$stop" "$work/out" || die "$ends: $(tail -1 "$work/out")"
      echo stops >"$ends"
      ;;
    esac
  fi
  read -r first <"$ends"
  case $first in
  stops | limit)
    ends=$first
    return 1
    ;;
  esac
}

# least ENGINE: peer_ends at the least maxmin/precision at which SimGrid does not stop; sets $maxmin to it.
least() {
  for maxmin in 1e-9 1e-8 1e-7 1e-6 1e-5; do
    ! peer_ends "$1" 1e-12 $maxmin 1 || return 0
    [ "$ends" = stops ] || break
  done
  maxmin=$ends
  return 1
}

# differ FILE FILE: sets $last to the relative difference of the last end and $most to the largest difference,
# which is at least 1 if a rank is missing in a file.
differ() {
  # shellcheck disable=SC2046 # two words
  set -- $(paste "$1" "$2" | awk '
    function relative(a, b) { return b > 0 ? (a > b ? a - b : b - a) / b : a }
    { d = NF == 2 ? relative($1, $2) : 1; if (d > m) m = d; if ($1 > a) a = $1; if ($2 > b) b = $2 }
    END { if (NR == 0) m = 1; printf "%.9e %.9e", relative(a, b), m }')
  last=$1 most=$2
}

# against ENGINE: compares flow's ends, in $work/flow; sets $columns to "MAXMIN LAST MOST", and $most to MOST
# or, without ends of the engine, to "-".
against() {
  if least "$1"; then
    differ "$work/flow" "$ends"
  else
    last=- most=-
  fi
  columns="$maxmin $last $most"
}

# by_default: sets $columns to "LAST MOST" at the precisions that haichi and smpirun have by default.
by_default() {
  last=- most=-
  if simulate flow 1e-9 1e-5 1 && mv "$work/rows" "$work/merged" && peer_ends simgrid 1e-9 1e-5 1; then
    differ "$work/merged" "$ends"
  fi
  columns="$last $most"
}

# sensitivity ENGINE: sets $own to the largest change of SimGrid's own ends.
sensitivity() {
  least "$1"
  own=0 plain=$ends
  for scale in $scales; do
    most=0
    ! peer_ends "$1" 1e-12 "$maxmin" "$scale" || differ "$plain" "$ends"
    ! above "$most" "$own" || own=$most
  done
}

# within DIFFERENCE: is there one, and is it within the bound?
within() {
  [ "$1" != - ] && ! above "$1" $bound
}

# fails: sets the verdict and counts it.
fails() {
  verdict=FAILS
  bad=$((bad + 1))
}

# judge LAZY FULL: sets $verdict by the differences from simgrid and simgrid-full, and $own.
judge() {
  own=-
  verdict=equal
  if within "$1" || { [ -z "$WHOLE" ] && within "$2"; }; then
    return
  fi
  reference=simgrid-full d=$2
  [ "$2" != - ] || reference=simgrid d=$1
  if [ "$d" = - ]; then
    verdict=none
    [ "$maxmin" = limit ] || fails
    return
  fi
  verdict=lazy
  if within "$d"; then
    return
  fi
  sensitivity $reference
  verdict=chaotic
  if above "$d" "$(awk -v own="$own" 'BEGIN { print 3 * own }')"; then
    verdict=DIFFERS
    bad=$((bad + 1))
  fi
}

# columns_of WORD...: prints them as columns; differences, the only words with a point, get two digits.
columns_of() {
  echo "$@" | awk '{ for (i = 1; i <= NF; i++) printf $i ~ /[.]/ ? " %7.1e" : " %7s", $i }'
}

# compare NAME: sets $line to the line of the table.
compare() {
  name=$1
  head=$(printf '%-18s %-15s %-13s %-5s' "$name" "$(basename "$platform")" "$mapping" "$model")
  if ! simulate flow 1e-12 1e-9 1; then
    fails
    line="$head $(tail -1 "$work/out") $verdict"
    return
  fi
  mv "$work/rows" "$work/flow"
  lazy='- - -' lazy_most=- merged='- -'
  if [ -n "$WHOLE" ]; then
    against simgrid
    lazy=$columns lazy_most=$most
    by_default
    merged=$columns
  fi
  against simgrid-full
  full=$columns
  judge "$lazy_most" "$most"
  # shellcheck disable=SC2086 # columns
  line="$head $(columns_of $lazy $full $merged "$own") $verdict"
}

show() {
  echo "$line"
  echo "$line" >>"$work/lines"
}

head_lines() {
  printf '%-54s %-23s %-23s %-15s %s\n' '' ' simgrid' ' simgrid-full' ' by default' ' SimGrid'
  printf '%-18s %-15s %-13s %-5s' trace platform mapping model
  printf ' %7s' maxmin time rank maxmin time rank time rank own
  echo ' verdict'
}

shape_of() {
  case $1.$2 in
  hypercube.64) echo hypercube:6 ;;
  hypercube.*) echo hypercube:4 ;;
  *.64) echo "$1:4x4x4" ;;
  *) echo "$1:4x4" ;;
  esac
}

# The traces of NPB; those with the collectives that take SimGrid longest come last.
archives() {
  # shellcheck disable=SC2086 # a pattern
  (cd "$NPB" && ls $TRACES.tar.zst) | awk -F. '{
    print $3 * 10 + ($1 == "ft" || $1 == "is") + ($1 == "is"), $0 }' | sort -n | cut -d' ' -f2
}

npb_table() {
  found=$(archives)
  [ -n "$found" ] || die "no traces $TRACES in $NPB"
  for archive in $found; do
    trace=$NPB/$archive
    for mapping in $MAPPINGS; do
      for kind in $PLATFORMS; do
        platform=$(shape_of "$kind" "$(ranks_of "$archive")")
        for model in $MODELS; do
          compare "${archive%.tar.zst}"
          show
        done
      done
    done
  done
}

programs_table() {
  for trace in $PROGRAMS; do
    for mapping in $MAPPINGS; do
      for platform in $PLATFORMS; do
        for model in $MODELS; do
          compare "${trace#npb:}"
          show
        done
      done
    done
  done
}

# Clusters joined by wide-area links of every sharing policy, and hosts of unequal speed.  Two ranks share a
# host, so that they compute at the same time.
platform_table() {
  slots=2
  trace=tests/data/mg.S.16.tar.zst
  "$haichi" platform torus:4x4 --speeds 1Gf:3,2Gf -o "$work/speeds.xml"
  for platform in tests/data/zones.xml "$work/speeds.xml"; do
    for mapping in random:seed=1 random:seed=2; do
      for model in $MODELS; do
        compare "mg.S.16-$(basename "$platform" .xml)"
        show
      done
    done
  done
  slots=1
}

random_programs() {
  trace=$work/program
  : >"$work/programs"
  for seed in $SEEDS; do
    model=$(echo smpi lv08 cm02 | cut -d' ' -f$((seed % 3 + 1)))
    platform=$(echo torus:4x4 mesh:4x4 hypercube:4 | cut -d' ' -f$((seed / 3 % 3 + 1)))
    mapping=random:seed=$seed
    rm -rf "$trace"
    "$genprog" "$seed" "$trace" >"$work/np"
    compare "program-$seed"
    [ "$verdict" = equal ] || echo "$line"
    echo "$line" | sed 's/-[0-9]*/s/' >>"$work/lines"
  done
}

# Prints for each trace and verdict the number of runs and the largest differences.
sum_up() {
  printf '\n%-18s %-8s %5s  largest difference of a rank: %9s %12s %10s\n' trace verdict runs \
    simgrid simgrid-full 'by default'
  awk '{ key = $1 " " $NF; if (!(key in runs)) order[++n] = key; runs[key]++
      most($7, key, lazy); most($10, key, full); most($12, key, merged) }
    function most(d, key, of) { if (d != "-" && (!(key in of) || d + 0 > of[key] + 0)) of[key] = d }
    END { for (i = 1; i <= n; i++) { key = order[i]; split(key, part, " ")
      printf "%-18s %-8s %5d  %29s %9s %12s %10s\n", part[1], part[2], runs[key], "", lazy[key],
        full[key], merged[key] } }' "$work/lines"
}

: >"$work/lines"
head_lines
if [ -n "$PROGRAMS" ]; then
  programs_table
else
  [ "$NPB" = none ] || npb_table
  platform_table
  random_programs
fi
sum_up
[ "$bad" = 0 ] || die "$bad runs differ or fail"
