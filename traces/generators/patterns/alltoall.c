/* Each rank sends to all others, to the next higher rank first. */
#include "traces/generators/patterns/pattern.h"

static const char OPTIONS[] = PATTERN_COMMON " weights seed";

static struct pattern_peers peers(const struct pattern *p, uint32_t rank, uint32_t i)
{
  const uint32_t n = p->base.ranks;
  return (struct pattern_peers){.dst = (uint32_t)(((uint64_t)rank + i + 1) % n),
                                .src = (rank + n - 1 - i) % n};
}

static enum status open_alltoall(struct generator **out, const char *fields, struct err *e)
{
  struct pattern *p = pattern_new(sizeof *p, fields, OPTIONS, e);
  if (p == NULL)
    return FAIL;
  p->messages = p->base.ranks - 1;
  p->window = PATTERN_WINDOW;
  p->peers = peers;
  pattern_finish(p);
  p->base.pairs = p->base.iterations > 0 ? (uint64_t)p->base.ranks * p->messages : 0;
  *out = &p->base;
  return OK;
}

const struct generator_kind pattern_alltoall = {
    "alltoall", "alltoall:64:weights=random,seed=3",
    "each rank sends to each other, windows of 32 messages", OPTIONS, open_alltoall};
