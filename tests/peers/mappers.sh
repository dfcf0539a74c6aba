#!/bin/sh
# usage: tests/peers/mappers.sh BUILD
# Hop-bytes of auto:choose=hopbytes (auto below) and of Scotch.  Each cell is a graph on a machine; its ranks are
# numbered at random, 10 times (RUNS), and placed by scotch (gmap's default, and -cqb), auto and greedy, one thread each.
#   SET=short  to 4096 ranks, some minutes (the default of `make bench`)
#   SET=apart  other shapes and seeds, which were not used to develop the mappers
#   SET=long   8192 to 65,536 ranks, three hours;  SET=all: everything
# GRAPHS=REGEX and PLATFORMS=REGEX choose some of the cells.
#
# A row has the medians of bytes times hops over bytes (latency in milliseconds instead of hops where clusters are joined),
# and of bytes on the fullest link, both from `haichi metrics`; and CPU seconds of the whole command, reading included.
# Scotch's mapping is not repaired where it puts too many ranks on a host: hosts take up to 9 ranks for scotch.
# "best" is the better of Scotch's two medians.  natural: auto with the original numbers of ranks, for which xyz is often best.
set -eu
build=$(cd "$1" && pwd)
haichi=$build/haichi
: "${SET:=short}" "${RUNS:=10}" "${GRAPHS:=.}" "${PLATFORMS:=.}"
# shellcheck source=tests/peers/lib.sh
. tests/peers/lib.sh
need_scotch

# --- the cells: family, graph, platforms.  The first mean is of family 1 on tori and meshes. ---------------------------

fattree512=fattree:down=8x8x8,up=1x4x4,cables=1x1x1
fattree4096=fattree:down=16x16x16,up=1x8x8,cables=1x1x1
dragonfly512=dragonfly:groups=8,chassis=4,routers=4,nodes=4
dragonfly4096=dragonfly:groups=16,chassis=4,routers=8,nodes=8

short_cells() {
  for graph in '1 stencil:8x8' '1 stencil:8x8:periodic' '1 stencil:4x4x4' '1 stencil:4x4x4:periodic' \
    '1 stencil:4x4x4:points=27' '2 npb:cg.A.64@1' '1 npb:bt.A.64@1' '1 npb:lu.A.64@1' '1 npb:mg.A.64@1' \
    '1 geometric:64:degree=8' '2 random:64:degree=2'; do
    echo "$graph torus:4x4x4 mesh:8x8 hypercube:6"
  done
  for graph in '1 stencil:32x16' '1 stencil:32x16:periodic' '1 stencil:8x8x8' '1 stencil:8x8x8:periodic' \
    '1 stencil:8x8x8:points=27' '2 npb:cg.C.512@1' '1 npb:bt.C.484@1' '1 npb:lu.C.512@1' '1 npb:mg.C.512@1' \
    '2 npb:ft.S.512@1' '1 geometric:512:degree=8' '1 geometric:512:degree=8,dimensions=3' '2 random:512:degree=2'; do
    echo "$graph torus:8x8x8 mesh:8x8x8 hypercube:9 $fattree512 $dragonfly512"
  done
  for graph in '1 stencil:64x64' '1 stencil:64x64:periodic' '1 stencil:16x16x16' '1 stencil:16x16x16:periodic' \
    '1 stencil:16x16x16:points=27,periodic' '2 npb:cg.D.4096@1' '1 npb:bt.D.4096@1' '1 npb:lu.D.4096@1' \
    '1 npb:mg.D.4096@1' '2 npb:ft.S.4096@1' '1 geometric:4096:degree=8' '1 geometric:4096:degree=8,dimensions=3' \
    '2 random:4096:degree=2'; do
    echo "$graph torus:16x16x16 mesh:16x16x16 hypercube:12"
  done
  for graph in '1 stencil:64x64' '1 stencil:16x16x16:periodic' '2 npb:cg.D.4096@1' '1 geometric:4096:degree=8'; do
    echo "$graph $fattree4096 $dragonfly4096"
  done
  for graph in '1 stencil:16x16' '1 stencil:8x8x4:periodic' '2 npb:cg.B.256@1' '1 npb:bt.B.256@1' '1 npb:lu.B.256@1' \
    '1 npb:mg.B.256@1' '1 geometric:256:degree=8' '2 random:256:degree=2'; do
    echo "$graph platforms/intrigger4.xml"
  done
}

# Chosen before any of them was measured.  Do not use them while you develop a mapper.
apart_cells() {
  echo '1 stencil:24x20:periodic torus:6x8x10 hypercube:9'
  echo '1 stencil:10x9x8 mesh:9x8x10 torus:9x8x10'
  echo '1 stencil:32x32x4:periodic torus:16x16x16 mesh:64x64'
  echo '1 stencil:27x15:points=9 torus:9x9x5 mesh:15x27'
  echo '1 stencil:12x10x6:points=27 mesh:8x9x10'
  echo '2 npb:cg.B.128@1 torus:8x4x4 hypercube:7'
  echo '2 npb:cg.C.1024@1 torus:8x8x16 mesh:32x32 hypercube:10'
  echo '1 npb:bt.B.225@1 mesh:15x15 torus:5x9x5'
  echo '1 npb:lu.B.256@1 torus:16x16 hypercube:8'
  echo '1 npb:mg.B.1024@1 torus:8x8x16 mesh:16x8x8'
  echo '2 npb:ft.S.1024@1 torus:8x8x16 hypercube:10'
  echo '1 geometric:1500:degree=6,seed=77 torus:10x15x10 mesh:50x30'
  echo '1 geometric:3000:degree=10,dimensions=3,seed=78 mesh:15x20x10 torus:15x20x10'
  echo '1 geometric:1024:degree=9,seed=80 hypercube:10 fattree:k=16'
  echo '2 random:600:degree=2,seed=79 torus:10x10x6 mesh:25x24'
  echo '1 stencil:8x8x16 fattree:k=16'
  echo '1 geometric:216:degree=8,seed=81 dragonfly:groups=9,chassis=3,routers=4,nodes=2'
  echo '1 stencil:20x20x20 torus:20x20x20'
}

long_cells() {
  for graph in '1 stencil:128x64' '1 stencil:32x16x16:periodic' '1 stencil:32x16x16:points=27' '2 npb:cg.D.8192@1' \
    '1 npb:lu.D.8192@1' '1 npb:mg.D.8192@1' '1 geometric:8192:degree=8' '1 geometric:8192:degree=8,dimensions=3' \
    '2 random:8192:degree=2'; do
    echo "$graph torus:32x16x16 mesh:32x16x16 hypercube:13"
  done
  for graph in '1 stencil:128x128' '1 stencil:32x32x16:periodic' '1 npb:bt.E.16384@1' '1 geometric:16384:degree=8,dimensions=3' \
    '2 random:16384:degree=2'; do
    echo "$graph torus:32x32x16 mesh:32x32x16 hypercube:14"
  done
  for graph in '1 stencil:256x256' '1 stencil:64x32x32' '1 stencil:64x32x32:periodic' '1 geometric:65536:degree=8,dimensions=3' \
    '2 random:65536:degree=2'; do
    echo "$graph torus:64x32x32 mesh:64x32x32 hypercube:16"
  done
}

# --- one cell ---------------------------------------------------------------------------------------------------------

ranks_of() {
  case $1 in
  npb:*) echo "$1" | sed 's/.*\.//; s/@.*//' ;;
  stencil:*) echo "$1" | sed 's/stencil://; s/:.*//; s/x/ /g' | awk '{ n = 1; for (i = 1; i <= NF; i++) n *= $i; print n }' ;;
  *) echo "$1" | cut -d: -f2 ;;
  esac
}

# place FILE SPEC MATRIX [OPTION...]: appends "dilation load" to FILE and CPU seconds to FILE.cpu.  The command runs
# `batch` times, as `time` counts hundredths of a second.
place() {
  file=$work/$1 spec=$2 matrix=$3
  shift 3
  # shellcheck disable=SC2016
  /usr/bin/time -o "$work/time" -f '%U %S' sh -c 'n=$1; shift; for i in $(seq "$n"); do "$@"; done' sh "$batch" \
    "$haichi" map "$spec" --platform "$platform" --matrix "$matrix" --threads 1 "$@" -o "$work/map" 2>"$work/err" || {
    cat "$work/err" >&2
    exit 1
  }
  "$haichi" metrics --platform "$platform" --matrix "$matrix" "$work/map" >"$work/metrics"
  awk -v clusters="$clusters" '
    { v[$1] = $2 }
    END { print (clusters ? v["mean_latency_s"] * 1000 : v["hop_bytes"] / v["bytes"]), v["max_link_load_bytes"] }
  ' "$work/metrics" >>"$file"
  awk -v batch="$batch" '{ print ($1 + $2) / batch }' "$work/time" >>"$file.cpu"
}

# median FILE FIELD: prints it
median() {
  sort -g -k "$2,$2" "$1" | awk -v f="$2" '{ v[NR] = $f } END { print (v[int((NR + 1) / 2)] + v[int(NR / 2) + 1]) / 2 }'
}

# cell SET FAMILY GRAPH PLATFORM: prints its row
cell() {
  set_name=$1 family=$2 graph=$3 platform=$4
  ranks=$(ranks_of "$graph")
  clusters=0
  case $platform in *.xml) clusters=1 ;; esac
  rm -f "$work"/scotch* "$work"/cqb* "$work"/auto* "$work"/greedy* "$work"/natural* "$work"/xyz*
  for run in $(seq "$RUNS"); do
    "$haichi" trace matrix "$graph" --shuffle "$run" -o "$work/m.tsv"
    batch=1
    [ "$ranks" -ge 8192 ] || [ "$run" -gt 3 ] || batch=3
    [ "$ranks" -gt 1024 ] || [ "$run" -gt 3 ] || batch=10
    [ "$ranks" -gt 128 ] || [ "$run" -gt 3 ] || batch=50
    place scotch scotch "$work/m.tsv" --ranks-per-host 9
    place cqb scotch:strategy=quality-balance "$work/m.tsv" --ranks-per-host 9
    place auto auto:choose=hopbytes "$work/m.tsv"
    place greedy greedy "$work/m.tsv"
  done
  batch=1
  "$haichi" trace matrix "$graph" -o "$work/m.tsv"
  place natural auto:choose=hopbytes "$work/m.tsv"
  place xyz xyz "$work/m.tsv"
  for name in scotch cqb auto greedy natural xyz; do
    head -3 "$work/$name.cpu" >"$work/cpu"
    echo "$name $(median "$work/$name" 1) $(median "$work/$name" 2) $(median "$work/cpu" 1) $(sort -g "$work/$name" | tail -1)"
  done | row
}

# row: prints a line of the table from lines with a mapper's medians and largest dilation.
row() {
  awk -v OFS='\t' -v set="$set_name" -v family="$family" -v graph="$graph" -v platform="$platform" -v ranks="$ranks" \
    -v runs="$RUNS" '
    { d[$1] = $2; load[$1] = $3; cpu[$1] = $4; most[$1] = $5 }
    END {
      best = d["cqb"] < d["scotch"] ? d["cqb"] : d["scotch"]
      lightest = load["cqb"] < load["scotch"] ? load["cqb"] : load["scotch"]
      r = d["auto"] / best
      marks = (r > 1 ? " above" : "") (most["auto"] > best ? " sometimes-above" : "") \
        (d["auto"] > d["greedy"] ? " greedy" : "") (d["natural"] > d["xyz"] ? " xyz" : "")
      limit = ranks < 4096 ? 2 : 1
      c = sprintf("%.2f", (cpu["auto"] > 0 ? cpu["auto"] : 0.001) / (cpu["scotch"] > 0 ? cpu["scotch"] : 0.001))
      marks = marks (cpu["auto"] > limit * cpu["scotch"] + 0.0005 ? " cpu" : "")
      print set, family, graph, platform, ranks, runs, sprintf("%.3f", d["scotch"]), sprintf("%.3f", d["cqb"]),
        sprintf("%.3f", d["auto"]), sprintf("%.3f", d["greedy"]), sprintf("%.3f", d["natural"]), sprintf("%.3f", d["xyz"]),
        sprintf("%.3f", r), sprintf("%.3f", load["auto"] / lightest), sprintf("%.3f", cpu["scotch"]),
        sprintf("%.3f", cpu["cqb"]), sprintf("%.3f", cpu["auto"]), c, (marks == "" ? "-" : substr(marks, 2))
    }'
}

cells_of() {
  case $1 in
  short) short_cells ;;
  apart) apart_cells ;;
  long) long_cells ;;
  esac
}

case $SET in
short | apart | long) sets=$SET ;;
all) sets='short apart long' ;;
*) die "SET=$SET is not short, apart, long or all" ;;
esac
printf 'set\tfamily\tgraph\tplatform\tranks\truns\tscotch\tscotch_cqb\tauto\tgreedy\tnatural\txyz\tauto_by_best\tload_by_best\t'
printf 'cpu_scotch_s\tcpu_cqb_s\tcpu_auto_s\tcpu_by_scotch\tmarks\n'
{
  for part in $sets; do
    cells_of "$part" | while read -r family graph platforms; do
      echo "$graph" | grep -Eq "$GRAPHS" || continue
      for platform in $platforms; do
        echo "$platform" | grep -Eq "$PLATFORMS" || continue
        cell "$part" "$family" "$graph" "$platform" </dev/null
      done
    done
  done
  touch "$work/complete"
} | tee "$work/table"
[ -e "$work/complete" ] || die 'a command failed: the table is not complete'

# --- summary ----------------------------------------------------------------------------------------------------------

awk -F '\t' '
  function add(what) {
    n[what]++
    plain[what] += log($9 / $7)
    hop[what] += log($13)
    load[what] += log($14)
  }
  function mean(what, text) {
    if (n[what])
      printf "# %-64s %4d cells %12.3f %12.3f %12.3f\n", text, n[what], exp(plain[what] / n[what]), exp(hop[what] / n[what]),
        exp(load[what] / n[what])
  }
  # "each size counts alike": the mean of the means of six sizes; 65 to 511 ranks count as 512.
  function add_size(what) {
    size = $5 > 64 && $5 < 512 ? 512 : $5
    cells[what, size]++
    of_default[what, size] += log($9 / $7)
    of_better[what, size] += log($13)
  }
  function mean_of_sizes(what, text) {
    count = plainly = better = total = 0
    for (key in cells) {
      split(key, part, SUBSEP)
      if (part[1] != what)
        continue
      count++
      total += cells[key]
      plainly += of_default[key] / cells[key]
      better += of_better[key] / cells[key]
    }
    if (count > 1)
      printf "# %-64s %4d cells %12.3f %12.3f\n", text, total, exp(plainly / count), exp(better / count)
  }
  {
    main = $2 == 1 && $4 ~ /^(torus|mesh):/
    add("all")
    add($1)
    if (main)
      add("main")
    if ($1 != "apart")
      add_size("all")
    if ($1 != "apart" && main)
      add_size("main")
    if ($5 >= 4096) { big++; bigcpu += log($18) } else { small++; smallcpu += log($18) }
    for (i = split($19, mark, " "); i > 0; i--) {
      found[mark[i]] = found[mark[i]] "\n#   " $3 " " $4
      times[mark[i]]++
    }
    heavier += $14 > 1
  }
  END {
    printf "# %-64s %10s %12s %12s %12s\n", "geometric means of ratios of medians, auto by Scotch", "", "by default", "by better", "fullest link"
    mean("main", "stencils, BT, LU, MG and geometric graphs on tori and meshes")
    mean("all", "everything")
    mean_of_sizes("main", "the same, each size counts alike")
    mean_of_sizes("all", "each size counts alike: everything except set apart")
    mean("apart", "set apart")
    printf "# CPU time by scotch, geometric mean: %s to 4095 ranks, %s from 4096 on\n", \
      small ? sprintf("%.2f", exp(smallcpu / small)) : "-", big ? sprintf("%.2f", exp(bigcpu / big)) : "-"
    printf "# above the median of Scotch: %d%s\n", times["above"], found["above"]
    printf "# above the median of Scotch in some run, but not in the median: %d\n", times["sometimes-above"] - times["above"]
    printf "# more load on the fullest link than with Scotch: %d\n", heavier
    printf "# above greedy: %d%s\n", times["greedy"], found["greedy"]
    printf "# above xyz, ranks in their own order: %d%s\n", times["xyz"], found["xyz"]
    printf "# more CPU than one run of scotch (two below 4096 ranks): %d%s\n", times["cpu"], found["cpu"]
  }' "$work/table"
