#include "mappers/general/bisections.h"

#include <inttypes.h>
#include <stdio.h>

#include "common/process/threads.h"
#include "mappers/estimate.h"
#include "mappers/peers/repair.h"
#include "mappers/simulator.h"

enum { SEEDS = 8 };

struct attempt {
  struct mapping m;
  double time_s;
  enum status status;
  struct err why;
};

static enum status make(struct attempt *x, const struct mapper_input *in, uint64_t seed,
                        struct estimate **estimate)
{
  char spec[64];
  uint32_t moved;
  struct mapper_input inner = *in;
  inner.inside = NULL;
  inner.threads = 1;
  inner.moved = NULL;
  snprintf(spec, sizeof spec, "bisect:seed=%" PRIu64, seed);
  if (mapper_run(spec, &inner, &x->m, &x->why) != OK ||
      repair_mapping(&x->m, in, &moved, &x->why) != OK ||
      (*estimate == NULL && estimate_new(estimate, in, &x->why) != OK))
    return FAIL;
  return estimate_time(*estimate, x->m.host, &x->time_s, &x->why);
}

enum status bisections_map(struct mapping *out, const struct mapper_input *in, uint64_t seed,
                           struct err *e)
{
  struct attempt x[SEEDS] = {{.time_s = 0}};
  const struct phases *phases;
  const int threads = threads_of(in->threads);
  uint32_t best = 0;
  enum status s = mapper_phases(in, &phases, e); /* read before the threads need them */
  if (s != OK)
    return FAIL;
#pragma omp parallel num_threads(threads)
  {
    struct estimate *estimate = NULL; /* of this thread: it remembers routes */
#pragma omp for schedule(dynamic)
    for (uint32_t i = 0; i < SEEDS; i++)
      x[i].status = make(&x[i], in, seed + i, &estimate);
    estimate_free(estimate);
  }
  for (uint32_t i = 0; i < SEEDS && s == OK; i++) {
    if (x[i].status != OK)
      s = err_set(e, "%s", x[i].why.text);
    best = x[i].time_s < x[best].time_s ? i : best;
  }
  for (uint32_t i = 0; i < SEEDS; i++)
    if (s != OK || i != best)
      mapping_clear(&x[i].m);
  if (s == OK)
    *out = x[best].m;
  return s;
}
