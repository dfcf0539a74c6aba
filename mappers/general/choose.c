#include "mappers/general/choose.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/numeric/rising.h"
#include "mappers/general/candidates.h"
#include "mappers/tune/trials.h"

/* FIRST candidates share half of the budget; then the best of them, at least LAST, share the rest.
 * If the operations depend on the mapping, up to FIRST_WHOLE candidates share the budget. */
enum { FIRST = 12, LAST = 3, FIRST_WHOLE = 18 };

/* The default budget, and the number of ranks below which it rises, so that small programs take as
 * long as this one. */
#define BUDGET       10.0
#define BUDGET_RANKS 64.0

/* A candidate whose estimate exceeds the least one by this factor is not the fastest: in the cells
 * of docs/mappers.md, the error of the estimate is a factor of 1.43 at most. */
#define SURE 1.5

/* An estimate is clearly lower than another if the other exceeds it by more than this share.  With
 * 0 in place of 0.1, LU on the dragonfly of results/reference/time-1.tsv takes 1.6 % longer. */
#define CLEAR 0.1

/* Limit of the simulated work, about 25 s of CPU time.  The work of a phase is the square of the
 * number of its messages.  A program with a phase above MOST_PHASE is not simulated, because a part
 * of it would take nearly as long. */
#define MOST_COST  5e10
#define MOST_PHASE 2e10

/* The weight of the simulated time beside the estimate, for a share of an iteration, is the share
 * to this power. */
#define WEIGHT_POWER 0.125

/* The least time that counts for a part of the program, as a share of the estimate: the first
 * operations may take no time. */
#define LEAST_TIME 1e-3

/* The least part of an iteration that is simulated. */
#define LEAST_PART 0x1p-8

/* Times and values that differ by this share are equal except for rounding. */
#define ALIKE 1e-9

/* Estimates of a matrix that differ by less than this share decide nothing. */
#define ESTIMATE_ERROR 0.01

/* The same for the estimates of programs that are too large to simulate. */
#define UNSIMULATED_ERROR 0.05

/* The share by which a later mapping of choose_fastest() must be faster: the first mapping is
 * better by its traffic. */
#define GIVEN_MARGIN 0.01

static int by_value(const void *a, const void *b)
{
  const struct candidate *x = a, *y = b;
  return RISING(x->value, y->value) ?: RISING(x->number, y->number);
}

static int by_time(const void *a, const void *b)
{
  const struct candidate *x = a, *y = b;
  return RISING(x->time_s, y->time_s) ?: by_value(a, b);
}

/* The time of the whole program, from a simulation up to a point.  If the point is within the first
 * iteration, the result is a weighted geometric mean of the simulated time and the estimate: the
 * rest of the iteration may have other messages.  If the point is after two iterations or more,
 * each later iteration takes the mean time of the second half of the simulated ones: the first
 * iterations may be faster, because all ranks begin together. */
static double time_of(const struct mapper_input *in, const struct mapper_trial *x, double estimate)
{
  const uint32_t k = x->stop;
  const double n = mapper_iterations(in->simulator, k), weight = pow(fmin(n, 1), WEIGHT_POWER);
  double time_s = x->passed_s[k];
  if (k < MAPPER_END && n >= 2)
    time_s += (time_s - x->passed_s[k - 1]) * ((double)in->simulator->iterations - n) / (n / 2);
  return pow(fmax(time_s, LEAST_TIME * estimate), weight) * pow(estimate, 1 - weight);
}

/* Simulates the first @p n candidates up to a point, sorts them by time, and sets `behind`.  A
 * difference is a share of the time that is not computation, as only that part has rounding errors.
 * It counts in proportion to the simulated share of an iteration. */
static enum status simulate(struct candidates *c, struct trials *t, uint32_t n, uint32_t point,
                            struct err *e)
{
  const double share = fmin(mapper_iterations(t->in->simulator, point), 1);
  for (uint32_t i = 0; i < n;) {
    const uint32_t first = i;
    for (; i < n && i < first + TRIALS_BATCH; i++)
      trials_add_hosts(t, c->candidate[i].host, point);
    if (trials_run(t, e) != OK)
      return FAIL;
    for (uint32_t k = first; k < i; k++)
      c->candidate[k].time_s = time_of(t->in, &t->trial[k - first], c->candidate[k].value);
  }
  qsort(c->candidate, n, sizeof *c->candidate, by_time);
  const struct candidate *best = &c->candidate[0];
  const double rest = fmax(best->time_s - best->computation_s, LEAST_TIME * best->time_s);
  for (uint32_t i = 0; i < n; i++)
    c->candidate[i].behind = share * (c->candidate[i].time_s - best->time_s) / rest;
  return OK;
}

/* The number of points that simulations of @p n candidates can pass in @p runs runs in all; 0: the
 * simulated part would be too short. */
static uint32_t points_of(const struct mapper_simulator *s, double runs, uint32_t n)
{
  uint32_t points = 0;
  while (points < MAPPER_POINTS && n * mapper_share(s, points) <= runs)
    points++;
  return points > 0 && mapper_iterations(s, points - 1) >= LEAST_PART ? points : 0;
}

static double messages_of(const struct phases *p, uint32_t phase)
{
  double n = 0;
  for (size_t i = p->first[phase]; i < p->first[phase + 1]; i++)
    n += p->message[i].messages;
  return n;
}

/* Sets *runs to the number of simulations of the whole program that the budget, in iterations, and
 * MOST_COST allow. */
static enum status count_runs(const struct mapper_input *in, double budget, double *runs,
                              struct err *e)
{
  const struct phases *p;
  double cost = 0;
  if (mapper_phases(in, &p, e) != OK)
    return FAIL;
  *runs = budget / (double)in->simulator->iterations;
  for (size_t i = 0; p != NULL && i < p->steps; i++) {
    const double n = messages_of(p, p->step[i].phase);
    cost += (double)p->step[i].times * n * n;
    if (n * n > MOST_PHASE)
      *runs = 0;
  }
  if (cost > 0)
    *runs = fmin(*runs, MOST_COST / cost);
  return OK;
}

/* The fastest of the first @p n candidates, which are sorted by time.  Candidates whose times
 * differ from the least time by rounding at most compete by value. */
static uint32_t fastest(const struct candidates *c, uint32_t n)
{
  uint32_t best = 0;
  for (uint32_t i = 1; i < n; i++)
    if (c->candidate[i].behind <= TRIALS_CHAOS && c->candidate[i].value < c->candidate[best].value)
      best = i;
  return best;
}

/* The first @p n candidates, which are sorted by value, are simulated.  Basic candidates take the
 * places of the last of these, except the first, if their values are at most SURE times the least
 * one, or @p always. */
static void put_first(struct candidates *c, uint32_t n, bool always)
{
  for (uint32_t i = n; i < c->count; i++) {
    uint32_t k = n - 1;
    if (!c->candidate[i].basic || (!always && c->candidate[i].value > SURE * c->candidate[0].value))
      continue;
    while (k > 0 && c->candidate[k].basic)
      k--;
    if (k == 0)
      return;
    const struct candidate other = c->candidate[k];
    c->candidate[k] = c->candidate[i];
    c->candidate[i] = other;
  }
}

static bool is_close(double a, double b)
{
  return fabs(a - b) <= ALIKE * fabs(a);
}

/* Moves all but the first of the candidates with one value, which are sorted by value, behind the
 * others: most likely they are equal except for symmetries. */
static void put_copies_last(struct candidates *c)
{
  struct candidate copy[CANDIDATES_MOST];
  uint32_t kept = 0, copies = 0;
  for (uint32_t i = 0; i < c->count; i++)
    if (kept > 0 && is_close(c->candidate[kept - 1].value, c->candidate[i].value)) {
      c->candidate[kept - 1].basic |= c->candidate[i].basic;
      copy[copies] = c->candidate[i];
      copy[copies++].basic = false;
    } else
      c->candidate[kept++] = c->candidate[i];
  memcpy(&c->candidate[kept], copy, copies * sizeof *copy);
}

static bool has_spread(const struct candidates *c)
{
  for (uint32_t i = 0; i < c->count; i++)
    if (c->candidate[i].spread)
      return true;
  return false;
}

/* If candidates are spread and others are not, half of the first @p first ones are of each kind:
 * the errors of their estimates differ. */
static void put_kinds(struct candidates *c, uint32_t first)
{
  uint32_t spread = 0, next = first;
  if (!has_spread(c))
    return;
  put_copies_last(c);
  for (uint32_t i = 0; i < first && i < c->count; i++)
    spread += c->candidate[i].spread;
  const bool rare = spread < first / 2; /* the kind of which there are too few */
  for (uint32_t n = rare ? spread : first - spread, k = first; n < first / 2; n++) {
    while (next < c->count && c->candidate[next].spread != rare)
      next++;
    if (next >= c->count)
      return;
    while (c->candidate[--k].spread == rare)
      ;
    const struct candidate other = c->candidate[k];
    c->candidate[k] = c->candidate[next];
    c->candidate[next++] = other;
  }
}

/* Sets *best to the candidate with the least hop-bytes.  Considers only candidates whose values
 * exceed the least value by at most UNSIMULATED_ERROR. */
static enum status least_hop_bytes(const struct candidates *c, const struct mapper_input *in,
                                   uint32_t *best, struct err *e)
{
  swaps_value least = 0;
  for (uint32_t i = 0; i < c->count; i++) {
    swaps_value hop_bytes;
    if (c->candidate[i].value > c->candidate[0].value * (1 + UNSIMULATED_ERROR))
      break;
    if (search_value(c->candidate[i].host, in, OBJECTIVE_HOPBYTES, &hop_bytes, e) != OK)
      return FAIL;
    if (i == 0 || hop_bytes < least) {
      least = hop_bytes;
      *best = i;
    }
  }
  return OK;
}

/* Candidates with equal times and equal values are most likely equal except for symmetries: moves
 * all but the first of them behind the others of the first @p n.  Returns the number of others. */
static uint32_t put_alike_last(struct candidates *c, uint32_t n)
{
  struct candidate alike[FIRST_WHOLE];
  uint32_t kept = 0, dropped = 0;
  for (uint32_t i = 0; i < n; i++) {
    const struct candidate x = c->candidate[i];
    uint32_t k = 0;
    while (k < kept && !(is_close(c->candidate[k].time_s, x.time_s) &&
                         is_close(c->candidate[k].value, x.value)))
      k++;
    if (k < kept)
      alike[dropped++] = x;
    else
      c->candidate[kept++] = x;
  }
  memcpy(&c->candidate[kept], alike, dropped * sizeof *alike);
  return kept;
}

/* Moves the candidate with the least value to the last place of the next round, if the values of
 * the LAST fastest candidates of this round exceed it by more than CLEAR: times of a part of an
 * iteration can mislead more than estimates. */
static void keep_least_value(struct candidates *c, uint32_t n)
{
  uint32_t least = 0;
  double limit = INFINITY;
  for (uint32_t i = 0; i < n; i++) {
    if (i < LAST)
      limit = fmin(limit, c->candidate[i].value / (1 + CLEAR));
    if (c->candidate[i].value < c->candidate[least].value)
      least = i;
  }
  const struct candidate kept = c->candidate[least];
  if (kept.value >= limit)
    return;
  for (uint32_t i = least; i >= LAST; i--)
    c->candidate[i] = c->candidate[i - 1];
  c->candidate[LAST - 1] = kept;
}

/* The number of points that up to *n candidates, at least LAST, can pass in @p runs runs in all.
 * Lowers *n until a simulation has at least one iteration. */
static uint32_t whole_points(const struct mapper_simulator *s, double runs, uint32_t *n)
{
  uint32_t points = points_of(s, runs, *n);
  while (*n > LAST && points > 0 && mapper_iterations(s, points - 1) < 1)
    points = points_of(s, runs, --*n);
  return points;
}

/* Simulates candidates in two rounds and sets *best to the fastest.  If @p runs is too small for
 * simulations, decides by the values and hop-bytes. */
static enum status race(struct candidates *c, struct trials *t, double runs, uint32_t *best,
                        struct err *e)
{
  const bool whole = t->in->simulator->asks_hosts;
  const uint32_t most = whole ? FIRST_WHOLE : FIRST;
  uint32_t n = c->count < most ? c->count : most;
  const uint32_t points =
      whole ? whole_points(t->in->simulator, runs, &n) : points_of(t->in->simulator, runs / 2, n);
  if (points == 0)
    return least_hop_bytes(c, t->in, best, e);
  put_kinds(c, n);
  put_first(c, n, whole);
  if (simulate(c, t, n, points - 1, e) != OK)
    return FAIL;
  n = put_alike_last(c, n);
  if (mapper_iterations(t->in->simulator, points - 1) < 1)
    keep_least_value(c, n);
  const double rest = runs - t->runs;
  const uint32_t more = points_of(t->in->simulator, rest, n < LAST ? n : LAST);
  if (more > points) {
    n = (uint32_t)fmin(n, rest / mapper_share(t->in->simulator, more - 1));
    if (simulate(c, t, n, more - 1, e) != OK)
      return FAIL;
  }
  *best = fastest(c, n);
  return OK;
}

/* Compares the hop-bytes with their limit first, then the loads. */
static bool is_better(const struct candidates *c, const struct candidate *x,
                      const struct candidate *y)
{
  const bool few = (uint64_t)x->load <= c->most_hop_bytes;
  const bool other = (uint64_t)y->load <= c->most_hop_bytes;
  return few != other ? few : x->load < y->load;
}

/* The estimate of a matrix alone is mostly the load of the cable of a host, which no mapping
 * changes.  Therefore the candidates with nearly the least estimate compete by is_better(). */
static uint32_t least_loaded(const struct candidates *c)
{
  uint32_t best = 0;
  for (uint32_t i = 1; i < c->count; i++)
    if (c->candidate[i].value <= c->candidate[0].value * (1 + ESTIMATE_ERROR) &&
        is_better(c, &c->candidate[i], &c->candidate[best]))
      best = i;
  return best;
}

static enum status choose(struct candidates *c, const struct mapper_input *in,
                          const struct choose_plan *plan, uint32_t *best, struct err *e)
{
  const enum objective by = plan->by == CHOOSE_TIME ? OBJECTIVE_TIME : OBJECTIVE_BLEND;
  double runs;
  *best = 0;
  if (candidates_make(c, in, &plan->general, by, e) != OK)
    return FAIL;
  qsort(c->candidate, c->count, sizeof *c->candidate, by_value);
  if (c->by_load)
    *best = least_loaded(c);
  if (plan->by != CHOOSE_TIME || in->simulator == NULL)
    return OK;
  struct trials t;
  const double usual = fmax(BUDGET, BUDGET * BUDGET_RANKS / in->ranks);
  if (count_runs(in, plan->budget > 0 ? plan->budget : usual, &runs, e) != OK ||
      trials_new(&t, in, e) != OK)
    return FAIL;
  const enum status s = race(c, &t, runs, best, e);
  trials_clear(&t);
  return s;
}

enum status choose_mapping(struct mapping *out, const struct mapper_input *in,
                           const struct choose_plan *plan, struct err *e)
{
  struct candidates c;
  uint32_t best;
  enum status s = choose(&c, in, plan, &best, e);
  if (s == OK)
    s = mapping_new(out, in->ranks, e);
  if (s == OK)
    memcpy(out->host, c.candidate[best].host, in->ranks * sizeof *out->host);
  candidates_clear(&c);
  return s;
}

enum status choose_fastest(const struct mapper_input *in, const uint32_t *const *host, uint32_t n,
                           double budget, uint32_t *best, struct err *e)
{
  struct trials t;
  double runs;
  *best = 0;
  if (count_runs(in, budget, &runs, e) != OK)
    return FAIL;
  const uint32_t points = points_of(in->simulator, runs, n);
  if (points == 0)
    return OK;
  if (trials_new(&t, in, e) != OK)
    return FAIL;
  for (uint32_t i = 0; i < n; i++)
    trials_add_hosts(&t, host[i], points - 1);
  const enum status s = trials_run(&t, e);
  for (uint32_t i = 1; s == OK && i < n; i++)
    if (trials_time(&t, i) * (1 + GIVEN_MARGIN) < trials_time(&t, *best))
      *best = i;
  trials_clear(&t);
  return s;
}
