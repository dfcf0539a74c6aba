#include "mappers/refine/refine.h"

#include <string.h>

#include "common/num.h"
#include "mappers/refine/search.h"

enum { WORK_PER_RANK = 3000, FULL_DEGREE = 16, WORK_LEAST = 1000 };

/* First temperature of annealing by hop-bytes, in mean changes: low, to preserve the result of the
 * mapper. */
#define START_HOPBYTES 0.1

static const char PREFIX[] = "work:";

enum status refine_budget(struct refine_plan *plan, const char *text, struct err *e)
{
  plan->seconds = 0;
  plan->work = 0;
  if (strncmp(text, PREFIX, sizeof PREFIX - 1) != 0) {
    if (num_double(text, 0, 1e6, &plan->seconds, e) != OK)
      return FAIL;
    return plan->seconds > 0 ? OK : err_set(e, "'%s' is not above 0", text);
  }
  if (num_u64(text + sizeof PREFIX - 1, REFINE_MOST_WORK, &plan->work, e) != OK)
    return FAIL;
  return plan->work > 0 ? OK : err_set(e, "'%s' is not above 0", text);
}

uint64_t refine_work(const struct mapper_input *in)
{
  const uint64_t most = (uint64_t)in->ranks * WORK_PER_RANK;
  const uint64_t degree = 2 * in->traffic->count / in->ranks;
  const uint64_t work = degree > FULL_DEGREE ? most / degree * FULL_DEGREE : most;
  return work > WORK_LEAST ? work : WORK_LEAST;
}

enum status refine_mapping(struct mapping *m, const struct mapper_input *in,
                           const struct refine_plan *plan, struct err *e)
{
  swaps_value unused;
  const bool hops = plan->objective == OBJECTIVE_HOPBYTES;
  const struct search_plan search_plan = {
      .objective = plan->objective,
      .seconds = plan->seconds,
      .work = plan->work > 0 ? plan->work : refine_work(in),
      .start = hops ? START_HOPBYTES : SEARCH_START,
      .hop_start = hops || plan->few_hops ? 0 : START_HOPBYTES,
      .seed = plan->seed,
  };
  return search(m->host, in, &search_plan, &unused, e);
}
