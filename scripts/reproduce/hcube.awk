# Verdicts on Horiike, "A task allocation method for hyper-cube connected parallel computer", from values.tsv of
# hcube.sh.  awk -f verdicts.awk -f checks.awk -f hcube.awk values.tsv
BEGIN { FS = "\t" }
$1 == "what" { next }
{
  v[$1, $2] = $3
  if ($2 > 0 && $1 ~ /^(ring|exchange|random|slower)$/) sample_add($1, $3)
  if ($1 == "exchange") {
    sample_add("ends at 12", $3 == 12)
    sample_add("better", v["ring", $2] - $3)
    seen[$3] = 1
  }
  if ($1 == "gain" && (gains++ == 0 || $3 > most)) most = $3
}

# Relabels X of 3 bits: bit k of the result is bit p[k] of X, inverted if bit k of F is set.
function relabel(x, p0, p1, p2, f,   y, k, p) {
  p[0] = p0; p[1] = p1; p[2] = p2
  for (k = 0; k < 3; k++) y += (int(x / 2 ^ p[k]) % 2 != int(f / 2 ^ k) % 2) * 2 ^ k
  return y
}
# The number of the 4 arcs of figure 6 that join equal labels after this relabelling; arc 2 ends at END.
function equal_labels(end, p0, p1, p2, f) {
  return (relabel(6, p0, p1, p2, f) == 1) + (relabel(end, p0, p1, p2, f) == 3) + \
    (relabel(2, p0, p1, p2, f) == 2) + (relabel(0, p0, p1, p2, f) == 4)
}
function largest(end,   a, b, f, n, most) {
  for (a = 0; a < 3; a++)
    for (b = 0; b < 3; b++)
      for (f = 0; a != b && f < 8; f++) {
        n = equal_labels(end, a, b, 3 - a - b, f)
        if (n > most) most = n
      }
  return most
}
function binary(x) { return int(x / 4) % 2 int(x / 2) % 2 x % 2 }

function judge_structure(   list, n, want, k, ok, here) {
  n = split("36 39 33 45 53 5", list, " ")
  for (k = 1; k <= n; k++) want = want (index(" " v["neighbours", "-"] " ", " " list[k] " ") ? "" : " " list[k])
  ok = want == "" && split(v["neighbours", "-"], list, " ") == n
  judge("2", "processor 37 of the network of n = 6 is joined to the 6 processors 36, 39, 33, 45, 53 and 5", "36 39 33 45 53 5",
    v["neighbours", "-"], "", ok, want == "" ? "there are more" : "not joined:" want)
  ok = v["links", 1] == 1
  here = v["links", 1]
  for (k = 2; k <= 6; k++) {
    here = here " " v["links", k]
    if (v["links", k] != 2 * v["links", k - 1] + 2 ^ (k - 1)) ok = 0
  }
  judge("2", "two n-cubes of N processors each and N links between equal numbers make an (n+1)-cube (links of 1 to 6 dimensions)",
    "1 4 12 32 80 192", here, "", ok, "the numbers of links do not follow")
}

# Judges figure 6 with arc 2 ending at END; `as` describes this in the statement.
function judge_example(end, as,   most, paper, reason) {
  most = largest(end)
  paper = equal_labels(end, 1, 0, 2, 4)
  reason = sprintf("the paper's relabelling gives %d, as it takes %s to %s; the largest of all 48 relabellings is %d, hcube's is %d", paper, \
    binary(end), binary(relabel(end, 1, 0, 2, 4)), most, v["method", end])
  judge("4, figure 6", "with bits 0 and 1 exchanged and bit 2 inverted on the right, 3 arcs coincide with links, the largest number" as,
    "3", v["method", end], "", paper == 3 && most == 3 && v["method", end] == 3, reason)
}

function judge_rings(   ends) {
  for (ends = 0; ends <= 16; ends++) if (ends in seen) list = list " " ends
  judge("4, figure 6", "in this state, 1 arc coincides with a link (arc 2 as printed, 011 to 101)", "1", v["given", 5], "",
    v["given", 5] == 1, v["given", 5] " arcs coincide")
  judge_example(5, " (arc 2 as printed, 011 to 101)")
  judge_example(7, " (arc 2 read as 011 to 111, which becomes 011 as printed)")
  sample_add("in order", v["ring", 0])
  check("in order", "in order", 15.999, 16.001)
  check("numbered at random", "ring", 15.999, 16.001)
  checks_judge("6, figure 13", "the method allocates a ring of 16 tasks with the largest cardinality, 16", "16")
  sample_add("most", most)
  check("share of the starts that end at 12", "ends at 12", 0, "")
  check("largest gain of an exchange at any end", "most", "", 0.5)
  checks_judge("6, figure 14", "pairwise exchange can stop at cardinality 12, where no exchange of two tasks increases it", "12", "",
    "the ends are" list)
  check("difference", "better", 0, "")
  checks_judge("6", "the method is better suited than the exchange (difference of the cardinalities)", "16 - 12")
  check("time at random / by the method", "slower", 1, "")
  checks_judge("1", "execution performance depends greatly on the allocation, as the distance between processors changes with it (a ring of 16 tasks)", "above 1")
}

END {
  verdicts_head()
  judge_structure()
  cannot_check("3, figures 3 to 5", "one allocation of the graph of figure 3 has cardinality 4, another 5, the better one", "4, 5",
    "the text does not list the arcs of figure 3, and the picture is lost")
  judge_rings()
  cannot_check("6, figures 7 to 12", "the tasks of figure 7 are joined to the pairs (0,6) (1,7) (2,3) (4,5) (8,9) (10,11) (12,13) (14,15), then to (0,1) (2,4) (3,5) (6,7), then to (0,1) (2,3)", "-",
    "the text does not list the arcs of figure 7, and the picture is lost")
}
