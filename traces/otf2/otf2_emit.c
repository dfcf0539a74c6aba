#include "traces/otf2/otf2_emit.h"

#include <inttypes.h>
#include <stdlib.h>

#include "common/mem.h"
#include "common/numeric/rising.h"

/* A call of MPI that is being written. */
struct call {
  struct otf2_emit *m;
  uint32_t region;
};

enum status otf2_emit_init(struct otf2_emit *m, uint32_t ranks, struct err *e)
{
  m->ranks = ranks;
  return (m->events = mem_array(ranks, sizeof *m->events, e)) == NULL ? FAIL : OK;
}

void otf2_emit_begin(struct otf2_emit *m, OTF2_EvtWriter *w, uint32_t rank)
{
  m->writer = w;
  m->rank = rank;
  m->time = m->request = m->written = 0;
  m->rest = m->due = 0;
  m->opens = 0;
  m->credit = false;
  fifos_clear(&m->keys);
}

void otf2_emit_clear(struct otf2_emit *m)
{
  names_clear(&m->regions);
  fifos_clear(&m->keys);
  free(m->comm);
  free(m->events);
  free(m->open);
}

static void note(struct otf2_emit *m, OTF2_ErrorCode code)
{
  m->bad |= code != OTF2_SUCCESS;
  m->events[m->rank]++;
}

/* --- calls ----------------------------------------------------------------------------------- */

static enum status enter(struct otf2_emit *m, const char *name, struct call *c, struct err *e)
{
  *c = (struct call){.m = m};
  if (names_add(&m->regions, name, &c->region, e) != OK)
    return FAIL;
  note(m, m->api->OTF2_EvtWriter_Enter(m->writer, NULL, m->time, c->region));
  return OK;
}

/* Adds seconds to the clock. */
static void pass(struct otf2_emit *m, double seconds)
{
  const double ticks = seconds * 1e9 + m->rest;
  const uint64_t whole = ticks < 0x1p62 ? (uint64_t)ticks : UINT64_C(1) << 62;
  m->rest = ticks < 0x1p62 ? ticks - (double)whole : 0;
  m->time += whole;
}

/* The computation of collectives follows the call that ends them: time within a call of MPI is no
 * computation. */
static enum status leave(struct call *c)
{
  struct otf2_emit *m = c->m;
  note(m, m->api->OTF2_EvtWriter_Leave(m->writer, NULL, ++m->time, c->region));
  m->written = m->time;
  m->latest = m->time > m->latest ? m->time : m->latest;
  pass(m, m->due / 1e9);
  m->due = 0;
  return OK;
}

/* Sets the id of the communicator, and keeps the communicator: it is defined after all events. */
static enum status comm_of(struct otf2_emit *m, const struct comm *c, uint32_t *id, struct err *e)
{
  *id = comm_index(c);
  if (c == NULL)
    return OK;
  if (MEM_GROW(m->comm, m->comm_room, (size_t)c->index, e) != OK)
    return FAIL;
  while (m->comms < c->index)
    m->comm[m->comms++] = NULL;
  m->comm[c->index - 1] = c;
  return OK;
}

/* --- messages -------------------------------------------------------------------------------- */

/* A message as OTF2 states it. */
struct message {
  uint32_t partner, comm, tag;
  uint64_t bytes;
};

static enum status message(struct otf2_emit *m, const struct action *a, struct message *x,
                           struct err *e)
{
  uint32_t member;
  if (a->partner < 0 || a->tag == ACTION_ANY_TAG)
    return err_set(e,
                   "%s from any source or with any tag: OTF2 states the message's source and tag",
                   action_name(a->kind));
  if (a->count < 0)
    return err_set(e, "%s of any size: OTF2 states the size", action_name(a->kind));
  if (!comm_member(a->comm, (uint32_t)a->partner, &member))
    return err_set(e, "%s with a rank that is no member of the communicator", action_name(a->kind));
  *x = (struct message){member, 0, (uint32_t)a->tag, (uint64_t)a->count * action_size(a)};
  return comm_of(m, a->comm, &x->comm, e);
}

static enum status blocking(struct otf2_emit *m, const struct action *a, struct err *e)
{
  static const char *const SENDS[] = {"MPI_Send", "MPI_Bsend", "MPI_Ssend"};
  const bool sends = a->kind == ACTION_SEND;
  struct message x;
  struct call c;
  if (message(m, a, &x, e) != OK || enter(m, sends ? SENDS[a->mode] : "MPI_Recv", &c, e) != OK)
    return FAIL;
  note(m, sends ? m->api->OTF2_EvtWriter_MpiSend(m->writer, NULL, m->time, x.partner, x.comm, x.tag,
                                                 x.bytes)
                : m->api->OTF2_EvtWriter_MpiRecv(m->writer, NULL, m->time, x.partner, x.comm, x.tag,
                                                 x.bytes));
  return leave(&c);
}

static enum status exchange(struct otf2_emit *m, const struct action *a, struct err *e)
{
  struct action in = *a;
  struct message x, y;
  struct call c;
  if (a->partner == (int32_t)m->rank && a->source == a->partner)
    return OK; /* no message */
  in.partner = a->source;
  in.count = a->count2;
  in.type = a->type2;
  in.derived = a->derived2;
  if (message(m, a, &x, e) != OK || message(m, &in, &y, e) != OK ||
      enter(m, "MPI_Sendrecv", &c, e) != OK)
    return FAIL;
  note(m,
       m->api->OTF2_EvtWriter_MpiSend(m->writer, NULL, m->time, x.partner, x.comm, x.tag, x.bytes));
  note(m,
       m->api->OTF2_EvtWriter_MpiRecv(m->writer, NULL, m->time, y.partner, y.comm, y.tag, y.bytes));
  return leave(&c);
}

/* --- requests -------------------------------------------------------------------------------- */

static struct fifo_key message_key(uint32_t src, uint32_t dst, const struct action *a)
{
  return (struct fifo_key){(uint64_t)src << 32 | dst,
                           (uint64_t)comm_index(a->comm) << 32 | (uint32_t)a->tag};
}

/* No message has the source 2^32-1. */
static struct fifo_key collective_key(int32_t name, int32_t tag)
{
  return (struct fifo_key){(uint64_t)UINT32_MAX << 32 | (uint32_t)name, (uint32_t)tag};
}

static enum status add_open(struct otf2_emit *m, const struct otf2_open *x, struct fifo_key key,
                            struct err *e)
{
  size_t n = 0;
  if (m->opens == m->open_room) /* requests that have ended leave room */
    for (size_t i = 0; i < m->opens; i++)
      if (!m->open[i].over)
        m->open[n++] = m->open[i];
  m->opens = m->opens == m->open_room ? n : m->opens;
  if (MEM_GROW(m->open, m->open_room, m->opens + 1, e) != OK)
    return FAIL;
  m->open[m->opens++] = *x;
  return fifos_put(&m->keys, key, (struct fifo_value){x->request, 0}, e);
}

static enum status post(struct otf2_emit *m, const struct action *a, struct err *e)
{
  static const char *const SENDS[] = {"MPI_Isend", "MPI_Ibsend", "MPI_Issend"};
  const bool sends = a->kind == ACTION_ISEND;
  struct message x;
  struct call c;
  if (message(m, a, &x, e) != OK || enter(m, sends ? SENDS[a->mode] : "MPI_Irecv", &c, e) != OK)
    return FAIL;
  const uint64_t request = ++m->request;
  note(m, sends ? m->api->OTF2_EvtWriter_MpiIsend(m->writer, NULL, m->time, x.partner, x.comm,
                                                  x.tag, x.bytes, request)
                : m->api->OTF2_EvtWriter_MpiIrecvRequest(m->writer, NULL, m->time, request));
  const uint32_t partner = (uint32_t)a->partner;
  const struct otf2_open open = {.request = request, .action = *a};
  if (add_open(m, &open, message_key(sends ? m->rank : partner, sends ? partner : m->rank, a), e) !=
      OK)
    return FAIL;
  return leave(&c);
}

static enum status complete(struct otf2_emit *m, struct otf2_open *x, struct err *e)
{
  const struct action *a = &x->action;
  const enum action_kind kind = a->kind;
  struct message y;
  if (kind == ACTION_ISEND) {
    note(m, m->api->OTF2_EvtWriter_MpiIsendComplete(m->writer, NULL, m->time, x->request));
  } else if (kind == ACTION_IRECV) {
    if (message(m, a, &y, e) != OK)
      return FAIL;
    note(m, m->api->OTF2_EvtWriter_MpiIrecv(m->writer, NULL, m->time, y.partner, y.comm, y.tag,
                                            y.bytes, x->request));
  } else {
    note(m, m->api->OTF2_EvtWriter_NonBlockingCollectiveComplete(
                m->writer, NULL, m->time, otf2_operation_of(action_blocking(kind)),
                comm_index(a->comm), otf2_root_of(a), x->sent, x->received, x->request));
    m->due += a->amount;
  }
  x->over = true;
  return OK;
}

static int by_request(const void *key, const void *open)
{
  const struct otf2_open *x = open;
  return RISING(*(const uint64_t *)key, x->request);
}

/* The open request with this number; NULL if a waitall has ended it. */
static struct otf2_open *find_open(struct otf2_emit *m, uint64_t request)
{
  struct otf2_open *x = bsearch(&request, m->open, m->opens, sizeof *m->open, by_request);
  return x == NULL || x->over ? NULL : x;
}

static enum status wait(struct otf2_emit *m, const struct action *a, struct err *e)
{
  const struct fifo_key key = a->source == ACTION_COLLECTIVE
                                  ? collective_key(a->name, a->tag)
                                  : message_key((uint32_t)a->source, (uint32_t)a->partner, a);
  struct fifo_value value;
  struct otf2_open *x = NULL;
  struct call c;
  while (x == NULL && fifos_take(&m->keys, key, &value))
    x = find_open(m, value.a);
  if (x == NULL)
    return m->credit ? OK : err_set(e, "wait for a request that was never posted");
  if (enter(m, "MPI_Wait", &c, e) != OK || complete(m, x, e) != OK)
    return FAIL;
  return leave(&c);
}

static bool is_collective(const struct otf2_open *x)
{
  return action_is_collective(x->action.kind);
}

/* Ends all messages and the first @p most collectives without a name or, if @p named, all. */
static enum status wait_all(struct otf2_emit *m, int64_t most, bool named, struct err *e)
{
  struct call c;
  if (enter(m, "MPI_Waitall", &c, e) != OK)
    return FAIL;
  for (size_t i = 0; i < m->opens; i++) {
    struct otf2_open *x = &m->open[i];
    if (x->over || (is_collective(x) && ((x->action.name != 0 && !named) || most-- <= 0)))
      continue;
    if (complete(m, x, e) != OK)
      return FAIL;
  }
  return leave(&c);
}

/* A waitall of @p count requests (-1: unknown), as in pending.h. */
static enum status wait_for(struct otf2_emit *m, int64_t count, struct err *e)
{
  int64_t messages = 0;
  for (size_t i = 0; i < m->opens; i++)
    messages += !m->open[i].over && !is_collective(&m->open[i]);
  m->credit = m->credit || (count >= 0 && count < messages);
  return wait_all(m, count < 0 ? INT64_MAX : count - messages, false, e);
}

/* --- collectives ----------------------------------------------------------------------------- */

static enum status collective(struct otf2_emit *m, const struct action *a, struct err *e)
{
  const enum action_kind kind = action_blocking(a->kind);
  const bool nonblocking = action_is_nonblocking(a->kind);
  struct otf2_open x = {.action = *a};
  char name[64];
  struct call c;
  uint32_t comm;
  if (a->neighbours != NULL)
    return err_set(e, "%s: OTF2 has no neighbourhood collectives", action_name(a->kind));
  if (comm_of(m, a->comm, &comm, e) != OK ||
      otf2_state_bytes(a, m->ranks, m->rank, &x.sent, &x.received, e) != OK)
    return FAIL;
  otf2_name_of(a->kind, name, sizeof name);
  if (enter(m, name, &c, e) != OK)
    return FAIL;
  if (nonblocking) {
    x.request = ++m->request;
    note(m,
         m->api->OTF2_EvtWriter_NonBlockingCollectiveRequest(m->writer, NULL, m->time, x.request));
    if (add_open(m, &x, collective_key(a->name, action_request_tag(a->kind)), e) != OK)
      return FAIL;
    return leave(&c);
  }
  note(m, m->api->OTF2_EvtWriter_MpiCollectiveBegin(m->writer, NULL, m->time));
  note(m, m->api->OTF2_EvtWriter_MpiCollectiveEnd(m->writer, NULL, m->time, otf2_operation_of(kind),
                                                  comm, otf2_root_of(a), x.sent, x.received));
  m->due += a->amount;
  return leave(&c);
}

/* --- the rank -------------------------------------------------------------------------------- */

static enum status plain(struct otf2_emit *m, const char *name, struct err *e)
{
  struct call c;
  return enter(m, name, &c, e) == OK ? leave(&c) : FAIL;
}

enum status otf2_emit_action(struct otf2_emit *m, const struct action *a, struct err *e)
{
  if (action_is_collective(a->kind))
    return collective(m, a, e);
  switch (a->kind) {
  case ACTION_COMPUTE:
  case ACTION_REDUCE_LOCAL:
    pass(m, a->amount / 1e9);
    return OK;
  case ACTION_SLEEP:
    pass(m, a->amount);
    return OK;
  case ACTION_SEND:
  case ACTION_RECV:
    return blocking(m, a, e);
  case ACTION_ISEND:
  case ACTION_IRECV:
    return post(m, a, e);
  case ACTION_SENDRECV:
    return exchange(m, a, e);
  case ACTION_WAIT:
    return wait(m, a, e);
  case ACTION_TEST:
    return plain(m, "MPI_Test", e);
  case ACTION_WAITALL:
    return wait_for(m, a->count, e);
  case ACTION_WAITANY:
    return err_set(e, "waitAny: OTF2 states which request has ended, and the trace does not");
  case ACTION_RELAY:
  case ACTION_RELAY_PROBE:
  case ACTION_RELAY_COMPUTE:
    return err_set(e, "%s: OTF2 states when a message was found, and the trace does not",
                   action_name(a->kind));
  case ACTION_INIT:
    return plain(m, "MPI_Init", e);
  case ACTION_FINALIZE:
    return plain(m, "MPI_Finalize", e);
  default: /* communicators, datatypes and marks are no calls */
    return OK;
  }
}

enum status otf2_emit_end(struct otf2_emit *m, struct err *e)
{
  bool open = false;
  for (size_t i = 0; i < m->opens; i++)
    open |= !m->open[i].over;
  if (open && wait_all(m, INT64_MAX, true, e) != OK)
    return FAIL;
  if (m->time > m->written && plain(m, "MPI_Finalize", e) != OK) /* ends the last computation */
    return FAIL;
  return m->bad ? err_set(e, "rank %" PRIu32 ": its events cannot be written: %s", m->rank,
                          m->report->text)
                : OK;
}
