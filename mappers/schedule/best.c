/* Takes the schedule with the least expected makespan of the schedules of other schedulers and of
 * lists made here.
 *
 * A list sorts elements by a rank and places each where it ends first in the abstract model
 * (front.h), including pipelines, which published schedulers ignore.  The first three lists use the
 * upward rank, the upward rank without transfers of data, and the upward rank with PEFT's estimate
 * of the time that follows.  The others use ranks disturbed at random, list i with stream (seed,
 * i): greedy choices are good on average, but any single one may obstruct a later one. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "common/numeric/rng.h"
#include "mappers/schedule/eft.h"
#include "mappers/schedule/front.h"
#include "mappers/schedule/peft.h"
#include "tasks/timing/dates.h"

/* With more elements * classes there is no PEFT table; with more elements * hosts, schedulers that
 * examine each host are skipped. */
#define MOST_CELLS (1u << 27)

/* The lists that are not random. */
enum { PLAIN, WITHOUT_DATA, LOOKING_AHEAD, FIXED };

/* Number of random loads under which a schedule is evaluated. */
enum { SAMPLES = 8 };

/* Share of the bandwidth that each competing task takes. */
#define LOSS 0.1

static const char *const OTHERS[] = {"hierarchical", "heft", "peft", "cpop", NULL};

struct best {
  const struct scheduler_input *in;
  uint64_t seed, expected;     /* expected: number of competing tasks */
  struct farm sample[SAMPLES]; /* the farm with these tasks on random hosts */
  double makespan;             /* of the best; with expected tasks, the mean of its logarithm */
  uint32_t *host, *order;      /* of the best; not owned */
  struct schedule trial;
  uint32_t *taken; /* order of the trial */
  struct order_weights w;
  double *rank, *key, *oct; /* oct may be NULL */
  double *shut;             /* by class: INFINITY if closed to the current list; 0 if open */
  double *bias;             /* by class, for one element */
};

static enum status best_new(struct best *b, struct arena *mem)
{
  const uint32_t elements = b->in->net->elements, classes = b->in->farm->classes;
  const size_t cells = (size_t)elements * classes;
  b->taken = arena_array(mem, elements, sizeof *b->taken);
  b->rank = arena_array(mem, elements, sizeof *b->rank);
  b->key = arena_array(mem, elements, sizeof *b->key);
  b->shut = arena_array(mem, classes, sizeof *b->shut);
  b->bias = arena_array(mem, classes, sizeof *b->bias);
  if (eft_weights(b->in, &b->w, mem) != OK || schedule_new(&b->trial, elements, mem->e) != OK)
    return FAIL;
  if (cells > MOST_CELLS)
    return OK;
  b->oct = arena_array(mem, cells, sizeof *b->oct);
  return b->oct == NULL ? FAIL : peft_table(b->in, b->w.gap, b->oct, mem->e);
}

/* Puts the expected tasks on random hosts, in each sample. */
static enum status draw_loads(struct best *b, struct err *e)
{
  const struct farm *f = b->in->farm;
  ARENA(mem, e);
  uint32_t *tasks = arena_array(&mem, f->hosts, sizeof *tasks);
  enum status s = arena_status(&mem);
  for (uint64_t i = 0; s == OK && b->expected > 0 && i < SAMPLES; i++) {
    struct rng r = rng_new(b->seed, (UINT64_C(1) << 32) + i);
    memset(tasks, 0, f->hosts * sizeof *tasks);
    for (uint64_t k = 0; k < b->expected; k++)
      tasks[rng_below(&r, f->hosts)]++;
    const struct farm_losses losses = {.bandwidth = LOSS, .seed = rng_next(&r)};
    s = farm_load(&b->sample[i], f, tasks, &losses, e);
  }
  return s;
}

/* Computes the value of the trial, whose dates are without load. */
static enum status judge(struct best *b, double *out, struct err *e)
{
  struct schedule *t = &b->trial;
  const struct dates_plan plan = {t->host, t->place};
  *out = b->expected > 0 ? 0 : schedule_makespan(t);
  for (size_t i = 0; b->expected > 0 && i < SAMPLES; i++) {
    if (dates_compute(b->in->net, &b->sample[i], &plan, t->start, t->end, e) != OK)
      return FAIL;
    *out += log(schedule_makespan(t)) / SAMPLES;
  }
  return OK;
}

/* Keeps the trial if it is the best so far. */
static enum status keep(struct best *b, struct err *e)
{
  const size_t size = b->trial.elements * sizeof *b->host;
  double makespan;
  if (schedule_date(&b->trial, b->in->net, b->in->farm, b->taken, e) != OK ||
      judge(b, &makespan, e) != OK)
    return FAIL;
  if (makespan < b->makespan) {
    b->makespan = makespan;
    memcpy(b->host, b->trial.host, size);
    memcpy(b->order, b->taken, size);
  }
  return OK;
}

/* --- other schedulers ------------------------------------------------------------------------- */

static enum status try_others(struct best *b, struct err *e)
{
  const bool large = (uint64_t)b->in->net->elements * b->in->farm->hosts > MOST_CELLS;
  for (size_t i = 0; OTHERS[i] != NULL && (i == 0 || !large); i++)
    if (scheduler_order(OTHERS[i], b->in, b->trial.host, b->taken, e) != OK || keep(b, e) != OK)
      return FAIL;
  return OK;
}

/* --- lists ------------------------------------------------------------------------------------ */

static enum status place_list(struct best *b, struct front *f, bool ahead, struct err *e)
{
  const uint32_t classes = b->in->farm->classes;
  struct front_choice choice;
  for (uint32_t i = 0; i < b->in->net->elements; i++) {
    const uint32_t element = b->taken[i];
    for (uint32_t c = 0; c < classes; c++)
      b->bias[c] = b->shut[c] + (ahead ? b->oct[(size_t)element * classes + c] : 0);
    if (front_choose(f, element, b->bias, &choice, e) != OK ||
        front_place(f, element, &choice, e) != OK)
      return FAIL;
  }
  return OK;
}

/* Places elements by falling key. */
static enum status try_list(struct best *b, bool ahead, struct err *e)
{
  ARENA(mem, e);
  struct front f;
  for (uint32_t i = 0; i < b->in->net->elements; i++)
    b->key[i] = -b->key[i];
  if (order_by_key(b->in->net, b->key, b->taken, e) != OK)
    return FAIL;
  enum status s = front_new(&f, b->in, b->trial.host, &mem);
  if (s == OK)
    s = place_list(b, &f, ahead, e);
  arrivals_clear(&f.arrivals);
  return s == OK ? keep(b, e) : FAIL;
}

/* Closes random classes for the current list, but not all. */
static void shut_some(struct best *b, struct rng *r)
{
  const uint32_t classes = b->in->farm->classes, open = (uint32_t)rng_below(r, classes);
  const uint64_t some = rng_below(r, 4); /* a class is closed with probability some / 4 */
  for (uint32_t c = 0; c < classes; c++)
    b->shut[c] = c != open && rng_below(r, 4) < some ? INFINITY : 0;
}

static enum status try_nth(struct best *b, uint64_t i, struct err *e)
{
  static const double gaps[] = {1, 0, 0.5, 2};
  struct rng r = rng_new(b->seed, i);
  struct order_weights w = b->w;
  bool ahead = i == LOOKING_AHEAD;
  double spread = 0;
  if (i >= FIXED) {
    w.gap *= gaps[rng_below(&r, 4)];
    ahead = rng_below(&r, 2) == 0;
    spread = 0.1 + 0.4 * rng_double(&r);
    shut_some(b, &r);
  } else if (i == WITHOUT_DATA)
    w.gap = 0;
  if (order_rank_up(b->in->net, &w, b->rank, e) != OK)
    return FAIL;
  for (uint32_t k = 0; k < b->in->net->elements; k++)
    b->key[k] = b->rank[k] * (1 + spread * (rng_double(&r) - 0.5));
  return try_list(b, ahead && b->oct != NULL, e);
}

/* --- scheduler -------------------------------------------------------------------------------- */

struct options {
  uint64_t tries, seed, expected;
};

static enum status schedule_best(const struct scheduler_input *in, uint32_t *host, uint32_t *order,
                                 struct err *e)
{
  const struct options *o = in->options;
  struct best b = {.in = in,
                   .seed = o->seed,
                   .expected = o->expected,
                   .makespan = INFINITY,
                   .host = host,
                   .order = order};
  ARENA(mem, e);
  enum status s = best_new(&b, &mem);
  if (s == OK)
    s = draw_loads(&b, e);
  if (s == OK)
    s = try_others(&b, e);
  for (uint64_t i = 0; s == OK && i < o->tries; i++)
    s = try_nth(&b, i, e);
  schedule_clear(&b.trial);
  for (size_t i = 0; i < SAMPLES; i++)
    farm_clear(&b.sample[i]);
  return s;
}

#define AT(FIELD) offsetof(struct options, FIELD)

static const struct spec_option OPTIONS[] = {
    {"tries", SPEC_U64, AT(tries), "32",
     .help = "number of lists to try besides the other schedulers", .most = 1 << 20},
    {"seed", SPEC_U64, AT(seed), "1", .help = "seed of the random lists"},
    {"expect", SPEC_U64, AT(expected), "0",
     .help = "expected number of competing tasks, on random hosts", .most = 1 << 24},
    {.name = NULL},
};

const struct scheduler schedule_best_of = {
    .name = "best",
    .help = "the best schedule of hierarchical, heft, peft, cpop and of several lists",
    .options = OPTIONS,
    .run = schedule_best,
};
