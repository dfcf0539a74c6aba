#include "mappers/general/candidates.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/numeric/rising.h"
#include "common/process/threads.h"
#include "mappers/estimate.h"
#include "mappers/general/bisections.h"
#include "mappers/inside/grouping.h"
#include "mappers/peers/repair.h"
#include "mappers/refine/boundary.h"
#include "mappers/refine/fixed.h"
#include "mappers/refine/hosts.h"
#include "mappers/refine/refine.h"
#include "mappers/simulator.h"
#include "mappers/spread.h"
#include "mappers/tune/cluster_order.h"
#include "mappers/tune/digit_order.h"
#include "mappers/tune/digits.h"
#include "mappers/tune/exchanges.h"

enum {
  WORK_SHARE = 5,      /* a candidate by exchanges takes 1 / WORK_SHARE of refine_work() */
  MOST_WORK = 60000,   /* limit of the exchanges that it tries */
  MOST_MOVES = 240000, /* limit of the exchanges of hosts times the ranks of a host */
  ORDERS = 4,          /* number of CANDIDATE_DIGITS */
  CHANGED = 2,         /* number of CANDIDATE_ESTIMATED, and of CANDIDATE_BLAMED */
  MOST_RANKS = 4096,   /* with more ranks, changed candidates would take minutes */
  FEWEST_GROUPED = 8   /* ranks of a host: with 4, groups make no cell of results/reference faster,
                          with 16 and 32 they save up to 39 % */
};

/* First temperatures, in mean changes, of exchanges that may lead far from their start.  With
 * SEARCH_START they stay near it. */
#define WARM 0.3
#define MILD 0.1

/* Limit of the steps for other orders of digits, some 3 s of CPU time. */
#define ORDER_WORK UINT64_C(200000000)

/* Limit of the steps for changes by estimated time, and their first heat.  On 40 cells of
 * docs/mappers.md, the simulated time is 0.3 % longer with a heat of 0.1, and equal with 0.02. */
#define CHANGES_WORK UINT64_C(200000000)
#define CHANGES_HEAT 0.05

struct making {
  struct candidates *c;
  const struct mapper_input *in;
  const struct mapper_input *fewer; /* the same with as few ranks on each host as possible */
  const struct general_plan *plan;
  enum objective objective;
};

/* --- by mappers ------------------------------------------------------------------------------- */

static struct candidate *new_candidate(const struct making *x)
{
  assert(x->c->count < CANDIDATES_MOST);
  struct candidate *made = &x->c->candidate[x->c->count];
  made->host = arena_array(&x->c->mem, x->in->ranks, sizeof *made->host);
  if (made->host == NULL)
    return NULL;
  made->number = x->c->count++;
  return made;
}

/* Moves ranks of the mapping away from full hosts.  Returns the candidate with its hosts, a new one
 * if there is none yet; NULL on failure. */
static struct candidate *candidate_of(const struct making *x, struct mapping *m)
{
  const size_t size = m->ranks * sizeof *m->host;
  uint32_t moved;
  if (repair_mapping(m, x->in, &moved, x->c->mem.e) != OK)
    return NULL;
  for (uint32_t i = 0; i < x->c->count; i++)
    if (memcmp(x->c->candidate[i].host, m->host, size) == 0)
      return &x->c->candidate[i];
  struct candidate *made = new_candidate(x);
  if (made != NULL)
    memcpy(made->host, m->host, size);
  return made;
}

/* The same; frees the mapping. */
static struct candidate *take(const struct making *x, struct mapping *m)
{
  struct candidate *made = candidate_of(x, m);
  mapping_clear(m);
  return made;
}

static enum status add_general(const struct making *x, struct err *e)
{
  struct mapping m;
  return general_mapping(&m, x->in, x->plan, e) == OK && take(x, &m) != NULL ? OK : FAIL;
}

static enum status add_mapper(const struct making *x, const char *spec, bool basic, struct err *e)
{
  struct mapping m;
  struct mapper_input in = *x->in;
  in.inside = NULL;
  if (mapper_run(spec, &in, &m, e) != OK)
    return FAIL;
  struct candidate *made = take(x, &m);
  if (made == NULL)
    return FAIL;
  made->basic = made->basic || basic;
  return OK;
}

static enum status add_cluster_order(const struct making *x, struct err *e)
{
  struct mapping m;
  bool found;
  if (cluster_order_map(&m, &found, x->in, e) != OK)
    return FAIL;
  return !found || take(x, &m) != NULL ? OK : FAIL;
}

struct speed {
  double speed;
  uint32_t host;
};

static int by_speed(const void *a, const void *b)
{
  const struct speed *x = a, *y = b;
  return RISING(y->speed, x->speed) ?: RISING(x->host, y->host);
}

/* The fastest hosts in order, if speeds differ. */
static enum status add_fastest(const struct making *x, struct err *e)
{
  ARENA(mem, e);
  const uint32_t hosts = platform_hosts(x->in->platform);
  struct speed *list = arena_array(&mem, hosts, sizeof *list);
  uint32_t *host = arena_array(&mem, x->in->ranks, sizeof *host);
  if (arena_status(&mem) != OK)
    return FAIL;
  for (uint32_t h = 0; h < hosts; h++)
    list[h] = (struct speed){platform_host_speed(x->in->platform, h), h};
  qsort(list, hosts, sizeof *list, by_speed);
  if (list[0].speed <= list[hosts - 1].speed)
    return OK;
  for (uint32_t r = 0; r < x->in->ranks; r++)
    host[r] = list[r / x->in->ranks_per_host].host;
  struct mapping m = {.ranks = x->in->ranks, .host = host};
  return candidate_of(x, &m) != NULL ? OK : FAIL;
}

/* Groups of at most @p each ranks, mapped as if each group were a rank. */
static enum status add_grouping(const struct making *x, uint32_t each, struct err *e)
{
  struct mapping m;
  bool found;
  struct mapper_input in = *x->in;
  in.ranks_per_host = each;
  for (int digits = 0; digits < 2; digits++) {
    if (grouping_map(&m, &in, x->plan, digits > 0, &found, e) != OK)
      return FAIL;
    struct candidate *made = found ? take(x, &m) : NULL;
    if (found && made == NULL)
      return FAIL;
    if (found)
      made->grouped = true;
  }
  return OK;
}

/* True if the ranks of a host are enough to make their choice by cuts worthwhile. */
static bool takes_groups(const struct mapper_input *in)
{
  return in->inside != NULL || (in->ranks_per_host >= FEWEST_GROUPED && in->ranks <= MOST_RANKS);
}

/* Groups for as few hosts as possible, and for all hosts. */
static enum status add_groups(const struct making *x, struct err *e)
{
  const uint32_t spread = spread_least(x->in);
  if (!takes_groups(x->in))
    return OK;
  if (add_grouping(x, x->in->ranks_per_host, e) != OK)
    return FAIL;
  return spread < x->in->ranks_per_host ? add_grouping(x, spread, e) : OK;
}

/* True if the candidates are made for the time of a trace. */
static bool is_timed(const struct making *x)
{
  return x->objective == OBJECTIVE_TIME && x->in->phases != NULL;
}

static bool asks_hosts(const struct making *x)
{
  return x->in->simulator != NULL && x->in->simulator->asks_hosts;
}

/* If there are phases and hosts take several ranks: Slurm's cyclic distribution in planes of 1
 * rank, then of the products of the first prime factors of the number of ranks per host. */
static enum status add_planes(const struct making *x, struct err *e)
{
  char spec[64];
  struct digits d = {.n = 0};
  if (x->in->ranks > MOST_RANKS || x->in->phases == NULL)
    return OK;
  digits_factor(&d, x->in->ranks_per_host);
  for (uint32_t i = 0; i < d.n && d.stride[i] < x->in->ranks; i++) {
    snprintf(spec, sizeof spec, "slurm-cyclic:plane=%" PRIu32, d.stride[i]);
    if (add_mapper(x, spec, i == 0 && asks_hosts(x), e) != OK)
      return FAIL;
  }
  return asks_hosts(x) ? add_mapper(x, "slurm-block", true, e) : OK;
}

/* If not all hosts need the most ranks: mappings with as few ranks on each host as possible. */
static enum status add_spread(const struct making *x, struct err *e)
{
  const uint32_t first = x->c->count;
  const struct making y = {x->c, x->fewer, x->fewer, x->plan, x->objective};
  if (x->fewer->ranks_per_host == x->in->ranks_per_host || x->in->ranks > MOST_RANKS)
    return OK;
  if (add_general(&y, e) != OK || add_mapper(&y, "xyz", false, e) != OK ||
      add_mapper(&y, "greedy", false, e) != OK || add_mapper(&y, "bisect", false, e) != OK)
    return FAIL;
  for (uint32_t i = first; i < x->c->count; i++)
    x->c->candidate[i].spread = x->c->candidate[i].basic = true;
  return OK;
}

/* The best of several bisections, by estimated time.  If another mapper has made the same mapping,
 * it is not `sampled`. */
static enum status add_bisections(const struct making *x, struct err *e)
{
  struct mapping m;
  const uint32_t count = x->c->count;
  if (!is_timed(x) || x->in->ranks > MOST_RANKS)
    return OK;
  if (bisections_map(&m, x->in, x->plan->seed, e) != OK)
    return FAIL;
  struct candidate *made = take(x, &m);
  if (made != NULL)
    made->sampled = made->number == count;
  return made != NULL ? OK : FAIL;
}

/* Adds all mappings by mappers, except planes. */
static enum status add_simple(const struct making *x, struct err *e)
{
  if (add_general(x, e) != OK || add_mapper(x, "xyz", true, e) != OK ||
      add_mapper(x, "greedy", true, e) != OK || add_mapper(x, "xyz:order=number", false, e) != OK ||
      add_mapper(x, "xyz:order=switch", false, e) != OK)
    return FAIL;
  if (x->in->ranks <= MOST_RANKS && add_mapper(x, "bisect", asks_hosts(x), e) != OK)
    return FAIL;
  if (platform_topology(x->in->platform) == NULL &&
      (add_mapper(x, "hostname", false, e) != OK || add_cluster_order(x, e) != OK))
    return FAIL;
  if (add_groups(x, e) != OK || add_fastest(x, e) != OK || add_spread(x, e) != OK)
    return FAIL;
  return add_bisections(x, e);
}

/* --- by exchanges ----------------------------------------------------------------------------- */

/* A random stream of its own for each search.  It does not depend on the number of candidates, so
 * that a further kind of candidate changes no other one. */
static uint64_t stream_of(uint32_t start, enum objective objective, double heat)
{
  return (uint64_t)start << 16 | (uint64_t)objective << 8 | (heat > SEARCH_START);
}

/* Adds a candidate that make() makes from candidate @p start later; NULL on failure. */
static struct candidate *add_changed(const struct making *x, enum candidate_kind kind,
                                     uint32_t start)
{
  struct candidate *made = new_candidate(x);
  if (made == NULL)
    return NULL;
  made->kind = kind;
  made->start = start;
  made->spread = x->c->candidate[start].spread;
  return made;
}

/* Adds a candidate by exchanges of ranks or hosts from candidate @p start.  make() makes the
 * exchanges later. */
static enum status add_exchanges(const struct making *x, enum candidate_kind kind, uint32_t start,
                                 enum objective objective, double heat)
{
  const uint64_t work = refine_work(x->in) / WORK_SHARE;
  const uint64_t most =
      kind == CANDIDATE_HOSTS ? 1 + MOST_MOVES / x->in->ranks_per_host : MOST_WORK;
  struct candidate *made = add_changed(x, kind, start);
  if (made == NULL)
    return FAIL;
  made->plan = (struct search_plan){.objective = objective,
                                    .work = work < most ? work : most,
                                    .start = heat,
                                    .most_hop_bytes = x->c->most_hop_bytes,
                                    .seed = x->plan->seed,
                                    .stream = stream_of(start, objective, heat)};
  return OK;
}

static enum status add_search(const struct making *x, uint32_t start, enum objective objective,
                              double heat)
{
  return add_exchanges(x, CANDIDATE_SEARCH, start, objective, heat);
}

/* Adds candidates by exchanges of hosts from the first two mappings, if hosts take several ranks,
 * equally many. */
static enum status add_host_searches(const struct making *x)
{
  for (uint32_t i = 0; x->in->ranks_per_host > 1 && x->in->capacity == NULL && i < 2; i++)
    if (add_exchanges(x, CANDIDATE_HOSTS, i, OBJECTIVE_TIME, SEARCH_START) != OK ||
        add_exchanges(x, CANDIDATE_HOSTS, i, OBJECTIVE_TIME, WARM) != OK)
      return FAIL;
  return OK;
}

/* Lowers *least to the hop-bytes of a mapper's mapping, if these are fewer. */
static enum status lower(uint64_t *least, const struct mapper_input *in, const char *spec,
                         struct err *e)
{
  swaps_value hop_bytes;
  struct mapping m;
  if (mapper_run(spec, in, &m, e) != OK)
    return FAIL;
  const enum status s = search_value(m.host, in, OBJECTIVE_HOPBYTES, &hop_bytes, e);
  if (s == OK && hop_bytes < *least)
    *least = (uint64_t)hop_bytes;
  mapping_clear(&m);
  return s;
}

/* Sets by_load.  Sets most_hop_bytes to the hop-bytes of the general mapping or, if all orders of
 * xyz have more, to the middle between these and the least hop-bytes of an order.  A mapping chosen
 * by its load then has fewer hop-bytes than the orders. */
static enum status weigh_loads(const struct making *x, struct err *e)
{
  ARENA(mem, e);
  const struct mapper_input *in = x->in;
  struct candidates *c = x->c;
  uint8_t *fixed = arena_array(&mem, platform_link_ids(in->platform), 1);
  uint64_t orders = UINT64_MAX;
  swaps_value general;
  if (in->phases != NULL || x->objective != OBJECTIVE_TIME)
    return OK;
  if (fixed == NULL || fixed_links(fixed, &c->by_load, in, e) != OK)
    return FAIL;
  if (!c->by_load)
    return OK;
  if (lower(&orders, in, "xyz", e) != OK || lower(&orders, in, "xyz:order=number", e) != OK ||
      lower(&orders, in, "xyz:order=switch", e) != OK ||
      search_value(c->candidate[0].host, in, OBJECTIVE_HOPBYTES, &general, e) != OK)
    return FAIL;
  c->most_hop_bytes = (uint64_t)general;
  if (orders > general)
    c->most_hop_bytes += (orders - (uint64_t)general) / 2;
  return OK;
}

static enum status add_timed_searches(const struct making *x, uint32_t simple)
{
  for (uint32_t i = 0; i < simple; i++)
    if (add_search(x, i, OBJECTIVE_TIME, SEARCH_START) != OK ||
        (i < 2 && add_search(x, i, OBJECTIVE_TIME, WARM) != OK) ||
        (x->c->candidate[i].grouped && add_changed(x, CANDIDATE_EVEN, i) == NULL))
      return FAIL;
  return add_host_searches(x);
}

/* Adds all candidates by exchanges, from the first @p simple candidates. */
static enum status add_searches(const struct making *x, uint32_t simple)
{
  if (!x->c->by_load && add_search(x, 0, OBJECTIVE_BLEND, SEARCH_START) != OK)
    return FAIL;
  if (add_search(x, 0, OBJECTIVE_LINKLOAD, SEARCH_START) != OK)
    return FAIL;
  if (x->c->by_load)
    return add_search(x, 0, OBJECTIVE_LINKLOAD, MILD);
  for (uint32_t i = 1; i < simple; i++)
    if (add_search(x, i, OBJECTIVE_HOPBYTES, SEARCH_START) != OK)
      return FAIL;
  return is_timed(x) ? add_timed_searches(x, simple) : OK;
}

/* Drops candidates that equal earlier ones. */
static void drop_equal(struct candidates *c, uint32_t ranks)
{
  uint32_t n = 0;
  for (uint32_t i = 0; i < c->count; i++) {
    uint32_t k = 0;
    while (k < n &&
           memcmp(c->candidate[k].host, c->candidate[i].host, ranks * sizeof(uint32_t)) != 0)
      k++;
    if (k == n)
      c->candidate[n++] = c->candidate[i];
  }
  c->count = n;
}

/* --- values ----------------------------------------------------------------------------------- */

/* Makes *estimate on first use. */
static enum status need_estimate(struct candidate *made, const struct making *x,
                                 struct estimate **estimate)
{
  return *estimate != NULL ? OK : estimate_new(estimate, x->in, &made->why);
}

static enum status find_value(struct candidate *made, const struct making *x,
                              struct estimate **estimate)
{
  swaps_value value = 0;
  if (x->c->by_load &&
      search_value(made->host, x->in, OBJECTIVE_LINKLOAD, &made->load, &made->why) != OK)
    return FAIL;
  if (x->objective == OBJECTIVE_TIME)
    return need_estimate(made, x, estimate) == OK
               ? estimate_time(*estimate, made->host, &made->value, &made->why)
               : FAIL;
  if (search_value(made->host, x->in, x->objective, &value, &made->why) != OK)
    return FAIL;
  made->value = (double)value;
  return OK;
}

/* Changes a candidate that is still a copy of another one. */
static enum status change(struct candidate *made, const struct making *x,
                          struct estimate **estimate)
{
  const struct exchanges_plan plan = {CHANGES_WORK, CHANGES_HEAT, made->kind == CANDIDATE_BLAMED,
                                      x->plan->seed, made->place};
  const struct mapper_input *in = made->spread ? x->fewer : x->in;
  swaps_value unused;
  if (made->kind == CANDIDATE_SEARCH)
    return search(made->host, in, &made->plan, &unused, &made->why);
  if (made->kind == CANDIDATE_HOSTS)
    return search_hosts(made->host, x->in, &made->plan, &unused, &made->why);
  if (made->kind == CANDIDATE_EVEN)
    return boundary_even(made->host, in, x->plan->seed, &made->why);
  if (need_estimate(made, x, estimate) != OK)
    return FAIL;
  if (made->kind == CANDIDATE_DIGITS)
    return digit_order_improve(made->host, x->in, *estimate, ORDER_WORK, &made->value, &made->why);
  return exchanges_improve(made->host, x->in, *estimate, &plan, &made->value, &made->why);
}

/* Makes the mapping and the value of candidate @p i. */
static enum status make(const struct making *x, uint32_t i, struct estimate **estimate)
{
  struct candidate *made = &x->c->candidate[i];
  uint32_t moved = 0;
  if (candidate_is_changed(made)) {
    memcpy(made->host, x->c->candidate[made->start].host, x->in->ranks * sizeof *made->host);
    struct mapping m = {.ranks = x->in->ranks, .host = made->host};
    if (change(made, x, estimate) != OK || repair_mapping(&m, x->in, &moved, &made->why) != OK)
      return FAIL;
  }
  const bool has_value = made->kind >= CANDIDATE_DIGITS && moved == 0; /* changed by the estimate */
  if (!has_value && find_value(made, x, estimate) != OK)
    return FAIL;
  if (*estimate != NULL)
    made->computation_s = estimate_computation(*estimate, made->host);
  return OK;
}

/* Makes the candidates from index @p first on. */
static enum status make_from(const struct making *x, uint32_t first, struct err *e)
{
  const int threads = threads_of(x->in->threads);
#pragma omp parallel num_threads(threads)
  {
    struct estimate *estimate = NULL; /* of this thread: it remembers routes */
#pragma omp for schedule(dynamic)
    for (uint32_t i = first; i < x->c->count; i++)
      x->c->candidate[i].status = make(x, i, &estimate);
    estimate_free(estimate);
  }
  for (uint32_t i = first; i < x->c->count; i++)
    if (x->c->candidate[i].status != OK)
      return err_set(e, "%s", x->c->candidate[i].why.text);
  return OK;
}

/* The candidate with the least value that is not in @p taken and whose `spread` is @p spread.
 * @p mapped: only mappings by mappers. */
static const struct candidate *best_of(const struct candidates *c, uint32_t count, bool spread,
                                       const bool *taken, bool mapped)
{
  const struct candidate *best = NULL;
  for (uint32_t i = 0; i < count; i++)
    if (!taken[i] && c->candidate[i].spread == spread &&
        !(mapped && (candidate_is_changed(&c->candidate[i]) || c->candidate[i].sampled)) &&
        (best == NULL || c->candidate[i].value < best->value))
      best = &c->candidate[i];
  return best;
}

/* Adds up to @p most candidates of a kind, from the best among the first @p count candidates whose
 * `spread` is @p spread. */
static enum status add_from(const struct making *x, uint32_t count, bool spread, uint32_t most,
                            enum candidate_kind kind)
{
  bool taken[CANDIDATES_MOST] = {false};
  for (uint32_t i = 0; i < most; i++) {
    const struct candidate *best = best_of(x->c, count, spread, taken, kind == CANDIDATE_DIGITS);
    struct candidate *made = best == NULL ? NULL : add_changed(x, kind, best->number);
    if (best == NULL)
      break;
    if (made == NULL)
      return FAIL;
    taken[best->number] = true;
    made->place = i;
  }
  return OK;
}

/* Adds candidates of a kind: first from candidates that are not spread, then from spread ones. */
static enum status add_from_best(const struct making *x, uint32_t count, uint32_t most,
                                 enum candidate_kind kind)
{
  return add_from(x, count, false, most, kind) == OK ? add_from(x, count, true, most, kind) : FAIL;
}

static enum status make_by_estimate(const struct making *x, struct err *e)
{
  const uint32_t first = x->c->count;
  if (add_from_best(x, first, ORDERS, CANDIDATE_DIGITS) != OK || make_from(x, first, e) != OK)
    return FAIL;
  const uint32_t next = x->c->count;
  return add_from_best(x, next, CHANGED, CANDIDATE_ESTIMATED) == OK &&
                 add_from_best(x, next, CHANGED, CANDIDATE_BLAMED) == OK
             ? make_from(x, next, e)
             : FAIL;
}

static enum status make_all(const struct making *x, struct err *e)
{
  const struct phases *phases;
  if (mapper_phases(x->in, &phases, e) != OK) /* read before the threads need them */
    return FAIL;
  if (make_from(x, 0, e) != OK)
    return FAIL;
  if (x->objective == OBJECTIVE_TIME && phases != NULL && x->in->ranks <= MOST_RANKS &&
      make_by_estimate(x, e) != OK)
    return FAIL;
  const uint32_t count = x->c->count; /* planes are last, so that they change no other candidate */
  if (add_planes(x, e) != OK || make_from(x, count, e) != OK)
    return FAIL;
  drop_equal(x->c, x->in->ranks);
  return OK;
}

enum status candidates_make(struct candidates *c, const struct mapper_input *in,
                            const struct general_plan *plan, enum objective objective,
                            struct err *e)
{
  struct mapper_input fewer;
  const struct making x = {c, in, &fewer, plan, objective};
  *c = (struct candidates){.mem = {.e = e}};
  if (spread_input(&fewer, in, &c->mem) != OK || add_simple(&x, e) != OK ||
      weigh_loads(&x, e) != OK)
    return FAIL;
  const uint32_t simple = c->count;
  if (in->ranks <= MOST_RANKS && add_searches(&x, simple) != OK)
    return FAIL;
  return make_all(&x, e);
}

void candidates_clear(struct candidates *c)
{
  arena_clear(&c->mem);
}
