#!/bin/sh
# usage: tests/peers/reorder.sh BUILD [TOPOLOGY]
# haichi_reorder() in one process: simulated time of a halo exchange with the new order of ranks beside the original order, and
# hop-bytes beside Scotch's; grids and weighted graphs on tori, meshes, fat trees, dragonflies, and on random hosts of TOPOLOGY,
# the output of `scontrol show topology`.  Then CPU time and memory with 4,096 ranks.  Exits 1 if an order is slower than the
# original one, if the mean time from shuffled orders is above 0.8 of the original one, if mean hop-bytes are not below Scotch's,
# or if a mapping takes more than 0.1 s of CPU on a whole machine, 1 s on random hosts, or 50 MB.  Environment, with defaults:
#   SIZES ("64 256 512"): of 64 256 512 1024 4096; empty: the costs alone   SEED (1): of the first graph and order
#   RUNS (3): the least of their CPU times counts; 0: no costs   KEEP=FILE: keeps the table
set -eu
[ $# -ge 1 ] || {
  sed -n '2p' "$0" | cut -c3- >&2
  exit 2
}
build=$(cd "$1" && pwd) topology=${2-}
: "${SIZES=64 256 512}" "${SEED:=1}" "${RUNS:=3}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
table=${KEEP:-$work/table}
printf 'platform\tgraph\torder\tranks\tmoved\ttime_before_s\ttime_after_s\testimate_before_s\testimate_after_s\thop_bytes_before\thop_bytes_after\thop_bytes_scotch\tcpu_s\tmemory_kB\n' >"$table"

# platforms RANKS: prints platforms with at least as many hosts
platforms()
{
  case $1 in
  64) echo 'torus:4x4x4 torus:16x4 mesh:8x8 fattree:k=8 fattree:down=8x8,up=1x4,cables=1x1 dragonfly:groups=4,chassis=4,routers=2,nodes=2' ;;
  256) echo 'torus:16x16 torus:8x8x4 mesh:16x16 fattree:down=16x16,up=1x4,cables=1x1 dragonfly:groups=4,chassis=4,routers=8,nodes=2' ;;
  512) echo 'torus:8x8x8 torus:32x16 mesh:8x8x8 fattree:down=16x32,up=1x8,cables=1x1 dragonfly:groups=8,chassis=4,routers=8,nodes=2' ;;
  1024) echo 'torus:16x8x8 fattree:down=16x64,up=1x8,cables=1x1 dragonfly:groups=8,chassis=4,routers=8,nodes=4' ;;
  4096) echo 'torus:16x16x16 torus:64x64 fattree:k=26 fattree:down=16x16x16,up=1x8x8,cables=1x1x1 dragonfly:groups=16,chassis=4,routers=16,nodes=4' ;;
  esac
}

# graphs RANKS: prints grids, one of them periodic, and weighted graphs
graphs()
{
  case $1 in
  64) echo "grid:8x8 grid:4x4x4 pgrid:16x4 geometric:64" ;;
  256) echo "grid:16x16 grid:8x8x4 pgrid:32x8 geometric:256" ;;
  512) echo "grid:32x16 grid:8x8x8 pgrid:32x4x4 geometric:512" ;;
  1024) echo "grid:32x32 pgrid:16x8x8 geometric:1024" ;;
  4096) echo "grid:64x64 pgrid:16x16x16 geometric:4096" ;;
  esac
  echo "scalefree:$1"
}

# draw PLATFORM RANKS SEED: prints hosts drawn at random, in the order of their names
draw()
{
  hosts=$("$build/haichi" platform --info "$1" | sed -n 's/^hosts	//p')
  "$build/haichi" map xyz -p "$1" --ranks "$hosts" | awk -v n="$2" -v seed="$3" '
    BEGIN { srand(seed) }
    { name[NR] = $0 }
    END { for (i = 1; i <= n; i++) { k = i + int(rand() * (NR - i + 1)); t = name[i]; name[i] = name[k]; name[k] = t; print name[i] } }' | sort
}

seed=$SEED
for ranks in $SIZES; do
  [ -z "$topology" ] || draw "slurm:$topology" "$ranks" "$ranks" >"$work/hosts"
  for platform in $(platforms "$ranks") ${topology:+slurm:"$topology"}; do
    for graph in $(graphs "$ranks"); do
      for order in list shuffled; do
        case $platform in
        slurm:*) "$build/tests/peers/reorder" "$platform" "$graph" $order $seed "$work/hosts" ;;
        *) "$build/tests/peers/reorder" "$platform" "$graph" $order $seed ;;
        esac >>"$table"
        seed=$((seed + 1))
      done
    done
  done
done

status=0
awk -F'\t' -v sizes="$SIZES" '
  NR == 1 { next }
  {
    cases++
    worse += $7 > 1.0001 * $6
    if ($7 > 1.0001 * $6)
      printf "slower: %s %s %s %d ranks: %g s, before %g s\n", $1, $2, $3, $4, $7, $6
    if ($3 == "shuffled") {
      shuffled++
      time += log($7 / $6)
    }
    if ($3 == "shuffled" && $12 > 0 && $11 > 0) {
      hops += log($11 / $12)
      compared++
    }
    stayed += !$5
    weighted += $2 ~ /geometric|scalefree/
  }
  END {
    if (cases == 0)
      exit sizes != ""
    printf "%d cases, %d with weighted graphs: %d slower than the original order, %d stayed\n", cases, weighted, worse, stayed
    printf "shuffled orders: time %.3f of the original in geometric mean (%d cases), hop-bytes %.3f of Scotch\n",
      exp(time / shuffled), shuffled, exp(hops / compared)
    exit worse > 0 || time / shuffled > log(0.8) || hops >= 0
  }' "$table" || status=1

# cost PLATFORM SECONDS [HOSTS]: maps two grids in shuffled order; each may take so many seconds of CPU time
cost()
{
  for graph in grid:64x64 grid:16x16x16; do
    for run in $(seq "$RUNS"); do
      QUICK=$run "$build/tests/peers/reorder" "$1" $graph shuffled 1 ${3:+"$3"} || exit 1
    done | sort -t '	' -k 13,13n | head -n 1 | awk -F'\t' -v limit="$2" -v hosts="${3:+4096 random hosts of }" '
      {
        printf "%s%s, %s: %.3f s of CPU, %.0f MB, estimated time %.2f of the shuffled order\n", hosts, $1, $2, $13, $14 * 1024e-6, $9 / $8
        good = $13 <= limit && $14 * 1024 <= 50e6
      }
      END { exit !good }' || status=1
  done
}

if [ "$RUNS" -gt 0 ]; then
  for platform in $(platforms 4096); do
    cost "$platform" 0.1
  done
  for platform in ${topology:+slurm:"$topology"} torus:32x16x16; do
    draw "$platform" 4096 4096 >"$work/hosts"
    cost "$platform" 1 "$work/hosts"
  done
fi
exit $status
