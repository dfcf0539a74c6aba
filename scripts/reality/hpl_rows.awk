# Prints the rows of hpl.sh.  The first file has the predictions (set, configuration, seconds); factorial.tsv, geometry.tsv
# and matrix_size.tsv have the measured times and SMPI's published predictions.  The spread of measured times is their
# standard deviation over their mean.
BEGIN { FS = OFS = "\t" }
FNR == 1 {
  file++
  if (file > 1) {
    split("", column)
    for (i = 1; i <= NF; i++)
      column[$i] = i
    next
  }
}
function take(set, name, source, seconds) {
  key = set OFS name
  if (source == "smpi") {
    smpi[key] = seconds
  } else if (source == "real") {
    sum[key] += seconds
    squares[key] += seconds * seconds
    count[key]++
  }
}
file == 1 { predicted[$1, $2] = $3; order[++rows] = $1 OFS $2; next }
file == 2 { take("factorial", "nb" $column["nb"] "-depth" $column["depth"] "-bcast" $column["bcast"] "-swap" $column["swap"], $column["source"], $column["seconds"]) }
file == 3 { take("geometry", $column["p"] "x" $column["q"], $column["source"], $column["seconds"]) }
# SMPI's predictions with model D2_het: dgemm as a polynomial with noise for each socket, and a random network
file == 4 && $column["set"] == "matrix_size" && ($column["source"] == "real" ? $column["date"] ~ /^2019-03/ : $column["model"] == "D2_het") {
  take("sizes", "n" $column["n"], $column["source"], $column["seconds"])
}
END {
  for (i = 1; i <= rows; i++) {
    key = order[i]
    split(key, part, OFS)
    n = count[key]
    mean = sum[key] / n
    variance = n > 1 ? (squares[key] - n * mean * mean) / (n - 1) : 0
    p = predicted[part[1], part[2]]
    printf "%s\t%s\t%.6g\t%.2g\t%.6g\t%.4f\t%s\t-\n", part[1], part[2], mean, sqrt(variance > 0 ? variance : 0) / mean, p, p / mean - 1, key in smpi ? smpi[key] : "-"
  }
}
