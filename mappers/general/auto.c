#include "common/num.h"
#include "mappers/general/general.h"

static enum status map(const struct mapper_input *in, const struct mapper_values *values,
                       struct mapping *out, struct err *e)
{
  struct problem p;
  struct err why;
  struct general_plan plan;
  if (num_double(values->value[0], 0, 1000, &plan.effort, &why) != OK)
    return err_set(e, "mapper 'auto': effort: %s", why.text);
  if (num_u64(values->value[1], UINT64_MAX, &plan.seed, &why) != OK)
    return err_set(e, "mapper 'auto': seed: %s", why.text);
  if (problem_new(&p, in, e) != OK)
    return FAIL;
  enum status s = general_map(&p, &plan, e);
  if (s == OK)
    s = problem_mapping(&p, out, e);
  problem_clear(&p);
  return s;
}

static const struct mapper_option OPTIONS[] = {
    {.name = "effort", .default_value = "1", .help = "factor of the work of annealing, 0 to 1000"},
    {.name = "seed", .default_value = "1", .help = "of what is random, 0 to 2^64-1"},
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
