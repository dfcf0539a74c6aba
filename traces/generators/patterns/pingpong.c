/* Each even rank sends to the next rank and waits for its answer, as in programs that measure a
 * network.  With an odd number of ranks, the last one is idle. */
#include "traces/generators/patterns/pattern.h"

static const struct spec_option OPTIONS[] = {PATTERN_RANKS, PATTERN_LEAST, {.name = NULL}};

enum { TAG = 0 };

static void fill(const struct generator *g, const struct generator_place *at, struct emit *out)
{
  const struct pattern_options *o = &((const struct pattern *)g)->options;
  const uint32_t peer = out->rank ^ 1;
  if (at->part != GENERATOR_LOOP)
    return;
  emit_compute(out, o->compute);
  if (peer >= g->ranks)
    return;
  if (out->rank < peer) {
    emit_send(out, peer, TAG, o->size, EMIT_BYTE);
    emit_recv(out, peer, TAG, o->size, EMIT_BYTE);
  } else {
    emit_recv(out, peer, TAG, o->size, EMIT_BYTE);
    emit_send(out, peer, TAG, o->size, EMIT_BYTE);
  }
}

static enum status set_up(struct pattern *p, struct err *e)
{
  (void)e;
  p->messages = p->base.ranks > 1;
  p->window = 1;
  p->base.fill = fill;
  return OK;
}

const struct generator_kind pattern_pingpong = {
    .name = "pingpong",
    .example = "pingpong:2:size=1000",
    .help = "each even rank sends to the next, which answers",
    .options = OPTIONS,
    .open = pattern_open,
    .bytes = sizeof(struct pattern),
    .set_up = set_up,
};
