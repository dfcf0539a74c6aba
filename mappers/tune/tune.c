#include <math.h>
#include <string.h>

#include "common/mem.h"
#include "common/num.h"
#include "mappers/tune/tuning.h"

/* Mappers to start from; mappers that fail are skipped. */
static const char *const STARTS[] = {"auto",
                                     "greedy",
                                     "xyz",
                                     "fmopt",
                                     "fmopt:objective=mincost",
                                     "bisect",
                                     "scotch",
                                     "qap",
                                     "hostname",
                                     "auto:objective=linkload",
                                     "auto:objective=blend",
                                     "anneal"};

struct tune_options {
  uint64_t runs, seed;
  double seconds;
  const char *start;
};

enum { TIME, RUNS, SEED, START };

static enum status read_options(struct tune_options *o, const struct mapper_values *v,
                                struct err *e)
{
  struct err why;
  if (num_quantity_bare(v->value[TIME], NUM_TIME, &o->seconds, &why) != OK)
    return err_set(e, "mapper 'tune': time: %s", why.text);
  if (num_u64(v->value[RUNS], 1000000000, &o->runs, &why) != OK)
    return err_set(e, "mapper 'tune': runs: %s", why.text);
  if (num_u64(v->value[SEED], UINT64_MAX, &o->seed, &why) != OK)
    return err_set(e, "mapper 'tune': seed: %s", why.text);
  o->start = v->value[START];
  return OK;
}

static enum status add_start(struct tuning *s, const char *spec, const struct mapper_input *in,
                             struct err *e)
{
  const struct mapper *row;
  struct mapping m;
  struct mapper_input plain = *in;
  uint32_t moved;
  plain.moved = &moved;
  if (mapper_find(spec, &row, e) != OK)
    return FAIL;
  if (row->simulates)
    return err_set(e, "mapper 'tune': start: mapper '%s' simulates too", row->name);
  if (mapper_run(spec, &plain, &m, e) != OK)
    return FAIL;
  const enum status status = tuning_add(s, &m, e);
  mapping_clear(&m);
  return status;
}

/* Adds the mapping of one mapper, or for "best" the mappings of all in STARTS that succeed.  xyz
 * always applies, so its failure is an error. */
static enum status add_starts(struct tuning *s, const char *spec, const struct mapper_input *in,
                              struct err *e)
{
  if (strcmp(spec, "best") != 0)
    return add_start(s, spec, in, e);
  for (size_t i = 0; i < sizeof STARTS / sizeof *STARTS; i++)
    if (add_start(s, STARTS[i], in, e) != OK && strcmp(STARTS[i], "xyz") == 0)
      return FAIL;
  return OK;
}

static enum status run_tuning(struct tuning *s, const struct tune_options *o,
                              const struct mapper_input *in, struct mapping *out, struct err *e)
{
  if (add_starts(s, o->start, in, e) != OK || tuning_run(s, e) != OK ||
      mapping_new(out, in->ranks, e) != OK)
    return FAIL;
  for (uint32_t r = 0; r < in->ranks; r++)
    out->host[r] = tuning_best(s)[r] / in->ranks_per_host;
  return OK;
}

static enum status tune(const struct mapper_input *in, const struct mapper_values *values,
                        struct mapping *out, struct err *e)
{
  struct tune_options o;
  struct trials t;
  struct tuning *s = NULL;
  if (read_options(&o, values, e) != OK || trials_new(&t, in, e) != OK)
    return FAIL;
  t.seconds = o.seconds > 0 ? o.seconds : INFINITY;
  t.most = o.seconds > 0 ? UINT64_MAX : o.runs * TRIALS_RUN;
  enum status status = tuning_new(&s, &t, o.seed, e);
  if (status == OK)
    status = run_tuning(s, &o, in, out, e);
  tuning_free(s);
  trials_clear(&t);
  return status;
}

static const struct mapper_option OPTIONS[] = {
    {.name = "time",
     .default_value = "0",
     .help = "limit of elapsed time, as 60 or 2m; the result then depends on the machine; 0: runs"},
    {.name = "runs", .default_value = "200", .help = "simulations, parts of one added up"},
    {.name = "seed", .default_value = "1", .help = "of what is random, 0 to 2^64-1"},
    {.name = "start",
     .default_value = "best",
     .help = "mapper to start from; best: of several; the rest of the spec, commas included",
     .takes_rest = true},
    {.name = NULL},
};

const struct mapper map_tune = {
    .name = "tune",
    .help = "the least simulated time: the best of several mappers, and changes of it tried",
    .options = OPTIONS,
    .needs = MAPPER_ROUTES,
    .needs_traffic = true,
    .simulates = true,
    .map = tune,
};
