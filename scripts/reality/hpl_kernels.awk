# Prints the table of kernels of Linpack (docs/hpl.md), from kernels.tsv, dgemm_days.tsv and dgemm_cpu.tsv.
# -v model=DATE: date of the calibration of dgemm.  -v nodes=N: uses the first N nodes of the calibration.
# -v since=S: multiplies the cost of dgemm on each processor by the ratio of the means of its daily
# measurements after and before the date S (Unix time); 0: does not.
# A kernel that was not measured has the cost of the most similar kernel:
BEGIN {
  FS = OFS = "\t"
  like["HPL_dlaswp05T"] = like["HPL_dlaswp00N"] = "HPL_dlaswp01T" # copies rows from A to U
  like["HPL_dlaswp06T"] = "HPL_dlaswp04T"                         # copies rows from U to A
  like["HPL_dlaswp10N"] = "HPL_dlacpy"                            # copies columns
  like["dger"] = "dgemv"
  print "kernel", "host", "cpu", "mnk", "mn", "mk", "nk", "intercept", "sd_mnk", "sd_mn", "sd_mk", "sd_nk", "sd_intercept"
}
FNR == 1 {
  file++
  for (i = 1; i <= NF; i++)
    column[file, $i] = i
  next
}
function field(name) { return $column[file, name] }

# kernels.tsv: seconds per element and seconds per call
function put(kernel) {
  cube = field("size") ~ /\^2/
  print kernel, "*", "*", cube ? field("seconds_per_size") : 0, cube ? 0 : field("seconds_per_size"), 0, 0,
    field("seconds_per_call"), cube ? field("sd_per_size") : 0, cube ? 0 : field("sd_per_size"), 0, 0, field("sd_per_call")
}
file == 1 {
  put(field("kernel"))
  for (k in like)
    if (like[k] == field("kernel"))
      put(k)
}

# dgemm_days.tsv: daily measurements of dgemm on each processor
file == 2 && since {
  late = field("unix_time") >= since
  sum[field("node"), field("cpu"), late] += field("mnk")
  count[field("node"), field("cpu"), late]++
}
function drift(node, cpu) {
  if (!since || !count[node, cpu, 0] || !count[node, cpu, 1])
    return 1
  return sum[node, cpu, 1] / count[node, cpu, 1] / (sum[node, cpu, 0] / count[node, cpu, 0])
}

# dgemm_cpu.tsv: the calibrations of dgemm, with nodes in rising order
file == 3 && field("model") == model {
  if (!(field("node") in host))
    host[field("node")] = hosts++
  if (host[field("node")] >= nodes)
    next
  line = "dgemm" OFS host[field("node")] OFS field("cpu")
  for (i = column[file, "mnk"]; i <= column[file, "sd_intercept"]; i++)
    line = line OFS sprintf("%.9g", $i * drift(field("node"), field("cpu")))
  print line
}
END {
  if (hosts < nodes) {
    print "hpl_kernels.awk: calibration " model ": " hosts + 0 " of " nodes " nodes" > "/dev/stderr"
    exit 1
  }
}
