#!/bin/sh
# usage: scripts/reproduce/mcmpi.sh [OUT]
# Verdicts on the statements of Saito and Taura, "MC-MPI" (IPSJ Trans. ACS, 2007): tables 1 and 2 and
# figures 5 to 10, on four clusters of 64 hosts.  The round-trip times of the paper's test bed are
# lost; the round-trip times of the platform are assumptions (docs/models.md).  Writes to OUT
# (results/mcmpi) verdicts.tsv, verdicts.txt beside OUT, values.tsv (a line for each measured value),
# figureN.tsv and pictures.  Environment variables, with defaults in parentheses:
#   HAICHI (./haichi)   JOBS (2)   KEEP=1: only judges the values.tsv of an earlier run again
#   SEEDS (1..40): seeds.  The first DRAWS (10) seeds are used for graphs, for measurements of
#   round-trip times and in figure 7, the first RUNS (3) seeds in the simulations of other figures
#   PLATFORM FIREWALLS: files of clusters, with one firewall and with three firewalls
#   RANKS (256)   BENCHMARKS (with class and iterations)   SIZES (KiB): buffers in figure 8
#   DENSITIES (4 38): densities in figure 7, besides 2
#   GRAPHS (300000): number of graphs in figure 6; MANY (100000000): their number where GRAPHS are too
#   few to decide whether some graphs are disconnected
#   QAPLIB: a folder of NAME.dat files and best.tsv, as for make bench-qap
#   PARTS (table1 table2 figure5 ... figure10 qaplib): the measured parts
#   GRASP (qap:method=grasp): the mapper of the paper; GRASP=random for a test
# All simulations have the same settings:
#   --eager-threshold 262144: sends up to the paper's TCP buffers of 256 KB do not block
#   --collective: recursive doubling and binomial trees, fitted to table 1
#   rto=200ms: congestion by TCP's equation and Linux's minimum retransmission timeout (docs/overlay.md)
set -eu
[ $# -le 1 ] || {
  sed -n '2p' "$0" | cut -c3- >&2
  exit 2
}
here=$(cd "$(dirname "$0")" && pwd)
root=$here/../..
out=${1:-results/mcmpi}
: "${HAICHI:=./haichi}" "${JOBS:=2}" "${KEEP:=}" "${SEEDS:=1..40}" "${DRAWS:=10}" "${RUNS:=3}" "${RANKS:=256}"
: "${PLATFORM:=$root/platforms/intrigger4.clusters}"
: "${FIREWALLS:=$root/platforms/intrigger4-3fw.clusters}"
: "${BENCHMARKS:=bt.D@3 ep.D@1 is.C@1 lu.D@2 mg.D@3 sp.D@3}" "${SIZES:=8 16 32 256}"
: "${DENSITIES:=4 38}"
: "${GRAPHS:=300000}" "${MANY:=100000000}" "${QAPLIB:=}"
: "${GRASP:=qap:method=grasp}"
: "${PARTS:=table1 table2 figure5 figure6 figure7 figure8 figure9 figure10 qaplib}"
first=${SEEDS%..*} last=${SEEDS#*..}
all_seeds=$(seq "$first" "$last" | head -n "$DRAWS")
few_seeds=$(seq "$first" "$last" | head -n "$RUNS")
setting='--model cm02 --eager-threshold 262144 --collective allreduce=rdb --collective reduce=binomial'
tcp=,rto=200ms
fitted_queue=,queue=48MiB

# put FIGURE ROW COLUMN SEED QUANTITY VALUE: adds a line to the values; SEED is - if nothing is random
put() {
  printf '%s\t%s\t%s\t%s\t%s\t%s\n' "$@" >>"$out/values.part"
}

# put_report FIGURE ROW COLUMN SEED QUANTITY... < REPORT: adds the values of these quantities in a report of
# haichi
put_report() {
  awk -F'\t' -v head="$1	$2	$3	$4" -v wanted=" $(shift 4 && echo "$*") " '
    index(wanted, " " $1 " ") { print head "\t" $1 "\t" $2; found = 1 }
    END { exit !found }' >>"$out/values.part"
}

# job WORD...: adds a job, a line.  run_jobs: runs the jobs, $JOBS in parallel; ends the script if a job
# fails.
job() {
  printf '%s\n' "$*" >>"$out/jobs"
}
run_jobs() {
  [ -s "$out/jobs" ] || return 0
  xargs -P "$JOBS" -L 1 sh -c "$one_job" <"$out/jobs" || exit 1
  rm "$out/jobs"
}
# A job is "map FILE OPTION..." or "sim FIGURE ROW COLUMN SEED OPTION...".
# shellcheck disable=SC2016 # the shell of the job expands the variables
one_job='
fail() { cat "$MCMPI_OUT/err.$$" >&2; exit 255; }
kind=$0
if [ "$kind" = map ]; then
  file=$1; shift
  "$HAICHI" map -o "$file" "$@" 2>"$MCMPI_OUT/err.$$" || fail
else
  head="$1	$2	$3	$4"; shift 4
  report=$("$HAICHI" sim "$@" 2>"$MCMPI_OUT/err.$$") || fail
  echo "$report" | awk -F"\t" -v head="$head" -v ranks="$MCMPI_RANKS" "
    { v[\$1] = \$2 }
    function put(name, value) { lines = lines head \"\t\" name \"\t\" value \"\n\" }
    END {
      put(\"seconds\", v[\"simulated_time_s\"])
      put(\"connected\", v[\"connected_percent\"])
      put(\"relayed\", 100 * v[\"relayed_messages\"] / v[\"messages\"])
      put(\"buffers\", v[\"buffer_bytes\"] / ranks)
      put(\"computation\", v[\"simulated_time_s\"] - v[\"communication_time_mean_s\"])
      printf \"%s\", lines
    }" >>"$MCMPI_OUT/values.part"
fi
rm -f "$MCMPI_OUT/err.$$"'

name() { echo "${1%%.*}"; }
# once BENCHMARK: prints the trace with one iteration
once() { echo "npb:${1%@*}.$RANKS@1"; }
trace() { echo "npb:${1%@*}.$RANKS@${1#*@}"; }
# options BENCHMARK: prints the options of a simulation.  EP has too little computation in haichi's traces, a
# hundredth of the other benchmarks.
options() {
  case $1 in ep*) echo "$setting --compute-scale 300" ;; *) echo "$setting" ;; esac
}
is_used() { case " $BENCHMARKS " in *" $1."*) ;; *) return 1 ;; esac; }

# Table 1, and the communication partners of ranks in BT and LU.
table1() {
  for benchmark in $BENCHMARKS; do
    b=$(name "$benchmark") t=$(trace "$benchmark")
    # shellcheck disable=SC2086 # words
    pairs=$("$HAICHI" trace info "$t" ${setting#*262144} | awk '$1 == "pairs" { print $2 }')
    tree=$("$HAICHI" trace info "$t" --collective allreduce=redbcast --collective reduce=binomial \
      --collective barrier=ompi_tree | awk '$1 == "pairs" { print $2 }')
    put t1 "$b" chosen - pairs "$pairs"
    put t1 "$b" tree - pairs "$tree"
    case $b in bt | lu) ;; *) continue ;; esac
    # With 20 iterations, the share of the set-up is negligible.
    # shellcheck disable=SC2086 # words
    "$HAICHI" trace matrix ${setting#*262144} "npb:${benchmark%@*}.$RANKS@20" | awk -v head="t1	$b" -F'\t' '
      NR == 1 { next }
      { of[$1] += $3; to[$1, ++n[$1]] = $3; if ($1 == 0) zero[$2] = $3 }
      function most(r, k,   i, j, sum, at, used) { # messages to the k partners with the most
        for (j = 0; j < k; j++) {
          at = 0
          for (i = 1; i <= n[r]; i++)
            if (!((r, i) in used) && (!at || to[r, i] > to[r, at])) at = i
          if (at) { used[r, at] = 1; sum += to[r, at] }
        }
        return sum
      }
      END {
        for (r in of) {
          ranks++
          share += 100 * most(r, 4) / of[r]
          for (i = 1; i <= n[r]; i++) partners += to[r, i] >= 0.05 * of[r]
        }
        print head "\tpartners\t-\tshare\t" share / ranks
        print head "\tpartners\t-\tcount\t" partners / ranks
        for (q = 0; q < ranks; q++) if (zero[q] >= 0.05 * of[0]) { list = list " " q; sum += zero[q] }
        print head "\tzero\t-\tlist\t" substr(list, 2)
        print head "\tzero\t-\tshare\t" 100 * sum / of[0]
      }' >>"$out/values.part"
  done
}

# Table 2, and the numbers of connections of section 3.3.
table2() {
  for seed in $all_seeds; do
    for beta in 2 4 7 10 15 21 28 38 55 128; do
      [ "$beta" -lt "$RANKS" ] || continue
      "$HAICHI" wan graph --random-rtt "$RANKS" --beta "$beta" --seed "$seed" |
        put_report t2 "$beta" random "$seed" selected_percent
      "$HAICHI" wan graph -p "clusters:$PLATFORM" -n "$RANKS" --beta "$beta" --seed "$seed" |
        put_report t2 "$beta" platform "$seed" selected_percent opened
      [ "$beta" != 2 ] || "$HAICHI" wan graph -p "clusters:$out/open.clusters" -n "$RANKS" \
        --beta "$beta" --seed "$seed" |
        put_report t2 "$beta" open "$seed" selected_per_process attempted_between_clusters opened
    done
  done
}

# Figure 5: the time to obtain the round-trip times; for alpha 5 also with other timeouts, and the errors on
# a torus, where round-trip times differ more than between clusters.
figure5() {
  for seed in $all_seeds; do
    for alpha in 1.5 2 5 10 20 40 60 80 100; do
      "$HAICHI" wan latency -p "clusters:$PLATFORM" -n "$RANKS" --alpha "$alpha" --seed "$seed" |
        put_report 5 "$alpha" 1s "$seed" time_s mean_time_s mean_time_without_timeouts_s timeouts
    done
    for timeout in 500ms 2s 3s; do
      "$HAICHI" wan latency -p "clusters:$PLATFORM" -n "$RANKS" --seed "$seed" --timeout $timeout |
        put_report 5 5 $timeout "$seed" time_s
    done
    "$HAICHI" wan latency -p torus:16x16 --alpha 5 --seed "$seed" |
      put_report 5 torus 1s "$seed" estimates_of_measured_largest_error \
        estimates_of_estimates_largest_error
  done
}

# connectivity PLATFORM COLUMN N BETA GRAPHS: measures the share of disconnected graphs
connectivity() {
  "$HAICHI" wan connectivity -p "clusters:$1" -n "$3" --beta "$4" --graphs "$5" --seed "$first" |
    put_report 6 "$3" "$2-$4" - graphs disconnected probability probability_low probability_high \
      cut_off_probability
}

# Figure 6: the share of disconnected graphs.  If the closed form expects 0.1 to 100 disconnected graphs among
# MANY, draws MANY graphs to decide between none and some.  If it expects more, or fewer, GRAPHS graphs decide.
figure6() {
  for case in "1 1FW" "1 3FW" "2 3FW" "4 3FW"; do
    beta=${case% *} column=${case#* } n=8
    case $column in 1FW) platform=$PLATFORM ;; *) platform=$FIREWALLS ;; esac
    while [ "$n" -le "$RANKS" ]; do
      graphs=$("$HAICHI" wan connectivity -p "clusters:$platform" -n "$n" --beta "$beta" --graphs 1 |
        awk -v some="$GRAPHS" -v many="$MANY" '$1 == "cut_off_probability" { expected = $2 * many
          print (expected > 0.1 && expected < 100 ? many : some) }')
      connectivity "$platform" "$column" "$n" "$beta" "$graphs"
      n=$((2 * n))
    done
  done
}

# Figure 7.  The lowest density has several seeds: DRAWS seeds for MC-MPI, since a statement bounds the rise
# of its time by 2 %, and RUNS seeds for random connections.  Other densities, for the picture, have one seed.
figure7() {
  for benchmark in $BENCHMARKS; do
    b=$(name "$benchmark")
    for density in all 2 $DENSITIES; do
      for kind in mcmpi random; do
        case $density$kind in
        all*) seeds=- ;;
        2mcmpi) seeds=$all_seeds ;;
        2random) seeds=$few_seeds ;;
        *) seeds=$first ;;
        esac
        for seed in $seeds; do
          case $density in
          all) overlay=all kind=all ;;
          *) overlay=$kind,density=$density,seed=$seed ;;
          esac
          job sim 7 "$b" "$kind-$density" "$seed" -p "clusters:$PLATFORM" -t "$(trace "$benchmark")" \
            --overlay "$overlay$tcp" "$(options "$benchmark")"
        done
        [ "$density" != all ] || break
      done
    done
  done
}

# Figure 8, with congestion by TCP's equation and with the fitted queue.
figure8() {
  for benchmark in $BENCHMARKS; do
    case $benchmark in is.*) ;; *) continue ;; esac
    for size in $SIZES; do
      for model in tcp queue; do
        case $model in tcp) congestion=$tcp ;; *) congestion=$fitted_queue ;; esac
        set -- sim 8 "$size"
        end="$congestion,buffer=${size}KiB $(options "$benchmark")"
        at="-p clusters:$PLATFORM -t $(trace "$benchmark") --overlay"
        job "$@" "$model-100" - "$at" "all$end"
        case $size in 8 | 256) seeds=$few_seeds ;; *) seeds= ;; esac
        for seed in $seeds; do
          job "$@" "$model-20" "$seed" "$at" "mcmpi,density=4,seed=$seed$end"
          job "$@" "$model-60" "$seed" "$at" "mcmpi,density=21,seed=$seed$end"
        done
      done
    done
  done
}

# Figure 9, on the platform without its firewall.
figure9() {
  for benchmark in $BENCHMARKS; do
    at="-p clusters:$out/open.clusters -t $(trace "$benchmark") $(options "$benchmark") --overlay"
    job sim 9 "$(name "$benchmark")" lazy - "$at" "lazy$tcp"
    for seed in $few_seeds; do
      job sim 9 "$(name "$benchmark")" mcmpi "$seed" "$at" "mcmpi,density=7,seed=$seed$tcp"
    done
  done
}

# Figure 10: rank assignments.  BT also with two iterations, to compute the time of 250 iterations.
figure10() {
  mkdir -p "$out/maps"
  routes=cost=overlay,count=messages
  for benchmark in $BENCHMARKS; do
    b=$(name "$benchmark")
    at="-p clusters:$PLATFORM -t $(once "$benchmark") $(options "$benchmark")"
    for order in best worst; do
      [ "$b" != is ] || continue # the orders hardly differ, and all 24 take a minute
      job map "$out/maps/$b-$order" "hostname-$order" "$at" --overlay "mcmpi,density=4,seed=$first$tcp"
    done
    for seed in $few_seeds; do
      overlay="--overlay mcmpi,density=4,seed=$seed$tcp"
      case $GRASP in random) mapper=random:seed=$((seed + 1)) ;; *) mapper=$GRASP,$routes,seed=$seed ;; esac
      job map "$out/maps/$b-grasp-$seed" "$mapper" "$at" "$overlay"
      case $b in ep | is) continue ;; esac
      [ "$seed" != "$first" ] ||
        job map "$out/maps/$b-qap-$seed" "qap:$routes,seed=$seed" "$at" "$overlay"
      job map "$out/maps/$b-bandwidth-$seed" "qap:method=grasp,cost=bandwidth,count=messages,seed=$seed" \
        "$at" "$overlay"
    done
  done
  run_jobs
  for benchmark in $BENCHMARKS; do
    b=$(name "$benchmark")
    at="-p clusters:$PLATFORM $(options "$benchmark")"
    for seed in $few_seeds; do
      overlay="--overlay mcmpi,density=4,seed=$seed$tcp"
      for mapper in random hostname best worst grasp qap bandwidth; do
        file=$out/maps/$b-$mapper-$seed
        case $mapper in
        random) file=random:seed=$seed ;;
        hostname) file=hostname ;;
        best | worst) file=$out/maps/$b-$mapper ;;
        esac
        case $file in "$out"/*) [ -e "$file" ] || continue ;; esac
        job sim 10 "$b" "$mapper" "$seed" "$at" -t "$(once "$benchmark")" "$overlay" -m "$file"
      done
      [ "$b" != bt ] || job sim 10 bt grasp2 "$seed" "$at" -t "npb:${benchmark%@*}.$RANKS@2" "$overlay" \
        -m "$out/maps/bt-grasp-$seed"
    done
  done
  run_jobs
}

# GRASP on QAPLIB: percent above the best value known, after 1 s.
qaplib() {
  [ -f "$QAPLIB/best.tsv" ] || return 0
  grep -v '^#' "$QAPLIB/best.tsv" | while read -r instance n best; do
    if ! [ -f "$QAPLIB/$instance.dat" ] || [ "$n" -gt 256 ]; then continue; fi
    for seed in $few_seeds; do
      "$HAICHI" map "qap:method=grasp,time=1,starts=1,seed=$seed" --threads 1 \
        --qaplib "$QAPLIB/$instance.dat" |
        awk -v best="$best" -v head="q	$instance	grasp	$seed	gap" '
          $1 == "value" { print head "\t" 100 * ($2 - best) / best }' >>"$out/values.part"
    done
  done
}

# picture NAME KIND X Y [LOG] < TABLE: draws a figure (mcmpi.gp)
picture() {
  tee "$out/$1.tsv" >"$out/picture.txt"
  gnuplot -e "table='$out/picture.txt'; output='$out/$1.svg'; kind='$2'; xwhat='$3'; ywhat='$4'; xlog=${5:-0}" \
    "$here/mcmpi.gp"
  rm "$out/picture.txt"
}

# table FIGURE QUANTITY COLUMN...: prints a table of the means over the seeds; "-" for a mean of 0
table() {
  awk -F'\t' -v figure="$1" -v quantity="$2" -v columns="$(shift 2 && echo "$*")" '
    BEGIN { n = split(columns, c, " ") }
    $1 == figure && $5 == quantity {
      if (!($2 in seen)) { seen[$2] = 1; row[++rows] = $2 }
      sum[$2, $3] += $6
      count[$2, $3]++
    }
    END {
      printf "row"
      for (i = 1; i <= n; i++) printf "\t%s", c[i]
      print ""
      for (k = 1; k <= rows; k++) {
        printf "%s", row[k]
        for (i = 1; i <= n; i++)
          printf "\t%s", (sum[row[k], c[i]] > 0 ? sum[row[k], c[i]] / count[row[k], c[i]] : "-")
        print ""
      }
    }' "$out/values.tsv" | { read -r line && echo "$line" && sort -n; }
}

# Draws the figures that were measured.
pictures() {
  for part in $PARTS; do
    case $part in figure*) "picture_${part#figure}" ;; esac
  done
}
picture_5() { table 5 time_s 1s | picture figure5 lines alpha 's until all is known'; }
picture_6() {
  table 6 probability 1FW-1 3FW-1 3FW-2 3FW-4 |
    picture figure6 log processes 'share of disconnected graphs' 1
}
picture_7() {
  awk -F'\t' -v densities="2 $DENSITIES" '
    function rate(b, c) { return s[b, "all-all"] * n[b, c] / s[b, c] }
    $1 == 7 && $5 == "seconds" {
      n[$2, $3]++
      s[$2, $3] += $6
      if (!($2 in b)) { b[$2] = 1; name[++names] = $2 }
    }
    END {
      printf "density"
      for (i = 1; i <= names; i++) printf "\t%s_mcmpi\t%s_random", name[i], name[i]
      print ""
      all = split(densities, d, " ")
      for (k = 1; k <= all; k++) {
        printf "%s", d[k]
        for (i = 1; i <= names; i++)
          printf "\t%.4f\t%.4f", rate(name[i], "mcmpi-" d[k]), rate(name[i], "random-" d[k])
        print ""
      }
    }' "$out/values.tsv" | picture figure7 pairs density 'performance, all pairs are 1' 1
}
picture_8() {
  table 8 seconds tcp-20 tcp-60 tcp-100 queue-20 queue-60 queue-100 |
    picture figure8 lines 'buffer (KiB)' 's, IS' 1
}
picture_9() { table 9 connected mcmpi lazy | picture figure9 bars '' 'connected pairs (%)'; }
picture_10() {
  table 10 seconds random hostname worst best grasp qap bandwidth |
    awk -F'\t' -v OFS='\t' '
      NR > 1 { base = $2; for (i = 2; i <= NF; i++) if ($i != "-") $i = base / $i }
      { print }' | picture figure10 bars '' 'performance, random is 1'
}

mkdir -p "$out"
out=$(cd "$out" && pwd)
HAICHI=$(cd "$(dirname "$HAICHI")" && pwd)/$(basename "$HAICHI")
export HAICHI MCMPI_OUT="$out" MCMPI_RANKS="$RANKS"
if [ -z "$KEEP" ]; then
  rm -f "$out/jobs"
  : >"$out/values.part"
  sed 's/ inbound=no//' "$PLATFORM" >"$out/open.clusters"
  for part in $PARTS; do
    $part
    run_jobs
  done
  mv "$out/values.part" "$out/values.tsv"
fi
pictures
echo 'MC-MPI: Saito and Taura, locality-aware connection management and rank assignment' >"$out/paper"
awk -F'\t' -v ranks="$RANKS" -f "$here/verdicts.awk" -f "$here/mcmpi.awk" "$out/values.tsv" \
  >"$out/verdicts.part"
mv "$out/verdicts.part" "$out/verdicts.tsv"
"$here/verdicts.sh" "$out"
