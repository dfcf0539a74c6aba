#!/bin/sh
# usage: scripts/reproduce/mcmpi.sh HAICHI OUT
# Tables 1 and 2 and figures 5 to 10 of Saito and Taura, "MC-MPI" (IPSJ Trans. ACS 2007), on four clusters of 64 hosts
# whose round-trip times are assumptions, as those of the paper are lost (docs/wan.md, docs/overlay.md).  Leaves in OUT
# tableN.tsv, figureN.tsv, pictures, and statements.tsv: what the paper says, whether it holds here, and if not, why.
# The environment may say otherwise:
#   PLATFORM FIREWALLS (intrigger4 and its variant with three firewalls)   RANKS (256)   GRAPHS (1000000)
#   BENCHMARKS (class and iterations of each)   DENSITIES (2 4 10 38)   WORK (64000, of qap)
#   QUEUE (48MiB, before a wide-area link: with that figure 8 is as the paper has it)
set -eu
[ $# -eq 2 ] || {
  sed -n '2p' "$0" | cut -c3- >&2
  exit 2
}
haichi=$1 out=$2
here=$(dirname "$0")
platforms=$here/../../platforms
: "${PLATFORM:=clusters:$platforms/intrigger4.clusters}" "${FIREWALLS:=clusters:$platforms/intrigger4-3fw.clusters}"
: "${RANKS:=256}" "${GRAPHS:=1000000}" "${DENSITIES:=2 4 10 38}" "${QUEUE:=48MiB}" "${WORK:=64000}"
: "${BENCHMARKS:=bt.D@2 ep.D@1 is.C@2 lu.D@1 mg.D@2 sp.D@2}"
mkdir -p "$out"

# trace BENCHMARK: "bt.D@2" on all ranks
trace() {
  echo "npb:${1%@*}.$RANKS@${1#*@}"
}

# field NAME < REPORT
field() {
  awk -F'\t' -v name="$1" '$1 == name { print $2 }'
}

# simulate BENCHMARK OVERLAY [OPTION...]: $result is the seconds, the percent of the pairs connected, and the bytes of the
# buffers of the process with the most; $seconds the first of them.  The generated computations of EP take a hundredth of
# those of the others.
simulate() {
  benchmark=$1 overlay=$2
  shift 2
  case $benchmark in ep*) set -- --compute-scale 300 "$@" ;; esac
  "$haichi" sim --platform "$PLATFORM" --trace "$(trace "$benchmark")" --model cm02 --overlay "$overlay" "$@" \
    >"$out/run.txt" 2>"$out/run.err" || {
    cat "$out/run.err" >&2
    exit 1
  }
  seconds=$(field simulated_time_s <"$out/run.txt")
  result="$seconds	$(field connected_percent <"$out/run.txt")	$(field buffer_bytes_most <"$out/run.txt")"
}

# IS is what congests the wide-area links.
congestion() {
  case $1 in is*) echo ",queue=$QUEUE" ;; esac
}

# picture NAME KIND X Y [LOG] < TABLE
picture() {
  cat >"$out/picture.txt"
  gnuplot -e "table='$out/picture.txt'; output='$out/$1.svg'; kind='$2'; xwhat='$3'; ywhat='$4'; xlog=${5:-0}" "$here/mcmpi.gp"
}

# Pairs that communicate.
table1() {
  printf 'benchmark\tpaper\tdefaults\twithout_collectives\trecursive_doubling\tone_tree\n'
  for benchmark in $BENCHMARKS; do
    t=$(trace "$benchmark")
    {
      "$haichi" trace info "$t" | sed 's/^/default_/'
      "$haichi" trace info "$t" --collective allreduce=rdb --collective reduce=binomial
      "$haichi" trace info "$t" --collective allreduce=redbcast --collective reduce=binomial \
        --collective barrier=ompi_tree | sed 's/^/tree_/'
    } | awk -F'\t' -v b="${benchmark%%.*}" -v n="$RANKS" '
      { v[$1] = $2 }
      END {
        paper["bt"] = 5.5; paper["ep"] = 0.78; paper["is"] = 100; paper["lu"] = 4.6; paper["mg"] = 5.4; paper["sp"] = 5.5
        all = n * (n - 1) / 200
        printf "%s\t%s\t%.2f\t%.2f\t%.2f\t%.2f\n", b, paper[b], v["default_pairs"] / all,
          v["default_p2p_pairs"] / all, v["pairs"] / all, v["tree_pairs"] / all
      }'
  done
}

# Shares of pairs that are selected.
table2() {
  printf 'beta\tpaper\trandom_orders\tselected\topened\n'
  echo '2 12.2 4 20.1 7 30.9 10 39.1 15 50.7 21 60.6 28 69.4 38 79.7 55 89.9 128 100' | xargs -n 2 |
    while read -r beta paper; do
      [ "$beta" -lt "$RANKS" ] || continue
      "$haichi" wan graph --random-rtt "$RANKS" --beta "$beta" >"$out/random.txt"
      "$haichi" wan graph --platform "$PLATFORM" --processes "$RANKS" --beta "$beta" >"$out/graph.txt"
      printf '%s\t%s\t%.1f\t%.1f\t%.1f\n' "$beta" "$paper" "$(field selected_percent <"$out/random.txt")" \
        "$(field selected_percent <"$out/graph.txt")" "$(field pairs_percent <"$out/graph.txt")"
    done
  rm "$out/random.txt" "$out/graph.txt"
}

# Time to obtain the round-trip times, means of ten seeds.
figure5() {
  printf 'alpha\tall_s\tmean_s\twithout_timeouts_s\n'
  for alpha in 1.5 2 5 10 20 40 60 80 100; do
    for seed in 1 2 3 4 5 6 7 8 9 10; do
      "$haichi" wan latency --platform "$PLATFORM" --processes "$RANKS" --alpha "$alpha" --seed "$seed"
    done >"$out/latency.txt"
    awk -F'\t' -v alpha="$alpha" '{ sum[$1] += $2 / 10 }
      END { printf "%s\t%.4f\t%.4f\t%.4f\n", alpha, sum["time_s"], sum["mean_time_s"], sum["mean_time_without_timeouts_s"] }' \
      "$out/latency.txt"
  done
  rm "$out/latency.txt"
}

# Probability that the graph is disconnected; "-" where no graph was.
figure6() {
  printf 'processes\t1FW_beta_1\t3FW_beta_1\t3FW_beta_2\t3FW_beta_3\t3FW_beta_4\n'
  n=8
  while [ "$n" -le "$RANKS" ]; do
    printf '%s' "$n"
    for case in "1 $PLATFORM" "1 $FIREWALLS" "2 $FIREWALLS" "3 $FIREWALLS" "4 $FIREWALLS"; do
      p=$("$haichi" wan connectivity --platform "${case#* }" --processes "$n" --beta "${case%% *}" \
        --graphs "$GRAPHS" | field probability)
      [ "$p" != 0 ] || p=-
      printf '\t%s' "$p"
    done
    printf '\n'
    n=$((2 * n))
  done
}

# runs: a row for each benchmark, kind and density
figure7_runs() {
  printf 'benchmark\tkind\tdensity\tseconds\tconnected\tbuffers\n'
  for benchmark in $BENCHMARKS; do
    extra=$(congestion "$benchmark")
    simulate "$benchmark" "all$extra"
    printf '%s\tall\t-\t%s\n' "${benchmark%%.*}" "$result"
    for density in $DENSITIES; do
      for kind in mcmpi random; do
        simulate "$benchmark" "$kind,density=$density$extra"
        printf '%s\t%s\t%s\t%s\n' "${benchmark%%.*}" "$kind" "$density" "$result"
      done
    done
  done
}

# Performance relative to all pairs, by density.
figure7() {
  awk -F'\t' '
    NR == 1 { next }
    $2 == "all" { name[++names] = $1; all[$1] = $4; next }
    !($3 in seen) { seen[$3] = 1; d[++n] = $3 }
    { v[$1, $2, $3] = $4 }
    END {
      printf "density"
      for (i = 1; i <= names; i++) printf "\t%s_mcmpi\t%s_random", name[i], name[i]
      print ""
      for (k = 1; k <= n; k++) {
        printf "%s", d[k]
        for (i = 1; i <= names; i++)
          printf "\t%.4f\t%.4f", all[name[i]] / v[name[i], "mcmpi", d[k]], all[name[i]] / v[name[i], "random", d[k]]
        print ""
      }
    }' "$out/figure7_runs.tsv"
}

# IS: seconds by size of the buffers, with some 20 and 60 % of the connections and with all.
figure8() {
  is=$(echo "$BENCHMARKS" | xargs -n 1 | grep '^is')
  printf 'KiB\t20_percent\t60_percent\t100_percent\n'
  for size in 8 16 32 64 128 256; do
    printf '%s' $size
    for overlay in mcmpi,density=4 mcmpi,density=21 all; do
      simulate "$is" "$overlay,queue=$QUEUE,buffer=${size}KiB"
      printf '\t%s' "$seconds"
    done
    printf '\n'
  done
}

# Lazy connections: at most 30 % of the pairs against all.
figure9() {
  printf 'benchmark\tmcmpi_percent\tlazy_percent\tmcmpi_s\tlazy_s\tmcmpi_MB\tlazy_MB\n'
  for benchmark in $BENCHMARKS; do
    extra=$(congestion "$benchmark")
    simulate "$benchmark" "mcmpi,density=7$extra"
    first=$result
    simulate "$benchmark" "lazy$extra"
    printf '%s\n' "$first" "$result" |
      awk -F'\t' -v b="${benchmark%%.*}" '{ s[NR] = $1; c[NR] = $2; m[NR] = $3 / 1e6 }
        END { printf "%s\t%.2f\t%.2f\t%s\t%s\t%.1f\t%.1f\n", b, c[1], c[2], s[1], s[2], m[1], m[2] }'
  done
}

# Rank assignments: seconds.  What is small is sent without waiting for its receive, as the paper's sockets, which take
# 256 KiB, let it.  The paper searches on all hosts at once; so the costs along routes, which are all different, get more
# work than is usual.
figure10() {
  printf 'benchmark\trandom\thostname\thostname_worst\thostname_best\troutes\tlatency\tbandwidth\n'
  for benchmark in $BENCHMARKS; do
    printf '%s' "${benchmark%%.*}"
    for mapping in random:seed=1 hostname hostname-worst hostname-best qap:cost=overlay,count=messages,work=$WORK \
      qap:cost=latency,count=messages qap:cost=bandwidth,count=messages; do
      simulate "${benchmark%@*}@1" mcmpi,density=4 --eager-threshold 65536 --mapping "$mapping"
      printf '\t%s' "$seconds"
    done
    printf '\n'
  done
}

printf 'figure\tstatement\there\tvalues\treason\n' >"$out/statements.tsv.part"
table1 >"$out/table1.tsv"
table2 >"$out/table2.tsv"
figure5 >"$out/figure5.tsv"
figure6 >"$out/figure6.tsv"
figure7_runs >"$out/figure7_runs.tsv"
figure7 >"$out/figure7.tsv"
figure8 >"$out/figure8.tsv"
figure9 >"$out/figure9.tsv"
figure10 >"$out/figure10.tsv"
picture figure5 lines alpha 's until all is known' <"$out/figure5.tsv"
picture figure6 log processes 'probability of being disconnected' 1 <"$out/figure6.tsv"
picture figure7 pairs density 'performance, all pairs are 1' 1 <"$out/figure7.tsv"
picture figure8 lines 'buffer (KiB)' 's, IS' 1 <"$out/figure8.tsv"
cut -f 1-3 "$out/figure9.tsv" | picture figure9 bars '' 'connected pairs (%)'
awk -F'\t' -v OFS='\t' 'NR > 1 { base = $2; for (i = 2; i <= NF; i++) $i = base / $i } { print }' "$out/figure10.tsv" |
  picture figure10 bars '' 'performance, random is 1'
awk -F'\t' -v ranks="$RANKS" -f "$here/mcmpi.awk" "$out"/table1.tsv "$out"/table2.tsv "$out"/figure5.tsv \
  "$out"/figure6.tsv "$out"/figure7_runs.tsv "$out"/figure8.tsv "$out"/figure9.tsv "$out"/figure10.tsv \
  >>"$out/statements.tsv.part"
rm -f "$out/run.txt" "$out/run.err" "$out/picture.txt"
mv "$out/statements.tsv.part" "$out/statements.tsv"
cat "$out/statements.tsv"
