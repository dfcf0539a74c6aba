# Prints the tables of reality.sh.  mode=sums: a row for each set; mode=page: both tables in Markdown, the sums first.
# tau is Kendall's tau-a: the number of concordant pairs less the number of discordant pairs, over the number of all pairs.

function abs(x) { return x < 0 ? -x : x }

function sign(x) { return (x > 0) - (x < 0) }

# Sorts v[1..n].
function sort(v, n,   i, j, x) {
  for (i = 2; i <= n; i++) {
    x = v[i]
    for (j = i - 1; j > 0 && v[j] > x; j--)
      v[j + 1] = v[j]
    v[j + 1] = x
  }
}

# Compares the measured times of a set with predicted[]; returns the fields of a row of the sums.
function sums_of(set, predicted,   i, j, k, e, largest, pairs, agree, m, n, within5, within10) {
  n = largest = within5 = within10 = agree = pairs = 0
  for (i = 1; i <= rows; i++)
    if (name[i] == set && predicted[i] != "-" && note[i] !~ /^calibration/)
      use[++n] = i
  for (i = 1; i <= n; i++) {
    k = use[i]
    error = predicted[k] / measured[k] - 1
    e[i] = abs(error)
    if (e[i] > abs(largest))
      largest = error
    within5 += e[i] <= 0.05
    within10 += e[i] <= 0.1
    for (j = 1; j < i; j++) {
      pairs++
      agree += sign((measured[k] - measured[use[j]]) * (predicted[k] - predicted[use[j]]))
    }
  }
  if (n == 0)
    return "0\t-\t-\t-\t-\t-"
  sort(e, n)
  m = n % 2 ? e[(n + 1) / 2] : (e[n / 2] + e[n / 2 + 1]) / 2
  return sprintf("%d\t%.1f\t%+.1f\t%.0f\t%.0f\t%s", n, 100 * m, 100 * largest, 100 * within5 / n,
                 100 * within10 / n, pairs > 0 ? sprintf("%.2f", agree / pairs) : "-")
}

mode == "sums" && FNR > 1 {
  i = ++rows
  if (!($1 in seen)) {
    seen[$1] = 1
    order[++sets] = $1
  }
  name[i] = $1; measured[i] = $3; ours[i] = $5; smpi[i] = $7; note[i] = $8
}

function bar(   i, line) {
  line = "|"
  for (i = 1; i <= NF; i++)
    line = line " " $i " |"
  print line
}

function rule(   i, line) {
  line = "|"
  for (i = 1; i <= NF; i++)
    line = line " --- |"
  print line
}

mode == "page" && FNR == 1 {
  if (NR == 1)
    print "## Summary\n"
  else
    print "\n## Configurations\n"
  bar()
  rule()
  next
}

mode == "page" && NR == FNR {
  picture[++pictures] = $1
  bar()
}

mode == "page" && NR > FNR {
  if (abs($6) > 0.1 && $6 != "-" && $8 == "-")
    $8 = "unexplained"
  $6 = $6 == "-" ? "-" : sprintf("%+.1f %%", 100 * $6)
  $4 = $4 == "-" ? "-" : sprintf("%.1f %%", 100 * $4)
  bar()
}

END {
  if (mode == "sums") {
    print "set\truns\tmedian_percent\tlargest_percent\twithin_5_percent\twithin_10_percent\ttau\t" \
          "smpi_runs\tsmpi_median_percent\tsmpi_largest_percent\tsmpi_within_5_percent\tsmpi_within_10_percent\tsmpi_tau"
    for (i = 1; i <= sets; i++)
      print order[i] "\t" sums_of(order[i], ours) "\t" sums_of(order[i], smpi)
  }
  if (mode == "page") {
    print "\n## Pictures\n"
    for (i = 1; i <= pictures; i++)
      print "![" picture[i] ": predicted against measured](reality/" picture[i] ".png)"
  }
}
