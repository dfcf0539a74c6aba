/* The mapper anneal: simulated annealing after RMATT (Imade, Hiramoto, Miura, Sumimoto, SACSIS
 * 2011), which starts from a bisection of ranks and machine (its step BISEM: start=bisect) and then
 * anneals (OPTIM). */
#include <string.h>

#include "common/mem.h"
#include "common/numeric/rng.h"
#include "common/process/threads.h"
#include "mappers/general/cut/bisect.h"
#include "mappers/general/general.h"
#include "mappers/general/problem.h"
#include "mappers/refine/refine.h"
#include "mappers/refine/search.h"

/* First cuts that the bisection tries. */
enum { TRIES = 4 };

/* First temperatures, in mean changes. */
#define HOT  1.0 /* from a random mapping */
#define WARM 0.3 /* from the result of a mapper */
#define COOL 0.1 /* after annealing of hop-bytes */

enum start { START_AUTO, START_BISECT, START_RANDOM };

struct anneal_options {
  enum start start;
  uint32_t restarts;
  struct search_plan plan;
};

/* --- starts ----------------------------------------------------------------------------------- */

/* Starts from the result of bisection or of the mapper auto. */
static enum status start_general(uint32_t *host, const struct mapper_input *in,
                                 const struct anneal_options *o, struct err *e)
{
  struct problem p;
  const struct bisect_plan halves = {.tries = TRIES, .seed = o->plan.seed};
  const struct general_plan all = {.effort = 1, .seed = o->plan.seed};
  if (problem_new(&p, in, e) != OK)
    return FAIL;
  struct placement whole = {.g = &p.g, .m = &p.m, .slot = p.slot, .hops = UINT64_MAX};
  const enum status s =
      o->start == START_AUTO ? general_map(&p, &all, e) : bisect_map(&whole, &halves, e);
  mapper_hosts(in, p.slot, host);
  problem_clear(&p);
  return s;
}

/* Starts from the first slots of a shuffled list. */
static enum status start_random(uint32_t *host, const struct mapper_input *in, struct rng r,
                                struct err *e)
{
  OWNED uint32_t *slot = mapper_shuffled_slots(in, "anneal", r, e);
  if (slot == NULL)
    return FAIL;
  mapper_hosts(in, slot, host);
  return OK;
}

/* --- searches --------------------------------------------------------------------------------- */

struct run {
  uint32_t *host;
  swaps_value value;
  enum status status;
  struct err why;
};

/* Run i anneals with random stream i.  A random start uses stream restarts + i. */
static enum status run_one(struct run *x, const struct anneal_options *o,
                           const struct mapper_input *in, const uint32_t *start, uint32_t i)
{
  struct search_plan plan = o->plan;
  plan.stream = i;
  if (start != NULL)
    memcpy(x->host, start, in->ranks * sizeof *start);
  else if (start_random(x->host, in, rng_new(o->plan.seed, (uint64_t)o->restarts + i), &x->why) !=
           OK)
    return FAIL;
  return search(x->host, in, &plan, &x->value, &x->why);
}

static void run_all(struct run *run, const struct anneal_options *o, const struct mapper_input *in,
                    const uint32_t *start)
{
  const int threads = threads_of(in->threads);
#pragma omp parallel for num_threads(threads) schedule(dynamic) if (o->restarts > 1)
  for (uint32_t i = 0; i < o->restarts; i++)
    run[i].status = run_one(&run[i], o, in, start, i);
}

/* Chooses the best run, of equal ones the first. */
static enum status choose(const struct run *run, uint32_t runs, struct mapping *out, uint32_t ranks,
                          struct err *e)
{
  uint32_t best = 0;
  for (uint32_t i = 0; i < runs; i++) {
    if (run[i].status != OK)
      return err_set(e, "%s", run[i].why.text);
    best = run[i].value < run[best].value ? i : best;
  }
  if (mapping_new(out, ranks, e) != OK)
    return FAIL;
  memcpy(out->host, run[best].host, ranks * sizeof *out->host);
  return OK;
}

static enum status search_all(const struct anneal_options *o, const struct mapper_input *in,
                              const uint32_t *start, struct mapping *out, struct err *e)
{
  ARENA(mem, e);
  const struct phases *unused;
  struct run *run = arena_array(&mem, o->restarts, sizeof *run);
  for (uint32_t i = 0; run != NULL && i < o->restarts; i++)
    run[i].host = arena_array(&mem, in->ranks, sizeof *run[i].host);
  if (arena_status(&mem) != OK)
    return FAIL;
  if (o->plan.objective == OBJECTIVE_TIME && mapper_phases(in, &unused, e) != OK)
    return FAIL; /* read before the threads need them */
  run_all(run, o, in, start);
  return choose(run, o->restarts, out, in->ranks, e);
}

static enum status map(const struct mapper_input *in, struct mapping *out, struct err *e)
{
  struct anneal_options o = *(const struct anneal_options *)in->options;
  const bool hops = o.plan.objective == OBJECTIVE_HOPBYTES;
  const double hop_start = o.start == START_RANDOM ? HOT : WARM;
  o.plan.start = hops ? hop_start : COOL;
  o.plan.hop_start = hops || o.start == START_AUTO ? 0 : hop_start;
  if (o.plan.work == 0)
    o.plan.work = refine_work(in) * (hops ? SEARCH_HOPS_WORK : 1);
  if (o.start == START_RANDOM)
    return search_all(&o, in, NULL, out, e);
  ARENA(mem, e);
  uint32_t *start = arena_array(&mem, in->ranks, sizeof *start);
  if (start == NULL || start_general(start, in, &o, e) != OK)
    return FAIL;
  return search_all(&o, in, start, out, e);
}

#define AT(FIELD) offsetof(struct anneal_options, FIELD)

static const struct spec_option OPTIONS[] = {
    {"objective", SPEC_CHOICE, AT(plan.objective), "linkload",
     .help = "linkload (the fullest link), blend (also hop-bytes), hopbytes, time (estimated), or "
             "rmatt (hops times the fullest link of each route)",
     .names = objectives},
    {"start", SPEC_CHOICE, AT(start), "auto",
     .help = "auto (by auto:choose=hopbytes), bisect or random",
     .names = (const char *const[]){"auto", "bisect", "random", NULL}},
    {"work", SPEC_U64, AT(plan.work), "0",
     .help = "exchanges tried by each run; 0: by the number of ranks", .most = REFINE_MOST_WORK},
    {"time", SPEC_DOUBLE, AT(plan.seconds), "0",
     .help = "CPU seconds of each run; the result then depends on the machine; 0: work",
     .most = 1e6, .not_with = "work"},
    {"restarts", SPEC_U32, AT(restarts), "1", .help = "runs, of which the best wins, 1 to 4096",
     .least = 1, .most = 4096},
    {"seed", SPEC_U64, AT(plan.seed), "1", .help = "seed of the random streams, 0 to 2^64-1"},
    {.name = NULL},
};

const struct mapper map_anneal = {
    .name = "anneal",
    .help = "annealing of the fullest link or of hop-bytes, from another mapping (after RMATT)",
    .options = OPTIONS,
    .needs = MAPPER_ROUTES,
    .needs_traffic = true,
    .map = map,
};
