#!/bin/sh
# usage: scripts/reproduce/sfmopt.sh HAICHI OUT
# Figures 11 to 14 of Asano and Kise, "SFMOPT": NPB CG, BT, MG and SP, class C, on 512 hosts of a
# mesh and of a torus.  Leaves in OUT, for each platform, what haichi compare leaves, the figures as
# tables (figNN.tsv) and pictures, and statements.tsv: what the paper says, whether it holds here,
# and if not, why, as far as known: measured in this run, or before on the usual inputs.
# Communication alone is simulated.  The environment may say otherwise:
#   BENCHMARKS  (cg.C.512 bt.C.484 mg.C.512 sp.C.484)   ITERATIONS (1)   PLATFORMS   ENGINE   JOBS
set -eu
[ $# -eq 2 ] || {
  sed -n '2p' "$0" | cut -c3- >&2
  exit 2
}
haichi=$1 out=$2
usual="cg.C.512 bt.C.484 mg.C.512 sp.C.484@1"
: "${BENCHMARKS:=${usual%@*}}" "${ITERATIONS:=${usual#*@}}"
: "${PLATFORMS:=mesh:8x8x8 torus:8x8x8}" "${ENGINE:=}" "${JOBS:=}"
here=$(dirname "$0")
mkdir -p "$out"

mappers='xyz none'
for objective in minlink mincost; do
  for name in fmopt-half:subgroup=2@6, sfmopt:subgroup=2@6, fmopt:; do
    mappers="$mappers ${name}objective=$objective"
  done
done
traces=
for benchmark in $BENCHMARKS; do
  traces="$traces npb:$benchmark@$ITERATIONS"
done

# figure NUMBER OBJECTIVE COLUMN KIND < results.tsv: a row a mapper, a column a benchmark, then the
# mean and the mean without MG.  KIND: "value" is relative to xyz, "speedup" its inverse.
figure() {
  awk -F'\t' -v objective="$2" -v column="$3" -v kind="$4" '
    /^#/ { next }
    !at["trace"] { for (i = 1; i <= NF; i++) at[$i] = i; next }
    $at["status"] == "ok" {
      name = $at["mapper"]
      if (name ~ /objective=/ && name !~ "objective=" objective) next
      sub(/:.*/, "", name)
      trace = $at["trace"]
      sub(/^npb:/, "", trace)
      sub(/\..*/, "", trace)
      if (!(trace in seen)) { seen[trace] = 1; traces[++n] = trace }
      v[name, trace] = $at[column]
    }
    function row(name,   i, x, sum, rest, all, without) {
      printf "%s", name
      for (i = 1; i <= n; i++) {
        if (v[name, traces[i]] == 0 || v["xyz", traces[i]] == 0) { printf "\t-"; continue }
        x = v[name, traces[i]] / v["xyz", traces[i]]
        if (kind == "speedup") x = 1 / x
        printf "\t%.4f", x
        sum += x; all++
        if (traces[i] != "mg") { rest += x; without++ }
      }
      printf "\t%s\t%s\n", all ? sprintf("%.4f", sum / all) : "-",
        without ? sprintf("%.4f", rest / without) : "-"
    }
    END {
      printf "mapper"
      for (i = 1; i <= n; i++) printf "\t%s", traces[i]
      print "\tmean\tmean_without_mg"
      row("xyz"); row("none"); row("fmopt-half"); row("sfmopt"); row("fmopt")
    }' >"$dir/fig$1.tsv"
  gnuplot -e "table='$dir/fig$1.tsv'; output='$dir/fig$1.svg'; what='$5'" "$here/sfmopt.gp"
}

# The statements of the paper's text on the four figures, whose pictures are lost; only "5 %" in figure
# 12 is ours, where the text says that the two hardly differ.  A reason is what this run bears out; if it has none,
# before[] has what docs/mopt.md found on the usual inputs, and is not said of others.
statements() {
  usual_run=0
  [ "$BENCHMARKS@$ITERATIONS" != "$usual" ] || usual_run=1
  awk -F'\t' -v platform="$1" -v usual="$usual_run" '
    FILENAME ~ /results.tsv$/ && /^#/ { next }
    FILENAME ~ /results.tsv$/ && !at["trace"] { for (i = 1; i <= NF; i++) at[$i] = i; next }
    FILENAME ~ /results.tsv$/ {
      if ($at["mapper"] !~ /^xyz|objective=mincost/) next
      split($at["mapper"], mapper, ":")
      split($at["trace"], trace, /[:.]/)
      link[mapper[1], trace[2]] = $at["max_link_load_bytes"]
      next
    }
    FNR == 1 { figure++; for (i = 2; i <= NF; i++) name[i] = $i; next }
    { for (i = 2; i <= NF; i++) v[figure + 10, $1, name[i]] = $i }
    function x(f, m, t) { return v[f, m, t] }
    function say(f, text, holds, values, reason,   key) {
      key = platform " " f " " text
      if (reason == "" && usual && key in before) reason = before[key]
      printf "%s\t%d\t%s\t%s\t%s\t%s\n", platform, f, text, holds ? "reproduced" : "not",
        values, holds ? "-" : reason == "" ? "unexplained" : reason
    }
    function both(f, m) { return x(f, m, "bt") + x(f, m, "sp") }
    # Of bt and sp, are these speeds in order?
    function ordered_without_cg(f) {
      return known("bt") && known("sp") && both(f, "fmopt") > both(f, "sfmopt") &&
        both(f, "sfmopt") > both(f, "fmopt-half")
    }
    function why_not_in_order(   m, why) {
      m = "mean_without_mg"
      if (x(13, "fmopt", m) <= x(13, "sfmopt", m) || x(13, "sfmopt", m) <= x(13, "fmopt-half", m)) {
        if (!known("cg") || !(x(11, "fmopt-half", "cg") >= x(11, "fmopt", "cg")))
          return ""
        if (!ordered_without_cg(13) || !(x(13, "fmopt-half", "cg") > 0)) return ""
        why = sprintf("cg alone breaks the order of the first three: its time does not follow " \
          "its fullest link (fmopt %.2f of that of fmopt-half, %.2f of the speed)",
          x(11, "fmopt", "cg") / x(11, "fmopt-half", "cg"),
          x(13, "fmopt", "cg") / x(13, "fmopt-half", "cg"))
      }
      if (x(13, "fmopt-half", m) <= x(13, "none", m)) return ""
      if (x(13, "none", m) <= 1) {
        if (x(11, "none", m) <= 1) return ""
        why = why (why == "" ? "" : "; ") sprintf("none loads its fullest link with %.2f of xyz",
          x(11, "none", m))
      }
      return why
    }
    # The mean fullest link of sfmopt for mincost, relative to xyz.
    function why_slower_than_xyz(   k, n, sum) {
      if (x(14, "sfmopt", "mean_without_mg") > 1) return ""
      for (k = 1; k <= 3; k++)
        if (link["xyz", others[k]] > 0) {
          sum += link["sfmopt", others[k]] / link["xyz", others[k]]
          n++
        }
      if (n == 0 || sum <= n) return ""
      return sprintf("bytes travel %.2f as far as under xyz, but the fullest link has %.2f of xyz",
        x(12, "sfmopt", "mean_without_mg"), sum / n)
    }
    function same_mapping(t) {
      return x(12, "sfmopt", t) == x(12, "fmopt", t) && link["sfmopt", t] == link["fmopt", t]
    }
    # The paper: on cg and sp sfmopt is the faster one, and its fullest link has less.
    function why_not_faster(t) {
      if (same_mapping(t)) return "both have the same value and the same fullest link"
      return link["sfmopt", t] > link["fmopt", t] ? sprintf("its fullest link has %.2f of that of " \
        "fmopt; in the paper it has less", link["sfmopt", t] / link["fmopt", t]) : ""
    }
    # Of the mean fullest links, which decide the times for minlink.
    function why_not_worse(   m) {
      m = "mean_without_mg"
      if (x(13, "sfmopt", m) <= x(13, "fmopt", m) || !ordered_without_cg(13)) return ""
      return sprintf("cg alone makes sfmopt the faster one (%.2f times as fast); on bt and sp it " \
        "is the slower one", x(13, "sfmopt", "cg") / x(13, "fmopt", "cg"))
    }
    function known(t) { return v[11, "fmopt", t] != "" && v[11, "fmopt", t] != "-" }
    function three(f, t) {
      return sprintf("fmopt %s sfmopt %s fmopt-half %s none %s", x(f, "fmopt", t),
        x(f, "sfmopt", t), x(f, "fmopt-half", t), x(f, "none", t))
    }
    END {
      see = ": measured apart, docs/mopt.md"
      before["mesh:8x8x8 11 sp: sfmopt does not beat xyz"] = \
        "as on bt, in the paper too, which sends nearly the same" see
      before["torus:8x8x8 11 sp: sfmopt does not beat xyz"] = \
        "the order of equals, which the paper leaves open, decides" see
      before["torus:8x8x8 11 bt: sfmopt beats xyz"] = \
        before["torus:8x8x8 11 sp: sfmopt does not beat xyz"]
      before["torus:8x8x8 12 cg: sfmopt and fmopt hardly differ (5 %)"] = \
        "blocks hide which way round is shorter when groups first span X and Y" see
      split("cg bt sp", others, " ")
      for (k = 1; k <= 3; k++) {
        t = others[k]
        if (!known(t)) continue
        say(11, t ": sfmopt is worse than fmopt", x(11, "sfmopt", t) > x(11, "fmopt", t),
          sprintf("%.3f times", x(11, "sfmopt", t) / x(11, "fmopt", t)))
        below = (x(11, "sfmopt", t) < 1)
        say(11, t ": sfmopt " (t == "sp" ? "does not beat" : "beats") " xyz", below == (t != "sp"),
          x(11, "sfmopt", t))
        d = x(12, "sfmopt", t) / x(12, "fmopt", t) - 1
        say(12, t ": sfmopt and fmopt hardly differ (5 %)", (d < 0.05 && d > -0.05),
          sprintf("%+.1f %%", 100 * d))
      }
      for (f = 11; f <= 12 && known("mg"); f++)
        say(f, "mg: fmopt and sfmopt are worse than xyz",
          (x(f, "fmopt", "mg") > 1 && x(f, "sfmopt", "mg") > 1), three(f, "mg"))
      m = "mean_without_mg"
      ordered = (x(13, "fmopt", m) > x(13, "sfmopt", m) && x(13, "sfmopt", m) > x(13, "fmopt-half", m))
      ordered = (ordered && x(13, "fmopt-half", m) > x(13, "none", m) && x(13, "none", m) > 1)
      say(13, "without mg: fmopt > sfmopt > fmopt-half > none > xyz", ordered, three(13, m),
        why_not_in_order())
      d = x(13, "sfmopt", m) / x(13, "fmopt", m) - 1
      say(13, "without mg: sfmopt is worse than fmopt, by less than 5 %", (d > -0.05 && d < 0),
        sprintf("%+.1f %%", 100 * d), why_not_worse())
      y = x(14, "sfmopt", m)
      say(14, "without mg: sfmopt > fmopt-half, none, xyz",
        (y > x(14, "fmopt-half", m) && y > x(14, "none", m) && y > 1), three(14, m),
        why_slower_than_xyz())
      split("cg sp", two, " ")
      for (k = 1; k <= 2; k++)
        if (known(two[k])) {
          say(14, two[k] ": sfmopt beats fmopt",
            (x(14, "sfmopt", two[k]) > x(14, "fmopt", two[k])), three(14, two[k]),
            why_not_faster(two[k]))
          say(14, two[k] ": sfmopt has less on its fullest link than fmopt",
            link["sfmopt", two[k]] < link["fmopt", two[k]], link["sfmopt", two[k]] "/" \
            link["fmopt", two[k]], same_mapping(two[k]) ? why_not_faster(two[k]) : "")
        }
    }' "$dir/fig11.tsv" "$dir/fig12.tsv" "$dir/fig13.tsv" "$dir/fig14.tsv" \
    "$dir/results.tsv"
}

printf 'platform\tfigure\tstatement\there\tvalues\treason\n' >"$out/statements.tsv.part"
for platform in $PLATFORMS; do
  dir=$out/$(echo "$platform" | tr : -)
  # shellcheck disable=SC2086 # lists of words
  "$haichi" compare --platform "$platform" --trace $traces --mapper $mappers --compute-scale 0 \
    --output "$dir" ${ENGINE:+--engine "$ENGINE"} ${JOBS:+--jobs "$JOBS"}
  figure 11 minlink max_link_load_bytes value 'fullest link, relative to xyz' <"$dir/results.tsv"
  figure 12 mincost hop_bytes value 'bytes times hops, relative to xyz' <"$dir/results.tsv"
  figure 13 minlink communication_time_mean_s speedup 'speedup over xyz, minlink' <"$dir/results.tsv"
  figure 14 mincost communication_time_mean_s speedup 'speedup over xyz, mincost' <"$dir/results.tsv"
  statements "$platform" >>"$out/statements.tsv.part"
done
mv "$out/statements.tsv.part" "$out/statements.tsv"
cat "$out/statements.tsv"
