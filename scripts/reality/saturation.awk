# Reads the calls of one cluster in load.tsv (cluster test active rank run start_ms ms).
# mode=summary: prints lines TEST ACTIVE MEAN_S SPREAD FEWEST.  Leaves out the first call of each sequence, and calls that take
#   more than ten times the median, since they open a connection or wait for TCP's timer (0.2 s).  FEWEST is the smallest
#   number of active ranks of the test.
# mode=tests: prints the samples with the fewest active ranks as tests of haichi calibrate.
function names() { test_of["send"] = "stream"; test_of["sendrecv_same"] = "exchange"; test_of["sendrecv_diff"] = "ring" }

BEGIN { names() }

$1 == cluster {
  key = $2 " " $3
  i = ++n[key]
  ms[key, i] = $7
  run[key, i] = $5
  if (!($2 in fewest) || $3 + 0 < fewest[$2])
    fewest[$2] = $3 + 0
}

# The median of the samples of a key.
function median(key,   i, j, k, m, x) {
  m = 0
  for (i = 1; i <= n[key]; i++) {
    for (j = m++; j > 0 && sorted[j] > ms[key, i]; j--)
      sorted[j + 1] = sorted[j]
    sorted[j + 1] = ms[key, i] + 0
  }
  return sorted[int((m + 1) / 2)]
}

function summary(key, test, active,   i, m, sum, squares, used, mean) {
  m = median(key)
  sum = squares = used = 0
  for (i = 1; i <= n[key]; i++)
    if (run[key, i] > 0 && ms[key, i] <= 10 * m) {
      used++
      sum += ms[key, i]
      squares += ms[key, i] * ms[key, i]
    }
  mean = sum / used
  printf "%s\t%d\t%.6g\t%.4f\t%d\n", test, active, mean / 1000,
         sqrt(squares / used > mean * mean ? squares / used - mean * mean : 0) / mean, fewest[test]
}

function tests(key, test,   i, m, name) {
  m = median(key)
  for (i = 1; i <= n[key]; i++) {
    name = run[key, i] > 0 ? test_of[test] : test == "sendrecv_same" ? "first-exchange" : ""
    if (name != "" && ms[key, i] <= 10 * m)
      printf "%s\t4000000\t%.9g\n", name, ms[key, i] / 1000
  }
}

END {
  if (mode == "tests")
    print "test\tsize\tseconds"
  for (key in n) {
    split(key, part, " ")
    if (mode == "summary")
      summary(key, part[1], part[2])
    else if (part[1] in test_of && part[2] == fewest[part[1]])
      tests(key, part[1])
  }
}
