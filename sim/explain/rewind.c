#include "sim/explain/rewind.h"

#include <stdlib.h>
#include <string.h>

#include "common/mem.h"

_Static_assert(sizeof(struct rewind_flow) % MEM_LINE == 0, "flows fill lines of the cache");

static enum status make_state(struct rewind *r, struct err *e)
{
  r->links = maxmin_links(flow_net_maxmin(r->net));
  r->flows = causes_flows(r->causes);
  if ((r->link = mem_array(r->links, sizeof *r->link, e)) == NULL ||
      (r->flow = mem_lines(r->flows, sizeof *r->flow, e)) == NULL)
    return FAIL;
  for (uint32_t i = 0; i < r->links; i++) {
    r->link[i].level = causes_level(r->causes, i);
    r->link[i].spare = causes_is_spare(r->causes, i);
    r->spares += r->link[i].spare;
  }
  for (uint32_t i = 0; i < r->flows; i++)
    r->flow[i].bottleneck = CAUSES_ABSENT;
  return OK;
}

enum status rewind_start(struct rewind *r, const struct causes *c, struct err *e)
{
  *r = (struct rewind){.causes = c, .net = causes_net(c), .now = causes_end(c)};
  if (tape_reader_start(&r->tape, causes_tape(c), e) != OK)
    return FAIL;
  return make_state(r, e);
}

void rewind_clear(struct rewind *r)
{
  for (uint32_t i = 0; r->link != NULL && i < r->links; i++)
    free(r->link[i].use);
  for (uint32_t i = 0; r->flow != NULL && i < r->flows; i++) {
    free(r->flow[i].use);
    free(r->flow[i].place);
  }
  free(r->link);
  free(r->flow);
  free(r->event.link);
  free(r->event.flow);
  free(r->event.spare);
  tape_reader_clear(&r->tape);
  *r = (struct rewind){0};
}

/* --- reading ---------------------------------------------------------------------------------- */

/* Reads the changes of a settle, and the first record that is none of them. */
static enum status read_changes(struct rewind *r, struct err *e)
{
  struct rewind_event *v = &r->event;
  const struct tape_record *x = &r->record;
  bool more = true;
  v->links = v->flows = v->spares = 0;
  while (tape_back(&r->tape, &r->record, &more, e) == OK) {
    if (!more)
      return OK;
    if (x->kind == CAUSES_LINK) {
      if (MEM_GROW(v->link, r->link_room, (size_t)v->links + 1, e) != OK)
        return FAIL;
      memcpy(&v->link[v->links++], x->data, sizeof *v->link);
    } else if (x->kind == CAUSES_FLOW) {
      if (MEM_GROW(v->flow, r->flow_room, (size_t)v->flows + 1, e) != OK)
        return FAIL;
      memcpy(&v->flow[v->flows++], x->data, sizeof *v->flow);
    } else if (x->kind == CAUSES_SPARE) {
      if (MEM_GROW(v->spare, r->spare_room, (size_t)v->spares + 1, e) != OK)
        return FAIL;
      memcpy(&v->spare[v->spares++], x->data, sizeof *v->spare);
    } else {
      r->held = true;
      return OK;
    }
  }
  return FAIL;
}

#define COPY(field) memcpy(&v->as.field, data, sizeof v->as.field)

/* Copies a record.  Each kind has a constant size, which makes the copies short. */
static void take_record(struct rewind_event *v, const struct tape_record *x)
{
  const uint8_t *data = x->data;
  v->kind = (enum causes_kind)x->kind;
  switch (v->kind) {
  case CAUSES_STEP:
    v->as.step.amount = 0;
    if (x->size == CAUSES_STEP_SIZE)
      memcpy(&v->as.step, data, CAUSES_STEP_SIZE);
    else
      COPY(step);
    return;
  case CAUSES_BEGIN:
    COPY(begin);
    return;
  case CAUSES_START:
    COPY(start);
    return;
  case CAUSES_IN:
    COPY(in);
    return;
  case CAUSES_OUT:
    COPY(out);
    return;
  case CAUSES_WAKE:
    COPY(wake);
    return;
  case CAUSES_SETTLE:
    COPY(settle);
    return;
  default:
    COPY(change);
  }
}

static enum status find_route(struct rewind *r, struct err *e)
{
  const struct causes_out *out = &r->event.as.out;
  return flow_net_route(r->net, causes_actor(r->causes, out->src).host,
                        causes_actor(r->causes, out->dst).host, &r->event.use, &r->event.uses, e);
}

/* Reads a record, unless it is read already. */
static enum status read_record(struct rewind *r, bool *more, struct err *e)
{
  *more = true;
  if (!r->held && tape_back(&r->tape, &r->record, more, e) != OK)
    return FAIL;
  r->held = false;
  return OK;
}

enum status rewind_next(struct rewind *r, bool *more, struct err *e)
{
  if (read_record(r, more, e) != OK)
    return FAIL;
  while (*more && r->record.kind == CAUSES_DATE) {
    memcpy(&r->now, r->record.data, sizeof r->now);
    if (tape_back(&r->tape, &r->record, more, e) != OK)
      return FAIL;
  }
  if (!*more)
    return OK;
  take_record(&r->event, &r->record);
  if (r->event.kind == CAUSES_SETTLE)
    return read_changes(r, e);
  return r->event.kind == CAUSES_OUT && r->event.as.out.shared ? find_route(r, e) : OK;
}

/* --- restoring -------------------------------------------------------------------------------- */

static enum status use_link(struct rewind *r, uint32_t flow, uint32_t hop, struct err *e)
{
  struct rewind_flow *f = &r->flow[flow];
  struct rewind_link *l = &r->link[f->use[hop].link];
  if (MEM_GROW(l->use, l->room, (size_t)l->uses + 1, e) != OK)
    return FAIL;
  f->twice = f->twice || (l->uses > 0 && l->use[l->uses - 1].flow == flow);
  f->place[hop] = l->uses;
  l->use[l->uses++] = (struct rewind_use){flow, hop, f->use[hop].share / f->out.penalty};
  return OK;
}

/* The flow that has left shares its links again. */
static enum status put_back(struct rewind *r, const struct causes_out *out, struct err *e)
{
  struct rewind_flow *f = &r->flow[out->flow];
  const uint32_t uses = r->event.uses;
  if (MEM_GROW(f->use, f->use_room, uses, e) != OK ||
      MEM_GROW(f->place, f->place_room, uses, e) != OK)
    return FAIL;
  memcpy(f->use, r->event.use, uses * sizeof *f->use);
  f->uses = f->forth = uses;
  while (f->forth > 0 && f->use[f->forth - 1].share != 1)
    f->forth--;
  f->twice = false;
  f->bottleneck = out->bottleneck;
  f->cap = out->cap;
  for (uint32_t i = 0; i < uses; i++)
    if (use_link(r, out->flow, i, e) != OK)
      return FAIL;
  return OK;
}

static void take_out(struct rewind *r, uint32_t flow)
{
  struct rewind_flow *f = &r->flow[flow];
  for (uint32_t i = 0; i < f->uses; i++) {
    struct rewind_link *l = &r->link[f->use[i].link];
    const struct rewind_use last = l->use[--l->uses];
    l->use[f->place[i]] = last;
    r->flow[last.flow].place[last.hop] = f->place[i];
  }
  f->uses = 0;
  f->bottleneck = CAUSES_ABSENT;
}

static void toggle_spare(struct rewind *r, struct rewind_link *l)
{
  if (l->spare)
    r->spares--;
  else
    r->spares++;
  l->spare = !l->spare;
}

enum status rewind_undo(struct rewind *r, struct err *e)
{
  const struct rewind_event *v = &r->event;
  switch (v->kind) {
  case CAUSES_OUT:
    r->flow[v->as.out.flow].out = v->as.out;
    return v->as.out.shared ? put_back(r, &v->as.out, e) : OK;
  case CAUSES_IN:
    take_out(r, v->as.in.flow);
    return OK;
  case CAUSES_SETTLE:
    for (uint32_t i = 0; i < v->links; i++)
      r->link[v->link[i].link].level = v->link[i].before;
    for (uint32_t i = 0; i < v->flows; i++)
      r->flow[v->flow[i].flow].bottleneck = v->flow[i].before;
    for (uint32_t i = 0; i < v->spares; i++)
      toggle_spare(r, &r->link[v->spare[i]]);
    return OK;
  default:
    return OK;
  }
}
