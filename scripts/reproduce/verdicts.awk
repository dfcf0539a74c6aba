# Verdicts on the statements of a paper, shared by the scripts that judge one: awk -f verdicts.awk -f PAPER.awk.
# A row of verdicts.tsv has the columns of verdicts_head().
#   section    where the paper makes the statement
#   statement  the paper's sentence in translation
#   paper      its value, or - if the sentence has none
#   here       the value of this run
#   interval   LOW..HIGH, 95 % over the seeds; LOW..HIGH at 99.9 % over runs of a measured time (measured_rows());
#              - if nothing is random
#   verdict    reproduced         the statement holds here, could have failed, and fitted no parameter
#              consistent         it holds, but the parameters in the column `fitted` were chosen by it
#              not reproduced     the reason is computed from the run
#              cannot be checked  the reason says what the paper leaves out or this machine lacks
#   fitted     NAME=VALUE of the fitted parameters, or -
#   reason     - for the first two verdicts

function verdicts_head() { print "section\tstatement\tpaper\there\tinterval\tverdict\tfitted\treason" }

# measured_rows(1): the values of the next rows are times measured on this machine, (0): they follow from seeds.  A paper
# has some 30 statements on measured times; intervals at 99.9 % leave a chance of 3 % that any of them is left by chance.
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

# A statement that was judged.  `fitted` names the parameters that this statement chose, if any.
function judge(section, statement, paper, here, interval, holds, reason, fitted) {
  verdict_row(section, statement, paper, here, interval,
    !holds ? "not reproduced" : fitted == "" ? "reproduced" : "consistent", fitted, reason)
}

function cannot_check(section, statement, paper, reason) {
  verdict_row(section, statement, paper, "-", "-", "cannot be checked", "-", reason)
}

# --- samples ------------------------------------------------------------------------------------

# sample_add(S, X) adds a value to sample S; the mean and the ends of its interval (Student's t) follow.
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

# The quantile of Student's t above which tail_share() lies: Abramowitz and Stegun, table 26.10 to 5 degrees of freedom,
# then formula 26.7.5.
function student(df,   t, z, g1, g2, g3) {
  split(measured ? "636.619 31.599 12.924 8.610 6.869" : "12.706 4.303 3.182 2.776 2.571", t, " ")
  if (df <= 5) return t[df]
  z = measured ? 3.290527 : 1.959964
  g1 = (z ^ 3 + z) / 4
  g2 = (5 * z ^ 5 + 16 * z ^ 3 + 3 * z) / 96
  g3 = (3 * z ^ 7 + 19 * z ^ 5 + 17 * z ^ 3 - 15 * z) / 384
  return z + g1 / df + g2 / df ^ 2 + g3 / df ^ 3
}

# Is the whole interval from low to high within `by` of the paper's value?
function within(low, high, paper, by) { return low >= paper - by && high <= paper + by }
