#include "common/num.h"
#include "mappers/general/general.h"
#include "mappers/refine/refine.h"

enum { EFFORT, SEED, OBJECTIVE, TIME, WORK };

struct options {
  struct general_plan plan;
  struct refine_plan refine;
  bool refines;
};

static enum status read_numbers(struct options *o, const struct mapper_values *v, struct err *e)
{
  struct err why;
  if (num_double(v->value[EFFORT], 0, 1000, &o->plan.effort, &why) != OK)
    return err_set(e, "mapper 'auto': effort: %s", why.text);
  if (num_u64(v->value[SEED], UINT64_MAX, &o->plan.seed, &why) != OK)
    return err_set(e, "mapper 'auto': seed: %s", why.text);
  if (num_double(v->value[TIME], 0, 1e6, &o->refine.seconds, &why) != OK)
    return err_set(e, "mapper 'auto': time: %s", why.text);
  if (num_u64(v->value[WORK], REFINE_MOST_WORK, &o->refine.work, &why) != OK)
    return err_set(e, "mapper 'auto': work: %s", why.text);
  o->refine.seed = o->plan.seed;
  o->refine.few_hops = true;
  return OK;
}

/* An objective other than hop-bytes, or a budget, needs exchanges of ranks after the mapping. */
static enum status read_options(struct options *o, const struct mapper_values *v, struct err *e)
{
  struct err why;
  const struct objective_name *objective =
      registry_get(&objectives_refine, v->value[OBJECTIVE], &why);
  if (objective == NULL)
    return err_set(e, "mapper 'auto': %s", why.text);
  o->refine.objective = objective->objective;
  if (read_numbers(o, v, e) != OK)
    return FAIL;
  if (o->refine.seconds > 0 && o->refine.work > 0)
    return err_set(e, "mapper 'auto': time=%s and work=%s: give one of them", v->value[TIME],
                   v->value[WORK]);
  o->refines =
      o->refine.objective != OBJECTIVE_HOPBYTES || o->refine.seconds > 0 || o->refine.work > 0;
  return OK;
}

static enum status map(const struct mapper_input *in, const struct mapper_values *values,
                       struct mapping *out, struct err *e)
{
  struct problem p;
  struct options o;
  struct mapping m;
  if (read_options(&o, values, e) != OK || problem_new(&p, in, e) != OK)
    return FAIL;
  enum status s = general_map(&p, &o.plan, e);
  if (s == OK)
    s = problem_mapping(&p, &m, e);
  problem_clear(&p);
  if (s == OK && o.refines && (s = refine_mapping(&m, in, &o.refine, e)) != OK)
    mapping_clear(&m);
  if (s == OK)
    *out = m;
  return s;
}

static const struct mapper_option OPTIONS[] = {
    {.name = "effort", .default_value = "1", .help = "factor of the work of annealing, 0 to 1000"},
    {.name = "seed", .default_value = "1", .help = "of what is random, 0 to 2^64-1"},
    {.name = "objective",
     .default_value = "hopbytes",
     .help = "hopbytes, linkload (the fullest link), or blend (both: docs/fit.md)"},
    {.name = "time",
     .default_value = "0",
     .help =
         "CPU seconds for exchanges of ranks afterwards; the result then depends on the machine"},
    {.name = "work",
     .default_value = "0",
     .help = "exchanges tried afterwards; 0: none, or by the size if the objective needs them"},
    {.name = NULL},
};

const struct mapper map_auto = {
    .name = "auto",
    .help = "structure, else geometry or recursive bisection, then annealing",
    .options = OPTIONS,
    .needs = MAPPER_ROUTES,
    .needs_traffic = true,
    .map = map,
};
