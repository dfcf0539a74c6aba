/* Point-to-point messages and their requests. */
#include "traces/otf2/otf2_events.h"

/* A message as its event states it. */
struct message {
  uint64_t time, place, length, request;
  uint32_t partner, comm, tag;
};

/* The function of MPI in which the event lies; NULL: unknown. */
static const struct otf2_call *call_of(const struct otf2_events *v)
{
  return v->depth == 0 ? NULL : v->defs->region[v->region].call;
}

/* Sets *x to the message.  *real is false for MPI_PROC_NULL and for impossible sizes or tags. */
static enum status message(struct otf2_events *v, const struct message *m, struct record *x,
                           bool *real)
{
  *x = (struct record){.ticks = m->time, .place = m->place, .sent = m->length};
  *real = false;
  if (otf2_events_begin_one(v, m->time, m->place) != OK)
    return FAIL;
  if (m->partner == OTF2_UNDEFINED_UINT32)
    return OK;
  if (m->length > OTF2_LENGTH_MAX || m->tag > INT32_MAX) {
    v->losses->length = v->losses->lengths.count == 0 ? m->length : v->losses->length;
    otf2_events_count(&v->losses->lengths, v, m->place);
    return OK;
  }
  struct otf2_comm *c = otf2_defs_comm(v->defs, m->comm);
  uint32_t partner, member;
  if (c == NULL || !c->resolved)
    return otf2_events_bad(v, m->place, "a message on the unknown communicator", m->comm);
  if (!otf2_comm_member(c, v->rank, &member) ||
      !otf2_comm_partner(c, v->defs->ranks, v->rank, m->partner, &partner))
    return otf2_events_bad(
        v, m->place, "a message from or to a rank that is no member of communicator", m->comm);
  x->partner = (int32_t)partner;
  x->tag = (int32_t)m->tag;
  *real = true;
  return otf2_comm_number(c, v->recording, v->rank, &x->comm, v->e);
}

/* Messages within a collective belong to its algorithm, which may post several at once. */
static enum status send(struct otf2_events *v, const struct message *m)
{
  const struct otf2_call *call = call_of(v);
  struct record x;
  bool real;
  if (message(v, m, &x, &real) != OK)
    return FAIL;
  if (!real)
    return OK;
  x.mode = call == NULL ? ACTION_STANDARD : call->mode;
  const bool exchanges = call != NULL && call->exchanges && v->exchange.kind == 0;
  const bool posts = call != NULL && (call->posts || call->use != OTF2_USE_MESSAGE);
  x.kind = exchanges || posts ? ACTION_ISEND : ACTION_SEND;
  if (otf2_events_put(v, &x) != OK)
    return FAIL;
  if (!exchanges)
    return OK;
  v->exchange = x;
  v->exchange.kind = ACTION_WAIT;
  return OK;
}

static OTF2_CallbackCode on_send(OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t place,
                                 void *user, OTF2_AttributeList *attributes, uint32_t receiver,
                                 OTF2_CommRef comm, uint32_t tag, uint64_t length)
{
  (void)location;
  (void)attributes;
  return otf2_events_done(
      user, send(user, &(struct message){time, place, length, 0, receiver, comm, tag}));
}

static enum status isend(struct otf2_events *v, const struct message *m)
{
  const struct otf2_call *call = call_of(v);
  struct record x;
  bool real;
  if (message(v, m, &x, &real) != OK)
    return FAIL;
  if (!real)
    return fifos_put(&v->requests, otf2_events_key(m->request), (struct fifo_value){0, RECORD_NONE},
                     v->e);
  x.kind = ACTION_ISEND;
  x.mode = call == NULL ? ACTION_STANDARD : call->mode;
  if (otf2_events_put(v, &x) != OK)
    return FAIL;
  const struct fifo_value wait = {(uint64_t)(uint32_t)x.partner << 32 | (uint32_t)x.tag,
                                  (uint64_t)x.comm << 8 | ACTION_ISEND};
  return fifos_put(&v->requests, otf2_events_key(m->request), wait, v->e);
}

static OTF2_CallbackCode on_isend(OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t place,
                                  void *user, OTF2_AttributeList *attributes, uint32_t receiver,
                                  OTF2_CommRef comm, uint32_t tag, uint64_t length,
                                  uint64_t request)
{
  const struct message m = {time, place, length, request, receiver, comm, tag};
  (void)location;
  (void)attributes;
  return otf2_events_done(user, isend(user, &m));
}

static enum status isend_complete(struct otf2_events *v, uint64_t time, uint64_t place,
                                  uint64_t request)
{
  struct fifo_value wait;
  if (otf2_events_begin_one(v, time, place) != OK)
    return FAIL;
  if (!fifos_take(&v->requests, otf2_events_key(request), &wait))
    return otf2_events_bad(v, place, "the end of a send that was never begun: request", request);
  if ((wait.b & 255) == RECORD_NONE)
    return OK;
  if ((wait.b & 255) != ACTION_ISEND)
    return otf2_events_bad(v, place, "the end of a send for the request of a receive,", request);
  const struct record x = {.kind = ACTION_WAIT,
                           .ticks = time,
                           .place = place,
                           .partner = (int32_t)(wait.a >> 32),
                           .tag = (int32_t)(uint32_t)wait.a,
                           .comm = (uint32_t)(wait.b >> 8)};
  return otf2_events_put(v, &x);
}

static OTF2_CallbackCode on_isend_complete(OTF2_LocationRef location, OTF2_TimeStamp time,
                                           uint64_t place, void *user,
                                           OTF2_AttributeList *attributes, uint64_t request)
{
  (void)location;
  (void)attributes;
  return otf2_events_done(user, isend_complete(user, time, place, request));
}

static enum status irecv_request(struct otf2_events *v, uint64_t time, uint64_t place,
                                 uint64_t request)
{
  const struct record x = {.kind = RECORD_NONE, .ticks = time, .place = place};
  uint64_t slot;
  if (otf2_events_begin_one(v, time, place) != OK ||
      records_put_slot(&v->recording->records, &x, &slot, v->e) != OK)
    return FAIL;
  v->losses->all_receives++;
  const struct fifo_value value = {slot, place << 8 | ACTION_IRECV};
  return fifos_put(&v->requests, otf2_events_key(request), value, v->e);
}

static OTF2_CallbackCode on_irecv_request(OTF2_LocationRef location, OTF2_TimeStamp time,
                                          uint64_t place, void *user,
                                          OTF2_AttributeList *attributes, uint64_t request)
{
  (void)location;
  (void)attributes;
  return otf2_events_done(user, irecv_request(user, time, place, request));
}

/* Score-P without events of requests, and TAU, state a nonblocking receive where it ends. */
static enum status recv(struct otf2_events *v, const struct message *m)
{
  const struct otf2_call *call = call_of(v);
  struct record x;
  bool real;
  if (message(v, m, &x, &real) != OK)
    return FAIL;
  x.kind = ACTION_RECV;
  v->losses->late += v->depth > 0 && (call == NULL || call->use != OTF2_USE_MESSAGE);
  return real ? otf2_events_put(v, &x) : OK;
}

static OTF2_CallbackCode on_recv(OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t place,
                                 void *user, OTF2_AttributeList *attributes, uint32_t sender,
                                 OTF2_CommRef comm, uint32_t tag, uint64_t length)
{
  (void)location;
  (void)attributes;
  return otf2_events_done(user,
                          recv(user, &(struct message){time, place, length, 0, sender, comm, tag}));
}

static enum status irecv(struct otf2_events *v, const struct message *m)
{
  struct record x;
  struct fifo_value posted;
  bool real;
  if (message(v, m, &x, &real) != OK)
    return FAIL;
  if (!fifos_take(&v->requests, otf2_events_key(m->request), &posted))
    return otf2_events_bad(v, m->place, "the end of a receive that was never begun: request",
                           m->request);
  if ((posted.b & 255) != ACTION_IRECV)
    return otf2_events_bad(v, m->place, "the end of a receive for the request of a send,",
                           m->request);
  if (!real)
    return OK;
  x.kind = ACTION_IRECV;
  x.received = m->time;
  if (records_fill(&v->recording->records, posted.a, &x, v->e) != OK)
    return FAIL;
  x.kind = ACTION_WAIT;
  x.received = 0;
  x.receives = true;
  return otf2_events_put(v, &x);
}

static OTF2_CallbackCode on_irecv(OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t place,
                                  void *user, OTF2_AttributeList *attributes, uint32_t sender,
                                  OTF2_CommRef comm, uint32_t tag, uint64_t length,
                                  uint64_t request)
{
  const struct message m = {time, place, length, request, sender, comm, tag};
  (void)location;
  (void)attributes;
  return otf2_events_done(user, irecv(user, &m));
}

/* The slot of a cancelled receive stays empty. */
static enum status cancel(struct otf2_events *v, uint64_t time, uint64_t place, uint64_t request)
{
  struct fifo_value value;
  if (otf2_events_begin_one(v, time, place) != OK)
    return FAIL;
  if (!fifos_take(&v->requests, otf2_events_key(request), &value))
    return otf2_events_bad(v, place, "the cancellation of the unknown request", request);
  if ((value.b & 255) == ACTION_ISEND)
    otf2_events_count(&v->losses->cancelled, v, place);
  return OK;
}

static OTF2_CallbackCode on_cancelled(OTF2_LocationRef location, OTF2_TimeStamp time,
                                      uint64_t place, void *user, OTF2_AttributeList *attributes,
                                      uint64_t request)
{
  (void)location;
  (void)attributes;
  return otf2_events_done(user, cancel(user, time, place, request));
}

void otf2_messages_callbacks(const struct otf2_reading *api, OTF2_EvtReaderCallbacks *c)
{
#define SET(NAME, FUNCTION) api->OTF2_EvtReaderCallbacks_Set##NAME##Callback(c, FUNCTION)
  SET(MpiSend, on_send);
  SET(MpiIsend, on_isend);
  SET(MpiIsendComplete, on_isend_complete);
  SET(MpiIrecvRequest, on_irecv_request);
  SET(MpiRecv, on_recv);
  SET(MpiIrecv, on_irecv);
  SET(MpiRequestCancelled, on_cancelled);
#undef SET
}
