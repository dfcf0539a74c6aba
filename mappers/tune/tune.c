#include <math.h>
#include <string.h>

#include "mappers/general/candidates.h"
#include "mappers/tune/tuning.h"

/* The mapper tune.  For start=best it starts from the candidates (general/candidates.h) and from
 * these mappers; mappers that fail are skipped. */
static const char *const STARTS[] = {"fmopt", "fmopt:objective=mincost", "scotch", "qap", "anneal"};

struct tune_options {
  uint64_t runs, seed;
  double seconds;
  const char *start;
};

static enum status add_start(struct tuning *s, const char *spec, const struct mapper_input *in,
                             struct err *e)
{
  const struct mapper *row;
  struct mapping m;
  struct mapper_input plain = *in;
  uint32_t moved;
  plain.simulator = NULL;
  plain.moved = &moved;
  if (mapper_find(spec, &row, NULL, e) != OK)
    return FAIL;
  if (row->simulates == MAPPER_SIMULATES)
    return err_set(e, "mapper 'tune': start: mapper '%s' simulates mappings itself", row->name);
  if (mapper_run(spec, &plain, &m, e) != OK)
    return FAIL;
  const enum status status = tuning_add(s, &m, false, e);
  mapping_clear(&m);
  return status;
}

static enum status add_candidates(struct tuning *s, const struct mapper_input *in, uint64_t seed,
                                  struct err *e)
{
  const struct general_plan plan = {.effort = 1, .seed = seed};
  struct candidates c;
  enum status status = candidates_make(&c, in, &plan, OBJECTIVE_TIME, e);
  for (uint32_t i = 0; i < c.count && status == OK; i++)
    status = tuning_add(s, &(struct mapping){.ranks = in->ranks, .host = c.candidate[i].host},
                        candidate_is_changed(&c.candidate[i]), e);
  candidates_clear(&c);
  return status;
}

/* Adds the mapping of the mapper o->start.  If that is "best", adds the candidates, and the mapping
 * of each mapper in STARTS that does not fail. */
static enum status add_starts(struct tuning *s, const struct tune_options *o,
                              const struct mapper_input *in, struct err *e)
{
  if (strcmp(o->start, "best") != 0)
    return add_start(s, o->start, in, e);
  if (add_candidates(s, in, o->seed, e) != OK)
    return FAIL;
  for (size_t i = 0; i < sizeof STARTS / sizeof *STARTS; i++) {
    struct err unused;
    (void)add_start(s, STARTS[i], in, &unused);
  }
  return OK;
}

static enum status run_tuning(struct tuning *s, const struct tune_options *o,
                              const struct mapper_input *in, struct mapping *out, struct err *e)
{
  if (add_starts(s, o, in, e) != OK || tuning_run(s, e) != OK ||
      mapping_new(out, in->ranks, e) != OK)
    return FAIL;
  mapper_hosts(in, tuning_best(s), out->host);
  return OK;
}

static enum status tune(const struct mapper_input *in, struct mapping *out, struct err *e)
{
  const struct tune_options *o = in->options;
  struct trials t;
  struct tuning *s = NULL;
  if (trials_new(&t, in, e) != OK)
    return FAIL;
  t.seconds = o->seconds > 0 ? o->seconds : INFINITY;
  t.most = o->seconds > 0 ? INFINITY : (double)o->runs;
  enum status status = tuning_new(&s, &t, o->seed, e);
  if (status == OK)
    status = run_tuning(s, o, in, out, e);
  tuning_free(s);
  trials_clear(&t);
  return status;
}

#define AT(FIELD) offsetof(struct tune_options, FIELD)

static const struct spec_option OPTIONS[] = {
    {"time", SPEC_LIMIT, AT(seconds), "0",
     .help = "limit of elapsed time, as 60 or 2m; the result then depends on the machine; 0: runs",
     .most = 1e9},
    {"runs", SPEC_U64, AT(runs), "200",
     .help = "number of simulations; parts of simulations are added up", .most = 1e9},
    {"seed", SPEC_U64, AT(seed), "1", .help = "seed of the random streams, 0 to 2^64-1"},
    {"start", SPEC_REST, AT(start), "best",
     .help =
         "mapper to start from; best: several mappers; takes the rest of the spec, with commas"},
    {.name = NULL},
};

const struct mapper map_tune = {
    .name = "tune",
    .help = "the least simulated time: the best of several mappers, improved by changes",
    .options = OPTIONS,
    .needs = MAPPER_ROUTES,
    .needs_traffic = true,
    .simulates = MAPPER_SIMULATES,
    .map = tune,
};
