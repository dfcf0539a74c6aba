#!/bin/sh
# A mapper for haichi, as command:path=docs/examples/mapper.sh (docs/mappers.md): a walk through the
# machine, each host the nearest to the last one that has not been visited, is filled by a walk
# through the ranks, each one the heaviest partner of the last one.
# usage: mapper.sh TRAFFIC HOSTS DISTANCES RANKS RANKS_PER_HOST SEED
set -eu
awk -F '\t' -v ranks="$4" -v each="$5" -v seed="$6" '
  FNR == 1 { file++ }
  file == 1 && FNR > 1 && $1 != $2 { bytes[$1, $2] += $4; bytes[$2, $1] += $4 }
  file == 2 && FNR > 1 { name[hosts++] = $2 }
  file == 3 { for (k = 1; k <= NF; k++) far[FNR - 1, k - 1] = $k }

  # The walks take the lowest number of those that are equally good.
  function next_rank(last,   r, best) {
    best = -1
    for (r = 0; r < ranks; r++)
      if (!(r in placed) && (best < 0 || bytes[last, r] > bytes[last, best]))
        best = r
    return best
  }
  function next_host(last,   h, best) {
    best = -1
    for (h = 0; h < hosts; h++)
      if (!(h in visited) && (best < 0 || far[last, h] < far[last, best]))
        best = h
    return best
  }

  END {
    host = seed % hosts
    rank = 0
    for (n = 0; n < ranks; n++) {
      visited[host] = 1
      placed[rank] = name[host]
      if (n % each == each - 1)
        host = next_host(host)
      rank = next_rank(rank)
    }
    for (r = 0; r < ranks; r++)
      print placed[r]
  }' "$1" "$2" "$3"
