# The statements of the paper, from the tables of mcmpi.sh, in their order: table1 table2 figure5 figure6 figure7_runs
# figure8 figure9 figure10.  Prints figure, statement, "reproduced" or "not", values and reason.  The pictures are lost:
# statements are those of the text; bounds in brackets are ours.
FNR == 1 {
  file = FILENAME
  sub(/.*\//, "", file)
  sub(/\.tsv$/, "", file)
  for (i = 1; i <= NF; i++) head[file, i] = $i
  next
}
{
  row = file == "figure7_runs" ? $1 SUBSEP $2 SUBSEP $3 : $1
  rows[file, ++count[file]] = row
  for (i = 1; i <= NF; i++) v[file, row, head[file, i]] = $i
}
function x(file, row, column) { return v[file, row, column] }
function has(file, row) { return (file, row, "benchmark") in v }
function say(figure, text, holds, values, reason) {
  if (ranks != 256) reason = "the paper has 256 processes"
  printf "%s\t%s\t%s\t%s\t%s\n", figure, text, holds ? "reproduced" : "not", values,
    holds ? "-" : reason == "" ? "unexplained" : reason
}
function near(a, b, by) { return a - b <= by && b - a <= by }
function percent(a, b) { return sprintf("%+.1f %%", 100 * (a / b - 1)) }

function as_table1(r, way) { return near(x("table1", r, "paper"), x("table1", r, way), 0.2) }
function table1(   i, r, doubling, tree) {
  for (i = 1; i <= count["table1"]; i++) {
    r = rows["table1", i]
    doubling += as_table1(r, "recursive_doubling")
    tree += as_table1(r, "one_tree")
    say("table 1", r ": " x("table1", r, "paper") " % of the pairs communicate (0.2)",
      as_table1(r, "defaults") || as_table1(r, "recursive_doubling") || as_table1(r, "one_tree"),
      x("table1", r, "recursive_doubling") " % with allreduce by recursive doubling and reduce by a tree, " \
      x("table1", r, "one_tree") " % with all collectives along one tree, " x("table1", r, "defaults") \
      " % with the defaults, " x("table1", r, "without_collectives") " % without collectives", "")
  }
  say("table 1", "all of them with one choice of algorithms", doubling == i - 1 || tree == i - 1,
    doubling " with recursive doubling, " tree " with one tree, of " i - 1,
    "the paper names no algorithms: EP has none but allreduce and barrier, and 255 pairs are 0.78 %")
}

function table2(   i, r, worst, gap, at) {
  for (i = 1; i <= count["table2"]; i++) {
    r = rows["table2", i]
    gap = x("table2", r, "paper") - x("table2", r, "random_orders")
    gap = gap < 0 ? -gap : gap
    if (gap >= worst) { worst = gap; at = r }
  }
  say("table 2", "shares of selected pairs, random orders of round-trip times (1 point)", worst <= 1,
    sprintf("%.1f points at most, at beta %s", worst, at), "")
}

function figure5(   i, r, last, rises, five) {
  rises = 1
  for (i = 1; i <= count["figure5"]; i++) {
    r = rows["figure5", i]
    if (x("figure5", r, "mean_s") < last) rises = 0
    last = x("figure5", r, "mean_s")
  }
  say(5, "the time rises with alpha", rises && last > x("figure5", rows["figure5", 1], "mean_s"),
    sprintf("%.2f to %.2f s in the mean", x("figure5", rows["figure5", 1], "mean_s"), last),
    "few timeouts differ")
  five = x("figure5", 5, "all_s")
  say(5, "2.2 s at alpha 5 (25 %)", near(five, 2.2, 0.55), five " s",
    "timeouts of 1 s, an assumption, are nearly all of it")
}

function figure6(   i, r, open, falls, last, none, four) {
  falls = none = 1
  last = 2
  for (i = 1; i <= count["figure6"]; i++) {
    r = rows["figure6", i]
    if (x("figure6", r, "1FW_beta_1") != "-") open = 1
    if (x("figure6", r, "3FW_beta_1") + 0 > last) falls = 0
    last = x("figure6", r, "3FW_beta_1") + 0
    if (r >= 128 && x("figure6", r, "3FW_beta_1") != "-") none = 0
    if (x("figure6", r, "3FW_beta_4") != "-") four = four " " r
  }
  say(6, "1FW: never disconnected, even at beta 1", !open, open ? "some are" : "none is", "the platform is another")
  say(6, "3FW: the probability falls with the processes", falls, "beta 1: " \
    x("figure6", rows["figure6", 1], "3FW_beta_1") " to " last + 0,
    "the platform is another")
  say(6, "3FW, beta 1: none from 128 processes on", none, none ? "none" : "some", "the platform is another")
  say(6, "3FW, beta 4: none at all", four == "", four == "" ? "none" : "some of" four " processes",
    "70^-4 of 16 processes: the open cluster is the nearest of one other only; the paper's round-trip times are lost")
}

# The least density of a run, in its order.
function least(b,   i, part) {
  for (i = 1; i <= count["figure7_runs"]; i++) {
    split(rows["figure7_runs", i], part, SUBSEP)
    if (part[1] == b && part[2] == "mcmpi") return part[3]
  }
}
function run(b, kind, density, column) { return x("figure7_runs", b SUBSEP kind SUBSEP density, column) }
function figure7(   names, k, b, d, all, m, r, n) {
  n = split("bt lu mg sp ep is", names, " ")
  for (k = 1; k <= n; k++) {
    b = names[k]
    if ((d = least(b)) == "") continue
    all = run(b, "all", "-", "seconds")
    m = run(b, "mcmpi", d, "seconds")
    r = run(b, "random", d, "seconds")
    both = "density " d ": mcmpi " percent(m, all) ", random " percent(r, all) " of time"
    if (b == "ep") {
      say(7, "ep: flat with both (1 %)", near(m / all, 1, 0.01) && near(r / all, 1, 0.01), both,
        "it computes too little here")
      continue
    }
    if (b == "is") {
      say(7, "is: faster with a limit, by both ways to select", m < all && r < all, both,
        "the wide-area links are not congested")
      say(7, "is: opens all connections that it may", all_opened(d), opened(d), opened_reason())
      continue
    }
    say(7, b ": full speed with mcmpi (2 %)", m <= 1.02 * all, both, "")
    say(7, b ": random loses more", r > m && r > all, both,
      r > all ? "messages of mcmpi go round here too" : \
      "a relayed send is over with its first hop, which helps where messages are long (docs/overlay.md)")
    say(7, b ": random loses much (10 %)", r > 1.1 * all, both, b == "lu" ? \
      "sends wait for their receives; with --eager-threshold 65536 it takes 2.5 times as long (docs/overlay.md)" : \
      "relays add latency, and bandwidth decides here: most of what they relay crosses the same links between clusters")
  }
}
function opened(d) { return sprintf("%.1f %% of all pairs with mcmpi", run("is", "mcmpi", d, "connected")) }
function all_opened(d) { return run("is", "mcmpi", d, "connected") >= 0.95 * x("table2", d, "opened") }
function opened_reason() { return "routes of least round-trip time leave some connections unused" }

function slower(share, size) { return x("figure8", size, share "_percent") / x("figure8", 8, share "_percent") }
function figure8() {
  if (!count["figure8"]) return
  say(8, "100 %: slower from 32 KB on (10 %), and not before", slower(100, 32) > 1.1 && slower(100, 16) <= 1.1,
    sprintf("%.2f times the time of 8 KiB at 16 KiB, %.2f at 32, %.2f at 256", slower(100, 16), slower(100, 32),
      slower(100, 256)), "the queue before the links is an assumption")
  say(8, "60 %: more gently", slower(60, 32) < slower(100, 32) && slower(60, 256) < slower(100, 256),
    sprintf("%.2f times at 32 KiB, %.2f at 256", slower(60, 32), slower(60, 256)),
    "relays make more connections active between clusters")
  say(8, "20 %: not slower at any size (10 %)", slower(20, 256) <= 1.1,
    sprintf("%.2f times at 256 KiB", slower(20, 256)),
    "the model counts windows, not what they hold: with a short queue so many connections exceed it too")
}

function figure9(   i, b, saved) {
  for (i = 1; i <= count["figure9"]; i++) {
    b = rows["figure9", i]
    values = sprintf("%s and %s %% of the pairs, time %s", x("figure9", b, "mcmpi_percent"),
      x("figure9", b, "lazy_percent"), percent(x("figure9", b, "mcmpi_s"), x("figure9", b, "lazy_s")))
    if (b != "is") {
      say(9, b ": as many connections as with lazy ones alone (1 point), as fast (2 %)",
        near(x("figure9", b, "mcmpi_percent"), x("figure9", b, "lazy_percent"), 1) && \
        x("figure9", b, "mcmpi_s") <= 1.02 * x("figure9", b, "lazy_s"), values, "")
      continue
    }
    say(9, "is: 30 % of the connections for 100 % (2 points)", x("figure9", b, "lazy_percent") == 100 && \
      near(x("figure9", b, "mcmpi_percent"), 30, 2), values,
      "fewer: neighbours select each other, firewalls block some, routes leave some unused")
    say(9, "is: faster", x("figure9", b, "mcmpi_s") < x("figure9", b, "lazy_s"), values,
      "the wide-area links are not congested")
    saved = x("figure9", b, "lazy_MB") - x("figure9", b, "mcmpi_MB")
    say(9, "is: 180 MB of buffers saved a process (10 %)", near(saved, 180, 18), sprintf("%.0f MB", saved),
      "of the process with the most, which is not the mean one")
  }
}

function figure10(   names, k, b, best, q, n) {
  n = split("lu mg bt sp ep is", names, " ")
  for (k = 1; k <= n; k++) {
    b = names[k]
    if (!has("figure10", b)) continue
    best = x("figure10", b, "hostname_best")
    q = x("figure10", b, "routes")
    l = x("figure10", b, "latency")
    values = sprintf("qap %.4g s along routes, %.4g s by latency, hostname-best %.4g s", q, l, best)
    if (b == "lu" || b == "mg") {
      say(10, b ": qap along routes as fast as hostname-best (2 %)", q <= 1.02 * best, values,
        "routes of a profiling run in rank order make strangers of one cluster look far from each other")
      say(10, b ": qap by latency as fast as hostname-best (2 %)", l <= 1.02 * best, values, "")
    }
    if (b == "lu")
      say(10, "lu: hostname 110 % or more faster than random", x("figure10", b, "random") >= 2.1 * best,
        sprintf("%.0f %%", 100 * (x("figure10", b, "random") / best - 1)), "the platform is another")
    if (b == "bt" || b == "sp")
      say(10, b ": qap " (b == "bt" ? 20 : 10) " % faster than hostname-best, or more",
        best >= (b == "bt" ? 1.2 : 1.1) * q, sprintf("%.0f %%; ", 100 * (best / q - 1)) values, "")
    if (b == "ep" || b == "is")
      say(10, b ": all equal (5 %)", near(x("figure10", b, "random") / best, 1, 0.05) && near(q / best, 1, 0.05),
        sprintf("random %.4g s, ", x("figure10", b, "random")) values, "")
    else
      say(10, b ": cost from latency better than from bandwidth", l < x("figure10", b, "bandwidth"),
        sprintf("%.4g and %.4g s", l, x("figure10", b, "bandwidth")),
        "the time is that of bytes on slow links, which the bandwidths of these platforms show")
  }
}

END {
  OFS = "\t"
  table1()
  table2()
  figure5()
  figure6()
  figure7()
  figure8()
  figure9()
  figure10()
}
