# Verdicts of megascript.sh, from runs.tsv, small.tsv, sizes.tsv, seconds.tsv and figure10.tsv: awk -f
# verdicts.awk -f megascript.awk.  A cell of tables 3 to 6 is the mean, over pairs of a network and a
# platform, of the makespan of the base (without load and stealing) / the makespan.  A value agrees
# with the paper's if its whole 95 % interval is within 10 % of the paper's value.

# --- reading ------------------------------------------------------------------------------------

FNR == 1 { file++ }

file == 1 && FNR > 1 {
  if (!($2 in seeds)) { seeds[$2]; seed_count++ }
  if (!(($1, $2, $3) in listed)) networks[$1, $2] = networks[$1, $2] " " $3
  listed[$1, $2, $3]
  makespan[$1, $2, $3, $5, $6, $4] = $7
  used[$1, $2, $3, $5, $6, $4] = $8
}

file == 2 && $2 > 0 && $3 > 0 {
  if ($1 ~ /^[AB]$/) { stand_in[$1] = $2 / $3; next }
  sample_add("optimum", log($2 / $3))
  if ($2 / $3 > most_over) most_over = $2 / $3
}

file == 3 {
  use[$1, $2] = $3
  if ($2 !~ /^[AB]$/) use_seeds[$2]
  if ($1 + 0 > most_factor) most_factor = $1 + 0
}

file == 4 { seconds[$1, $2, $3] = $4; timed[$1]; sample_add("s" $2 $3, $4) }

file == 5 { group[$1, $2] = $3; if ($2 ~ /^ii/) { parts[$1]++; moved[$1] += $3 == "HG3" } }

# --- cells --------------------------------------------------------------------------------------

function load_of(tasks, model) {
  if (tasks == 0) return "none"
  return "tasks:" tasks (model == "" ? "" : "+links:p=0.1,of=" model)
}

# The value of a cell for one seed; "" if there is none.
function of_seed(seed, hosts, scheduler, steal, load, base,   n, i, list, a, b, sum, count) {
  n = split(networks[hosts, seed], list, " ")
  for (i = 1; i <= n; i++) {
    a = makespan[hosts, seed, list[i], base, "none", "none"]
    b = makespan[scheduler == "best" ? "best" : hosts, seed, list[i], scheduler, steal, load]
    if (a == "" || b == "") continue
    sum += a / b
    count++
    if (hosts == "equal") sample_add("network " scheduler steal load, a / b)
  }
  return count ? sum / count : ""
}

# Makes the sample of a cell, and returns its name.
function cell(hosts, scheduler, steal, tasks, model, base,   name, load, seed, x) {
  load = load_of(tasks, model)
  name = hosts " " scheduler " " steal " " load " " base
  if (name in sample_n) return name
  for (seed in seeds) {
    x = of_seed(seed, hosts, scheduler, steal, load, base)
    if (x != "") { sample_add(name, x); value[name, seed] = x }
  }
  return name
}

# Makes the sample of the ratios of two samples by seed, and returns its name.
function ratio(a, b,   name, seed) {
  name = a " / " b
  if (name in sample_n) return name
  for (seed in seeds)
    if (((a, seed) in value) && ((b, seed) in value)) {
      sample_add(name, value[a, seed] / value[b, seed])
      value[name, seed] = value[a, seed] / value[b, seed]
    }
  return name
}

# The reason why a sample does not agree with the paper's value.
function miss(name, paper, by) {
  if (sample_low(name) > paper + by || sample_high(name) < paper - by)
    return sprintf("%.2f times the paper's value", sample_mean(name) / paper)
  return sprintf("undecided, the interval reaches beyond %.4g",
    sample_low(name) < paper - by ? paper - by : paper + by)
}

function row(section, statement, paper, name, more, fitted,   by) {
  by = 0.1 * paper
  judge(section, statement, paper, sprintf("%.4f", sample_mean(name)),
    sample_interval(name, "%.4f"), within(sample_low(name), sample_high(name), paper, by),
    miss(name, paper, by) (more == "" ? "" : "; " more), fitted)
}

# --- tables 3 to 6 ------------------------------------------------------------------------------

function hosts_are(hosts) { return hosts == "equal" ? "equal hosts" : "unequal hosts" }
function model_is(model) { return model == "time" ? "time x (1 + R)" : "bandwidth x (1 - R)" }
function fit(model) { return model == "time" ? "of=time" : "" }

# A part of a reason: the cell without the slowdown of communication.
function alone(hosts, scheduler, steal, tasks, base) {
  return sprintf("%.4f if communication loses nothing",
    sample_mean(cell(hosts, scheduler, steal, tasks, "", base)))
}

# Cells of a table under load; `values` are the paper's cells with 10 and 100 competing tasks.
function loaded(section, table, hosts, scheduler, steal, base, values,   v, i, m, tasks) {
  split(values, v, " ")
  for (m = 1; m <= 2; m++)
    for (i = 1; i <= 2; i++) {
      tasks = i == 1 ? 10 : 100
      row(section, sprintf("Table %d: %s on %s, %s RS, %d competing tasks; %s", table, scheduler,
        hosts_are(hosts), steal == "none" ? "without" : "with", tasks, model_is(model[m])), v[i],
        cell(hosts, scheduler, steal, tasks, model[m], base),
        alone(hosts, scheduler, steal, tasks, base), fit(model[m]))
    }
}

# A statement that the samples a, b and c (for example of 0, 10 and 100 competing tasks; "": none) are all
# below or all above a bound.
function sides(section, statement, paper, a, b, c, side, bound, fitted,
               n, i, name, here, interval, holds, why, x) {
  n = split(a (b == "" ? "" : "\t" b) (c == "" ? "" : "\t" c), name, "\t")
  holds = 1
  for (i = 1; i <= n; i++) {
    here = here (i > 1 ? " " : "") sprintf("%.3f", sample_mean(name[i]))
    interval = interval (i > 1 ? " " : "") sample_interval(name[i], "%.3f")
    x = side == "above" ? sample_low(name[i]) > bound : sample_high(name[i]) < bound
    if (!x) {
      holds = 0
      why = why (why == "" ? "" : "; ") sprintf("%.3f is %s %s %g", sample_mean(name[i]),
        (sample_mean(name[i]) > bound) == (side == "above") ? "not surely" : "not", side, bound)
    }
  }
  judge(section, statement, paper, here, interval, holds, why, fitted)
}

function load_slows(hosts, table,   m, s, none) {
  none = cell(hosts, "single", "none", 0, "", "single")
  for (m = 1; m <= 2; m++) {
    s = cell(hosts, "single", "none", 10, model[m], "single")
    sides("5.3", "Without dynamic scheduling the run time grows with the number of competing" \
      " tasks (single, " hosts_are(hosts) "; " model_is(model[m]) ")",
      table == 3 ? "0.833 0.555" : "0.853 0.560", ratio(s, none),
      ratio(cell(hosts, "single", "none", 100, model[m], "single"), s), "", "below", 1,
      fit(model[m]))
  }
}

function gain(hosts, scheduler, tasks, model) {
  return ratio(cell(hosts, scheduler, "random", tasks, tasks == 0 ? "" : model, scheduler),
    cell(hosts, scheduler, "none", tasks, tasks == 0 ? "" : model, scheduler))
}

function stealing_helps(hosts, table,   m) {
  for (m = 1; m <= 2; m++)
    sides("5.3", "With RS there is an improvement at every number of competing tasks (single, " \
      hosts_are(hosts) "; " model_is(model[m]) ")",
      table == 3 ? "1.344 1.211 1.153" : "1.474 1.366 1.300", gain(hosts, "single", 0, model[m]),
      gain(hosts, "single", 10, model[m]), gain(hosts, "single", 100, model[m]), "above", 1,
      fit(model[m]))
}

function tables_3_and_4(   name, sd, n) {
  load_slows("equal", 3)
  load_slows("unequal", 4)
  stealing_helps("equal", 3)
  stealing_helps("unequal", 4)
  name = cell("equal", "single", "random", 0, "", "single")
  n = "network singlerandomnone"
  sd = sample_half(n) * sqrt(sample_n[n]) / sqrt(40)
  row("5.3", "Even on equal hosts without competing tasks RS gives a speed-up of about 34 %" \
    " (table 3)", 1.344, name,
    sprintf("a set of 40 networks, as in the paper, varies by +-%.2f", sd))
  row("5.3", "On unequal hosts without competing tasks RS gives a still higher one, about 47 %" \
    " (table 4)", 1.474, cell("unequal", "single", "random", 0, "", "single"),
    sprintf("single uses %.2f of the machine, with RS %.2f", mean_use("none"), mean_use("random")))
  sides("5.3", "... higher than on equal hosts", "1.474 / 1.344 = 1.097",
    ratio(cell("unequal", "single", "random", 0, "", "single"), name), "", "", "above", 1)
  loaded("5.3", 3, "equal", "single", "none", "single", "0.8330 0.4621")
  loaded("5.3", 3, "equal", "single", "random", "single", "1.0090 0.5326")
  loaded("5.3", 4, "unequal", "single", "none", "single", "0.8529 0.4774")
  loaded("5.3", 4, "unequal", "single", "random", "single", "1.1648 0.6208")
}

# Mean use of the machine by single on unequal hosts without load.
function mean_use(steal,   key, k, sum, n) {
  for (key in used) {
    split(key, k, SUBSEP)
    if (k[1] != "unequal" || k[4] != "single" || k[5] != steal || k[6] != "none") continue
    sum += used[key]
    n++
  }
  return sum / n
}

# The mean of 1 / use over the pairs that `best` has scheduled.  No schedule of these pairs has a
# greater mean speed-up.
function most_speedup(   key, k, sum, n) {
  for (key in used) {
    split(key, k, SUBSEP)
    if (k[1] != "best") continue
    sum += 1 / used["unequal", k[2], k[3], "single", "none", "none"]
    n++
  }
  return sum / n
}

function lead(tasks, model) {
  if (tasks == 0) model = ""
  return ratio(cell("unequal", "hierarchical", "none", tasks, model, "single"),
    cell("unequal", "single", "none", tasks, model, "single"))
}

function table_5(   why, m, t, v, i, name, low, high, here, interval) {
  why = sprintf("the best schedule found is %.2f times as fast as single, and with all hosts at" \
    " work all the time it would be %.1f times",
    sample_mean(cell("unequal", "best", "none", 0, "", "single")), most_speedup())
  row("5.4", "Table 5: hierarchical against single, no competing tasks", 9.8294, lead(0), why)
  split("6.2993 3.3062", v, " ")
  for (m = 1; m <= 2; m++)
    for (i = 1; i <= 2; i++)
      row("5.4", sprintf("Table 5: hierarchical against single without load, %d competing" \
        " tasks; %s", load[i + 1], model_is(model[m])), v[i],
        cell("unequal", "hierarchical", "none", load[i + 1], model[m], "single"),
        alone("unequal", "hierarchical", "none", load[i + 1], "single"), fit(model[m]))
  for (m = 1; m <= 2; m++) {
    here = interval = ""
    low = 1e9; high = 0
    for (i = 1; i <= 3; i++) {
      name = lead(load[i], model[m])
      here = here sprintf(" %.3f", sample_mean(name))
      interval = interval " " sample_interval(name, "%.3f")
      if (sample_low(name) < low) low = sample_low(name)
      if (sample_high(name) > high) high = sample_high(name)
    }
    judge("5.4", "Hierarchical scheduling is 6.9 to 9.8 times as fast as single" \
      " (abstract, 6: about 7 to 10); " model_is(model[m]), "9.83 7.39 6.93", substr(here, 2),
      substr(interval, 2), low >= 0.9 * 6.9 && high <= 1.1 * 9.83,
      sprintf("%.2f to %.2f times; ", low, high) why, fit(model[m]))
  }
}

# The statement that stealing gains as little for hierarchical as in the paper, with 0, 10 and 100
# competing tasks.
function slight_gain(model,   i, name, paper, here, interval, holds, why) {
  split("0.9886 1.0810 1.0846", paper, " ")
  holds = 1
  for (i = 1; i <= 3; i++) {
    name = gain("unequal", "hierarchical", load[i], model)
    here = here sprintf(" %.3f", sample_mean(name))
    interval = interval " " sample_interval(name, "%.3f")
    if (within(sample_low(name), sample_high(name), paper[i], 0.1 * paper[i])) continue
    holds = 0
    why = why (why == "" ? "" : ", ") sprintf("%d tasks: %s; single gains %.3f", load[i],
      miss(name, paper[i], 0.1 * paper[i]), sample_mean(gain("unequal", "single", load[i], model)))
  }
  judge("5.4", "Unlike with single, only a slight improvement by RS is seen (table 6: with /" \
    " without RS); " model_is(model), "0.989 1.081 1.085", substr(here, 2), substr(interval, 2), holds, why,
    fit(model))
}

function table_6(   name, m) {
  name = cell("unequal", "hierarchical", "random", 0, "", "hierarchical")
  row("5.4", "Table 6: hierarchical with RS, no competing tasks", 0.9886, name,
    sprintf("without load the best schedule found is %.2f times as fast: RS finds much to mend",
      sample_mean(cell("unequal", "best", "none", 0, "", "hierarchical"))))
  sides("5.4", "With 0 competing tasks RS makes it slightly worse", 0.9886, name, "", "", "below",
    1)
  loaded("5.4", 6, "unequal", "hierarchical", "none", "hierarchical", "0.6631 0.3560")
  loaded("5.4", 6, "unequal", "hierarchical", "random", "hierarchical", "0.7168 0.3861")
  for (m = 1; m <= 2; m++) slight_gain(model[m])
}

# --- tables 8 to 10 and figures -----------------------------------------------------------------

function table_8(   why) {
  why = "figure 12, which has the networks, is missing from the copy of the paper; a stand-in of" \
    " as many tasks has %.3f"
  cannot_check("5.5", "Table 8: time of TN_A over the optimum", 1.025, sprintf(why, stand_in["A"]))
  cannot_check("5.5", "Table 8: time of TN_B over the optimum", 1.109, sprintf(why, stand_in["B"]))
  judge("5.5", "Only 2.5 % to 11 % more time than the optimum: solutions of high precision" \
    " (random networks of 10 tasks)",
    "1.025 to 1.109", sprintf("%.3f", exp(sample_mean("optimum"))),
    sprintf("%.3f..%.3f", exp(sample_low("optimum")), exp(sample_high("optimum"))),
    exp(sample_low("optimum")) >= 1 && exp(sample_high("optimum")) <= 1.1 * 1.109,
    sprintf("%d random networks take %.2f times the optimum (geometric mean), at most %.2f, and" \
      " the stand-ins %.2f and %.2f",
      sample_n["optimum"], exp(sample_mean("optimum")), most_over, stand_in["A"], stand_in["B"]))
}

# The use with `f` times as many tasks and hosts, relative to the use of the small network.
function kept(network, f) { return use[f, network] / use[1, network] }

function table_9(   f, seed, paper) {
  for (seed in use_seeds) sample_add("use", use[1, seed])
  cannot_check("5.6", "Table 9: machine use of TN_A and TN_B, about 0.7, and hardly less at a" \
    " larger scale", "0.697 0.690 0.689; 0.734 0.726 0.725",
    sprintf("figure 12 is missing from the copy of the paper; the stand-ins have %.3f and %.3f," \
      " and keep %.3f and %.3f of it with %d times as many tasks and hosts",
      use[1, "A"], use[1, "B"],
      kept("A", most_factor), kept("B", most_factor), most_factor))
  for (f = 10; f <= most_factor; f *= 10) {
    for (seed in use_seeds) sample_add("use" f, kept(seed, f))
    paper = f == 10 ? 0.989 : 0.988
    judge("5.6", sprintf("With %d times as many tasks and hosts the precision is as high as in" \
      " the small case (use / use of the small case, random networks of 50 tasks)", f), paper,
      sprintf("%.4f", sample_mean("use" f)), sample_interval("use" f, "%.4f"),
      within(sample_low("use" f), sample_high("use" f), paper, 0.02),
      miss("use" f, paper, 0.02) sprintf("; the small networks use %.3f", sample_mean("use")))
  }
}

function power(x) { return log(x) / log(10) }

function table_10(   seed, s, k) {
  for (seed in timed) {
    for (k = 1; k <= 2; k++) {
      s = k == 1 ? "single" : "hierarchical"
      sample_add("growth " s, seconds[seed, s, 10] / seconds[seed, s, 1])
    }
    for (k = 1; k <= 10; k += 9)
      sample_add("lead" k, seconds[seed, "single", k] / seconds[seed, "hierarchical", k])
  }
  row("5.7", "With 10 times as many tasks and hosts single takes about 580 times as long", 582,
    "growth single", sprintf("the time grows with the power %.2f of the tasks, in the paper %.2f",
      power(sample_mean("growth single")), power(582)))
  row("5.7", "... while hierarchical takes about 30 times as long (table 10: 33.5)", 33.5,
    "growth hierarchical",
    sprintf("the time grows with the power %.2f of the tasks, in the paper %.2f",
      power(sample_mean("growth hierarchical")), power(33.5)))
  row("5.7", "Table 10: time of single over hierarchical, 1,000 tasks on 100 hosts", 2.53, "lead1",
    sprintf("single takes %.2g s, hierarchical %.2g s", sample_mean("ssingle1"),
      sample_mean("shierarchical1")))
  row("abstract, 6", "10,000 tasks on 1,000 hosts are scheduled in about 1 / 44 of the time of" \
    " single", 44, "lead10", sprintf("single takes %.2g s, hierarchical %.2g s",
      sample_mean("ssingle10"), sample_mean("shierarchical10")))
  cannot_check("5.7", "Table 10: single takes 4.83 and 2812.90 s, hierarchical 1.91 and 63.94 s",
    "4.83 2812.90 1.91 63.94",
    sprintf("times of the paper's program on its machine; here %.2g, %.2g, %.2g and %.2g s",
      sample_mean("ssingle1"), sample_mean("ssingle10"), sample_mean("shierarchical1"),
      sample_mean("shierarchical10")))
}

function figure_10(   key, k, wrong) {
  for (key in group) {
    split(key, k, SUBSEP)
    if (k[1] == 4 && group[key] != (k[2] ~ /^i2/ ? "HG3" : "HG4")) wrong++
  }
  judge("4.4", "Figure 10 (a): with 4 elements, (iii) and the tasks of cost 1 and 15 go to HG4," \
    " (i) to HG3", "0 of 13 elsewhere", wrong + 0 " of 13 elsewhere", "-", wrong == 0,
    wrong + 0 " tasks are on another group of hosts")
  judge("4.4", "Figure 10 (b): with more elements than 4, a part of (ii) goes to HG3", "some",
    moved[8] " of " parts[8], "-",
    moved[8] > 0 && moved[8] < parts[8] && group[8, "i25"] == "HG3" && group[8, "i20"] == "HG3" &&
      group[8, "t30"] == "HG4",
    sprintf("%d of %d elements of (ii) go to HG3; (i) to %s and %s, the task of cost 30 to %s",
      moved[8], parts[8], group[8, "i25"], group[8, "i20"], group[8, "t30"]))
  cannot_check("4.5", "Figure 11: a network ends at 175, and at 150 with dependence costs",
    "175 150",
    "figure 11, which has the costs, is missing from the copy of the paper")
}

END {
  if (seed_count < 2) { print "megascript.awk: intervals need two seeds" >"/dev/stderr"; exit 1 }
  split("bandwidth time", model, " ")
  split("0 10 100", load, " ")
  verdicts_head()
  figure_10()
  tables_3_and_4()
  table_5()
  table_6()
  table_8()
  table_9()
  table_10()
}
