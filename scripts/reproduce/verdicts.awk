# Functions for verdicts on the statements of a paper: awk -f verdicts.awk -f PAPER.awk.
# A row of verdicts.tsv has the columns of verdicts_head().
#   section    section of the paper that makes the statement
#   statement  the paper's sentence in translation
#   paper      the value in the sentence, or - if it has none
#   here       the value of this run
#   interval   LOW..HIGH, the 95 % interval over the seeds; LOW..HIGH at 99.9 %, the interval over the runs of a measured
#              time (measured_rows()); - if nothing is random
#   verdict    reproduced         the statement holds here, could have failed, and was not used to fit a parameter
#              consistent         the statement holds, but was used to fit the parameters in the column `fitted`
#              not reproduced     the statement does not hold here; the reason has values of the run
#              cannot be checked  the paper or this machine lacks something, which the reason names
#   fitted     NAME=VALUE of the fitted parameters, or -
#   reason     - for the first two verdicts

function verdicts_head() { print "section\tstatement\tpaper\there\tinterval\tverdict\tfitted\treason" }

# measured_rows(1): the values of the next rows are times measured on this machine; measured_rows(0): they are simulated, from
# seeds.  A paper has some 30 statements on measured times.  With intervals at 99.9 %, the probability that one or more of 30
# true values are outside of their intervals is 3 %.
function measured_rows(yes) { measured = yes }
function tail_share() { return measured ? 0.0005 : 0.025 }

function verdict_row(section, statement, paper, here, interval, verdict, fitted, reason) {
  if (verdict !~ /^(reproduced|consistent)$/ && (reason == "" || reason == "-")) {
    print "verdicts: no reason why \"" statement "\" is " verdict >"/dev/stderr"
    exit 1
  }
  printf "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", section, statement, paper == "" ? "-" : paper, here,
    interval == "" || interval == "-" ? "-" : interval (measured ? " at 99.9 %" : ""), verdict, fitted == "" ? "-" : fitted,
    verdict ~ /^(reproduced|consistent)$/ ? "-" : reason
}

# Prints the row of a statement that could be judged.  `fitted` names the parameters that were fitted to it, "" if none.
function judge(section, statement, paper, here, interval, holds, reason, fitted) {
  verdict_row(section, statement, paper, here, interval,
    !holds ? "not reproduced" : fitted == "" ? "reproduced" : "consistent", fitted, reason)
}

function cannot_check(section, statement, paper, reason) {
  verdict_row(section, statement, paper, "-", "-", "cannot be checked", "-", reason)
}

# --- samples ------------------------------------------------------------------------------------

# sample_add(S, X) adds a value to sample S.  The next functions are its mean, and half the width, the ends and the text of the
# interval of the mean (Student's t).
function sample_add(s, x) { sample_n[s]++; sample_sum[s] += x; sample_squares[s] += x * x }
function sample_mean(s) { return sample_sum[s] / sample_n[s] }
function sample_half(s,   n, v) {
  n = sample_n[s]
  if (n < 2) return 0
  v = (sample_squares[s] - sample_sum[s] * sample_sum[s] / n) / (n - 1)
  return student(n - 1) * sqrt((v > 0 ? v : 0) / n)
}
function sample_low(s) { return sample_mean(s) - sample_half(s) }
function sample_high(s) { return sample_mean(s) + sample_half(s) }
function sample_interval(s, format) {
  return sample_n[s] < 2 ? "-" : sprintf(format ".." format, sample_low(s), sample_high(s))
}

# The quantile of Student's t that is exceeded with probability tail_share(): for up to 5 degrees of freedom from table 26.10 of
# Abramowitz and Stegun, for more by formula 26.7.5.
function student(df,   t, z, g1, g2, g3) {
  split(measured ? "636.619 31.599 12.924 8.610 6.869" : "12.706 4.303 3.182 2.776 2.571", t, " ")
  if (df <= 5) return t[df]
  z = measured ? 3.290527 : 1.959964
  g1 = (z ^ 3 + z) / 4
  g2 = (5 * z ^ 5 + 16 * z ^ 3 + 3 * z) / 96
  g3 = (3 * z ^ 7 + 19 * z ^ 5 + 17 * z ^ 3 - 15 * z) / 384
  return z + g1 / df + g2 / df ^ 2 + g3 / df ^ 3
}

# True if the whole interval from low to high is within `by` of the paper's value.
function within(low, high, paper, by) { return low >= paper - by && high <= paper + by }
