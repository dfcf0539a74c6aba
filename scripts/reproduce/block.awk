# awk -f verdicts.awk -f block.awk -v settings=FILE settings.txt pus.tsv facts.tsv series.tsv runs.tsv
# The verdicts of block.sh.  Errors are relative to the time of the full run.  A value is the median over the runs of a
# source and setting.  The ends of its interval are order statistics that enclose the median with a probability of 95 %, or
# 99.9 % if times are measured.
BEGIN {
  FS = "\t"
  TOLERANCE = 0.01 # one percentage point: the paper says "about" and "1 % or less"
  WITHIN_1 = "As figure 2 shows, the proposed method has an error of 1 % or less in the unequal environment"
}

function size(x) { return x < 0 ? -x : x }

# --- medians ------------------------------------------------------------------------------------

function put(list, x) { item[list, ++items[list]] = x; sorted[list] = 0 }

function sort_list(list,   i, j, v) {
  if (sorted[list]) return
  for (i = 2; i <= items[list]; i++) {
    v = item[list, i]
    for (j = i; j > 1 && item[list, j - 1] > v; j--) item[list, j] = item[list, j - 1]
    item[list, j] = v
  }
  sorted[list] = 1
}

function median(list,   n) {
  sort_list(list)
  n = items[list]
  return n % 2 ? item[list, (n + 1) / 2] : (item[list, n / 2] + item[list, n / 2 + 1]) / 2
}

# Rank K of the lower end of the interval: the probability that fewer than K of n values are below the median is at most
# tail_share().
function end_rank(n,   k, p, sum) {
  p = 0.5 ^ n
  for (k = 0; k < n; k++) {
    sum += p
    if (sum > tail_share()) return k > 0 ? k : 1
    p *= (n - k) / (k + 1)
  }
  return 1
}

function low(list) { sort_list(list); return item[list, end_rank(items[list])] }
function high(list) { sort_list(list); return item[list, items[list] + 1 - end_rank(items[list])] }
function percent(x) { return sprintf("%.2f %%", 100 * x) }
function span(list) { return sprintf("%.2f..%.2f %%", 100 * low(list), 100 * high(list)) }
function ratio_span(list) { return sprintf("%.3f..%.3f", low(list), high(list)) }

# --- tables -------------------------------------------------------------------------------------

FILENAME ~ /settings.txt$/ { split($0, w,
  " "); setting_name[++setting_count] = w[1]; warm[w[1]] = w[2]; warm_unequal[w[1]] = w[3]; variation[w[1]] = w[4]; next }
FILENAME ~ /facts.tsv$/ { fact[$1] = $2; next }
FNR == 1 { next }
FILENAME ~ /pus.tsv$/ { pus[++pu_rows] = $1; pu_time[pu_rows] = $2; next }
FILENAME ~ /series.tsv$/ {
  group = $1 SUBSEP $2 SUBSEP $3
  put("first " $5 SUBSEP group, $6)
  put("excess " $5 SUBSEP group, $6 - $7)
  if ($5 == "communication") put("first one" SUBSEP group, $8)
  next
}
{
  group = $1 SUBSEP $2 SUBSEP $3
  run = group SUBSEP $4
  if (!(run in seen)) { seen[run]; runs[group]++; run_name[group, runs[group]] = run }
  e = size($13)
  key = run SUBSEP $5
  if (!(key in most) || e > most[key]) most[key] = e
  if (!(key in least) || e < least[key]) least[key] = e
  part = $6 < 4 ? "slow" : "fast"
  error[key, part] += e / 4
  communication[key, part] += $8
  lacking[key, part] += $12 - $9
  lacking_communication[key, part] += $11 - $8
  if ($5 == "joint") {
    full_communication[run, part] += $11
    if ($12 > full_time[run]) full_time[run] = $12
  }
}

# --- figures of a source and setting ------------------------------------------------------------

function collect(group,   i, run, j, s) {
  for (i = 1; i <= runs[group]; i++) {
    run = run_name[group, i]
    j = run SUBSEP "joint"
    s = run SUBSEP "separate"
    put("least joint" SUBSEP group, least[j])
    put("most joint" SUBSEP group, most[j])
    put("least separate" SUBSEP group, least[s])
    put("most separate" SUBSEP group, most[s])
    put("most settled" SUBSEP group, most[run, "settled"])
    put("joint over separate" SUBSEP group, most[j] - most[s])
    put("joint over settled" SUBSEP group, most[j] - most[run, "settled"])
    put("fast over slow" SUBSEP group, error[s, "fast"] - error[s, "slow"])
    if (lacking[s, "fast"] != 0)
      put("missing wait" SUBSEP group, lacking_communication[s, "fast"] / lacking[s, "fast"])
    put("wait separate" SUBSEP group, communication[s, "fast"] / full_communication[run, "fast"])
    put("wait joint" SUBSEP group, communication[j, "fast"] / full_communication[run, "fast"])
    if (lacking[j, "fast"] + lacking[j, "slow"] != 0)
      put("error of communication" SUBSEP group, (lacking_communication[j, "fast"] + lacking_communication[j,
        "slow"]) / \
        (lacking[j, "fast"] + lacking[j, "slow"]))
    put("full time" SUBSEP group, full_time[run])
  }
  collected[group] = 1
}

# Half the distance between the quartiles of the time of the full run, relative to its median.
function spread(group,   list, n) {
  list = "full time" SUBSEP group
  n = items[list]
  return (item[list, int(3 * n / 4 + 0.75)] - item[list, int(n / 4 + 0.75)]) / 2 / median(list)
}

# Standard error of the median time of the full run, relative to it, if times are normal with this spread.
function median_error(group) { return 1.2533 * 1.4826 * spread(group) / sqrt(runs[group]) }

# Calls judge() for a statement on errors.  Errors are relative to the time of the full run, so the statement cannot be checked
# if this time is measured and the standard error of its median is above the tolerance.
function judge_error(group, where, statement, paper, here, interval, holds, reason, fitted) {
  median("full time" SUBSEP group)
  if (measured && median_error(group) > TOLERANCE)
    verdict_row(where, statement, paper, here, interval, "cannot be checked", "-",
      sprintf("the median time of the full run is known to %.1f %% only, and errors must be within 1 point%s",
        100 * median_error(group), noise(group)))
  else
    judge(where, statement, paper, here, interval, holds, reason, fitted)
}

function noise(group) {
  median("full time" SUBSEP group)
  return sprintf("; the time of the full run varies by %.1f %% between %d runs", 100 * spread(group), runs[group])
}

# A part of a reason: the first execution of a communication block of PU 7, relative to later executions.
function first_wait(group) {
  return sprintf("; the first execution of a communication block takes %.1f times the median of the later ones",
    median("first one" SUBSEP group))
}

# --- rows ---------------------------------------------------------------------------------------

# The statement that the least and the largest error over the PUs are both within the tolerance of the paper's values.
function judge_range(where, statement, group, method, first, last, text, fitted,   a, b, ok_a, ok_b) {
  a = "least " method SUBSEP group
  b = "most " method SUBSEP group
  ok_a = within(low(a), high(a), first, TOLERANCE)
  ok_b = within(low(b), high(b), last, TOLERANCE)
  judge_error(group, where, statement, text, percent(median(a)) " to " percent(median(b)), span(a) "; " span(b), ok_a && ok_b,
    (ok_a ? "" : "the least error of a PU is not within 1 point of " percent(first)) (ok_a || ok_b ? "" : ", and ") \
    (ok_b ? "" : "the largest not within 1 point of " percent(last)) noise(group) \
    (method == "joint" ? first_wait(group) : ""), fitted)
}

# The statement that the values of a list are above the bound.  It holds if the interval is above the bound; differences of
# errors (bound 0) must exceed the tolerance.
function judge_above(where, statement, list, bound, group, what, fitted,   value, interval) {
  value = bound == 0 ? percent(median(list)) : sprintf("%.3f", median(list))
  interval = bound == 0 ? span(list) : ratio_span(list)
  judge_error(group, where, statement, "-", what ": " value, interval, low(list) > bound + (bound == 0 ? TOLERANCE : 0),
    what ": the interval, " interval ", " (high(list) > bound ? "reaches to or over " : "is not above ") \
      (bound == 0 ? "1 %" : bound) noise(group),
    fitted)
}

function judge_unequal(source, setting, fit_fast,   g, where, list, i) {
  g = source SUBSEP setting SUBSEP "unequal"
  where = "4, " source
  list = "most joint" SUBSEP g
  judge_error(g, where, WITHIN_1, "<= 1 %", percent(median(list)), span(list), high(list) <= TOLERANCE,
    "the largest error of a PU is " percent(median(list)) ", with interval " span(list) noise(g) first_wait(g),
    fit_fast)
  judge_range(where, "... where the earlier method has 2.6 to 25.3 %", g, "separate", 0.026, 0.253, "2.6 to 25.3 %")
  for (i = 1; i <= runs[g]; i++) put("gain" SUBSEP g, -item["joint over separate" SUBSEP g, i])
  judge_above(where, "... and the precision of the prediction rises", "gain" SUBSEP g, 0, g,
    "largest error, separate less joint", fit_fast)
  judge_fast_pus(where, g)
}

function judge_fast_pus(where, g,   a, b) {
  a = "fast over slow" SUBSEP g
  b = "missing wait" SUBSEP g
  judge_error(g, where, "The errors of the earlier method on PUs 4 to 7 show that it does not consider waits for " \
    "communication which unequal computing power causes", "-",
    "errors of PUs 4 to 7 less errors of PUs 0 to 3: " percent(median(a)) "; share of communication in the time " \
    "that the prediction lacks on PUs 4 to 7: " sprintf("%.3f", median(b)), span(a) "; " ratio_span(b),
    low(a) > TOLERANCE && low(b) > 0.5,
    (low(a) > TOLERANCE ? "" : "errors of PUs 4 to 7 do not exceed errors of PUs 0 to 3 by 1 point: " span(a)) \
    (low(a) > TOLERANCE || low(b) > 0.5 ? "" : "; ") \
    (low(b) > 0.5 ? "" : "communication is less than half of the time that the prediction lacks: " ratio_span(b)) \
    noise(g))
}

function judge_waits(source, setting,   g, a, b) {
  g = source SUBSEP setting SUBSEP "unequal"
  a = "wait separate" SUBSEP g
  judge("2, " source, "[If measured apart,] waits for communication that should arise do not arise", "-",
    sprintf("%.3f of the communication of the full run, on PUs 4 to 7", median(a)), ratio_span(a), high(a) < 1,
    "measured apart, communication takes " ratio_span(a) " of its time in the full run" noise(g))
  b = "wait joint" SUBSEP g
  judge("2, " source, "[By timing both in one run,] waits caused by unequal performance can be expected to arise", "-",
    sprintf("%.3f of the communication of the full run, apart %.3f", median(b), median(a)), ratio_span(b),
    low(b) > high(a),
    "the intervals of both methods, " ratio_span(b) " in one run and " ratio_span(a) " apart, overlap" noise(g))
}

function judge_equal(source, setting, fit,   g, where) {
  g = source SUBSEP setting SUBSEP "equal"
  where = "4, " source
  judge_range(where, "The result on equal PUs in figure 1 is that the proposed method has an error of about 9 %", g,
    "joint", 0.09, 0.09, "9 %", fit)
  judge_range(where, "... against 0.6 to 7.5 % of the earlier method", g, "separate", 0.006, 0.075, "0.6 to 7.5 %")
  judge_above(where, "... and the precision falls much even compared with the earlier method",
    "joint over separate" SUBSEP g, 0, g, "largest error, joint less separate", fit)
  judge_above(where, "The cause seems to be that waits for communication are not stable [and enter the mean]",
    "error of communication" SUBSEP g, 0.5, g, "share of communication in the error")
  judge_above(where, "A mechanism seems necessary that does not include times before convergence in the mean",
    "joint over settled" SUBSEP g, 0, g, "largest error, joint less settled", fit)
}

function judge_series(source, setting, fit,   g, cause) {
  g = source SUBSEP setting SUBSEP "equal"
  judge_above("4, figure 3, " source,
    "The time of a communication block of PU 7 is not stable in the first several iterations, then converges",
    "excess communication" SUBSEP g, 0, g, "distance from the later median, first 4 executions less 4 in the middle",
    fit)
  cause = "[The cause seems to be that] cache hits are not stable in the first several iterations of the loop"
  if (fit != "")
    cannot_check("4, " source, cause, "-", "the warm-up of computation is an input of the model: " fit)
  else
    judge_above("4, " source, cause, "excess computation" SUBSEP g, 0, g,
      "distance of computation from the later median, first 4 executions less 4 in the middle")
}

function judge_source(source, setting, fit, fit_fast) {
  if (index(" " sources " ", " " source " ") == 0) return
  if (!collected[source, setting, "equal"]) {
    cannot_check("4, " source, "Errors of both methods on equal and on unequal PUs", "",
      "no run of this source was made or succeeded")
    return
  }
  measured_rows(source != "model")
  judge_waits(source, setting)
  judge_unequal(source, setting, fit_fast)
  judge_equal(source, setting, fit)
  judge_series(source, setting, fit)
  measured_rows(0)
}

# The statement on unequal PUs, judged with another setting of the model.
function judge_other(name, fit,   g, list) {
  g = "model" SUBSEP name SUBSEP "unequal"
  if (!collected[g] || index(" " sources " ", " model ") == 0) return
  list = "most joint" SUBSEP g
  judge("4, model with setting " name, WITHIN_1, "<= 1 %", percent(median(list)), span(list), high(list) <= TOLERANCE,
    "with " fit ", fitted to the error on equal PUs, the largest error of a PU is " percent(median(list)) \
    ", with interval " span(list) first_wait(g))
}

# The name of a fitted warm-up: warm-up=M:FACTOR:KIND.
function warmup(name,   part) {
  split(warm_unequal[name], part, ":")
  return "warm-up=" part[1] ":" part[2] ":" part[4]
}

function judge_tools(   i, best, differ) {
  differ = fact["counts_differ"] " of " fact["counts"] " counts differ from the full run"
  judge("2, step 3", "Measure the number of executions; statements and communication that do not change it are left out",
    "-", differ, "-", fact["counts"] > 0 && fact["counts_differ"] == 0, differ)
  judge("2, step 4", "The predicted time is the sum over the blocks of mean time times number of executions", "-",
    sprintf("largest difference %.1e", fact["sum_differs"]), "-", fact["sum_differs"] < 1e-6,
    sprintf("the sum differs by up to %.2g from the prediction", fact["sum_differs"]))
  judge("3", "The tool shows for each PU the predicted totals of computation and communication and their ratio",
    "8 PUs", fact["ranks"] " PUs", "-", fact["ranks"] == 8 && fact["ratio_differs"] < 1e-4,
    sprintf("%d PUs; the ratio differs by up to %.2g", fact["ranks"], fact["ratio_differs"]))
  judge("2", "With loop counts reduced the prediction takes a short time", "-",
    sprintf("%.3f of the full run; bound here 0.5", fact["timed_share"]), "-", fact["timed_share"] < 0.5,
    sprintf("the timing run takes %.2f of the full run", fact["timed_share"]))
  for (i = 1; i <= pu_rows; i++) if (!best || pu_time[i] < pu_time[best]) best = i
  judge("1", "Performance rises with the number of PUs, but beyond some number it may fall", "-",
    sprintf("fastest on %d of up to %d PUs", pus[best], pus[pu_rows]), "-", best > 1 && best < pu_rows,
    sprintf("the model is fastest on %d PUs, and %d were the most tried", pus[best], pus[pu_rows]))
}

function judge_overhead(   g, share) {
  g = "mpirun" SUBSEP "measured" SUBSEP "equal"
  if (fact["mark_seconds"] == "" || !collected[g]) {
    cannot_check("2", "The real overhead is very small compared with the measured times", "",
      "no run under mpirun was made or succeeded")
    return
  }
  share = fact["marks"] * fact["mark_seconds"] / low("full time" SUBSEP g)
  judge("2, mpirun", "The real overhead is very small compared with the measured times",
    "< 0.6 %, the least error that the paper has", sprintf("%.4f %%: %d marks of %.0f ns", 100 * share,
    fact["marks"], 1e9 * fact["mark_seconds"]), "",
    share < 0.006, sprintf("marks take %.2f %% of the time", 100 * share))
}

# --- all settings -------------------------------------------------------------------------------

function equal_group(source, name) {
  return source SUBSEP (warm[name] == "-" ? "fast" : name) SUBSEP "equal"
}

function both(source, name,   e, a, b, u) {
  e = equal_group(source, name)
  u = source SUBSEP name SUBSEP "unequal"
  a = "least joint" SUBSEP e
  b = "most joint" SUBSEP e
  return within(low(a), high(a), 0.09, TOLERANCE) && within(low(b), high(b), 0.09, TOLERANCE) &&
    high("most joint" SUBSEP u) <= TOLERANCE
}

function setting_row(source, name,   e, u) {
  e = equal_group(source, name)
  u = source SUBSEP name SUBSEP "unequal"
  if (!collected[e] || !collected[u]) return
  measured_rows(source != "model")
  printf "%s\t%s\t%d\t%.2f\t%s\t%.2f\t%.2f\t%.2f\t%s\t%.2f\t%.2f\t%s\t%.2f\t%.2f\n", source, name, runs[u],
    100 * median("most joint" SUBSEP e), span("most joint" SUBSEP e),
    100 * median("least separate" SUBSEP e), 100 * median("most separate" SUBSEP e),
    100 * median("most joint" SUBSEP u), span("most joint" SUBSEP u),
    100 * median("least separate" SUBSEP u), 100 * median("most separate" SUBSEP u), both(source,
      name) ? "yes" : "no",
    100 * median("most settled" SUBSEP e), 100 * median("most settled" SUBSEP u) >settings
  measured_rows(0)
}

END {
  for (g in runs) collect(g)
  print "source\tsetting\truns\tequal_joint_percent\tinterval\tequal_separate_least\tequal_separate_most\tunequal_joint_percent\tinterval\tunequal_separate_least\tunequal_separate_most\tboth_results\tequal_settled_percent\tunequal_settled_percent" >settings
  for (i = 1; i <= setting_count; i++) setting_row("model", setting_name[i])
  setting_row("smpi", "measured")
  setting_row("mpirun", "measured")
  verdicts_head()
  judge_tools()
  judge_overhead()
  judge_source("model", "fast", warmup("fast"), warmup("fast") ",PUs=800 MHz")
  judge_other("all", warmup("all"))
  judge_other("communication", warmup("communication"))
  judge_source("smpi", "measured")
  judge_source("mpirun", "measured")
}
