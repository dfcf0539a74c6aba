# The tables of megascript.sh, from runs.tsv and sizes.tsv, into tables.tsv and statements.tsv.

# Why a figure or a statement is missed; `usual`: the networks are those that were looked into; `of`: what load takes.
function reason(table, what, here)
{
  if (here == "reproduced") return "-"
  if (table == 5 && what ~ /lead/) return "the lead is small at any load"
  if (table == 5 && what !~ /^local/) return sprintf("the best schedule that is found here is %.2f times as fast as single without load", most)
  if (table == 8 || table == 9) return "a network in place of the lost one says nothing of the paper's"
  if (table == 10) return "both take time nearly linear in tasks here"
  if (!usual) return "not looked into for such networks"
  if (of == "bandwidth" && table >= 4 && what ~ / 100$/) return "communication between loaded hosts keeps as little as 1 % of its bandwidth"
  if (table == 6 && what ~ /stealing (random|does)/)
    return sprintf("without load the best schedule is %.2f times as fast: stealing finds much to mend", most / ratio(1))
  return "a stage waits for its most loaded host, and here most hosts have a task in it"
}

function near(x, paper)
{
  return x != "-" && x >= 0.9 * paper && x <= 1.1 * paper
}

# A figure of a table and what is here, by both ways of averaging: within 10 % by one of them?
function put(table, what, paper, means, ratios,    here)
{
  here = (near(means, paper) || near(ratios, paper)) && table != 8 && table != 9 ? "reproduced" : "not"
  print table, what, paper, means, ratios, here, reason(table, what, here) >"tables.tsv"
}

function say(table, what, holds, values,    here)
{
  here = holds ? "reproduced" : "not"
  print table, what, here, values, reason(table, what, here) >"statements.tsv"
}

# Speed-up of a setting over the one without load and stealing of a scheduler: over all pairs, of the means and by pair.
function speedup(hosts, s, steal, tasks, base,    pair, a, b, sum, n, key)
{
  a = b = sum = n = 0
  for (pair in pairs) {
    key = hosts SUBSEP pair SUBSEP s SUBSEP steal SUBSEP tasks
    if (!(key in makespan)) continue
    a += makespan[hosts, pair, base, "none", 0]
    b += makespan[key]
    sum += makespan[hosts, pair, base, "none", 0] / makespan[key]
    n++
  }
  of_means = a / b
  of_pairs = sum / n
}

function table(number, hosts, s, steal, base, paper,    t, p, label)
{
  split(paper, p, " ")
  label = number == 5 ? s : "stealing " steal
  for (t = 1; t <= 3; t++) {
    speedup(hosts, s, steal, load[t], base)
    found[number, s, steal, load[t]] = of_means
    by_pair[number, s, steal, load[t]] = of_pairs
    if (s != base || steal != "none" || t > 1)
      put(number, label ", competing " load[t], p[t], sprintf("%.4f", of_means), sprintf("%.4f", of_pairs))
  }
}

function falls(number, s, steal)
{
  return found[number, s, steal, 0] > found[number, s, steal, 10] && \
    found[number, s, steal, 10] > found[number, s, steal, 100] && \
    by_pair[number, s, steal, 0] > by_pair[number, s, steal, 10] && \
    by_pair[number, s, steal, 10] > by_pair[number, s, steal, 100]
}

function three(number, s, steal)
{
  return sprintf("%.3f %.3f %.3f", found[number, s, steal, 0], found[number, s, steal, 10], found[number, s, steal, 100])
}

function helps(number, s,    t, all)
{
  all = 1
  for (t = 1; t <= 3; t++)
    if (found[number, s, "random", load[t]] <= found[number, s, "none", load[t]]) all = 0
  return all
}

function ratio(t)
{
  return found[5, "hierarchical", "none", load[t]] / found[5, "local", "none", load[t]]
}

FNR == 1 && NR == 1 { next }

NR == FNR {
  pairs[$2 SUBSEP $3]
  makespan[$1, $2 SUBSEP $3, $4, $5, $6] = $7
  used[$1, $4, $5, $6] += $8
  count[$1, $4, $5, $6]++
  next
}

$1 == "use" { use[$2, $3] = $4; scales[$3] }
$1 == "over" { over[$2, $3] = $4 }
$1 == "small" { networks[$2] = $3; mean[$2] = $4; most_of_small[$2] = $5 }
$1 == "seconds" { seconds[$2, $3] = $4 }

END {
  split("0 10 100", load, " ")
  print "table", "figure", "paper", "ratio_of_means", "mean_of_ratios", "here", "reason" >"tables.tsv"
  print "table", "statement", "here", "values", "reason" >"statements.tsv"
  table(3, "equal", "local", "none", "local", "1 0.8330 0.4621")
  table(3, "equal", "local", "random", "local", "1.3440 1.0090 0.5326")
  table(4, "unequal", "local", "none", "local", "1 0.8529 0.4774")
  table(4, "unequal", "local", "random", "local", "1.4740 1.1648 0.6208")
  speedup("unequal", "best", "none", 0, "local")
  most = of_means
  table(5, "unequal", "local", "none", "local", "1 0.8529 0.4774")
  table(5, "unequal", "hierarchical", "none", "local", "9.8294 6.2993 3.3062")
  table(6, "unequal", "hierarchical", "none", "hierarchical", "1 0.6631 0.3560")
  table(6, "unequal", "hierarchical", "random", "hierarchical", "0.9886 0.7168 0.3861")

  for (n = 3; n <= 6; n++)
    if (n != 5) {
      s = n == 6 ? "hierarchical" : "local"
      say(n, s ": load slows down", falls(n, s, "none"), three(n, s, "none"))
      say(n, s ": load slows down, with stealing", falls(n, s, "random"), three(n, s, "random"))
    }
  say(3, "local: stealing helps at each load", helps(3, "local"), three(3, "local", "random"))
  say(4, "local: stealing helps at each load", helps(4, "local"), three(4, "local", "random"))
  say(4, "stealing helps more than on equal hosts", \
    found[4, "local", "random", 0] > found[3, "local", "random", 0], \
    sprintf("%.3f %.3f", found[4, "local", "random", 0], found[3, "local", "random", 0]))
  all = ratio(1) " " ratio(2) " " ratio(3)
  say(5, "hierarchical is faster than single at each load", ratio(1) > 1 && ratio(2) > 1 && ratio(3) > 1, all)
  say(5, "7 to 13, 5 to 10, 5 to 9 times", ratio(1) >= 7 && ratio(1) <= 13 && ratio(2) >= 5 && ratio(2) <= 10 && \
    ratio(3) >= 5 && ratio(3) <= 9, all)
  speedup("unequal", "best", "none", 0, "local")
  put(5, "the best schedule that is found here, competing 0", 9.8294, sprintf("%.4f", of_means), sprintf("%.4f", of_pairs))
  say(5, "its lead falls with load", ratio(1) > ratio(2) && ratio(2) > ratio(3), all)
  x = 0
  for (n = 1; n <= 3; n++) {
    gain = found[6, "hierarchical", "random", load[n]] / found[6, "hierarchical", "none", load[n]]
    other = found[4, "local", "random", load[n]] / found[4, "local", "none", load[n]]
    x += gain < other
  }
  say(6, "stealing brings hierarchical less than single", x == 3, three(6, "hierarchical", "random"))
  say(6, "stealing does hierarchical no good without load", found[6, "hierarchical", "random", 0] < 1, \
    three(6, "hierarchical", "random"))
  printed = "1 0.6970 0.7339;10 0.6895 0.7256;100 0.6888 0.7247"
  split("A 1.025 B 1.109", cell, " ")
  for (m = 1; m <= 2; m++) {
    s = m == 1 ? "hierarchical" : "fit"
    for (k = 1; k <= 3; k += 2)
      put(8, s ": TN_" cell[k] "'s stand-in, over the optimum", cell[k + 1], sprintf("%.3f", over[cell[k], s]), "-")
    say(8, s ": stand-ins are within 1.12 of the optimum", over["A", s] <= 1.12 && over["B", s] <= 1.12, \
      over["A", s] " " over["B", s])
    say(8, s ": random networks of 10 tasks are within 1.12 of the optimum", most_of_small[s] <= 1.12, \
      sprintf("%d networks, mean %.3f, most %.3f", networks[s], mean[s], most_of_small[s]))
  }
  rows = split(printed, row, ";")
  for (n = 1; n <= rows; n++) {
    split(row[n], cell, " ")
    for (k = 1; k <= 2; k++)
      if (cell[1] in scales)
        put(9, "TN_" substr("AB", k, 1) "'s stand-in, x" cell[1], cell[k + 1], sprintf("%.4f", use[substr("AB", k, 1), cell[1]]), "-")
  }
  flat = 1
  values = ""
  for (n = 1; n <= rows; n++) {
    split(row[n], cell, " ")
    for (k = 1; k <= 2; k++) {
      kind = substr("AB", k, 1)
      if (!(cell[1] in scales)) continue
      x = use[kind, cell[1]] / use[kind, 1]
      if (x < 0.97 || x > 1.03) flat = 0
      values = values sprintf("%s%.3f", values == "" ? "" : " ", x)
    }
  }
  say(9, "machine use of stand-ins is flat within 3 %", flat, values)
  say(10, "single takes at most 5 s", seconds["local", 10] <= 5, seconds["local", 10])
  say(10, "hierarchical takes at most 0.1 s", seconds["hierarchical", 10] <= 0.1, seconds["hierarchical", 10])
  say(10, "fit takes at most 0.1 s", seconds["fit", 10] <= 0.1, seconds["fit", 10])
  say(10, "hierarchical is the faster one, 44 times", seconds["local", 10] >= 44 * seconds["hierarchical", 10], \
    sprintf("%.1f", seconds["local", 10] / seconds["hierarchical", 10]))
  n = split("equal local,unequal local,unequal hierarchical,unequal best", row, ",")
  for (k = 1; k <= n; k++) {
    split(row[k], cell, " ")
    x = used[cell[1], cell[2], "none", 0] / count[cell[1], cell[2], "none", 0]
    print "use", cell[2] ", " cell[1] " hosts", "-", sprintf("%.4f", x), "-", "-", "-" >"tables.tsv"
  }
}
