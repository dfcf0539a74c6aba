#include "mappers/refine/refine.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/mem.h"
#include "common/num.h"
#include "mappers/refine/search.h"

enum { WORK_PER_RANK = 3000, FULL_DEGREE = 16, WORK_LEAST = 1000 };

/* Cool, so that what a mapper found is not lost. */
#define START          0.03
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
  if (num_u64(text + sizeof PREFIX - 1, UINT64_MAX, &plan->work, e) != OK)
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
  struct swaps s;
  swaps_value unused;
  const struct search_plan search = {
      .seconds = plan->seconds,
      .work = plan->work > 0 ? plan->work : refine_work(in),
      .start = plan->objective == OBJECTIVE_HOPBYTES ? START_HOPBYTES : START,
      .seed = plan->seed,
  };
  if (swaps_new(&s, in, plan->objective, m->host, e) != OK)
    return FAIL;
  uint32_t *host = mem_array(in->ranks, sizeof *host, e);
  enum status status = host == NULL ? FAIL : search_run(&s, &search, host, &unused, e);
  if (status == OK)
    memcpy(m->host, host, in->ranks * sizeof *host);
  free(host);
  swaps_clear(&s);
  return status;
}
