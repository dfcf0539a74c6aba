#!/bin/sh
# usage: tests/peers/sweeps.sh BUILD [CASES] [SEED] [JOBS] [SET]
# Sweeps of CASES (20) drawn small cases against the full search, which simulates every choice from end to end: is the best
# found, by how much does what is found take longer, and what share of the simulated operations did it take?  SET other
# draws other programs, platforms, loads and mappers than those that the search was made with.
set -eu
haichi=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")/haichi
cases=${2:-20} seed=${3:-1} jobs=${4:-1} set=${5:-first}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

"$haichi" platform mesh:8x4 --speeds 1Gf:16,1.6Gf:16 -o unequal-mesh.xml
"$haichi" platform torus:4x4x2 --speeds 1Gf,2Gf -o unequal-torus.xml
cat >two.clusters <<'END'
cluster A hosts=16x2Gf bandwidth=1.25GBps latency=5us
cluster B hosts=32x1Gf bandwidth=1.25GBps latency=5us
wan * * rtt=200us bandwidth=1GBps
END
cat >three.clusters <<'END'
cluster A hosts=4x4Gf bandwidth=100MBps latency=10us
cluster B hosts=8x2Gf bandwidth=100MBps latency=10us
cluster C hosts=20x1Gf bandwidth=100MBps latency=10us
wan * * rtt=1ms bandwidth=50MBps
END
"$haichi" platform hypercube:5 --speeds 1Gf:16,1.5Gf:8,3Gf:8 -o unequal-cube.xml
"$haichi" platform mesh:6x6 --speeds 3Gf:6,1Gf:30 -o unequal-square.xml
cat >four.clusters <<'END'
cluster A hosts=6x3Gf bandwidth=1GBps latency=2us
cluster B hosts=6x3Gf bandwidth=100MBps latency=20us
cluster C hosts=12x1.5Gf bandwidth=1GBps latency=2us
cluster D hosts=24x1Gf bandwidth=10GBps latency=1us
wan * * rtt=400us bandwidth=200MBps
END

# A line a case: trace, platform, load, seed of mapper random.
awk -v cases="$cases" -v seed="$seed" -v other="$([ "$set" = other ] && echo 1 || echo 0)" '
  function draw(n) { state = (state * 69069 + 1234567) % 4294967296; return int(state / 65536) % n }
  function one(list, part) { return part[1 + draw(split(list, part, " "))] }
  function other_trace(name) {
    name = one("ft is lu mg alltoall butterfly random collective")
    if (name == "ft" || name == "is" || name == "lu" || name == "mg") return "npb:" name "." one("S W") ".{1,2,4,8,16,32}"
    return name ":{2,4,6,8,16,24,32}:iterations=" one("8 20 50") ",size=" one("500 8000 150000") ",compute=" one("5e4 1e6") (name == "collective" ? ",call=" one("bcast alltoall") : "")
  }
  function trace(name) {
    if (other) return other_trace()
    name = one("bt sp lu lu cg mg ring stencil")
    if (name == "ring") return "ring:{2,4,8,16,32}:iterations=100,size=" one("1000 50000 200000") ",compute=" one("1e5 1e6")
    if (name == "stencil") return "stencil:{2,4,8}x4:iterations=60,size=" one("1000 50000 200000") ",compute=" one("1e5 1e6")
    if (name == "bt" || name == "sp") return "npb:" name "." one("S W") ".{1,4,9,16,25}"
    return "npb:" name "." one("S W") ".{2,4,8,16,32}"
  }
  BEGIN {
    for (state = seed * 7919 + 17; i < 10; i++) draw(2)
    if (other) {
      platforms = "unequal-cube.xml unequal-square.xml clusters:four.clusters dragonfly:groups=3,chassis=2,routers=3,nodes=2 star:36"
      loads = "- - tasks:8 noise:every=10ms,for=100us"
    } else {
      platforms = "unequal-mesh.xml unequal-torus.xml clusters:two.clusters clusters:three.clusters torus:4x4x2 fattree:k=6"
      loads = "- - tasks:4 flows:4,gap=1ms"
    }
    for (n = 0; n < cases; n++)
      print trace(), one(platforms), one(loads), draw(1000)
  }' >drawn
mapper=$([ "$set" = other ] && echo bisect || echo greedy)
while read -r trace platform load seed; do
  loads=$([ "$load" = - ] || echo "--background $load")
  # shellcheck disable=SC2086 # words
  "$haichi" predict --sweep -t "$trace" -p "$platform" --mapper xyz --mapper "$mapper" --mapper "random:seed=$seed" $loads -j "$jobs" --check -o found >out 2>err ||
    { echo "failed	$trace	$platform	$load	$(head -1 err)"; continue; }
  awk -F '\t' -v what="$trace	$platform	$load" '
    { x[$1] = $2 }
    END {
      printf "%s\t%.3f\t%.4f\t%.0f\t%d\t%s\t%s %s %s\t%s %s %s\n", x["found_best"], 100 * x["loss"], x["share_of_full_search"], x["full_search_cost"], x["choices"], what,
             x["trace"], x["hosts"], x["mapper"], x["full_trace"], x["full_hosts"], x["full_mapper"]
    }' out
done <drawn >table
cat table
awk -F '\t' '
  $1 == "failed" { failed++; next }
  { n++; best += $1 == "yes" || $2 == 0; if ($2 > worst) worst = $2; share += $3; cost += $3 * $4; full += $4 }
  END {
    printf "# %d cases, %d failed: the best is found in %d, loss %.2f %% at worst; share of the full search %.3f in the mean, %.3f of all together\n", n, failed, best, worst, share / n, cost / full
    exit failed > 0 || best < 0.9 * n || worst > 2 || cost > 0.1 * full || share > 0.1 * n
  }' table
