#!/bin/sh
# usage: tests/peers/simulated.sh BUILD
# Simulated time of the NAS Parallel Benchmarks: the best of haichi's mappers (MAPPERS) beside Scotch's best of 10 seeds.
# bound_s is below the time of any mapping: all messages at the nearest two hosts' latency, none sharing a link.
#   CLASS=A  64 ranks, all iterations, some minutes (the default)
#   CLASS=C  512 ranks (BT, SP: 484), ITERATIONS (1) of each: an hour, and several more for FT and IS
# BENCHMARKS and PLATFORMS take others.  Of equal mappings the first is simulated, so MAPPERS begin with auto.  KEEP=DIR keeps the tables of all runs; begun again, it goes on where it was.
set -eu
build=$(cd "$1" && pwd)
haichi=$build/haichi
: "${CLASS:=A}" "${ITERATIONS:=1}" "${BENCHMARKS:=bt cg ep ft is lu mg sp}"
: "${MAPPERS:=auto xyz auto:objective=linkload auto:objective=blend anneal bisect greedy fmopt fmopt:objective=mincost}"
MAPPERS="$MAPPERS ${MORE=hcube hcube:objective=hopbytes qap}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
keep=${KEEP:-$work}
mkdir -p "$keep"

case $CLASS in
A) : "${PLATFORMS:=torus:4x4x4 mesh:8x8 hypercube:6 fattree:down=4x4x4,up=1x2x2,cables=1x1x1}" ;;
C) : "${PLATFORMS:=torus:8x8x8 mesh:8x8x8 hypercube:9 fattree:down=8x8x8,up=1x4x4,cables=1x1x1}" ;;
*) echo "$0: CLASS=$CLASS is not A or C" >&2 && exit 1 ;;
esac

trace_of() {
  case $CLASS$1 in
  A*) echo "npb:$1.A.64" ;;
  Cbt | Csp) echo "npb:$1.C.484@$ITERATIONS" ;;
  *) echo "npb:$1.C.512@$ITERATIONS" ;;
  esac
}

# distinct TRACE PLATFORM MAPPER...: of mappers with the same mapping the first; says which ones it leaves out, and why.
# For tune, which takes its time, and here has all cores, it names the file of the mapping.
distinct() {
  trace=$1 platform=$2 seen=
  shift 2
  for mapper in "$@"; do
    map=$work/map
    case $mapper in tune*) map=$keep/$(echo "$trace.$platform.$mapper.map" | tr ':=,@' ____) ;; esac
    [ "$map" != "$work/map" ] && [ -s "$map" ] ||
      "$haichi" map "$mapper" -p "$platform" -t "$trace" -o "$map" 2>"$work/why" || {
      sed "s/^/# without $mapper on $platform: /" "$work/why" >&2
      continue
    }
    sum=$(cksum <"$map" | tr ' ' :)
    [ "$map" = "$work/map" ] || mapper=$map
    case " $seen " in
    *" $sum "*) ;;
    *) seen="$seen $sum" && echo "$mapper" ;;
    esac
  done
}

# A platform where any two hosts have a link of their own, of latency $2, that divides no bandwidth.
write_free() {
  awk -v hosts="$1" -v latency="$2" 'BEGIN {
    print "<?xml version=\"1.0\"?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">"
    print "<platform version=\"4.1\"><zone id=\"free\" routing=\"Full\">"
    for (i = 0; i < hosts; i++) printf "<host id=\"h%d\" speed=\"1Gf\"/>\n", i
    printf "<link id=\"l\" bandwidth=\"1.25GBps\" latency=\"%s\" sharing_policy=\"FATPIPE\"/>\n", latency
    for (i = 0; i < hosts; i++)
      for (k = i + 1; k < hosts; k++)
        printf "<route src=\"h%d\" dst=\"h%d\"><link_ctn id=\"l\"/></route>\n", i, k
    print "</zone></platform>"
  }'
}

# bound TRACE PLATFORM: the nearest hosts are two links apart on fat trees, else one.
bound() {
  case $2 in
  fattree*) free=$work/free2.xml ;;
  *) free=$work/free1.xml ;;
  esac
  "$haichi" sim -p "$free" -t "$1" 2>"$work/err" | sed -n 's/^simulated_time_s.//p'
}

# Ends the loop over all cells, whose exit code its pipe to tee hides.
give_up() {
  touch "$work/failed"
  exit 1
}

scotch=$(seq -f scotch:seed=%g 10)
hosts=64
[ "$CLASS" = A ] || hosts=512
write_free $hosts 100ns >"$work/free1.xml"
write_free $hosts 200ns >"$work/free2.xml"
printf 'trace\tplatform\tbest\ttime_s\tscotch_s\tbound_s\tratio\tauto_ratio\n'
for benchmark in $BENCHMARKS; do
  trace=$(trace_of "$benchmark")
  for platform in $PLATFORMS; do
    out=$keep/$trace-${platform%%:*}
    # shellcheck disable=SC2086
    mappers=$(distinct "$trace" "$platform" $MAPPERS)
    # shellcheck disable=SC2086
    seeds=$(distinct "$trace" "$platform" $scotch | sed 's/.*=//' | paste -s -d , -)
    # shellcheck disable=SC2086
    "$haichi" compare -p "$platform" -t "$trace" -m $mappers "scotch:seeds=$seeds" --no-plots -o "$out" \
      >/dev/null 2>"$work/err" || {
      cat "$work/err" >&2
      give_up
    }
    awk -F '\t' -v OFS='\t' -v trace="$trace" -v platform="$platform" \
      -v bound="$(bound "$trace" "$platform")" '
      /^#/ { next }
      !head { for (i = 1; i <= NF; i++) at[$i] = i; head = 1; next }
      { t = $at["simulated_time_s"]; name = $at["mapper"]; sub(/.*[.]tune.*/, "tune", name) }
      t + 0 <= 0 { next }
      name == "auto" { auto = t }
      name ~ /^scotch/ { if (!scotch || t < scotch) scotch = t; next }
      !best || t < best { best = t; winner = name }
      END {
        if (!auto || !scotch) {
          print "simulated.sh: " trace " on " platform ": no simulated time with " (auto ? "scotch" : "auto") >"/dev/stderr"
          exit 1
        }
        print trace, platform, winner, best, scotch, bound, sprintf("%.4f", best / scotch), sprintf("%.4f", auto / scotch)
      }
    ' "$out/results.tsv" || give_up
  done
done | tee "$work/table"
[ ! -e "$work/failed" ] || exit 1
awk -F '\t' '
  { n++; sum += log($7); auto += log($8); bound += log($6 / $5); wins[$3]++ }
  $7 > 1 { above = above "\n#   " $1 " " $2 " " $7 }
  END {
    printf "# geometric mean over %d cells: best of haichi %.4f, auto %.4f, bound %.4f of the best of Scotch\n# above it:%s\n",
      n, exp(sum / n), exp(auto / n), exp(bound / n), above == "" ? " none" : above
    for (name in wins)
      printf "# best with %s: %d\n", name, wins[name] | "sort"
  }' "$work/table"
