#!/bin/sh
# usage: scripts/reproduce/sfmopt_times.sh HAICHI OUT
# Figures 6 to 10 of Asano and Kise, "SFMOPT", and the times in its text: what the mappers by merging
# take on dense random traffic of 128 to 16,384 tasks on 3-D meshes.  Leaves in OUT times.tsv, a row
# a measurement; figures.tsv, a row a size; and statements.tsv: what the paper says of times, whether
# it holds here, and if not, why.
# A time is the median of RUNS (3; at 16,384 one); small sizes are mapped several times in each.
# Ratios are of user seconds of one thread less those of xyz, that is, of making the traffic: the
# system's seconds, which hand out and clear pages, vary twofold.  The environment may say otherwise:
#   NODES (128 to 8192, and 16384 where 12 GB are free)
#   MOPT_SECONDS (60): mopt is left out from the size on where it takes longer
#   BIG=1: fmopt and sfmopt on sparse traffic of 65,536 and 1,048,576 tasks too
#   TIMES=FILE: judge these measurements, a times.tsv of before, and measure nothing
set -eu
[ $# -eq 2 ] || {
  sed -n '2p' "$0" | cut -c3- >&2
  exit 2
}
haichi=$1 out=$2
sizes='128 256 512 1024 2048 4096 8192'
free_kb=$(awk '/^MemAvailable:/ { print $2 }' /proc/meminfo)
[ "${free_kb:-0}" -lt 12000000 ] || sizes="$sizes 16384"
: "${NODES:=$sizes}" "${RUNS:=3}" "${MOPT_SECONDS:=60}" "${BIG:=0}" "${TIMES:=}"
cores=$(nproc)
threads=$((cores < 4 ? cores : 4)) # the paper: 4
mkdir -p "$out"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

# The longest axis first, so that cubes are merged along X as in the paper's tables 1 to 3.
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

# measure MAPPER TRAFFIC NODES THREADS RUNS TIMES: a row of times.tsv from RUNS runs of TIMES mappings
# each; false if the first run takes more than MOPT_SECONDS, which only mopt may
measure() {
  shape=$(shape_of "$3")
  : >"$work/seconds"
  run=0
  while [ "$run" -lt "$5" ]; do
    # shellcheck disable=SC2016 # the inner shell's own
    /usr/bin/time -q -o "$work/time" -f '%U %e' sh -c '
      times=$1
      shift
      while [ "$times" -gt 0 ]; do
        "$@" || exit
        times=$((times - 1))
      done' sh "$6" timeout "$limit" "$haichi" map "$1" --platform "mesh:$shape" \
      --matrix "$2" --threads "$4" -o "$work/mapping" 2>"$work/err" || {
      [ ! -s "$work/err" ] || {
        cat "$work/err" >&2
        exit 1
      }
      [ "${1%%:*}" = mopt ] || echo "$0: $1 on $3 nodes has ended without a result ($limit s)" >&2
      return 1
    }
    cat "$work/time" >>"$work/seconds"
    run=$((run + 1))
  done
  name=${1%%:*}
  objective=$(expr "$1" : '.*objective=\([a-z]*\)' || true)
  printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$name" "${objective:--}" "${2%%:*}" "$3" "$4" \
    "$(median 1 "$6")" "$(median 2 "$6")" "$(cksum <"$work/mapping" | tr ' ' -)" >>"$times"
}

# median COLUMN TIMES: of what one mapping takes
median() {
  sort -n -k "$1,$1" "$work/seconds" | awk -v c="$1" -v times="$2" '{ t[NR] = $c / times }
    END { printf "%.4f", (t[int((NR + 1) / 2)] + t[int(NR / 2) + 1]) / 2 }'
}

# From 1024 nodes on the subgroups of figures 9 and 10, below those of figures 11 to 14.
measure_size() {
  nodes=$1 traffic=dense:$1 batch=1 runs=$RUNS limit=600
  [ "$nodes" -lt 16384 ] || runs=1
  [ "$nodes" -gt 4096 ] || batch=3
  [ "$nodes" -gt 1024 ] || batch=20
  [ "$nodes" -gt 512 ] || batch=50
  blocks=subgroup=2@9
  [ "$nodes" -ge 1024 ] || blocks=subgroup=2@6
  for mapper in xyz none; do
    measure $mapper "$traffic" "$nodes" 1 "$runs" $batch
  done
  measure xyz "$traffic" "$nodes" "$threads" "$runs" $batch
  for objective in minlink mincost; do
    for mapper in fmopt: fmopt-half:$blocks, sfmopt:$blocks,; do
      measure "${mapper}objective=$objective" "$traffic" "$nodes" 1 "$runs" $batch
    done
    measure "fmopt:objective=$objective" "$traffic" "$nodes" "$threads" "$runs" $batch
  done
}

measure_mopt() {
  objective=$1 limit=$MOPT_SECONDS
  for nodes in $NODES; do
    measure "mopt:objective=$objective" "dense:$nodes" "$nodes" 1 1 1 || return 0
    [ "$nodes" != 256 ] || measure "mopt:objective=$objective" grid:8x8x4 256 1 1 1 || return 0
  done
}

measure_sparse() {
  limit=600
  for nodes in 8192 65536 1048576; do
    [ "$BIG" = 1 ] || [ "$nodes" = 8192 ] || return 0
    for mapper in fmopt sfmopt; do
      [ $mapper$nodes = fmopt1048576 ] ||
        measure $mapper:objective=minlink "grid:$(shape_of "$nodes")" "$nodes" 1 1 1
    done
  done
}

measure_all() {
  times=$out/times.tsv.part
  printf 'mapper\tobjective\ttraffic\tnodes\tthreads\tuser_s\telapsed_s\tmapping\n' >"$times"
  for nodes in $NODES; do
    measure_size "$nodes"
  done
  measure_mopt minlink
  measure_mopt mincost
  measure_sparse
  mv "$times" "$out/times.tsv"
}

# Of times.tsv: the ratios of the figures, a row a size and an objective.
figures() {
  awk -F'\t' '
    /^mapper/ || $3 != "dense" { next }
    { key = $1 " " ($2 == "-" ? "" : $2) " " $4 }
    $1 == "xyz" && $5 == 1 { order[++n] = $4 }
    $5 == 1 { user[key] = $6; elapsed[key] = $7 }
    $5 != 1 { more[key] = $7 }
    function net(mapper, objective, n) { return user[mapper " " objective " " n] - user["xyz  " n] }
    function ratio(a, b) { return a > 0 && b > 0 ? sprintf("%.2f", a / b) : "-" }
    END {
      print "nodes\tobjective\tfmopt_s\tmopt/fmopt\tthreads_gain\tgrowth_fmopt\tfmopt/sfmopt\tsfmopt/half" \
        "\tnone/sfmopt\tsfmopt_s"
      for (o = 1; o <= 2; o++) {
        objective = o == 1 ? "minlink" : "mincost"
        for (i = 1; i <= n; i++) {
          k = order[i]
          f = net("fmopt", objective, k)
          s = net("sfmopt", objective, k)
          m = ("mopt " objective " " k) in user ? net("mopt", objective, k) : 0
          one = elapsed["fmopt " objective " " k] - elapsed["xyz  " k]
          two = more["fmopt " objective " " k] - more["xyz  " k]
          printf "%s\t%s\t%.4f\t%s\t%s\t%s\t%s\t%s\t%s\t%.4f\n", k, objective, f, ratio(m, f),
            ratio(one, two), (i > 1 && k == 2 * order[i - 1]) ? ratio(f, last[o]) : "-", ratio(f, s),
            ratio(s, net("fmopt-half", objective, k)), ratio(net("none", "", k), s), s
          last[o] = f
        }
      }
    }' "$TIMES" >"$out/figures.tsv"
}

# What the paper's text says of times.  Bounds that are ours have "(ours)".
statements() {
  awk -F'\t' -v threads="$threads" '
    NR == FNR {
      key = $2 ":" $4
      if ($1 == "fmopt" && $3 == "dense" && $5 == 1) mapping[key] = $8
      if ($1 == "mopt" && $4 == 256) moptime[$2, $3] = $6
      if ($1 == "mopt" && $3 == "dense") {
        compared = compared (compared == "" ? "" : " ") key
        differ += $8 != mapping[key]
      }
      next
    }
    /^nodes/ { next }
    {
      has[$1] = 1
      fmopt[$2, $1] = $3; mopt[$2, $1] = $4; gain[$2, $1] = $5; growth[$2, $1] = $6
      saved[$2, $1] = $7; half[$2, $1] = $8; share[$2, $1] = $9; sfmopt[$2, $1] = $10
    }
    function row(figure, text, state, values, why) {
      printf "%s\t%s\t%s\t%s\t%s\n", figure, text, state, values,
        state == "reproduced" ? "-" : why == "" ? "unexplained" : why
    }
    function say(figure, text, holds, values, why) {
      row(figure, text, holds ? "reproduced" : "not", values, why)
    }
    # Are the values of a table, by node, within bounds at all sizes from..to?  list: the values
    function all_within(table, objective, from, to, low, high,   k, v, ok) {
      ok = 1
      list = ""
      for (k = from; k <= to; k *= 2) {
        if (!has[k] || !((objective, k) in table) || table[objective, k] == "-") continue
        v = table[objective, k] + 0
        list = list (list == "" ? "" : " ") k ":" table[objective, k]
        if (v < low || v > high) ok = 0
      }
      return ok
    }
    function at(table, objective, k) { return table[objective, k] + 0 }
    # growth is largest at sizes whose last merge is of cubes: 1024 and 8192
    function grows(objective,   k, ok) {
      all_within(growth, objective, 256, 16384, 0, 1e9)
      ok = 1
      for (k = 1024; k <= 8192; k *= 8) {
        if (at(growth, objective, k) <= at(growth, objective, k / 2)) ok = 0
        if (has[2 * k] && at(growth, objective, k) <= at(growth, objective, 2 * k)) ok = 0
      }
      return ok
    }
    END {
      whole = "fmopt here evaluates what a combination changes, the paper each from nothing"
      select_ = "few combinations are evaluated whole here, so the selection step takes most"
      if (compared != "")
        say("3.2", "fmopt gives the mapping of mopt, exactly", !differ, compared, differ " differ")
      for (o = 1; o <= 2; o++) {
        objective = o == 1 ? "minlink" : "mincost"
        g = moptime[objective, "grid"]
        d = moptime[objective, "dense"]
        if (g > 0 && d > 0)
          say("4.1", objective ": the time of mopt does not depend on the data (within 20 %: ours)",
            g / d > 0.8 && g / d < 1.25, sprintf("256: dense %.2f s, grid %.2f s", d, g),
            "mopt here walks over the messages there are, not over all pairs")
      }
      ok = all_within(mopt, "minlink", 128, 16384, 3, 5)
      if (list != "") say("6", "minlink: fmopt is 4 times as fast as mopt (3 to 5: ours)", ok, list, whole)
      ok = all_within(mopt, "mincost", 128, 16384, 5, 8)
      if (list != "") say("6", "mincost: fmopt is between 5 and 8 times as fast as mopt", ok, list, whole)
      for (o = 1; o <= 2; o++) {
        objective = o == 1 ? "minlink" : "mincost"
        ok = all_within(gain, objective, 2048, 8192, 2, 3)
        if (list == "") continue
        text = objective ": 4 threads make fmopt 2 to 3 times as fast"
        if (threads == 4) say("7", text, ok, list, select_)
        else row("7", text, "not checked", "with " threads ": " list, "fewer than 4 cores")
      }
      if (has[1024] && has[8192]) {
        row("7", "threads gain less for mincost than for minlink", "not checked",
          "8192, with " threads ": " gain["mincost", 8192] " and " gain["minlink", 8192],
          "elapsed times differ from run to run by more")
        for (o = 1; o <= 2; o++) {
          objective = o == 1 ? "minlink" : "mincost"
          ok = grows(objective)
          if (list != "") say("8", objective ": time grows most at 1024 and 8192", ok, list, select_)
        }
        say("8, 9", "8192, minlink: fmopt 547 s, sfmopt 31 s, 17.6 times less (14 to 21: ours)",
          at(saved, "minlink", 8192) >= 14 && at(saved, "minlink", 8192) <= 21,
          sprintf("%.1f s, %.1f s, %.2f times", fmopt["minlink", 8192], sfmopt["minlink", 8192],
            saved["minlink", 8192]), select_)
        for (o = 1; o <= 2; o++) {
          objective = o == 1 ? "minlink" : "mincost"
          figure = o == 1 ? "9" : "10"
          ok = all_within(half, objective, 1024, 16384, 0.98, 1e9)
          say(figure, objective ": sfmopt is never faster than fmopt-half (by 2 %: ours)", ok, list)
          s = sfmopt[objective, 8192] / sfmopt[objective, 1024]
          f = fmopt[objective, 8192] / fmopt[objective, 1024]
          say(figure, objective ": sfmopt grows less from 1024 to 8192 than fmopt", s < f,
            sprintf("%.1f < %.1f times", s, f))
        }
        say("9", "minlink: sfmopt is nearly linear (less than 12 times from 1024 to 8192: ours)",
          sfmopt["minlink", 8192] / sfmopt["minlink", 1024] < 12,
          sprintf("%.1f times", sfmopt["minlink", 8192] / sfmopt["minlink", 1024]),
          "selection reads all pairs of dense traffic, 64 times as many; on sparse traffic it is linear")
        say("9", "8192, minlink: sfmopt takes 1.1 times what fmopt-half takes (1.05 to 1.15: ours)",
          at(half, "minlink", 8192) >= 1.05 && at(half, "minlink", 8192) < 1.15,
          half["minlink", 8192])
        top = 8192
        for (k = 1024; k < 8192; k *= 2) if (at(half, "minlink", k) > at(half, "minlink", top)) top = k
        all_within(half, "minlink", 1024, 8192, 0, 1e9)
        say("9", "minlink: that ratio is largest at 8192", top == 8192, list, select_)
        ok = all_within(half, "mincost", 1024, 8192, 0, 1.2)
        say("10", "mincost: sfmopt takes hardly more than fmopt-half (1.2: ours)", ok, list, select_)
        ok = 1
        list = ""
        for (k = 1024; k <= 16384; k *= 2) {
          if (!has[k]) continue
          if (at(saved, "mincost", k) >= at(saved, "minlink", k)) ok = 0
          list = list (list == "" ? "" : " ") k ":" saved["mincost", k] "<" saved["minlink", k]
        }
        say("10", "subgroups save less for mincost than for minlink", ok, list)
      }
      if (has[16384]) {
        link = at(share, "minlink", 16384)
        cost = at(share, "mincost", 16384)
        say("section 6", "16384: selection is 32 % of sfmopt minlink (27 to 37: ours)",
          link > 0.27 && link < 0.37, sprintf("%.0f %%", 100 * link), select_)
        say("section 6", "16384: selection is 67 % of sfmopt mincost (62 to 72: ours)",
          cost > 0.62 && cost < 0.72, sprintf("%.0f %%", 100 * cost), select_)
        say("section 6", "16384: selection is more of mincost than of minlink", cost > link,
          sprintf("%.0f > %.0f %%", 100 * cost, 100 * link))
      } else
        row("section 6", "16384: selection is 32 % of sfmopt minlink, 67 % of mincost", "not checked",
          "-", "not among NODES, or less than 12 GB free")
      if (has[512])
        say("4.2.2", "512: sfmopt takes less than 1 s",
          sfmopt["minlink", 512] < 1 && sfmopt["mincost", 512] < 1,
          sprintf("%.3f s, %.3f s", sfmopt["minlink", 512], sfmopt["mincost", 512]))
    }' "$TIMES" "$out/figures.tsv"
}

[ -n "$TIMES" ] || measure_all
: "${TIMES:=$out/times.tsv}"
figures
printf 'figure\tstatement\there\tvalues\treason\n' >"$out/statements.tsv.part"
statements >>"$out/statements.tsv.part"
mv "$out/statements.tsv.part" "$out/statements.tsv"
cat "$out/figures.tsv"
echo
cat "$out/statements.tsv"
