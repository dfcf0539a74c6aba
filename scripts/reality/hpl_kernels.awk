# The table of kernels of Linpack (docs/hpl.md) from dgemm_cpu.tsv, kernels.tsv and dgemm_days.tsv.
# -v model=DATE: calibration of dgemm; -v nodes=N: the first N of its nodes; -v since=S: scales each
# processor by the mean of its measurements after S (unix time) over that before; 0: as measured.
# A kernel that was not measured gets the cost of the one most like it:
BEGIN {
  FS = OFS = "\t"
  like["HPL_dlaswp05T"] = like["HPL_dlaswp00N"] = "HPL_dlaswp01T" # rows between A and U
  like["HPL_dlaswp06T"] = "HPL_dlaswp04T"                         # and back
  like["HPL_dlaswp10N"] = "HPL_dlacpy"                            # columns
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

# kernels.tsv: seconds of an element and of a call
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

# dgemm_days.tsv
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

# dgemm_cpu.tsv: nodes in rising order
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
