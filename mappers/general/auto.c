#include "mappers/general/choose.h"
#include "mappers/refine/refine.h"

struct options {
  struct choose_plan plan;
  struct refine_plan refine;
};

/* Makes one mapping.  An objective other than hop-bytes, or a budget, needs exchanges of ranks
 * after it. */
static enum status map_once(const struct mapper_input *in, const struct options *o,
                            struct mapping *out, struct err *e)
{
  struct refine_plan refine = o->refine;
  struct mapping m;
  refine.seed = o->plan.general.seed;
  refine.few_hops = true;
  enum status s = general_mapping(&m, in, &o->plan.general, e);
  if (s == OK &&
      (refine.objective != OBJECTIVE_HOPBYTES || refine.seconds > 0 || refine.work > 0) &&
      (s = refine_mapping(&m, in, &refine, e)) != OK)
    mapping_clear(&m);
  if (s == OK)
    *out = m;
  return s;
}

static enum status map(const struct mapper_input *in, struct mapping *out, struct err *e)
{
  const struct options *o = in->options;
  return o->plan.by == CHOOSE_HOPBYTES ? map_once(in, o, out, e)
                                       : choose_mapping(out, in, &o->plan, e);
}

#define AT(FIELD) offsetof(struct options, FIELD)

static const struct spec_option OPTIONS[] = {
    {"effort", SPEC_DOUBLE, AT(plan.general.effort), "1",
     .help = "factor of the work of annealing, 0 to 1000", .most = 1000},
    {"seed", SPEC_U64, AT(plan.general.seed), "1", .help = "of what is random, 0 to 2^64-1"},
    {"objective", SPEC_CHOICE, AT(refine.objective), "hopbytes",
     .help =
         "hopbytes, linkload (the fullest link), blend (both: docs/fit.md), or time (estimated)",
     .names = objectives_refine},
    {"time", SPEC_DOUBLE, AT(refine.seconds), "0",
     .help =
         "CPU seconds for exchanges of ranks afterwards; the result then depends on the machine",
     .most = 1e6},
    {"work", SPEC_U64, AT(refine.work), "0",
     .help = "exchanges tried afterwards; 0: none, or by the size if the objective needs them",
     .most = REFINE_MOST_WORK, .not_with = "time"},
    {"choose", SPEC_CHOICE, AT(plan.by), "hopbytes",
     .help = "hopbytes, or the best of several mappings by blend or time (simulated with a trace, "
             "else estimated)",
     .names = (const char *const[]){"hopbytes", "blend", "time", NULL}, .not_with = "objective"},
    {"budget", SPEC_DOUBLE, AT(plan.budget), "10",
     .help = "iterations simulated to choose by time, 0.01 to 1e6", .least = 0.01, .most = 1e6,
     .needs = "choose"},
    {.name = NULL},
};

const struct mapper map_auto = {
    .name = "auto",
    .help = "structure, else geometry or recursive bisection, then annealing",
    .options = OPTIONS,
    .needs = MAPPER_ROUTES,
    .needs_traffic = true,
    .simulates = MAPPER_MAY_SIMULATE,
    .map = map,
};
