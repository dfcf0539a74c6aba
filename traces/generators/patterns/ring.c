/* Each rank sends to the next one, the last to the first. */
#include "traces/generators/patterns/pattern.h"

static const char OPTIONS[] = PATTERN_HALO;

static struct pattern_peers peers(const struct pattern *p, uint32_t rank, uint32_t i)
{
  (void)i;
  const uint32_t n = p->base.ranks;
  return (struct pattern_peers){.dst = (rank + 1) % n, .src = (rank + n - 1) % n};
}

static enum status open_ring(struct generator **out, const char *fields, struct err *e)
{
  struct pattern *p = pattern_new(sizeof *p, fields, OPTIONS, e);
  if (p == NULL)
    return FAIL;
  p->messages = p->base.ranks > 1;
  p->window = 1;
  p->peers = peers;
  pattern_finish(p);
  *out = &p->base;
  return OK;
}

const struct generator_kind pattern_ring = {"ring", "ring:64:size=1000",
                                            "each rank sends to the next", OPTIONS, open_ring};
