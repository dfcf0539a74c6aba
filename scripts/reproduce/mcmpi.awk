# Judges the statements of the paper on MC-MPI, in the order of its sections, by values.tsv of mcmpi.sh: awk -f
# verdicts.awk -f mcmpi.awk.  Columns of values.tsv: figure, row, column, seed, quantity, value.  A bound that the
# paper does not give is in parentheses after the statement.
{
  key = $1 SUBSEP $2 SUBSEP $3 SUBSEP $5
  value[key, $4] = $6
  if ($4 != "-") seed[key] = seed[key] " " $4
  if ($6 + 0 == $6) sample_add(key, $6)
  if ($1 == "q") { if (!($2 in instance)) instances[++n_instances] = $2; instance[$2] = 1 }
  if ($1 == 6 && !($2 in sized)) { sized[$2] = 1; size[++sizes] = $2 }
  if ($1 == 7 && !($2 in used)) { used[$2] = 1; n_used++ }
}

# --- values -------------------------------------------------------------------------------------

function k(figure, row, column, quantity) { return figure SUBSEP row SUBSEP column SUBSEP quantity }
function of(figure, row, column, quantity) {
  if (!has(figure, row, column, quantity)) {
    print "mcmpi.awk: no " quantity " of " figure ", " row ", " column >"/dev/stderr"
    exit failed = 1
  }
  return sample_mean(k(figure, row, column, quantity))
}
function low(figure, row, column, quantity) { return sample_low(k(figure, row, column, quantity)) }
function high(figure, row, column, quantity) { return sample_high(k(figure, row, column, quantity)) }
function has(figure, row, column, quantity) { return k(figure, row, column, quantity) in sample_n }
function range(s, format) { return sample_interval(s, format) }

# Makes the sample of the percent by which time a is above time b, seed by seed, and returns its name; a or b may
# have no seeds.
function more(a, b,   s, i, n, list, x, y) {
  s = "more " (samples += 1)
  n = split(seed[a] != "" ? seed[a] : seed[b], list, " ")
  for (i = 1; i <= (n ? n : 1); i++) {
    x = (a, list[i]) in value ? value[a, list[i]] : value[a, "-"]
    y = (b, list[i]) in value ? value[b, list[i]] : value[b, "-"]
    if (x == "" || y == "") continue # only a or b has this seed
    sample_add(s, 100 * (x / y - 1))
  }
  return s
}
function seconds(figure, row, column) { return k(figure, row, column, "seconds") }
function slower(figure, row, column, than) { return more(seconds(figure, row, column), seconds(figure, row, than)) }
function show(s) { return sprintf("%+.1f", sample_mean(s)) }
function ends(s) { return sample_n[s] < 2 ? "" : sprintf(" (%.1f..%.1f)", sample_low(s), sample_high(s)) }
function about(s, from, to) { return sample_low(s) >= from && sample_high(s) <= to }
function ours(section, statement, paper, here, interval, holds, reason, fitted) {
  if (ranks != 256) reason = "the paper has 256 processes, this run " ranks "; " reason
  judge(section, statement, paper, here, interval, holds, reason, fitted)
}
function percent_of_pairs(pairs) { return 100 * pairs / (ranks * (ranks - 1) / 2) }

# --- 3: connections -----------------------------------------------------------------------------

function table1(   n, names, paper, i, b, here, tree, most, at, fitted, sure) {
  n = split("bt ep is lu mg sp", names, " ")
  split("5.5 0.78 100 4.6 5.4 5.5", paper, " ")
  fitted = "collectives=allreduce:rdb,reduce:binomial"
  for (i = 1; i <= n; i++) {
    b = names[i]
    if (!has("t1", b, "chosen", "pairs")) continue
    here = percent_of_pairs(of("t1", b, "chosen", "pairs"))
    tree = percent_of_pairs(of("t1", b, "tree", "pairs"))
    sure = b == "is" # in IS each pair of ranks exchanges keys with any algorithms
    ours("3.1, table 1", toupper(b) ": pairs of processes that communicate (within 0.1 points)", paper[i] " %",
      sprintf("%.2f %%", here), "-", here - paper[i] <= 0.1 && paper[i] - here <= 0.1,
      sprintf("with all collectives along one binomial tree %.2f %%, but then BT has %.2f %%", tree,
        percent_of_pairs(of("t1", "bt", "tree", "pairs"))), sure ? "" : fitted)
    if (b != "is" && here > most) { most = here; at = b }
  }
  if (most) ours("3.1", "the pairs of processes that communicate in BT, EP, LU, MG and SP are 6 % or fewer", "at most 6 %",
    sprintf("%.2f %% (%s)", most, toupper(at)), "-", most <= 6, at " has more", fitted)
}

function connections(   s) {
  if (!has("t2", 2, "open", "opened")) return
  s = k("t2", 2, "open", "attempted_between_clusters")
  ours("3.3", "without firewalls each process opens beta log2(n / beta) + beta - 1 connections (beta 2)",
    log_two(ranks / 2) * 2 + 1, of("t2", 2, "open", "selected_per_process"),
    range(k("t2", 2, "open", "selected_per_process"), "%g"),
    about(k("t2", 2, "open", "selected_per_process"), log_two(ranks / 2) * 2 + 1, log_two(ranks / 2) * 2 + 1),
    "a process selects " of("t2", 2, "open", "selected_per_process"))
  ours("3.3", "beta n log2 c of all connections are between the c clusters (beta 2)", 4 * ranks, sample_mean(s),
    range(s, "%g"), about(s, 4 * ranks, 4 * ranks), sample_mean(s) " are attempted")
  s = more(k("t2", 2, "open", "opened"), k("t2", 2, "platform", "opened"))
  ours("3.3", "fewer connections are opened where firewalls block some", "fewer",
    sprintf("%.0f instead of %.0f", of("t2", 2, "platform", "opened"), of("t2", 2, "open", "opened")),
    range(s, "%.1f") " % more without", sample_low(s) > 0, sprintf("%.0f and %.0f", of("t2", 2, "platform", "opened"),
      of("t2", 2, "open", "opened")))
}
function log_two(x) { return int(log(x) / log(2) + 0.5) }

function table2(column, statement, fitted,   i, n, beta, paper, gap, worst, at, interval) {
  n = split("2 4 7 10 15 21 28 38 55 128", beta, " ")
  split("12.2 20.1 30.9 39.1 50.7 60.6 69.4 79.7 89.9 100", paper, " ")
  for (i = 1; i <= n; i++) {
    if (!has("t2", beta[i], column, "selected_percent")) continue
    gap = farther(low("t2", beta[i], column, "selected_percent") - paper[i],
      high("t2", beta[i], column, "selected_percent") - paper[i])
    if (gap >= worst) { worst = gap; at = i }
  }
  if (!at) return
  interval = range(k("t2", beta[at], column, "selected_percent"), "%.2f")
  ours("5.4, table 2", statement, "12.2 20.1 30.9 ... 100 %",
    sprintf("%.1f points off at most: %.1f for %.1f at beta %d", worst, of("t2", beta[at], column,
      "selected_percent"), paper[at], beta[at]), interval, worst <= 1,
    sprintf("with random orders of the others %.1f at beta %d", of("t2", beta[at], "random", "selected_percent"),
      beta[at]), fitted)
}
function farther(a, b) { a = a < 0 ? -a : a; b = b < 0 ? -b : b; return a > b ? a : b }

# --- 5.1, 5.2: profiling ------------------------------------------------------------------------

function profiling(   t, list, i, n, s, first, second, share, profile, timeout, compute) {
  timeout = "timeout=1s"
  if (has(10, "bt", "grasp2", "seconds") && has(5, 5, "1s", "time_s")) {
    n = split(seed[seconds(10, "bt", "grasp2")], list, " ")
    for (i = 1; i <= n; i++) {
      first = value[seconds(10, "bt", "grasp"), list[i]]
      second = value[seconds(10, "bt", "grasp2"), list[i]]
      t = first + 249 * (second - first)
      sample_add("run", t)
      sample_add("profile", 100 * first / t)
      sample_add("share", 100 * of(5, 5, "1s", "time_s") / t)
    }
    compute = of(10, "bt", "grasp2", "computation") - of(10, "bt", "grasp", "computation")
    ours("5.1", "the run of BT takes about 1,700 s (10 %)", "1700 s", sprintf("%.0f s", sample_mean("run")),
      range("run", "%.0f"), about("run", 1530, 1870),
      sprintf("computation, at one flop a cycle, is %.0f s of it; the time of the paper's processors is not known",
        250 * compute))
    ours("5.1", "round-trip times take 2.2 s, 0.13 % of the run of BT (10 %)", "0.13 %",
      sprintf("%.3f %%", sample_mean("share")), range("share", "%.3f"), about("share", 0.117, 0.143),
      sprintf("%.2f s of a run of %.0f s", of(5, 5, "1s", "time_s"), sample_mean("run")), timeout)
    ours("5.1", "counting messages in one of 250 iterations of BT costs 0.4 % (0.05 points)", "0.4 %",
      sprintf("%.2f %%", sample_mean("profile")), range("profile", "%.2f"), about("profile", 0.35, 0.45),
      sprintf("the run of one iteration takes %.2f s, each further one %.2f s", of(10, "bt", "grasp", "seconds"),
        of(10, "bt", "grasp2", "seconds") - of(10, "bt", "grasp", "seconds")))
  }
  if (!has(5, 5, "1s", "time_s")) return
  s = k(5, 5, "1s", "time_s")
  ours("5.2, figure 5", "at large alpha many attempts to measure are blocked, and the wait for timeouts makes it long",
    "longer", sprintf("%.2f s and %.0f timeouts at alpha 100, %.2f s and %.0f at 5", of(5, 100, "1s", "time_s"),
      of(5, 100, "1s", "timeouts"), sample_mean(s), of(5, 5, "1s", "timeouts")), range(k(5, 100, "1s", "time_s"), "%.2f"),
    low(5, 100, "1s", "time_s") > sample_high(s) && low(5, 100, "1s", "timeouts") > high(5, 5, "1s", "timeouts"),
    sprintf("the intervals overlap: up to %.2f s at 5, from %.2f at 100", sample_high(s), low(5, 100, "1s", "time_s")))
  ours("5.2", "alpha is 5 to avoid such waits for timeouts", "no timeouts",
    sprintf("%.0f timeouts", of(5, 5, "1s", "timeouts")), range(k(5, 5, "1s", "timeouts"), "%.0f"),
    high(5, 5, "1s", "timeouts") < 1,
    sprintf("at alpha 1.5 there are %.0f; without timeouts a process takes %.2f s instead of %.2f",
      of(5, "1.5", "1s", "timeouts"), of(5, 5, "1s", "mean_time_without_timeouts_s"), of(5, 5, "1s", "mean_time_s")))
  ours("5.1, figure 5", "round-trip times take 2.2 s at alpha 5 (10 %)", "2.2 s",
    sprintf("%.2f s; %.2f, %.2f and %.2f s with timeouts of 0.5, 2 and 3 s", sample_mean(s),
      of(5, 5, "500ms", "time_s"), of(5, 5, "2s", "time_s"), of(5, 5, "3s", "time_s")), range(s, "%.3f"),
    about(s, 1.98, 2.42), sprintf("%.2f s without timeouts", of(5, 5, "1s", "mean_time_without_timeouts_s")), timeout)
  cannot_check("5.2", "round-trip times within clusters and between them differ by more than 25 %", "more than 25 %",
    "those of the paper's test bed are lost (figure 4); on the platform they differ by construction")
  s = k(5, "torus", "1s", "estimates_of_estimates_largest_error")
  ours("5.2", "at alpha 5 an estimate is off by 25 % at most (torus of 16 x 16, whose round-trip times differ)",
    "at most 25 %", sprintf("%.0f %%", 100 * sample_mean(s)),
    sprintf("%.0f..%.0f %%", 100 * sample_low(s), 100 * sample_high(s)), sample_high(s) <= 0.25,
    sprintf("estimates from two measured times are off by %.0f %% at most, but estimates of estimates add up",
      100 * high(5, "torus", "1s", "estimates_of_measured_largest_error")))
}

# --- 5.3: firewalls -----------------------------------------------------------------------------

function g(column, n, quantity) { return of(6, n, column, quantity) }
function expected(column, n) { return 1e8 * g(column, n, "cut_off_probability") }
# True if no drawn graph is disconnected, and if the closed form gives a probability of 5 % or more that none of 10^8 is.
function never(column, n) { return g(column, n, "disconnected") == 0 && exp(-expected(column, n)) >= 0.05 }
function seen(column, n) {
  return sprintf("%d of %.3g (closed form: %.3g of 1e8)", g(column, n, "disconnected"), g(column, n, "graphs"),
    expected(column, n))
}
function interval6(column, n) {
  return sprintf("%.3g..%.3g", g(column, n, "probability_low"), g(column, n, "probability_high"))
}
function where_not(column, least,   i, list) {
  for (i = 1; i <= sizes; i++)
    if (size[i] >= least && !never(column, size[i])) list = list (list == "" ? "" : ", ") size[i] ": " seen(column, size[i])
  return list
}
# True if the share of disconnected graphs of a column is below the share of of_column.  If of_column has ten
# disconnected graphs or more, the intervals must not overlap.  If it has fewer, neither the numbers of disconnected
# graphs nor the closed forms may contradict.
function below(column, n, of_column, of_n) {
  if (g(of_column, of_n, "disconnected") >= 10)
    return g(column, n, "probability_high") < g(of_column, of_n, "probability_low")
  return g(column, n, "disconnected") <= g(of_column, of_n, "disconnected") && \
    g(column, n, "cut_off_probability") <= g(of_column, of_n, "cut_off_probability")
}
# True if the closed form is within some 4 standard deviations of the share of the drawn graphs.
function agrees(column, n,   width) {
  width = g(column, n, "probability_high") - g(column, n, "probability_low")
  return farther(g(column, n, "probability") - g(column, n, "cut_off_probability"), 0) <= width
}
function rises(column,   i, list) {
  for (i = 1; i <= sizes; i++) {
    if (i > 1 && !below(column, size[i], column, size[i - 1])) list = list " not below with " size[i]
    if (!agrees(column, size[i])) list = list " not the closed form with " size[i]
  }
  return list
}
function shares(column,   i, text) {
  for (i = 1; i <= sizes && i <= 5; i++)
    text = text (i > 1 ? ", " : "") sprintf("%.3g with %d", g(column, size[i], "probability"), size[i])
  return text
}
function firewalls(   first, where, last, agree, i, worse) {
  if (!sizes) return
  first = size[1]
  last = size[sizes]
  where = where_not("1FW-1", 0)
  ours("5.3", "1FW: never disconnected in 10^8 graphs of any number of processes, even at beta 1", "0 of 1e8",
    seen("1FW-1", first) " with " first, interval6("1FW-1", first), where == "", where)
  ours("5.3, figure 6", "3FW: the graph is disconnected at times", "some",
    seen("3FW-1", first) " with " first " at beta 1", interval6("3FW-1", first), g("3FW-1", first, "disconnected") > 0,
    "none is, although the closed form expects " expected("3FW-1", first))
  ours("5.3, figure 6", "3FW: the probability falls when the processes are more", "falls",
    "beta 1: " shares("3FW-1"), interval6("3FW-1", size[2]), sizes > 1 && rises("3FW-1") == "" && \
    g("3FW-1", first, "disconnected") > 0, rises("3FW-1"))
  where = where_not("3FW-1", 128)
  if (last >= 128) ours("5.3", "3FW, beta 1: never with 128 processes or more", "0 of 1e8",
    seen("3FW-1", 128) " with 128", interval6("3FW-1", 128), where == "", where)
  for (i = 1; i <= sizes; i++)
    if (!below("3FW-2", size[i], "3FW-1", size[i]) || !agrees("3FW-2", size[i])) worse = worse " " size[i]
  ours("5.3", "3FW: beta 2 lowers the probability further", "lower",
    sprintf("%.3g instead of %.3g with %d", g("3FW-2", first, "probability"), g("3FW-1", first, "probability"), first),
    interval6("3FW-2", first), worse == "" && g("3FW-1", first, "disconnected") > 0,
    "not below, or not the closed form, with" worse)
  where = where_not("3FW-4", 0)
  ours("5.3", "3FW, beta 4: never, with any number of processes", "0 of 1e8",
    seen("3FW-4", size[2]) " with " size[2], interval6("3FW-4", size[2]), where == "",
    where)
}

# --- 5.4: connections ---------------------------------------------------------------------------

function figure7(   n, i, b, names, s, r, m, list, relayed, worst, at, axis, limit, fewer, loss, drop, d, x, kinds, kept,
    text, kind) {
  if (!(n_used += 0)) return
  split("mcmpi random", kinds, " ")
  limit["2"] = 12.2; limit["4"] = 20.1; limit["10"] = 39.1; limit["38"] = 79.7
  axis = -100
  for (b in used) for (d in limit) for (i = 1; i <= 2; i++) {
    if (!has(7, b, kinds[i] "-" d, "connected")) continue
    x = high(7, b, kinds[i] "-" d, "connected") - limit[d]
    if (x > axis) { axis = x; at = toupper(b) ", " kinds[i] ", beta " d ": " \
      sprintf("%.1f of %.1f %%", of(7, b, kinds[i] "-" d, "connected"), limit[d]) }
  }
  ours("5.4, figure 7", "fewer connections are really established than the axis shows", "fewer", "nearest: " at, "-",
    axis < 0, at)
  n = split("bt lu mg sp", names, " ")
  for (i = 1; i <= n; i++) {
    b = names[i]
    if (!(b in used)) continue
    r = slower(7, b, "random-2", "all-all")
    relayed = k(7, b, "random-2", "relayed")
    ours("5.4, figure 7", toupper(b) ", Random: with few connections many messages are relayed, and performance drops much" \
      " (half of the messages, 10 %)", "drops much", sprintf("%s %% of time, %.0f %% relayed", show(r), sample_mean(relayed)),
      range(r, "%.1f") " %", sample_low(r) > 10 && sample_low(relayed) > 50,
      undecided(sample_mean(r) > 10 && sample_mean(relayed) > 50, r) sprintf("%.0f %% are relayed, %s %% of time; of %.2f s over all pairs computation is %.2f s", sample_mean(relayed),
        show(r), of(7, b, "all-all", "seconds"), of(7, b, "all-all", "computation")))
  }
  for (i = 1; i <= n; i++) {
    b = names[i]
    if (!(b in used)) continue
    m = slower(7, b, "mcmpi-2", "all-all")
    ours("5.4, figure 7", toupper(b) ", MC-MPI: with 10 % of the pairs performance does not fall at all (2 %)", "0 %",
      show(m) " % of time", range(m, "%.1f") " %", sample_high(m) <= 2,
      undecided(sample_mean(m) <= 2, m) sprintf("%.1f %% of the messages are relayed", of(7, b, "mcmpi-2", "relayed")))
  }
  text = ""
  for (i = 1; i <= n; i++) {
    b = names[i]
    if (!(b in used)) continue
    x = high(7, b, "mcmpi-2", "relayed")
    if (x > 0) text = text (text == "" ? "" : ", ") sprintf("%s %.1f %%", toupper(b),
      of(7, b, "mcmpi-2", "relayed")) (has(7, b, "mcmpi-38", "relayed") ? sprintf(" (%.1f %% at beta 38)",
      of(7, b, "mcmpi-38", "relayed")) : "")
  }
  ours("5.4", "with 10 % of the pairs all messages of BT, LU, MG and SP are delivered directly", "0 % relayed",
    text == "" ? "0 %" : text, "-", text == "",
    "messages are relayed: " text)
  if (has("t1", "lu", "partners", "share"))
    ours("5.4", "a process of LU communicates mainly with 4 others (0.5; 90 % of its messages)", "4",
      sprintf("%.2f with 5 %% of the messages or more; %.1f %% of the messages to four", of("t1", "lu", "partners", "count"),
        of("t1", "lu", "partners", "share")), "-",
      of("t1", "lu", "partners", "count") >= 3.5 && of("t1", "lu", "partners", "count") <= 4.5 && \
      of("t1", "lu", "partners", "share") >= 90, sprintf("%.1f %% of the messages", of("t1", "lu", "partners", "share")))
  if ("ep" in used) {
    worst = 0
    for (d in limit) for (i = 1; i <= 2; i++) {
      if (!has(7, "ep", kinds[i] "-" d, "seconds")) continue
      s = slower(7, "ep", kinds[i] "-" d, "all-all")
      x = farther(sample_low(s), sample_high(s))
      if (x >= worst) { worst = x; text = kinds[i] ", beta " d ": " show(s) " % of time"; at = range(s, "%.2f") }
    }
    ours("5.4, figure 7", "EP: performance is the same with any number of connections, both ways to select (2 %)", "0 %",
      text, at, worst <= 2, text)
  }
  for (i = 1; i <= 2 && ("is" in used); i++) {
    kind = kinds[i]
    if (!has(7, "is", kind "-2", "seconds")) continue
    s = slower(7, "is", "all-all", kind "-2")
    ours("5.4, figure 7", "IS, " (kind == "mcmpi" ? "MC-MPI" : "Random") ": performance is higher with fewer connections",
      "higher", show(s) " %", range(s, "%.1f") " %", sample_low(s) > 0,
      sprintf("%.2f s with all, %.2f s over fewer, with %.0f %% of the messages relayed", of(7, "is", "all-all", "seconds"),
        of(7, "is", kind "-2", "seconds"), of(7, "is", kind "-2", "relayed")))
  }
}

function figure8(model, fitted,   s, at, before, first, hundred, sixty, twenty, low60, text) {
  if (!has(8, 32, model "-100", "seconds")) return
  text = fitted == "" ? "" : "; with a queue chosen for it"
  hundred = 100 * (of(8, 32, model "-100", "seconds") / of(8, 8, model "-100", "seconds") - 1)
  before = 100 * (of(8, 16, model "-100", "seconds") / of(8, 8, model "-100", "seconds") - 1)
  first = 100 * (of(8, 256, model "-100", "seconds") / of(8, 8, model "-100", "seconds") - 1)
  ours("5.4, figure 8", "100 %: performance drops much with buffers of 32 KB or more (10 %, and not before)" text, "drops",
    sprintf("%+.0f %% of time at 16 KiB, %+.0f at 32, %+.0f at 256, beside 8 KiB", before, hundred, first), "-",
    hundred > 10 && before <= 10, sprintf("%.2f s at 8 KiB, %.2f at 32; with 20 %% of the connections %.2f at 8 KiB",
      of(8, 8, model "-100", "seconds"), of(8, 32, model "-100", "seconds"), of(8, 8, model "-20", "seconds")), fitted)
  sixty = more256(model "-60")
  twenty = more256(model "-20")
  ours("5.4, figure 8", "60 %: performance falls more gently" text, "less than 100 %",
    sprintf("%+.0f %% of time at 256 KiB, %+.0f with 100 %%", sample_mean(sixty), first), range(sixty, "%.1f") " %",
    first > 10 && sample_low(sixty) > 0 && sample_high(sixty) < first - 1,
    sprintf("%+.1f %% beside %+.1f %%: not a fall, or not a gentler one", sample_mean(sixty), first), fitted)
  ours("5.4, figure 8", "20 %: performance does not fall at all (2 %)" text, "0 %",
    sprintf("%+.1f %% of time at 256 KiB", sample_mean(twenty)), range(twenty, "%.1f") " %", sample_high(twenty) <= 2,
    sprintf("%.2f s at 8 KiB, %.2f at 256", of(8, 8, model "-20", "seconds"), of(8, 256, model "-20", "seconds")), fitted)
}
# The percent by which the time with buffers of 256 KiB is above the time with 8 KiB.
function more256(column) { return more(seconds(8, 256, column), seconds(8, 8, column)) }

function figure9(   names, n, i, b, s, d, gap, time, worst, saved) {
  n = split("bt ep lu mg sp", names, " ")
  for (i = 1; i <= n; i++) {
    b = names[i]
    if (!has(9, b, "lazy", "connected")) continue
    s = k(9, b, "mcmpi", "connected")
    d = of(9, b, "lazy", "connected")
    gap = farther(sample_low(s) - d, sample_high(s) - d)
    time = slower(9, b, "mcmpi", "lazy")
    worst = worst (worst == "" ? "" : ", ") sprintf("%s %.1f and %.1f %%, %s %% of time", toupper(b), sample_mean(s), d,
      show(time))
    if (gap > 1 || !about(time, -2, 2)) bad9 = bad9 (bad9 == "" ? "" : ", ") toupper(b)
  }
  if (worst != "") ours("5.4, figure 9", "other than IS: MC-MPI and MPICH-like open about as many connections (1 point), and perform" \
    " alike (2 %)", "alike", worst, "-", bad9 == "", bad9 " differs")
  if (!has(9, "is", "lazy", "connected")) return
  ours("5.4, figure 9", "IS, MPICH-like: all connections are established", "100 %",
    of(9, "is", "lazy", "connected") " %", "-", of(9, "is", "lazy", "connected") == 100,
    of(9, "is", "lazy", "connected") " %")
  s = k(9, "is", "mcmpi", "connected")
  ours("5.4, figure 9", "IS, MC-MPI: only 30 % of the connections are established (3 points)", "30 %",
    sprintf("%.1f %%", sample_mean(s)), range(s, "%.1f"), about(s, 27, 33),
    sprintf("%.1f %% are selected on this platform", of("t2", 7, "platform", "selected_percent")))
  saved = "saved"
  n = split(seed[k(9, "is", "mcmpi", "buffers")], names, " ")
  for (i = 1; i <= n; i++)
    sample_add(saved, (of(9, "is", "lazy", "buffers") - value[k(9, "is", "mcmpi", "buffers"), names[i]]) / 1e6)
  ours("5.4, figure 9", "IS: MC-MPI saves 180 MB of memory (a process; 10 %)", "180 MB",
    sprintf("%.0f MB", sample_mean(saved)), range(saved, "%.1f"), about(saved, 162, 198),
    sprintf("%.1f %% instead of 30 %% of the pairs are connected", sample_mean(s)))
  s = slower(9, "is", "lazy", "mcmpi")
  ours("5.4, figure 9", "IS: MC-MPI performs better", "better", show(s) " %", range(s, "%.1f") " %", sample_low(s) > 0,
    sprintf("%.0f %% of the messages are relayed", of(9, "is", "mcmpi", "relayed")))
}

# --- 4, 5.5: ranks ------------------------------------------------------------------------------

# The sample of the percent by which assignment a is faster than assignment `than` in benchmark b.
function faster(b, a, than) { return slower(10, b, than, a) }
function beside(b, s) {
  if (!has(10, b, "qap", "seconds")) return ""
  s = faster(b, "qap", "best")
  return sprintf("; haichi's own method: %s %% beside the best hostname order (positive: faster)", show(s))
}
# The begin of a reason if the mean is within the bounds but its interval is not.
function undecided(mean_holds, s) {
  return mean_holds ? sprintf("undecided, the interval of %d seeds reaches over the bound; ", sample_n[s]) : ""
}
function is_near(s, by) { return about(s, -by, by) }

function figure10(   n, names, i, b, s, a, c, text, out, best, at, most, ends10, x) {
  if (has(10, "lu", "hostname", "seconds")) {
    n = split("hostname best worst", names, " ")
    split("Hostname,Hostname (Best),Hostname (Worst)", out, ",")
    for (i = 1; i <= n; i++) {
      s = faster("lu", names[i], "random")
      ours("5.5, figure 10", "LU: " out[i] " is 110 to 200 % faster than Random", "110..200 %", show(s) " %",
        range(s, "%.0f") " %", about(s, 110, 200), sprintf("the order takes %.2f s, Random %.2f s",
          of(10, "lu", names[i], "seconds"), of(10, "lu", "random", "seconds")))
    }
    s = faster("lu", "best", "worst")
    ours("5.5, figure 10", "LU: hostname orders differ (2 %)", "differ", show(s) " % from worst to best",
      range(s, "%.1f") " %", sample_low(s) > 2, sprintf("%.2f s and %.2f s", of(10, "lu", "best", "seconds"), of(10, "lu", "worst", "seconds")))
    near_best("lu")
  }
  if (has(10, "mg", "hostname", "seconds")) {
    a = faster("mg", "worst", "random")
    c = faster("mg", "grasp", "best")
    ours("5.5, figure 10", "MG: hostname orders are faster than Random, as for LU (110 to 200 %)", "110..200 %",
      sprintf("%s to %s %%", show(a), show(s = faster("mg", "best", "random"))), range(s, "%.0f") " %",
      about(a, 110, 200) && about(s, 110, 200), sprintf("best %.2f s, worst %.2f s, Random %.2f s",
        of(10, "mg", "best", "seconds"), of(10, "mg", "worst", "seconds"), of(10, "mg", "random", "seconds")))
    near_best("mg")
  }
  above_best("bt", 20)
  if (has("t1", "bt", "zero", "share")) {
    text = value[k("t1", "bt", "zero", "list"), "-"]
    ours("5.5", "BT: rank 0 communicates mainly with 1, 15, 16, 31, 240 and 241 (5 % of its messages each)",
      "1 15 16 31 240 241", sprintf("%s (%.0f %% of its messages)", text, of("t1", "bt", "zero", "share")), "-",
      text == "1 15 16 31 240 241", "its partners are " text)
  }
  above_best("sp", 10)
  n = split("ep is", names, " ")
  for (i = 1; i <= n; i++) {
    b = names[i]
    if (!has(10, b, "hostname", "seconds")) continue
    best = 0
    x = split("random hostname best worst", out, " ")
    for (; x > 0; x--) {
      if (!has(10, b, out[x], "seconds")) continue
      s = faster(b, "grasp", out[x])
      if (farther(sample_low(s), sample_high(s)) >= best) {
        best = farther(sample_low(s), sample_high(s))
        text = sprintf("%s %% beside %s", show(s), out[x])
        ends10 = range(s, "%.1f")
      }
    }
    ours("5.5, figure 10", toupper(b) ": performance is about the same with every assignment (5 %)", "alike",
      "MC-MPI at most " text, ends10 " %", best <= 5, "MC-MPI is " text)
  }
  n = split("bt ep is lu mg sp", names, " ")
  for (i = 1; i <= n; i++) {
    b = names[i]
    if (!has(10, b, "grasp", "seconds")) continue
    s = faster(b, "grasp", "random")
    if (at == "" || sample_mean(s) > sample_mean(most)) { most = s; at = b }
  }
  if (at == "") return
  ours("abstract, 7", "assignments up to 300 % faster than one that ignores locality (10 %)", "300 %",
    show(most) " % (" toupper(at) ")", range(most, "%.0f") " %", about(most, 270, 330),
    sprintf("%s takes %.2f s over Random, %.2f s with MC-MPI", toupper(at), of(10, at, "random", "seconds"),
      of(10, at, "grasp", "seconds")))
  bandwidth()
}
function near_best(b,   s) {
  s = faster(b, "grasp", "best")
  ours("5.5, figure 10", toupper(b) ": MC-MPI is about as fast as the best hostname order (5 %)", "0 %", show(s) " %",
    range(s, "%.1f") " %", is_near(s, 5), undecided(sample_mean(s) >= -5 && sample_mean(s) <= 5, s) \
    sprintf("%.2f s instead of %.2f s", of(10, b, "grasp", "seconds"), of(10, b, "best", "seconds")) beside(b))
}
function above_best(b, paper,   s) {
  if (!has(10, b, "grasp", "seconds")) return
  s = faster(b, "grasp", "best")
  ours("5.5, figure 10", toupper(b) ": MC-MPI is " paper " % faster than the best hostname order (5 points)", paper " %",
    show(s) " %", range(s, "%.1f") " %", about(s, paper - 5, paper + 5), sprintf("it takes %.2f s instead of %.2f, of " \
    "which computation is %.2f s", of(10, b, "grasp", "seconds"), of(10, b, "best", "seconds"),
      of(10, b, "grasp", "computation")) beside(b))
}
function bandwidth(   n, names, i, b, s, text, bad) {
  n = split("bt lu mg sp", names, " ")
  for (i = 1; i <= n; i++) {
    b = names[i]
    if (!has(10, b, "bandwidth", "seconds")) continue
    s = faster(b, "grasp", "bandwidth")
    text = text (text == "" ? "" : ", ") sprintf("%s %s%s %%", toupper(b), show(s), ends(s))
    if (sample_low(s) <= 0) bad = bad (bad == "" ? "" : ", ") toupper(b)
  }
  ours("4.2", "costs from bandwidths do not do as well as costs from latencies (BT, LU, MG and SP, time)", "worse",
    text " slower", "-", bad == "", "not slower by more than the interval: " bad)
}

function qaplib(   i, s, worst, at, over, sum, name) {
  if (!n_instances) {
    cannot_check("4.3", "GRASP is within 1 to 2 % of the best value known on QAPLIB", "1..2 %",
      "the instances of QAPLIB are not in the source tree; QAPLIB=DIR names a folder of them")
    return
  }
  for (i = 1; i <= n_instances; i++) {
    s = k("q", instances[i], "grasp", "gap")
    sum += sample_mean(s)
    if (sample_mean(s) >= worst) { worst = sample_mean(s); at = s; name = instances[i] }
    if (sample_high(s) > 2) over = over (over == "" ? "" : ", ") sprintf("%s %.1f %%", instances[i], sample_mean(s))
  }
  ours("4.3", "GRASP is within 1 to 2 % of the best value known on QAPLIB, for n up to 256 after 1 s", "at most 2 %",
    sprintf("%.2f %% (%s) at most, %.2f %% on average of %d instances", worst, name, sum / n_instances, n_instances),
    range(at, "%.2f") " %", over == "", over)
}

function conclusion(   n, names, i, b, s, text, bad) {
  if (!n_used) return
  n = split("bt ep is lu mg sp", names, " ")
  for (i = 1; i <= n; i++) {
    b = names[i]
    if (!(b in used)) continue
    s = slower(7, b, "mcmpi-2", "all-all")
    text = text (text == "" ? "" : ", ") toupper(b) " " show(s)
    if (sample_high(s) > 2) bad = bad (bad == "" ? "" : ", ") toupper(b) ends(s) " %"
  }
  ours("abstract, 7", "with 10 % of the pairs connected performance is the same as with all, or better (2 %)", "0 % or less",
    text " % of time", "-", bad == "", "more time: " bad)
}

END {
  if (failed) exit 1
  verdicts_head()
  table1()
  connections()
  qaplib()
  profiling()
  firewalls()
  table2("platform", "shares of pairs that are selected, on the platform (1 point)", "")
  table2("random", "shares of pairs that are selected, with random orders of the others (1 point)", "orders=random")
  figure7()
  figure8("tcp", "")
  figure8("queue", "queue=48MiB")
  figure9()
  figure10()
  conclusion()
}
