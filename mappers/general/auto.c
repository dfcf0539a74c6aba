#include "mappers/general/choose.h"
#include "mappers/refine/refine.h"
#include "mappers/refine/search.h"
#include "platforms/part.h"

/* Exchanges tried after a quick mapping, and the share by which they may raise its hop-bytes. */
enum { QUICK_WORK = 6000 };
#define QUICK_MORE 0.02

struct options {
  struct choose_plan plan;
  uint32_t objective; /* index in OBJECTIVES */
  struct refine_plan refine;
};

/* The first stands for option choose=; the others are objectives_refine. */
static const char *const OBJECTIVES[] = {"choose", "hopbytes", "linkload", "blend", "time", NULL};

/* True if the allocation lacks more than a tenth of the machine's hosts, so that its switches have
 * unequal numbers of hosts. */
static bool is_fragment(const struct platform *p)
{
  return platform_hosts(p) < 0.9 * platform_hosts(platform_whole(p));
}

/* Makes a quick mapping.  On a fragment, then improves it by a few exchanges by link loads. */
static enum status map_quickly(const struct mapper_input *in, const struct options *o,
                               struct mapping *out, struct err *e)
{
  struct general_plan plan = o->plan.general;
  const struct search_plan by_load = {.objective = OBJECTIVE_LINKLOAD,
                                      .work = QUICK_WORK,
                                      .start = SEARCH_START,
                                      .more_hop_bytes = QUICK_MORE,
                                      .seed = plan.seed};
  swaps_value unused;
  struct mapping m;
  plan.quick = true;
  if (general_mapping(&m, in, &plan, e) != OK)
    return FAIL;
  if (is_fragment(in->platform) && search(m.host, in, &by_load, &unused, e) != OK) {
    mapping_clear(&m);
    return FAIL;
  }
  *out = m;
  return OK;
}

/* Makes one mapping, and exchanges ranks for objectives other than hop-bytes or if there is a
 * budget.
 */
static enum status map_once(const struct mapper_input *in, const struct options *o,
                            struct mapping *out, struct err *e)
{
  struct refine_plan refine = o->refine;
  struct mapping m;
  refine.seed = o->plan.general.seed;
  refine.few_hops = true;
  if (o->objective > 0)
    refine.objective = (enum objective)(o->objective - 1);
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
  if (o->objective == 0 && o->plan.by == CHOOSE_QUICK)
    return map_quickly(in, o, out, e);
  return o->objective > 0 || o->plan.by == CHOOSE_HOPBYTES ? map_once(in, o, out, e)
                                                           : choose_mapping(out, in, &o->plan, e);
}

static bool by_time(const void *options)
{
  const struct options *o = options;
  return o->objective == 0 && o->plan.by == CHOOSE_TIME;
}

#define AT(FIELD) offsetof(struct options, FIELD)

static const struct spec_option OPTIONS[] = {
    {"effort", SPEC_DOUBLE, AT(plan.general.effort), "1",
     .help = "factor of the work of annealing, 0 to 1000", .most = 1000},
    {"seed", SPEC_U64, AT(plan.general.seed), "1",
     .help = "seed of the random streams, 0 to 2^64-1"},
    {"choose", SPEC_CHOICE, AT(plan.by), "time",
     .help = "the best of several mappings by time (simulated with a trace, else estimated) or "
             "blend (docs/fit.md); hopbytes: one mapping; quick: one in little time",
     .names = (const char *const[]){"time", "blend", "hopbytes", "quick", NULL}},
    {"objective", SPEC_CHOICE, AT(objective), "",
     .help = "one mapping by hopbytes, linkload (the fullest link), blend (both), or time "
             "(estimated)",
     .names = OBJECTIVES, .not_with = "choose"},
    {"budget", SPEC_DOUBLE, AT(plan.budget), "",
     .help =
         "largest number of iterations simulated to choose by time, 0.01 to 1e6 (10; with fewer "
         "than 64 ranks 640 / ranks)",
     .least = 0.01, .most = 1e6, .not_with = "objective", .needs = "choose=time"},
    {"time", SPEC_DOUBLE, AT(refine.seconds), "0",
     .help =
         "CPU seconds for exchanges of ranks afterwards; the result then depends on the machine",
     .most = 1e6, .needs = "objective"},
    {"work", SPEC_U64, AT(refine.work), "0",
     .help =
         "exchanges tried afterwards; 0: none, or by the number of ranks if the objective needs "
         "them",
     .most = REFINE_MOST_WORK, .not_with = "time", .needs = "objective"},
    {.name = NULL},
};

const struct mapper map_auto = {
    .name = "auto",
    .help = "the least time: the best of mappings by structure, geometry, bisection and annealing",
    .options = OPTIONS,
    .needs = MAPPER_ROUTES,
    .needs_traffic = true,
    .simulates = MAPPER_MAY_SIMULATE,
    .by_time = by_time,
    .map = map,
};
