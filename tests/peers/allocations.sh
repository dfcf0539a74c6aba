#!/bin/sh
# usage: tests/peers/allocations.sh BUILD TOPOLOGY SINFO
# Mapper auto on random allocations of a machine: TOPOLOGY is what `scontrol show topology` prints, SINFO what `sinfo`
# prints.  Compares the load of the fullest link between switches, and hop-bytes, with the alphabetical order of Slurm (xyz),
# with the hosts sorted by switch and with Scotch.  Environment, with defaults:
#   CASES (1000) SEED (1)   SIZES ("64 128 256 512")   JOBS (2: cases at a time)   MAPPER (auto)
#   GRAPHS ("grid2 grid3 shuffled2 shuffled3 geometric cg bt mg": one for each allocation, in turn)
#   KEEP=DIR: keeps the allocations and the table
# An allocation: idle nodes are free; nodes that are down or drained are not.  The others belong to jobs: each job has 1 to
# 256 nodes that follow each other in the order of their names, and a random share of the jobs has ended.  A third of the
# allocations takes the free nodes in the order of their names, from a random one on; a third takes the switches with the
# most free nodes first; a third draws the nodes.
set -eu
[ $# -eq 3 ] || {
  sed -n '2p' "$0" | cut -c3- >&2
  exit 2
}
haichi=$(cd "$1" && pwd)/haichi topology=$2 sinfo=$3
: "${CASES:=1000}" "${SEED:=1}" "${SIZES:=64 128 256 512}" "${JOBS:=2}" "${MAPPER:=auto}"
: "${GRAPHS:=grid2 grid3 shuffled2 shuffled3 geometric cg bt mg}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
keep=${KEEP:-$work}
mkdir -p "$keep"

# allocate SEED SIZE: prints names and switches of the nodes, in alphabetical order
allocate() {
  awk '
    function expand(list, out,   n, word, open, close_, parts, k, i, range, from, to, width, count) {
      count = 0
      while (list != "") {
        if (!match(list, /^[^,[]+(\[[^]]*\])?/)) { list = substr(list, 2); continue }
        word = substr(list, 1, RLENGTH)
        list = substr(list, RLENGTH + 2)
        open = index(word, "[")
        if (open == 0) { out[++count] = word; continue }
        n = split(substr(word, open + 1, length(word) - open - 1), parts, ",")
        for (k = 1; k <= n; k++) {
          if (split(parts[k], range, "-") == 1) range[2] = range[1]
          width = length(range[1])
          for (i = range[1] + 0; i <= range[2] + 0; i++) out[++count] = substr(word, 1, open - 1) sprintf("%0" width "d", i)
        }
      }
      return count
    }
    FNR == NR {
      if ($0 !~ /Level=0/) next
      name = $1; sub(/.*=/, "", name)
      list = $0; sub(/.*Nodes=/, "", list); sub(/ .*/, "", list)
      n = expand(list, node)
      for (i = 1; i <= n; i++) leaf[node[i]] = name
      next
    }
    $5 ~ /^(idle|alloc|mix|comp)/ {
      n = expand($6, node)
      for (i = 1; i <= n; i++) if ((node[i] in leaf) && !(node[i] in state)) state[node[i]] = $5 ~ /^idle/ ? "idle" : "busy"
    }
    END {
      for (name in state) print state[name], name, leaf[name] | "sort -k2,2"
    }' "$topology" "$sinfo" | awk -v seed="$1" -v size="$2" '
    function below(n) { return int(rand() * n) }
    BEGIN { srand(seed); share = 0.05 + 0.45 * rand() }
    {
      if ($1 == "busy") {
        if (left-- <= 0) { left = int(exp(rand() * log(256))); ended = rand() < share }
        if (!ended) { spare[++spares] = $2; home[$2] = $3; next }
      }
      free[++n] = $2; home[$2] = $3
    }
    END {
      # More jobs end until there are enough nodes.
      for (i = 1; n < size && i <= spares; i++) free[++n] = spare[i]
      kind = seed % 3
      if (kind == 0) { start = below(n); for (i = 1; i <= size; i++) take[i] = free[(start + i - 1) % n + 1] }
      else if (kind == 1) {
        for (i = 1; i <= n; i++) count[home[free[i]]]++
        for (i = 1; i <= n; i++) printf "%d %s %s\n", 1e6 - count[home[free[i]]], home[free[i]], free[i] | "sort"
        close("sort")
        exit
      } else {
        for (i = 1; i <= size; i++) { k = i + below(n - i + 1); t = free[i]; free[i] = free[k]; free[k] = t; take[i] = free[i] }
      }
      for (i = 1; i <= size; i++) print 0, home[take[i]], take[i]
    }' | head -n "$2" | awk '{ print $3, $2 }' | sort
}

# sides DIMENSIONS SIZE: prints factors of SIZE of nearly the same size
sides() {
  awk -v dims="$1" -v n="$2" 'BEGIN {
    for (; dims > 0; dims--) {
      a = int(n ^ (1 / dims) + 1e-9)
      while (n % a) a--
      printf "%d%s", a, (dims > 1 ? "x" : "")
      n /= a
    }
  }'
}

# Traffic of grids with ranks in order and shuffled, of the benchmarks, and a random geometric graph: points in a square, with
# neighbours within 1.6 mean distances.
for size in $SIZES; do
  square=$(awk -v n="$size" 'BEGIN { k = int(sqrt(n) + 1e-9); print k * k }')
  for d in 2 3; do
    "$haichi" trace matrix "stencil:$(sides $d "$size")" -o "$work/grid$d.$size"
    "$haichi" trace matrix "stencil:$(sides $d "$size")" --shuffle "$SEED" -o "$work/shuffled$d.$size"
  done
  "$haichi" trace matrix "npb:cg.C.$size@1" -o "$work/cg.$size"
  "$haichi" trace matrix "npb:mg.C.$size@1" -o "$work/mg.$size"
  "$haichi" trace matrix "npb:bt.C.$square@1" -o "$work/bt.$size"
  awk -v n="$size" -v seed="$SEED" 'BEGIN {
    srand(seed)
    print "src\tdst\tmessages\tbytes"
    for (i = 0; i < n; i++) { x[i] = rand(); y[i] = rand() }
    for (i = 0; i < n; i++)
      for (k = 0; k < n; k++)
        if (i != k && (x[i] - x[k]) ^ 2 + (y[i] - y[k]) ^ 2 < 2.56 / n) printf "%d\t%d\t1\t65536\n", i, k
    }' >"$work/geometric.$size"
done

# score MAPPING TRAFFIC: prints hop-bytes and the load of the fullest link between switches.  The cables of hosts are so
# fast here that they never have the largest load in seconds.
score() {
  "$haichi" metrics "$1" -p "slurm:$topology,bandwidth=1000000GBps+1GBps+1GBps+1GBps" --matrix "$2" |
    awk -F '\t' '{ v[$1] = $2 } END { printf "%.0f\t%.0f", v["hop_bytes"], v["max_link_load_s"] * 1e9 }'
}

# bound CASE TRAFFIC: prints a load that the fullest link between switches has at least, with any mapping.  If the ranks that
# are joined by pairs of at least B bytes do not fit on the switch with the most nodes, one of these pairs is on two switches.
bound() {
  awk -F '\t' 'FNR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    $at["src"] != $at["dst"] { print $at["bytes"], $at["src"], $at["dst"] }' "$2" | sort -rn |
    awk -v most="$(cut -d ' ' -f 2 "$work/nodes.$1" | sort | uniq -c | sort -rn | awk 'NR == 1 { print $1 }')" '
      function root(v) { while (v in up) v = up[v]; return v }
      !done {
        a = root($2); b = root($3)
        if (a == b) next
        up[a] = b
        size[b] += (size[a] ? size[a] : 1) + (size[b] ? 0 : 1)
        if (size[b] > most) { print $1; done = 1 }
      }
      END { if (!done) print 0 }'
}

# one_case CASE: writes the lines of the case to its own table
one_case() {
  # shellcheck disable=SC2086
  graphs=$(echo $GRAPHS | wc -w)
  # shellcheck disable=SC2086
  size=$(echo $SIZES | cut -d ' ' -f $(($1 / graphs % $(echo $SIZES | wc -w) + 1)))
  # shellcheck disable=SC2086
  name=$(echo $GRAPHS | cut -d ' ' -f $(($1 % graphs + 1)))
  traffic=$work/$name.$size
  allocate $((SEED * 100000 + $1)) "$size" >"$work/nodes.$1"
  [ "$(wc -l <"$work/nodes.$1")" -eq "$size" ] || {
    echo "$0: too few nodes for an allocation of $size" >&2
    return 1
  }
  cut -d ' ' -f 1 "$work/nodes.$1" >"$work/names.$1"
  sort -k2,2 -k1,1 "$work/nodes.$1" | cut -d ' ' -f 1 >"$work/switches.$1"
  least=$(bound "$1" "$traffic")
  for mapper in xyz switches "$MAPPER" scotch; do
    hosts=$work/names.$1 spec=$mapper
    [ "$mapper" != switches ] || hosts=$work/switches.$1 spec=xyz
    /usr/bin/time -f %U -o "$work/time.$1" "$haichi" map "$spec" -p "slurm:$topology" --hosts "$hosts" --matrix "$traffic" \
      --threads 1 -o "$work/map.$1" 2>"$work/notes.$1" || {
      cat "$work/notes.$1" >&2
      return 1
    }
    printf '%d\t%d\t%s\t%s\t%s\t%s\t%s\n' "$1" "$size" "$name" "$mapper" "$(score "$work/map.$1" "$traffic")" \
      "$(tail -n 1 "$work/time.$1")" "$least"
  done >"$work/table.$1"
  rm -f "$work/map.$1" "$work/time.$1" "$work/notes.$1"
}

job=0 jobs=
while [ "$job" -lt "$JOBS" ]; do
  (
    trap - EXIT
    i=$job
    while [ "$i" -lt "$CASES" ]; do
      one_case "$i"
      i=$((i + JOBS))
    done
  ) &
  jobs="$jobs $!"
  job=$((job + 1))
done
for job in $jobs; do wait "$job"; done
{
  printf 'case\tranks\tgraph\tmapper\thop_bytes\tswitch_load_bytes\tcpu_s\tbound_bytes\n'
  i=0
  while [ "$i" -lt "$CASES" ]; do
    cat "$work/table.$i"
    i=$((i + 1))
  done
} >"$keep/allocations.tsv"
awk -F '\t' -v mapper="$MAPPER" 'NR > 1 { hops[$1, $4] = $5; load[$1, $4] = $6; bound[$1] = $8; n = $1 + 1; if ($4 == mapper && $7 > most[$2]) most[$2] = $7 }
  END {
    split("xyz switches scotch", rivals, " ")
    for (k = 1; k <= 3; k++) {
      r = rivals[k]
      no_larger = smaller = hops_above = proven = 0
      for (i = 0; i < n; i++) {
        no_larger += load[i, mapper] <= load[i, r]
        smaller += load[i, mapper] < load[i, r]
        proven += load[i, r] <= bound[i]
        hops_above += hops[i, mapper] > hops[i, r]
      }
      printf "%s: fullest link between switches no larger in %.1f %%, smaller in %.1f %% of %d cases, possible in at most %d; more hop-bytes in %d\n",
        r, 100 * no_larger / n, 100 * smaller / n, n, n - proven, hops_above
    }
    for (size in most) printf "%d ranks: at most %.2f s of CPU\n", size, most[size] | "sort -n"
  }' "$keep/allocations.tsv"
