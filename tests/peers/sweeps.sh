#!/bin/sh
# usage: tests/peers/sweeps.sh BUILD [CASES] [SEED] [JOBS] [SET]
# Sweeps of CASES (20) random small cases against the full search, which simulates every choice completely: is the best choice
# found, how much longer does the choice take that is found, and what share of the simulated operations did the sweep need?  The
# sets other and third draw other programs, platforms, loads and mappers than set first, with which the search was developed.
# Exits 1 if a case fails, if less than 90 % find the best, if a loss is above 2 % or if the share is above 10 %.
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
"$haichi" platform mesh:3x3x4 --speeds 4Gf:12,2Gf:12,1Gf:12 -o three-speeds.xml
"$haichi" platform fattree:down=6x6,up=1x2,cables=1x1 --speeds 2.5Gf:9,1.2Gf:27 -o unequal-tree.xml
cat >far.clusters <<'END'
cluster A hosts=8x1Gf bandwidth=1GBps latency=5us
cluster B hosts=8x1.1Gf bandwidth=1GBps latency=5us
cluster C hosts=16x0.9Gf bandwidth=2GBps latency=5us
wan * * rtt=10ms bandwidth=20MBps
END

# A line for each case: trace, platform, load, seed of mapper random.
awk -v cases="$cases" -v seed="$seed" -v set="$set" '
  function draw(n) { state = (state * 69069 + 1234567) % 4294967296; return int(state / 65536) % n }
  function one(list, part) { return part[1 + draw(split(list, part, " "))] }
  function other_trace(name) {
    name = one("ft is lu mg alltoall butterfly random collective")
    if (name == "ft" || name == "is" || name == "lu" || name == "mg") return "npb:" name "." one("S W") ".{1,2,4,8,16,32}"
    return name ":{2,4,6,8,16,24,32}:iterations=" one("8 20 50") ",size=" one("500 8000 150000") ",compute=" one("5e4 1e6") (name == "collective" ? ",call=" one("bcast alltoall") : "")
  }
  function third_trace(name) {
    name = one("geometric stencil ring collective pingpong cg bt ft is")
    if (name == "geometric") return name ":{6,12,18,24,30}:iterations=" one("6 25 80") ",degree=3,size=" one("2000 30000 400000") ",compute=" one("1e5 3e6") ",seed=" draw(1000)
    if (name == "stencil") return name ":{2,3,4,6}x5:points=9,periodic,iterations=" one("6 40") ",size=" one("500 20000 300000") ",compute=" one("1e5 3e6") ",collective=" one("none allreduce iallreduce")
    if (name == "ring") return name ":{3,7,14,21,28}:iterations=" one("5 70") ",halo=ineighbor,size=" one("4000 100000") ",compute=" one("2e5 5e6") ",collective=allgather"
    if (name == "collective") return name ":{2,5,10,20,30}:iterations=" one("6 40") ",call=" one("allreduce allgather reduce scan") ",size=" one("800 100000") ",compute=" one("5e5 1e7")
    if (name == "pingpong") return name ":{2,4,8,16,32}:iterations=" one("20 90") ",size=" one("100 100000") ",compute=" one("1e4 1e6")
    if (name == "bt") return "npb:bt.W.{1,4,9,16,25}@" one("4 12")
    return "npb:" name "." one("S A") ".{1,2,4,8,16,32}@" one("4 8 12")
  }
  function trace(name) {
    if (set == "other") return other_trace()
    if (set == "third") return third_trace()
    name = one("bt sp lu lu cg mg ring stencil")
    if (name == "ring") return "ring:{2,4,8,16,32}:iterations=100,size=" one("1000 50000 200000") ",compute=" one("1e5 1e6")
    if (name == "stencil") return "stencil:{2,4,8}x4:iterations=60,size=" one("1000 50000 200000") ",compute=" one("1e5 1e6")
    if (name == "bt" || name == "sp") return "npb:" name "." one("S W") ".{1,4,9,16,25}"
    return "npb:" name "." one("S W") ".{2,4,8,16,32}"
  }
  BEGIN {
    for (state = seed * 7919 + 17; i < 10; i++) draw(2)
    if (set == "third") {
      platforms = "three-speeds.xml unequal-tree.xml clusters:far.clusters random-clusters:hosts=36,sizes=4+8+16,seed=" seed " hypercube:5"
      loads = "- - tasks:3 flows:6,size=200kB,gap=500us tasks:12 noise:every=3ms,for=60us"
    } else if (set == "other") {
      platforms = "unequal-cube.xml unequal-square.xml clusters:four.clusters dragonfly:groups=3,chassis=2,routers=3,nodes=2 star:36"
      loads = "- - tasks:8 noise:every=10ms,for=100us"
    } else {
      platforms = "unequal-mesh.xml unequal-torus.xml clusters:two.clusters clusters:three.clusters torus:4x4x2 fattree:k=6"
      loads = "- - tasks:4 flows:4,gap=1ms"
    }
    for (n = 0; n < cases; n++)
      print trace(), one(platforms), one(loads), draw(1000)
  }' >drawn
case $set in
first) mapper=greedy ;;
other) mapper=bisect ;;
third) mapper=auto ;;
*) echo "$0: no set named $set" >&2 && exit 2 ;;
esac
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
    printf "# %d cases, %d failed: the best is found in %d, loss %.2f %% at most; share of the full search %.3f on average, %.3f of all cases together\n", n, failed, best, worst, share / n, cost / full
    exit failed > 0 || best < 0.9 * n || worst > 2 || cost > 0.1 * full || share > 0.1 * n
  }' table
