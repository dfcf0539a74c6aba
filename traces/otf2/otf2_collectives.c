/* Collectives, blocking and not. */
#include <string.h>

#include "common/mem.h"
#include "traces/otf2/otf2_events.h"

/* Number of stored collectives at the head of the queue at which they are dropped. */
enum { KEPT = 1024 };

/* A collective as its last event states it. */
struct ending {
  uint64_t time, place, sent, received, request;
  uint32_t comm, root;
  unsigned operation;
};

static enum status find_root(struct otf2_events *v, const struct ending *m,
                             const struct otf2_comm *comm, struct otf2_collective *c)
{
  c->root = 0;
  if (!action_is_rooted(c->kind) ||
      (otf2_comm_root(comm, m->root, &c->root) && c->root < c->members))
    return OK;
  c->kind = ACTION_KINDS;
  return otf2_events_bad(v, m->place, "a collective whose root is not in its communicator: root",
                         m->root);
}

/* Sets the collective and its record; c->kind is ACTION_KINDS if it makes no messages. */
static enum status ending(struct otf2_events *v, const struct ending *m, struct otf2_collective *c,
                          struct record *x)
{
  *c = (struct otf2_collective){.kind = otf2_kind_of(m->operation),
                                .sent = m->sent,
                                .received = m->received,
                                .single = v->single};
  *x = (struct record){.ticks = m->time, .place = m->place, .kind = (uint8_t)c->kind};
  const enum action_kind kind = c->kind;
  c->kind = ACTION_KINDS;
  if (kind == ACTION_WAIT)
    return otf2_events_bad(v, m->place, "a collective with the unknown operation", m->operation);
  if (kind == ACTION_KINDS)
    return OK;
  struct otf2_comm *comm = otf2_defs_comm(v->defs, m->comm);
  if (comm == NULL || !comm->resolved || !otf2_comm_member(comm, v->rank, &c->me))
    return otf2_events_bad(v, m->place, "a collective of a rank that is no member of communicator",
                           m->comm);
  if (comm->inter)
    return otf2_events_bad(
        v, m->place, "a collective on an intercommunicator, which is not supported,", m->comm);
  c->members = comm->self ? 1 : comm->world ? v->defs->ranks : comm->count;
  if (m->sent > OTF2_LENGTH_MAX || m->received > OTF2_LENGTH_MAX)
    return otf2_events_bad(v, m->place, "a collective with an impossible number of bytes:",
                           m->sent > m->received ? m->sent : m->received);
  c->kind = kind;
  if (find_root(v, m, comm, c) != OK ||
      otf2_comm_number(comm, v->recording, v->rank, &x->comm, v->e) != OK)
    return FAIL;
  x->root = c->root;
  if (c->kind == ACTION_KINDS)
    return OK;
  struct err why;
  if (!otf2_has_sums(c->kind) && otf2_blocks(c, &x->sent, &x->received, &why) != OK)
    return err_at(v->e, recording_rank_file(&v->recording->trace, v->rank), m->place, "%s",
                  why.text);
  return OK;
}

/* Stores the collectives at the head of the queue up to the first that has not ended. */
static enum status retire(struct otf2_events *v)
{
  for (; v->first < v->end && v->collected[v->first].known; v->first++) {
    struct otf2_collected *x = &v->collected[v->first];
    const struct otf2_collective *c = &x->sizes;
    const struct volume_sums sums = {c->kind, c->root, c->sent, c->received};
    if (x->record.kind == RECORD_NONE)
      continue;
    if (otf2_has_sums(c->kind) &&
        volumes_put_sums(&v->recording->volumes, c->me, c->members, &sums, &x->record, v->e) != OK)
      return FAIL;
    if (records_fill(&v->recording->records, x->slot, &x->record, v->e) != OK)
      return FAIL;
  }
  if (v->first < KEPT && v->first < v->end)
    return OK;
  memmove(v->collected, v->collected + v->first, (v->end - v->first) * sizeof *v->collected);
  v->end -= v->first;
  v->base += v->first;
  v->first = 0;
  return OK;
}

/* Appends a collective with a slot to the queue. */
static enum status collect(struct otf2_events *v, const struct record *x,
                           const struct otf2_collective *c, bool known)
{
  if (MEM_GROW(v->collected, v->collected_room, v->end + 1, v->e) != OK)
    return FAIL;
  struct otf2_collected *y = &v->collected[v->end];
  *y = (struct otf2_collected){.record = *x, .known = known};
  if (c != NULL)
    y->sizes = *c;
  if (records_put_slot(&v->recording->records, x, &y->slot, v->e) != OK)
    return FAIL;
  v->end++;
  return retire(v);
}

static enum status collective_end(struct otf2_events *v, const struct ending *m)
{
  struct otf2_collective c;
  struct record x;
  if (otf2_events_begin_one(v, m->time, m->place) != OK || ending(v, m, &c, &x) != OK)
    return FAIL;
  v->open -= v->open > 0;
  if (c.kind == ACTION_KINDS)
    return OK;
  return otf2_has_sums(c.kind) ? collect(v, &x, &c, true) : otf2_events_put(v, &x);
}

static OTF2_CallbackCode on_collective_end(OTF2_LocationRef location, OTF2_TimeStamp time,
                                           uint64_t place, void *user,
                                           OTF2_AttributeList *attributes,
                                           OTF2_CollectiveOp operation, OTF2_CommRef comm,
                                           uint32_t root, uint64_t sent, uint64_t received)
{
  const struct ending m = {time, place, sent, received, 0, comm, root, operation};
  (void)location;
  (void)attributes;
  return otf2_events_done(user, collective_end(user, &m));
}

static OTF2_CallbackCode on_collective_begin(OTF2_LocationRef location, OTF2_TimeStamp time,
                                             uint64_t place, void *user,
                                             OTF2_AttributeList *attributes)
{
  struct otf2_events *v = user;
  (void)location;
  (void)attributes;
  const enum status s = otf2_events_begin_one(v, time, place);
  v->open++;
  return otf2_events_done(v, s);
}

static enum status collective_request(struct otf2_events *v, uint64_t time, uint64_t place,
                                      uint64_t request)
{
  const struct record x = {.kind = RECORD_NONE, .ticks = time, .place = place, .name = ++v->name};
  if (otf2_events_begin_one(v, time, place) != OK)
    return FAIL;
  const uint64_t number = v->base + v->end;
  if (collect(v, &x, NULL, false) != OK)
    return FAIL;
  return fifos_put(&v->requests, otf2_events_key(request),
                   (struct fifo_value){number, ACTION_NONBLOCKING}, v->e);
}

static OTF2_CallbackCode on_collective_request(OTF2_LocationRef location, OTF2_TimeStamp time,
                                               uint64_t place, void *user,
                                               OTF2_AttributeList *attributes, uint64_t request)
{
  (void)location;
  (void)attributes;
  return otf2_events_done(user, collective_request(user, time, place, request));
}

static enum status collective_complete(struct otf2_events *v, const struct ending *m)
{
  struct otf2_collective c;
  struct record x;
  struct fifo_value posted;
  if (otf2_events_begin_one(v, m->time, m->place) != OK || ending(v, m, &c, &x) != OK)
    return FAIL;
  if (!fifos_take(&v->requests, otf2_events_key(m->request), &posted) ||
      (posted.b & 255) != ACTION_NONBLOCKING)
    return otf2_events_bad(v, m->place, "the end of a collective that was never begun: request",
                           m->request);
  struct otf2_collected *y = &v->collected[posted.a - v->base];
  x.name = y->record.name;
  y->known = true;
  y->sizes = c;
  if (c.kind == ACTION_KINDS)
    return retire(v);
  x.kind = (uint8_t)action_nonblocking(c.kind);
  y->record = x;
  if (retire(v) != OK)
    return FAIL;
  const struct record wait = {.kind = ACTION_WAIT,
                              .ticks = m->time,
                              .place = m->place,
                              .tag = action_request_tag((enum action_kind)x.kind),
                              .name = x.name};
  uint64_t slot;
  return records_put_slot(&v->recording->records, &wait, &slot, v->e);
}

static OTF2_CallbackCode on_collective_complete(OTF2_LocationRef location, OTF2_TimeStamp time,
                                                uint64_t place, void *user,
                                                OTF2_AttributeList *attributes,
                                                OTF2_CollectiveOp operation, OTF2_CommRef comm,
                                                uint32_t root, uint64_t sent, uint64_t received,
                                                uint64_t request)
{
  const struct ending m = {time, place, sent, received, request, comm, root, operation};
  (void)location;
  (void)attributes;
  return otf2_events_done(user, collective_complete(user, &m));
}

void otf2_collectives_callbacks(const struct otf2_reading *api, OTF2_EvtReaderCallbacks *c)
{
#define SET(NAME, FUNCTION) api->OTF2_EvtReaderCallbacks_Set##NAME##Callback(c, FUNCTION)
  SET(MpiCollectiveBegin, on_collective_begin);
  SET(MpiCollectiveEnd, on_collective_end);
  SET(NonBlockingCollectiveRequest, on_collective_request);
  SET(NonBlockingCollectiveComplete, on_collective_complete);
#undef SET
}
