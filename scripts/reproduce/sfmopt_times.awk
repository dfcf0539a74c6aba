# Figures and verdicts from times.tsv of sfmopt_times.sh.  awk -f verdicts.awk -f checks.awk -f sfmopt_times.awk
#   -v task=figures   prints the ratios of the figures, a row for each size and objective
#   -v task=judge     prints rows of verdicts.tsv on the paper's statements about time; -v cores=N: cores of this machine
BEGIN {
  FS = "\t"
  split("minlink mincost", objectives, " ")
  measured_rows(1)
}
$1 == "mapper" { next }
{
  key = $1 SUBSEP $2 SUBSEP $3 SUBSEP $4 SUBSEP $5
  cpu[key, $6] = $7
  elapsed[key, $6] = $8
  mapping[key, $6] = $9
  if ($6 >= runs) runs = $6 + 1
  if (!($4 in seen)) { seen[$4] = 1; size[++sizes] = $4 }
  if ($5 > threads) threads = $5
}

# CPU seconds of a mapping without the seconds to make the traffic; "" if not measured.
function net(mapper, objective, nodes, run, traffic,   key, base) {
  if (traffic == "") traffic = "dense"
  key = mapper SUBSEP objective SUBSEP traffic SUBSEP nodes SUBSEP 1 SUBSEP run
  base = "xyz" SUBSEP (traffic == "dense" ? "-" : "minlink") SUBSEP traffic SUBSEP nodes SUBSEP 1 SUBSEP run
  if (!(key in cpu)) return ""
  return cpu[key] - (base in cpu ? cpu[base] : 0)
}

# Makes the sample of the ratios of two such times, run by run, unless it exists already, and returns its name.
function ratio(a, oa, na, b, ob, nb, ta, tb,   name, i, x, y) {
  name = a " " oa " " na " " ta "/" b " " ob " " nb " " tb
  if (name in sampled) return name
  sampled[name] = 1
  for (i = 0; i < runs; i++) {
    x = net(a, oa, na, i, ta)
    y = net(b, ob, nb, i, tb)
    if (x != "" && x > 0 && y > 0) sample_add(name, x / y)
  }
  return name
}
# Makes the sample of the ratio of two such ratios, and returns its name.
function ratio_of(p, q,   name) {
  name = p " // " q
  if (name in sampled || !sample_n[p] || !sample_n[q]) return name
  sampled[name] = 1
  # The ratios of single runs are not kept.  So a sample of two values is made, whose relative half interval is the root of the
  # sum of squares of the relative half intervals of p and q.
  sample_n[name] = 2
  sample_sum[name] = 2 * sample_mean(p) / sample_mean(q)
  half_of[name] = sample_mean(p) / sample_mean(q) * sqrt((sample_half(p) / sample_mean(p)) ^ 2 + (sample_half(q) / sample_mean(q)) ^ 2)
  sample_squares[name] = sample_sum[name] ^ 2 / 2 + 2 * (half_of[name] / student(1)) ^ 2
  return name
}
function gain(o, n) { return ratio("mopt", o, n, "mopt-distinct", o, n) }
function growth(m, o, n) { return ratio(m, o, n, m, o, n / 2) }
function half(o, n) { return ratio("sfmopt", o, n, "fmopt-half", o, n) }
function saved(o, n) { return ratio("fmopt", o, n, "sfmopt", o, n) }
function share(o, n) { return ratio("none", "-", n, "sfmopt", o, n) }
function mean_or_dash(s) { return sample_n[s] ? sprintf("%.2f", sample_mean(s)) : "-" }
function seconds(m, o, n,   name, i, x) {
  name = m " " o " " n " s"
  if (name in sampled) return name
  sampled[name] = 1
  for (i = 0; i < runs; i++) if ((x = net(m, o, n, i)) != "") sample_add(name, x)
  return name
}
function has(s) { return sample_n[s] > 0 }

function figures(   i, k, o) {
  print "nodes\tobjective\tfmopt_s\tmopt/fmopt\tmopt/distinct\tgrowth_fmopt\tfmopt/sfmopt\tsfmopt/half\tnone/sfmopt\tsfmopt_s"
  for (o = 1; o <= 2; o++)
    for (i = 1; i <= sizes; i++) {
      k = size[i]
      if (!has(seconds("sfmopt", objectives[o], k))) continue
      print k, objectives[o], mean_or_dash(seconds("fmopt", objectives[o], k)),
        mean_or_dash(ratio("mopt", objectives[o], k, "fmopt", objectives[o], k)), mean_or_dash(gain(objectives[o], k)),
        mean_or_dash(growth("fmopt", objectives[o], k)), mean_or_dash(saved(objectives[o], k)),
        mean_or_dash(half(objectives[o], k)), mean_or_dash(share(objectives[o], k)),
        mean_or_dash(seconds("sfmopt", objectives[o], k))
    }
}

# Number of combinations of two boxes of sides s[0..2]: permutations of equal sides times reflections, squared.
function combinations(s,   d, flips, equal, n) {
  flips = 1
  for (d = 0; d < 3; d++) if (s[d] > 1) flips *= 2
  equal = (s[0] > 1 && s[0] == s[1]) + (s[1] > 1 && s[1] == s[2]) + (s[0] > 1 && s[0] == s[2])
  n = flips * (equal == 3 ? 6 : equal == 1 ? 2 : 1)
  return n * n
}
# Total number of hops that mopt minlink evaluates, over all combinations and messages, on dense traffic of NODES tasks.
function work(nodes,   i, g, sum, s, d, c, hops) {
  s[0] = s[1] = s[2] = 1
  for (g = 2; g <= nodes; g *= 2) {
    c = combinations(s)
    s[i++ % 3] *= 2
    hops = 0
    for (d = 0; d < 3; d++) hops += (s[d] * s[d] - 1) / (3 * s[d])
    sum += nodes * g * c * hops
  }
  return sum
}

# The largest size at which mopt was measured.
function largest(o,   i, k) {
  k = 0
  for (i = 1; i <= sizes; i++) if (has(seconds("mopt", o, size[i])) && size[i] > k) k = size[i]
  return k
}

function judge_same(   o, i, k, r, key, other, all, same, what) {
  for (o = 1; o <= 2; o++)
    for (i = 1; i <= sizes; i++)
      for (r = 0; r < runs; r++) {
        key = objectives[o] SUBSEP "dense" SUBSEP size[i] SUBSEP 1 SUBSEP r
        if (!(("mopt" SUBSEP key) in mapping)) continue
        all++
        if (mapping["mopt", key] == mapping["fmopt", key] && mapping["mopt", key] == mapping["mopt-distinct", key]) same++
        else what = what " " objectives[o] " " size[i]
      }
  judge("3.2", "FMOPT gives exactly the same output as MOPT", "", same + 0 " of " all + 0 " mappings equal", "",
    all > 0 && same == all, all ? "not equal:" what : "mopt was not measured")
}

function judge_combinations(   i, k) {
  for (i = 1; i <= sizes; i++) if (has(gain("minlink", size[i])))
    check(size[i], gain("minlink", size[i]), 3.5, 4.5)
  checks_judge("4.1 figure 6", "FMOPT minlink without threads is 4 times as fast as MOPT", "4 (3.5 to 4.5: ours)")
  for (i = 1; i <= sizes; i++) if (has(gain("mincost", size[i])))
    check(size[i], gain("mincost", size[i]), 5, 8)
  checks_judge("4.1 figure 6", "FMOPT mincost without threads is between 5 and 8 times as fast as MOPT", "5 to 8")
  for (i = 1; i <= sizes; i++) if (has(gain("mincost", size[i])) && size[i] >= 256)
    check(size[i], gain("mincost", size[i]), 5.5, 7.5)
  checks_judge("3.2.1", "a speed-up of some 6 to 7 times can be expected for MOPT mincost", "6 to 7 (5.5 to 7.5: ours)")
  check("128/256", ratio_of(gain("mincost", 128), gain("mincost", 256)), 1, "")
  check("512/256", ratio_of(gain("mincost", 512), gain("mincost", 256)), 1, "")
  check("512/1024", ratio_of(gain("mincost", 512), gain("mincost", 1024)), 1, "")
  checks_judge("4.1 figure 6", "in FMOPT mincost the speed-up is larger at 128, 512 and 8192 nodes, which join cubes in the last iteration (128 and 512 judged)", "", "",
    "the last merge joins cubes at 128 and 1024; at 512 it joins boxes of 8x8x4")
  check("128/256", ratio_of(gain("mincost", 128), gain("mincost", 256)), 1, "")
  check("1024/512", ratio_of(gain("mincost", 1024), gain("mincost", 512)), 1, "")
  checks_judge("4.1 figure 6", "because joining cubes is reduced most, and as the last iteration takes a large share of the time (128 and 1024 nodes join cubes last)", "")
  check("minlink 256/128", ratio_of(gain("minlink", 256), gain("minlink", 128)), 0.8, 1.25)
  check("mincost 1024/128", ratio_of(gain("mincost", 1024), gain("mincost", 128)), 0.8, 1.25)
  checks_judge("3.3", "FMOPT is always faster than MOPT by a constant factor, and this is the same with more nodes", "1 (0.8 to 1.25: ours)")
}

function judge_mopt(   o, k, m, hours) {
  for (o = 1; o <= 2; o++)
    check(objectives[o] " dense/grid", ratio("mopt", objectives[o], 256, "mopt", objectives[o], 256, "dense", "grid"), 0.8, 1.25)
  checks_judge("4.1", "the optimisation time of MOPT does not depend on the input data", "1 (0.8 to 1.25: ours)", "",
    "mopt here skips pairs without bytes, and dense traffic has no such pair")
  for (o = 1; o <= 2; o++) {
    k = largest(objectives[o])
    check(objectives[o] " " k, ratio("mopt-selection", objectives[o], k, "mopt", objectives[o], k), "", 0.01)
  }
  checks_judge("6", "in MOPT the selection step took less than 1 % of the time", "below 0.01")
  m = largest("minlink")
  hours = m ? sample_mean(seconds("mopt", "minlink", m)) * work(8192) / work(m) / 3600 : 0
  k = m ? sprintf("mopt minlink takes %.1f s at %d nodes, so by its number of evaluations and hops %.0f h at 8192", \
    sample_mean(seconds("mopt", "minlink", m)), m, hours) : "mopt was not measured"
  cannot_check("1, 4.1", "MOPT minlink takes 7348 s at 8192 nodes, and 5 hours at 16384; FMOPT with 4 threads takes 547 s", "7348 s, 5 h, 547 s", k)
  cannot_check("3.1", "at 8192 nodes the merge step takes 99.8 % of the time of MOPT minlink, its evaluation function 98.5 %", "99.8 %, 98.5 %",
    k (m ? sprintf("; at %d nodes the merge step takes %.1f %%", m, \
      100 * (1 - sample_mean(ratio("mopt-selection", "minlink", m, "mopt", "minlink", m)))) : ""))
  for (k = 128; k <= m; k *= 2) if (has(seconds("mopt", "mincost", k)))
    check(k, ratio("mopt-distinct", "mincost", k, "mopt-distinct", "minlink", k), "", 1)
  checks_judge("4.2.1", "Eval_Cost takes less time than Eval_Link (FMOPT, each combination evaluated from scratch)", "below 1")
}

# The elapsed time of fmopt with one thread, relative to the time with `threads` threads.
function judge_threads(   o, n, i, x, y, name, key) {
  if (threads < 4) {
    cannot_check("4.1 figure 7, 6", "4 threads make FMOPT 2 to 3 times as fast, mincost less than minlink", "2 to 3", \
      "this machine has " cores " of the 4 cores")
    return
  }
  for (o = 1; o <= 2; o++)
    for (n = 2048; n <= 8192; n *= 2) {
      name = objectives[o] " " n
      key = objectives[o] SUBSEP "dense" SUBSEP n
      for (i = 0; i < runs; i++) {
        x = elapsed["fmopt", key, 1, i] - elapsed["xyz", "-", "dense", n, 1, i]
        y = elapsed["fmopt", key, threads, i] - elapsed["xyz", "-", "dense", n, threads, i]
        if (x > 0 && y > 0) sample_add(name, x / y)
      }
      check(name, name, 2, 3)
    }
  checks_judge("4.1 figure 7, 6", "4 threads make FMOPT 2 to 3 times as fast", "2 to 3")
}

function judge_growth(   o, n, why) {
  check("mincost 1024/512", ratio_of(growth("mopt-distinct", "mincost", 1024), growth("mopt-distinct", "mincost", 512)), 1, "")
  checks_judge("4.1 figure 8", "the time of FMOPT grows much from 512 to 1024 nodes, where an iteration that joins cubes is added (each combination evaluated from scratch)", "")
  check("time at 512, of 1024 nodes", ratio("mopt-distinct", "mincost", 512, "mopt-distinct", "mincost", 1024), "", 0.25)
  checks_judge("4.2.1 figure 9", "iteration 9, which joins groups of 512 nodes, takes much of the time of FMOPT (more than half of it at 1024 nodes: ours)", "below 0.25")
  for (o = 1; o <= 2; o++) {
    check(objectives[o] " 1024/512", ratio_of(growth("fmopt", objectives[o], 1024), growth("fmopt", objectives[o], 512)), 1, "")
    check("1024/2048", ratio_of(growth("fmopt", objectives[o], 1024), growth("fmopt", objectives[o], 2048)), 1, "")
    check("8192/4096", ratio_of(growth("fmopt", objectives[o], 8192), growth("fmopt", objectives[o], 4096)), 1, "")
  }
  checks_judge("4.1 figure 8", "the time of FMOPT grows most at 1024 and 8192 nodes (fmopt)", "", "", selection_share("fmopt"))
  for (o = 1; o <= 2; o++) {
    check(objectives[o], ratio_of(ratio("sfmopt", objectives[o], 8192, "sfmopt", objectives[o], 1024), \
      ratio("fmopt", objectives[o], 8192, "fmopt", objectives[o], 1024)), "", 1)
    checks_judge("4.2.1 figure " (8 + o), "subgroups restrain the growth of time with the nodes (1024 to 8192, relative to FMOPT, " objectives[o] ")", "below 1")
  }
  why = ""
  if (has(ratio("sfmopt", "minlink", 8192, "sfmopt", "minlink", 1024, "grid", "grid")))
    why = sprintf("on a grid, whose pairs grow with the nodes, it grows %.1f times; dense traffic has 64 times as many pairs", \
      sample_mean(ratio("sfmopt", "minlink", 8192, "sfmopt", "minlink", 1024, "grid", "grid")))
  check("1024 to 8192", ratio("sfmopt", "minlink", 8192, "sfmopt", "minlink", 1024), 8 ^ 0.8, 8 ^ 1.2)
  checks_judge("4.2.1 figure 9", "the time of SFMOPT comes close to a linear function of the nodes", "8 (8^0.8 to 8^1.2: ours)", "", why)
}

# A part of a reason: the share of selection in the time of a mapper at 8192 nodes.
function selection_share(m,   s) {
  s = ratio("none", "-", 8192, m, "minlink", 8192)
  return has(s) ? sprintf("selection takes %.0f %% of the time of %s minlink at 8192 nodes", 100 * sample_mean(s), m) : ""
}

function judge_subgroups(   o, n) {
  check("8192", saved("minlink", 8192), 17.6 * 0.9, 17.6 * 1.1)
  checks_judge("4.2.1", "at 8192 nodes with Eval_Link, FMOPT takes 547 s and SFMOPT 31 s", "17.6 (10 %: ours)", "", \
    selection_share("sfmopt"))
  check("8192", half("minlink", 8192), 1.05, 1.15)
  checks_judge("4.2.1 figure 9", "even at 8192 nodes, where they differ most, SFMOPT takes only some 1.1 times as long as FMOPT-half (Eval_Link)", "1.1 (1.05 to 1.15: ours)")
  for (n = 1024; n <= 4096; n *= 2) check("8192/" n, ratio_of(half("minlink", 8192), half("minlink", n)), 1, "")
  checks_judge("4.2.1 figure 9", "SFMOPT and FMOPT-half differ most at 8192 nodes (Eval_Link)", "")
  for (n = 1024; n <= 8192; n *= 2) check(n, half("mincost", n), 1 / 1.2, 1.2)
  checks_judge("4.2.1 figure 10", "with Eval_Cost there is no great difference to FMOPT-half (20 %: ours)", "1")
  for (o = 1; o <= 2; o++)
    for (n = 1024; n <= 8192; n *= 2) check(objectives[o] " " n, half(objectives[o], n), 0.95, "")
  checks_judge("4.2", "SFMOPT is never better than FMOPT-half in optimisation time (5 %: ours)", "at least 1")
  for (n = 1024; n <= 8192; n *= 2) check(n, ratio_of(saved("mincost", n), saved("minlink", n)), "", 1)
  checks_judge("4.2.1 figure 10", "subgroups save less with Eval_Cost than with Eval_Link (saved, mincost/minlink)", "below 1", "", selection_share("sfmopt"))
  if (has(share("minlink", 16384))) {
    check("minlink", share("minlink", 16384), 0.27, 0.37)
    check("mincost", share("mincost", 16384), 0.62, 0.72)
    checks_judge("6", "at 16384 nodes selection takes 32 % of SFMOPT minlink and 67 % of SFMOPT mincost (5 points: ours)", "0.32, 0.67", "", \
      sprintf("sfmopt minlink takes %.1f s, of which the merge steps take %.1f s", sample_mean(seconds("sfmopt", "minlink", 16384)), \
        sample_mean(seconds("sfmopt", "minlink", 16384)) - sample_mean(seconds("none", "-", 16384))))
    check("mincost/minlink", ratio_of(share("mincost", 16384), share("minlink", 16384)), 1, "")
    checks_judge("6", "at 16384 nodes selection takes a larger share of SFMOPT mincost than of SFMOPT minlink", "67 % > 32 %")
  } else
    cannot_check("6", "at 16384 nodes selection takes 32 % of SFMOPT minlink and 67 % of SFMOPT mincost", "0.32, 0.67", \
      "not among the sizes of this run; dense traffic of 16384 tasks needs 12 GB")
}

function judge_512(   m, why) {
  for (m = 1; m <= 2; m++) {
    check("fmopt " objectives[m], seconds("fmopt", objectives[m], 512), "", 1)
    check("sfmopt " objectives[m], seconds("sfmopt", objectives[m], 512), "", 1)
  }
  checks_judge("4.2.2", "the optimisation of 512 nodes ends within 1 s", "below 1 s")
  why = ""
  if (has(seconds("mopt-distinct", "minlink", 512)))
    why = sprintf("with each combination of FMOPT evaluated from scratch it is %.1f s", sample_mean(seconds("mopt-distinct", "minlink", 512)))
  check("seconds", seconds("sfmopt", "minlink", 512), 0.35, 0.45)
  checks_judge("6", "SFMOPT minlink optimises 512 nodes in 0.4 s", "0.4 s (rounding)", "", why)
}

END {
  if (task == "figures") { OFS = "\t"; figures(); exit }
  judge_same()
  judge_combinations()
  judge_mopt()
  judge_threads()
  judge_growth()
  judge_subgroups()
  judge_512()
  cannot_check("5", "optimisation takes less time with SFMOPT than with the BISEM step of RMATT, also of the faster RMATT", "",
    "the paper says of BISEM only that it divides the tasks into groups and places them; its steps are in reference 5, which the paper does not repeat")
}
