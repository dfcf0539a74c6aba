#!/bin/sh
# usage: tests/peers/simulated.sh BUILD
# Communication time (simulated time without computation) of the NAS Parallel Benchmarks on every kind of network: mapper
# auto beside the best of xyz, greedy and Scotch's median of 5 seeds.  Prints a row for each cell, with times relative to xyz.
#   CLASS=A  64 ranks, one and four on a host, some minutes (the default)
#   CLASS=C  512 ranks (BT, SP: 484); all except IS and FT, half an hour
# Environment: TRACES, PLATFORMS (RANKS_PER_HOST@SPEC...), MAPPER (auto), SEEDS (5, of Scotch), MORE: mappers with a column
# each, as tune:runs=40, JOBS (1).  KEEP=DIR keeps all runs; when the script is begun again, it continues.
set -eu
haichi=$(cd "$1" && pwd)/haichi
: "${CLASS:=A}" "${MAPPER:=auto}" "${SEEDS:=5}" "${MORE:=}" "${JOBS:=1}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
keep=${KEEP:-$work}
mkdir -p "$keep"

case $CLASS in
A)
  : "${TRACES:=cg.A.64@2 mg.A.64@2 lu.A.64@10 bt.A.64@2 sp.A.64@2 is.A.64@1 ft.A.64@1 ep.A.64@1}"
  : "${PLATFORMS:=1@fattree:k=8 1@fattree:down=8x8,up=1x4,cables=1x1 1@dragonfly:groups=4,chassis=4,routers=2,nodes=2
    1@torus:4x4x4 1@mesh:8x8 1@hypercube:6 1@clusters:platforms/intrigger4.clusters
    4@fattree:k=4 4@fattree:down=4x4,up=1x2,cables=1x1 4@dragonfly:groups=2,chassis=2,routers=2,nodes=2
    4@torus:4x2x2 4@mesh:4x4 4@hypercube:4}"
  ;;
C)
  : "${TRACES:=cg.C.512@1 mg.C.512@1 lu.C.512@1 bt.C.484@1 sp.C.484@1 ep.C.512@1}"
  : "${PLATFORMS:=1@fattree:k=16 1@fattree:down=16x32,up=1x8,cables=1x1
    1@dragonfly:groups=8,chassis=4,routers=8,nodes=2 1@torus:8x8x8 1@mesh:8x8x8 1@hypercube:9
    2@clusters:platforms/intrigger4.clusters}"
  ;;
*) echo "$0: CLASS=$CLASS is not A or C" >&2 && exit 1 ;;
esac
traces=
for trace in $TRACES; do
  traces="$traces npb:$trace"
done

# judge PLATFORM RESULTS: prints the rows of one platform
judge() {
  awk -F '\t' -v OFS='\t' -v platform="$1" -v mapper="$MAPPER" -v more="$MORE" '
    function ratio(name) { return sprintf("%.4f", time[trace, name] / time[trace, "xyz"]) }
    function least(a, b) { return a < b ? a : b }
    /^#/ { next }
    !head { for (i = 1; i <= NF; i++) at[$i] = i; head = 1; next }
    {
      trace = $at["trace"]; name = $at["mapper"]; t = $at["simulated_time_s"]
      if (!(t + 0 > 0)) {
        print "simulated.sh: " trace " on " platform ": no time with " name ": " $at["reason"] >"/dev/stderr"
        failed = 1
        exit 1
      }
      if (!known[trace]++) order[++traces] = trace
      if (name ~ /^scotch/) {
        n = ++count[trace]
        for (i = n; i > 1 && sorted[trace, i - 1] > t; i--) sorted[trace, i] = sorted[trace, i - 1]
        sorted[trace, i] = t
        t = sorted[trace, int((n + 1) / 2)]
        name = "scotch"
      }
      time[trace, name] = t
    }
    END {
      if (failed) exit 1
      mores = split(more, extra, " ")
      for (k = 1; k <= traces; k++) {
        trace = order[k]
        best = least(time[trace, "xyz"], least(time[trace, "greedy"], time[trace, "scotch"]))
        line = trace OFS platform OFS time[trace, "xyz"] OFS ratio("greedy") OFS ratio("scotch") OFS ratio(mapper)
        for (i = 1; i <= mores; i++) line = line OFS ratio(extra[i])
        print line, sprintf("%.4f", time[trace, mapper] / best)
      }
    }' "$2"
}

{
  printf 'trace\tplatform\txyz_s\tgreedy\tscotch\t%s' "$MAPPER"
  for mapper in $MORE; do
    printf '\t%s' "$mapper"
  done
  printf '\tof_best\n'
  for platform in $PLATFORMS; do
    out=$keep/$(echo "$platform" | tr ':=,/@' _____)
    # shellcheck disable=SC2086
    if ! "$haichi" compare -p "${platform#*@}" --ranks-per-host "${platform%%@*}" -t $traces --compute-scale 0 \
      -m xyz greedy "scotch:seeds=1..$SEEDS" "$MAPPER" $MORE --jobs "$JOBS" --no-plots -o "$out" \
      >"$work/out" 2>"$work/err" || ! judge "$platform" "$out/results.tsv"; then
      cat "$work/err" >&2
      touch "$work/failed"
      break
    fi
  done
} | tee "$work/table"
[ ! -e "$work/failed" ] || exit 1
awk -F '\t' 'NR > 1 {
    kind = $2
    sub(/:.*/, "", kind)
    sub(/.*@/, "", kind)
    n[kind]++; all++
    scotch[kind] += log($5); own[kind] += log($6)
    if ($NF > 1.005) above = above "\n#   " $1 " " $2 " " $NF
  }
  END {
    for (kind in n)
      printf "# %s, %d cells, geometric mean of xyz: %.4f, Scotch %.4f\n", kind, n[kind], exp(own[kind] / n[kind]), exp(scotch[kind] / n[kind]) | "sort"
    close("sort")
    printf "# more than 0.5 %% above the best of xyz, greedy and Scotch, of %d cells:%s\n", all, above == "" ? " none" : above
  }' "$work/table"
