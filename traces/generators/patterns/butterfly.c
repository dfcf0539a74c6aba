/* log2 N stages.  In each stage a rank exchanges messages with the rank that differs in one bit. */
#include <inttypes.h>
#include <stdlib.h>

#include "traces/generators/patterns/pattern.h"

static const char OPTIONS[] = PATTERN_HALO;

static struct pattern_peers peers(const struct pattern *p, uint32_t rank, uint32_t i)
{
  (void)p;
  return (struct pattern_peers){.dst = rank ^ 1u << i, .src = rank ^ 1u << i};
}

static enum status open_butterfly(struct generator **out, const char *fields, struct err *e)
{
  struct pattern *p = pattern_new(sizeof *p, fields, OPTIONS, e);
  if (p == NULL)
    return FAIL;
  if ((p->base.ranks & (p->base.ranks - 1)) != 0) {
    err_set(e, "%" PRIu32 " ranks are not a power of two", p->base.ranks);
    free(p);
    return FAIL;
  }
  p->messages = (uint32_t)__builtin_ctz(p->base.ranks);
  p->window = 1;
  p->peers = peers;
  pattern_finish(p);
  *out = &p->base;
  return OK;
}

const struct generator_kind pattern_butterfly = {
    "butterfly", "butterfly:64", "log2 N stages, partners at distances 1, 2, 4, ... in turn",
    OPTIONS, open_butterfly};
