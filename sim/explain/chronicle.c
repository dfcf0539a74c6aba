#include "sim/explain/chronicle.h"

#include <math.h>
#include <stdlib.h>

#include "common/mem.h"

enum status chronicle_begin(struct chronicle *c, const struct rewind *r, struct err *e)
{
  *c = (struct chronicle){.open = mem_array(r->flows, sizeof *c->open, e)};
  return c->open == NULL ? FAIL : OK;
}

void chronicle_clear(struct chronicle *c)
{
  free(c->state);
  free(c->message);
  free(c->open);
  *c = (struct chronicle){0};
}

static enum status add_state(struct chronicle *c, const struct rewind *r, struct err *e)
{
  const struct causes_step *s = &r->event.as.step;
  if (s->cause >= CAUSES_END || !(r->now > s->begin))
    return OK;
  if (MEM_GROW(c->state, c->state_room, c->states + 1, e) != OK)
    return FAIL;
  c->state[c->states++] = (struct chronicle_state){
      .begin = s->begin, .end = r->now, .actor = s->actor, .kind = s->kind, .action = s->action};
  return OK;
}

/* A flow that leaves its links because one of them changes continues after the change. */
static enum status add_message(struct chronicle *c, const struct rewind *r, struct err *e)
{
  const struct causes_out *o = &r->event.as.out;
  if (!o->ended)
    return OK;
  if (MEM_GROW(c->message, c->message_room, c->messages + 1, e) != OK)
    return FAIL;
  const double transfer =
      o->shared && o->cap > 0 ? o->bytes * o->penalty / (o->factor * o->cap) : 0;
  c->message[c->messages++] = (struct chronicle_message){.end = r->now,
                                                         .bytes = o->bytes,
                                                         .alone_s = o->latency_s + transfer,
                                                         .src = o->src,
                                                         .dst = o->dst};
  c->open[o->flow] = (uint32_t)c->messages;
  return OK;
}

enum status chronicle_event(struct chronicle *c, const struct rewind *r, const struct walk *w,
                            struct err *e)
{
  const struct rewind_event *v = &r->event;
  if (v->kind == CAUSES_STEP)
    return add_state(c, r, e);
  if (v->kind == CAUSES_OUT)
    return add_message(c, r, e);
  if (v->kind == CAUSES_START && c->open[v->as.start.flow] > 0) {
    struct chronicle_message *m = &c->message[c->open[v->as.start.flow] - 1];
    m->begin = r->now;
    m->critical = path_starts_with(w, v->as.start.flow);
    c->open[v->as.start.flow] = 0;
  }
  return OK;
}

/* --- loads of links --------------------------------------------------------------------------- */

static double use_of(const struct rewind *r, uint32_t link)
{
  const struct rewind_link *l = &r->link[link];
  double load = 0;
  for (uint32_t i = 0; i < l->uses; i++)
    load += l->use[i].weight * rewind_level(r, l->use[i].flow);
  return load / flow_net_bandwidth(r->net, link);
}

/* Adds a use from @p begin to @p end to the intervals. */
static void add_use(float *use, uint32_t intervals, double length, double begin, double end,
                    double value)
{
  const uint32_t last = intervals - 1;
  const uint32_t first = (uint32_t)fmin(last, begin / length);
  for (uint32_t i = first; i <= last && i * length < end; i++) {
    const double part = fmin(end, (i + 1) * length) - fmax(begin, i * length);
    use[i] += (float)(value * fmax(0, part) / length);
  }
}

/* Adds the uses of the links from the last event to date @p end. */
static void add_uses(struct link_use *u, const struct rewind *r, double *now, double end)
{
  const double length = causes_end(r->causes) / u->intervals;
  for (uint32_t i = 0; i < u->links && r->now < end; i++)
    if (now[i] > 0)
      add_use(&u->use[(size_t)i * u->intervals], u->intervals, length, r->now, end, now[i]);
}

enum status link_use_find(struct link_use *u, const struct causes *c, struct err *e)
{
  OWNED double *now = mem_array(u->links, sizeof *now, e);
  struct rewind r = {0};
  bool more = true;
  enum status s = now == NULL ? FAIL : rewind_start(&r, c, e);
  while (s == OK && more) {
    const double end = r.now;
    s = rewind_next(&r, &more, e);
    if (s != OK || !more)
      break;
    add_uses(u, &r, now, end);
    s = rewind_undo(&r, e);
    if (r.event.kind == CAUSES_SETTLE || r.event.kind == CAUSES_OUT)
      for (uint32_t i = 0; i < u->links; i++)
        now[i] = use_of(&r, u->link[i]);
  }
  rewind_clear(&r);
  return s;
}
