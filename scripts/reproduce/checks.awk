# Judges a statement by bounds on samples: check() adds a bound, and checks_judge() prints the row of verdicts.tsv.
# awk -f verdicts.awk -f checks.awk -f PAPER.awk

# Requires that the mean of sample S, with its interval, is above LOW and below HIGH; "": no bound.
function check(label, s, low, high) {
  check_count++
  check_label[check_count] = label
  check_sample[check_count] = s
  check_low[check_count] = low
  check_high[check_count] = high
}

function check_number(x) { return sprintf(x >= 99.5 || x <= -99.5 ? "%.0f" : x >= 9.95 ? "%.1f" : "%.3f", x) }
function check_bounds(low, high) {
  return low == "" ? "below " high : high == "" ? "above " low : "in " low ".." high
}
function check_inside(x, low, high) { return (low == "" || x > low) && (high == "" || x < high) }

# Returns "" if the check holds; if not, the reason.
function check_failure(k,   s, low, high, mean) {
  s = check_sample[k]
  low = check_low[k]
  high = check_high[k]
  if (!sample_n[s]) return check_label[k] ": not measured"
  mean = sample_mean(s)
  if (!check_inside(mean, low, high))
    return check_label[k] ": " check_number(mean) ", not " check_bounds(low, high)
  if (check_inside(sample_low(s), low, high) && check_inside(sample_high(s), low, high)) return ""
  return check_label[k] ": undecided, " sample_interval(s, "%.3f") " is not all " check_bounds(low, high)
}

# Judges the checks added since the last row.  `why`, unless "", follows the reason of a failure.  A statement with a value
# that this run did not measure cannot be checked.
function checks_judge(section, statement, paper, fitted, why,   k, here, interval, reason, failure, missing) {
  for (k = 1; k <= check_count; k++) {
    here = here (k > 1 ? ", " : "") check_label[k] " " \
      (sample_n[check_sample[k]] ? check_number(sample_mean(check_sample[k])) : "-")
    if (sample_n[check_sample[k]] > 1)
      interval = interval (interval == "" ? "" : ", ") sample_interval(check_sample[k], "%.3f")
    if (!sample_n[check_sample[k]]) missing = missing (missing == "" ? "" : ", ") check_label[k]
    failure = check_failure(k)
    if (failure != "") reason = reason (reason == "" ? "" : "; ") failure
  }
  if (check_count == 0 || missing != "") {
    check_count = 0
    cannot_check(section, statement, paper, "not measured in this run" (missing == "" ? "" : ": " missing))
    return
  }
  if (reason != "" && why != "") reason = reason " (" why ")"
  judge(section, statement, paper, here, interval, reason == "", reason, fitted)
  check_count = 0
}
