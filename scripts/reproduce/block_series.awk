# awk -v row=... -v timed=N -f block_series.awk blocks.tsv full.RANK.tsv
# Prints a line for computation and a line for communication of a PU, with three values.  The first is the deviation of the mean
# of the first FEW executions of a block from the median of the later executions, relative to this median: the largest value of
# the blocks with at least a tenth of the time of their kind.  The second, a control, is the same for FEW executions in the
# middle.  The third is the first execution of the block of the first value, relative to the median.
BEGIN { FEW = 4 }

function off(block, from,   i, sum) {
  for (i = from; i < from + FEW; i++) sum += time[block, i]
  sum = sum / FEW / later[block] - 1
  return sum < 0 ? -sum : sum
}

# Median of the executions after the first `timed` ones.
function median(block,   i, j, n, x, v) {
  for (i = timed + 1; i <= executions[block]; i++) {
    v = time[block, i]
    for (j = ++n; j > 1 && x[j - 1] > v; j--) x[j] = x[j - 1]
    x[j] = v
  }
  return n % 2 ? x[(n + 1) / 2] : (x[n / 2] + x[n / 2 + 1]) / 2
}

NR == FNR { kind[$1] = $2; next }
FNR == 1 { next }
{ total[$1] += $3 * $4; time[$1, $2] = $4; executions[$1] = $2 }
END {
  for (b in total) if (executions[b] > 2 * timed) all[kind[b]] += total[b]
  for (b in total) {
    k = kind[b]
    if (executions[b] <= 2 * timed || total[b] < all[k] / 10) continue
    later[b] = median(b)
    if (off(b, 1) >= first[k]) { first[k] = off(b, 1); one[k] = time[b, 1] / later[b] }
    if (off(b, int(executions[b] / 2) + 1) > control[k]) control[k] = off(b, int(executions[b] / 2) + 1)
  }
  for (k in all) printf "%s\t%s\t%.9g\t%.9g\t%.9g\n", row, k, first[k], control[k], one[k]
}
