/* One collective of all ranks per iteration. */
#include <string.h>

#include "traces/collectives/collective.h"
#include "traces/generators/patterns/pattern.h"

struct collective {
  struct pattern base;
  const char *name;
  enum action_kind call;
};

static const struct spec_option OPTIONS[] = {
    PATTERN_RANKS,
    {"call", SPEC_TEXT, offsetof(struct collective, name), "allreduce",
     .help = "name of the collective (haichi list collectives)"},
    PATTERN_COMMON,
    {.name = NULL},
};

static void fill(const struct generator *g, const struct generator_place *at, struct emit *out)
{
  const struct pattern_options *o = &((const struct pattern *)g)->options;
  if (at->part != GENERATOR_LOOP)
    return;
  emit_compute(out, o->compute);
  emit_collective(out, ((const struct collective *)g)->call, o->size, EMIT_BYTE);
}

static enum status set_up(struct pattern *p, struct err *e)
{
  struct collective *c = (struct collective *)p;
  struct err why;
  p->window = 1;
  p->base.fill = fill;
  return collective_kind(&c->call, c->name, strlen(c->name), &why) == OK
             ? OK
             : err_set(e, "call: %s", why.text);
}

const struct generator_kind pattern_collective = {
    .name = "collective",
    .example = "collective:64:call=bcast,size=1000",
    .help = "all ranks call a collective, with messages or blocks of SIZE bytes",
    .options = OPTIONS,
    .open = pattern_open,
    .bytes = sizeof(struct collective),
    .set_up = set_up,
};
