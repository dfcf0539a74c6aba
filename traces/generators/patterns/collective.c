/* One collective of all ranks per iteration. */
#include "traces/generators/patterns/pattern.h"

static const char OPTIONS[] = PATTERN_COMMON " call";

static void fill(const struct generator *g, const struct generator_place *at, struct emit *out)
{
  const struct pattern_options *o = &((const struct pattern *)g)->options;
  if (at->part != GENERATOR_LOOP)
    return;
  emit_compute(out, o->compute);
  emit_collective(out, o->call, o->size, EMIT_BYTE);
}

static enum status open_collective(struct generator **out, const char *fields, struct err *e)
{
  struct pattern *p = pattern_new(sizeof *p, fields, OPTIONS, e);
  if (p == NULL)
    return FAIL;
  p->window = 1;
  pattern_finish(p);
  p->base.fill = fill;
  *out = &p->base;
  return OK;
}

const struct generator_kind pattern_collective = {
    "collective", "collective:64:call=bcast,size=1000",
    "all ranks call a collective, with SIZE bytes or blocks of so many", OPTIONS, open_collective};
