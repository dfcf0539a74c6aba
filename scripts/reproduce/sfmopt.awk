# Verdicts on the evaluation values and communication times of Asano and Kise, "SFMOPT", section 4.2.2.
# awk -f verdicts.awk -f checks.awk -f sfmopt.awk -v paper_nodes=512 -v fitted=NAME=VALUE [-v mutated=MAPPER=SPEC] cells.tsv
# A row of cells.tsv is a simulation: kind (mesh, torus), nodes, benchmark, spec of the mapper, communication time, bytes
# times hops, bytes on the fullest link.
#
# The paper does not say which combination is taken if several have equal values.  The order in which haichi prefers them was
# fitted to CG, BT and SP at the paper's size.  So each statement on these benchmarks is judged three times:
#   fitted   with haichi's order at the paper's size, where it can at most be consistent
#   orders   with random orders at the paper's size, by the interval of the mean over the orders
#   others   with haichi's order at other sizes, to which it was not fitted; the statement must hold at each size
BEGIN { FS = "\t" }
$1 == "kind" { next }
{
  name = $4
  sub(/:.*/, "", name)
  objective = $4 ~ /mincost/ ? "mincost" : $4 ~ /minlink/ ? "minlink" : "-"
  order = 0
  if (match($4, /order=[0-9]+/)) order = substr($4, RSTART + 6, RLENGTH - 6)
  if (order > 0 && !(order in order_seen)) { order_seen[order] = 1; orders[++order_count] = order }
  if (!($1 in kind_seen)) { kind_seen[$1] = 1; kinds[++kind_count] = $1 }
  if ($2 != paper_nodes && !($2 in other_seen)) { other_seen[$2] = 1; other[++other_count] = $2 }
  # The replacement of a mapper is used for both objectives.
  if (mutated != "" && name == substr(mutated, index(mutated, "=") + 1)) {
    name = substr(mutated, 1, index(mutated, "=") - 1)
    store(name, "minlink", 0); store(name, "mincost", 0)
    next
  }
  store(name, objective, order)
}
function store(name, objective, order,   key) {
  key = $1 SUBSEP $2 SUBSEP $3 SUBSEP name SUBSEP objective SUBSEP order
  time[key] = $5
  cost[key] = $6
  link[key] = $7
}

# The key of a cell.  xyz, none and auto have no objective and no order; a replaced mapper has no order.
function cell(kind, nodes, bench, mapper, objective, order,   key) {
  if (mapper ~ /^(xyz|none|auto)$/) { objective = "-"; order = 0 }
  if (mutated != "" && index(mutated, mapper "=") == 1) order = 0
  return kind SUBSEP nodes SUBSEP bench SUBSEP mapper SUBSEP objective SUBSEP order
}

# The value of a mapper, relative to xyz; "" if not simulated.  `what` is a quantity and an objective: "link" is the load of the
# fullest link, "cost" bytes times hops, "speed" the inverse of the communication time; "L" is objective minlink, "C" mincost.
# Benchmark "mean" is the mean over CG, BT and SP, like the paper's means without MG.
function value(what, kind, nodes, bench, mapper, order,   o, x, y, b, sum, list, n) {
  if (bench == "mean") {
    n = split("cg bt sp", list, " ")
    for (b = 1; b <= n; b++) {
      if ((x = value(what, kind, nodes, list[b], mapper, order)) == "") return ""
      sum += x
    }
    return sum / n
  }
  o = what ~ /L$/ ? "minlink" : "mincost"
  x = cell(kind, nodes, bench, mapper, o, order)
  y = cell(kind, nodes, bench, "xyz", o, 0)
  if (!(x in time) || !(y in time)) return ""
  if (what ~ /^link/) return link[x] / link[y]
  if (what ~ /^cost/) return cost[x] / cost[y]
  return time[y] / time[x]
}

# The sample of the ratio of mappers a and b over the orders of a variant.  Returns its name.
function ratio(what, kind, variant, nodes, bench, a, b,   name, k, x, y, n) {
  name = what " " kind " " variant " " nodes " " bench " " a "/" b
  if (name in sampled) return name
  sampled[name] = 1
  n = variant == "orders" ? order_count : 1
  for (k = 1; k <= n; k++) {
    x = value(what, kind, nodes, bench, a, variant == "orders" ? orders[k] : 0)
    y = value(what, kind, nodes, bench, b, variant == "orders" ? orders[k] : 0)
    if (x != "" && y > 0) sample_add(name, x / y)
  }
  return name
}

# Checks a ratio at each size of the variant.
function check_ratio(label, what, bench, a, b, low, high,   k, nodes, s, load) {
  for (k = 1; k <= (variant == "others" ? other_count : 1); k++) {
    nodes = variant == "others" ? other[k] : paper_nodes
    s = ratio(what, kind, variant, nodes, bench, a, b)
    check(label (variant == "others" ? " at " nodes : ""), s, low, high)
    if (what ~ /^speed/ && check_failure(check_count) != "") {
      load = ratio("link " substr(what, 7), kind, variant, nodes, bench, a, b)
      if (sample_n[load])
        reasons = reasons (reasons == "" ? "" : "; ") sprintf("the fullest link of %s has %.2f of the load of %s%s", a, \
          sample_mean(load), b, bench == "mean" ? " in the mean" : " on " bench (variant == "others" ? " at " nodes : ""))
    }
  }
}
function sentence(figure, statement, paper, tuned,   where) {
  where = variant == "fitted" ? paper_nodes " nodes" : variant == "orders" ? order_count " random orders" : "other sizes"
  checks_judge("4.2.2 figure " figure ", " kind ", " where, statement, paper, tuned && variant == "fitted" ? fitted : "", reasons)
  reasons = ""
}

function judge_values(   k, list, b) {
  split("cg bt sp", list, " ")
  for (k = 1; k <= 3; k++) check_ratio(list[k], "link L", list[k], "sfmopt", "fmopt", 1, "")
  sentence(11, "in benchmarks other than MG, SFMOPT is worse than FMOPT (Eval_Link)", "above 1", 1)
  for (k = 1; k <= 2; k++) check_ratio(list[k], "link L", list[k], "sfmopt", "xyz", "", 1)
  check_ratio("sp", "link L", "sp", "sfmopt", "xyz", 1, "")
  sentence(11, "compared with the XYZ order, the value of SFMOPT is good except in SP (Eval_Link)", "below 1; SP above 1", 1)
  for (k = 1; k <= 3; k++) check_ratio(list[k], "cost C", list[k], "sfmopt", "fmopt", 0.95, 1.05)
  sentence(12, "in benchmarks other than MG, the values of FMOPT and SFMOPT hardly differ (Eval_Cost)", "1 (5 %: ours)", 1)
}

function judge_minlink() {
  check_ratio("fmopt/sfmopt", "speed L", "mean", "fmopt", "sfmopt", 1, "")
  check_ratio("sfmopt/half", "speed L", "mean", "sfmopt", "fmopt-half", 1, "")
  check_ratio("half/none", "speed L", "mean", "fmopt-half", "none", 1, "")
  check_ratio("none/xyz", "speed L", "mean", "none", "xyz", 1, "")
  sentence(13, "in the mean without MG, the speed-up is largest for FMOPT, then SFMOPT, FMOPT-half, None, XYZ (Eval_Link)", "above 1 each", 1)
  check_ratio("sfmopt/half", "speed L", "mean", "sfmopt", "fmopt-half", 1, "")
  sentence(13, "SFMOPT has a larger speed-up than FMOPT-half (Eval_Link)", "above 1", 1)
  check_ratio("sfmopt/fmopt", "speed L", "mean", "sfmopt", "fmopt", 0.95, 1)
  sentence(13, "SFMOPT performs a little worse than FMOPT, but by less than 5 % (Eval_Link)", "0.95 to 1", 1)
  check_ratio("fmopt/sfmopt", "speed L", "mean", "fmopt", "sfmopt", 1.04, 1.06)
  sentence("13, section 6", "subgroups cost an increase of the communication time of 5 % in the mean (Eval_Link)", "1.05 (1 point: ours)", 1)
}

function judge_mincost() {
  check_ratio("sfmopt/half", "speed C", "mean", "sfmopt", "fmopt-half", 1, "")
  check_ratio("sfmopt/none", "speed C", "mean", "sfmopt", "none", 1, "")
  check_ratio("sfmopt/xyz", "speed C", "mean", "sfmopt", "xyz", 1, "")
  sentence(14, "SFMOPT has a larger speed-up than FMOPT-half, None and XYZ (Eval_Cost)", "above 1 each", 1)
  check_ratio("cg", "speed C", "cg", "sfmopt", "fmopt", 1, "")
  check_ratio("sp", "speed C", "sp", "sfmopt", "fmopt", 1, "")
  sentence(14, "in CG and SP, SFMOPT is better than FMOPT (Eval_Cost)", "above 1", 1)
  check_ratio("cg", "link C", "cg", "sfmopt", "fmopt", "", 1)
  check_ratio("sp", "link C", "sp", "sfmopt", "fmopt", "", 1)
  sentence(14, "in these benchmarks, the value by Eval_Link is lower for SFMOPT than for FMOPT (Eval_Cost)", "below 1", 1)
}

# haichi's order was not fitted to MG, so MG is judged only with this order at the paper's size.
function judge_mg(   what, k, best) {
  for (k = 11; k <= 12; k++) {
    what = k == 11 ? "link L" : "cost C"
    check_ratio("fmopt", what, "mg", "fmopt", "xyz", 1, "")
    check_ratio("sfmopt", what, "mg", "sfmopt", "xyz", 1, "")
    sentence(k, "in MG, FMOPT and SFMOPT do not work well, optimisation makes it worse (Eval_" (k == 11 ? "Link)" : "Cost)"), "above 1")
  }
  check_ratio("link, auto", "link L", "mg", "auto", "xyz", 0.95, "")
  check_ratio("cost, auto", "cost L", "mg", "auto", "xyz", 0.95, "")
  sentence(11, "XYZ seems to be about optimal for MG (5 %: ours; relative to the mapper auto)", "1")
}

END {
  verdicts_head()
  for (k = 1; k <= kind_count; k++) {
    kind = kinds[k]
    for (v = 1; v <= 3; v++) {
      variant = v == 1 ? "fitted" : v == 2 ? "orders" : "others"
      if (variant == "orders" && order_count == 0 || variant == "others" && other_count == 0) continue
      judge_values()
      judge_minlink()
      judge_mincost()
      if (variant == "fitted") judge_mg()
    }
  }
}
