/* Each rank sends to the next one, the last to the first. */
#include "traces/generators/patterns/pattern.h"

static const struct spec_option OPTIONS[] = {
    PATTERN_RANKS, PATTERN_COMMON, PATTERN_HALO, {.name = NULL}};

static struct pattern_peers peers(const struct pattern *p, uint32_t rank, uint32_t i)
{
  (void)i;
  const uint32_t n = p->base.ranks;
  return (struct pattern_peers){.dst = (rank + 1) % n, .src = (rank + n - 1) % n};
}

static enum status set_up(struct pattern *p, struct err *e)
{
  (void)e;
  p->messages = p->base.ranks > 1;
  p->window = 1;
  p->peers = peers;
  return OK;
}

const struct generator_kind pattern_ring = {
    .name = "ring",
    .example = "ring:64:size=1000",
    .help = "each rank sends to the next",
    .options = OPTIONS,
    .open = pattern_open,
    .bytes = sizeof(struct pattern),
    .set_up = set_up,
};
