#!/bin/sh
# usage: tests/peers/sampled.sh BUILD [CASES] [SEED] [SAMPLE]
# Predicts the time of CASES (100) random runs from at most SAMPLE (10) of their iterations, and compares it with the whole run:
# is that within the interval, and how wide is the interval?  SEED (1) draws benchmark, class, ranks, platform, mapping, load and
# seeds.  Exits 1 if a case fails, if the interval holds in less than 90 %, or if half its width is above 1 % on average.
set -eu
haichi=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")/haichi
cases=${2:-100} seed=${3:-1} sample=${4:-10}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

"$haichi" platform torus:4x4x4 --speeds 1Gf,2Gf -o unequal-torus.xml
"$haichi" platform mesh:8x8 --speeds 1Gf:32,1.6Gf:32 -o unequal-mesh.xml
cat >unequal.clusters <<'END'
cluster A hosts=32x2Gf bandwidth=1.25GBps latency=5us
cluster B hosts=32x1Gf bandwidth=1.25GBps latency=5us
wan * * rtt=200us bandwidth=1GBps
END

# draw CASES SEED: prints a line for each case: trace, platform, mapping, background, jitter
draw()
{
  awk -v cases="$1" -v seed="$2" '
    function draw(n) { state = (state * 69069 + 1234567) % 4294967296; return int(state / 65536) % n }
    function one(list, part) { return part[1 + draw(split(list, part, " "))] }
    function ranks(name) {
      if (name == "bt" || name == "sp") return one("4 9 16 25 36 64")
      return one("4 8 16 32 64")
    }
    function load(kind) {
      kind = draw(10)
      if (kind < 4) return "-"
      if (kind == 4) return "tasks:" (1 + draw(20)) ",seed=" draw(1000)
      if (kind == 5) return "flows:" (1 + draw(20)) ",size=" one("100kB 1MB 10MB") ",gap=" one("0s 1ms 10ms") ",seed=" draw(1000)
      if (kind == 6) return "tasks:" (1 + draw(10)) ",seed=" draw(1000) "+links:p=0.1,seed=" draw(1000)
      if (kind == 7) return "noise:every=" one("1ms 10ms 100ms") ",for=" one("10us 100us 500us") ",seed=" draw(1000)
      if (kind == 8) return "flows:" (1 + draw(10)) ",gap=1ms,seed=" draw(1000) "+noise:every=10ms,for=100us,seed=" draw(1000)
      return "tasks:" (1 + draw(10)) ",seed=" draw(1000) "+flows:" (1 + draw(10)) ",gap=1ms,seed=" draw(1000)
    }
    BEGIN {
      for (state = seed * 7919 + 17; i < 10; i++) draw(2)
      for (n = 0; n < cases; n++) {
        name = one("bt sp lu cg mg ft is")
        print "npb:" name "." one("S W A") "." ranks(name), one("torus:4x4x4 mesh:8x8 hypercube:6 unequal-torus.xml unequal-mesh.xml clusters:unequal.clusters fattree:k=8 star:64"),
              one("xyz random:seed=" draw(1000) " greedy"), load(), one("0 0 0 0.05")
      }
    }'
}

draw $((2 * cases)) "$seed" | while read -r trace platform mapping load jitter; do
  # Cases with a class too small for the ranks are skipped.
  [ -f done ] && [ "$(wc -l <done)" -ge "$cases" ] && break
  "$haichi" trace info "$trace@1" >/dev/null 2>&1 || continue
  loads=$([ "$load" = - ] || echo "--background $load" | sed 's/+/ --background /g')
  # shellcheck disable=SC2086 # words
  "$haichi" predict -t "$trace" -p "$platform" -m "$mapping" $loads --jitter "$jitter" --sample "$sample" --check >out 2>err ||
    { echo "failed	$trace	$platform	$mapping	$load	$jitter	$(head -1 err)"; continue; }
  awk -v what="$trace	$platform	$mapping	$load	$jitter" '
    { x[$1] = $2 }
    END {
      printf "%s\t%.4f\t%.4f\t%d\t%d\t%d\t%s\n", x["within_interval"], 100 * x["error"],
             100 * (x["predicted_high_s"] / x["predicted_time_s"] - 1), x["settled_from"], x["iterations_simulated"],
             x["iterations"], what
    }' out | tee -a done
done >table

cat table
awk -F '\t' '
  $1 == "failed" { failed++; next }
  { n++; held += $1 == "yes"; e = $2 < 0 ? -$2 : $2; half += $3; sum += e; if (e > worst) worst = e; small += e <= 1 }
  END {
    printf "# %d cases, %d failed: the interval holds in %d, half of its width is %.2f %% on average; error %.2f %% on average, %.2f %% at most, within 1 %% in %d\n",
           n, failed, held, half / n, sum / n, worst, small
    exit failed > 0 || held < 0.9 * n || half > n
  }' table
