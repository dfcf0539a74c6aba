/* Each rank sends to all others, to the next higher rank first. */
#include "traces/generators/patterns/pattern.h"

static const struct spec_option OPTIONS[] = {
    PATTERN_RANKS, PATTERN_COMMON, PATTERN_SEED, PATTERN_WEIGHTS, {.name = NULL}};

static struct pattern_peers peers(const struct pattern *p, uint32_t rank, uint32_t i)
{
  const uint32_t n = p->base.ranks;
  return (struct pattern_peers){.dst = (uint32_t)(((uint64_t)rank + i + 1) % n),
                                .src = (rank + n - 1 - i) % n};
}

static enum status set_up(struct pattern *p, struct err *e)
{
  (void)e;
  p->messages = p->base.ranks - 1;
  p->window = PATTERN_WINDOW;
  p->peers = peers;
  p->base.pairs = p->options.iterations > 0 ? (uint64_t)p->base.ranks * p->messages : 0;
  return OK;
}

const struct generator_kind pattern_alltoall = {
    .name = "alltoall",
    .example = "alltoall:64:weights=random,seed=3",
    .help = "each rank sends to each other, windows of 32 messages",
    .options = OPTIONS,
    .open = pattern_open,
    .bytes = sizeof(struct pattern),
    .set_up = set_up,
};
