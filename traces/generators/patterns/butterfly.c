/* log2 N stages.  In each stage a rank exchanges messages with the rank that differs in one bit. */
#include <inttypes.h>

#include "traces/generators/patterns/pattern.h"

static const struct spec_option OPTIONS[] = {
    PATTERN_RANKS, PATTERN_COMMON, PATTERN_HALO, {.name = NULL}};

static struct pattern_peers peers(const struct pattern *p, uint32_t rank, uint32_t i)
{
  (void)p;
  return (struct pattern_peers){.dst = rank ^ 1u << i, .src = rank ^ 1u << i};
}

static enum status set_up(struct pattern *p, struct err *e)
{
  if ((p->base.ranks & (p->base.ranks - 1)) != 0)
    return err_set(e, "%" PRIu32 " ranks are not a power of two", p->base.ranks);
  p->messages = (uint32_t)__builtin_ctz(p->base.ranks);
  p->window = 1;
  p->peers = peers;
  return OK;
}

const struct generator_kind pattern_butterfly = {
    .name = "butterfly",
    .example = "butterfly:64",
    .help = "log2 N stages, partners at distances 1, 2, 4, ... in turn",
    .options = OPTIONS,
    .open = pattern_open,
    .bytes = sizeof(struct pattern),
    .set_up = set_up,
};
