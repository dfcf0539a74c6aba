#include "traces/dumpi/dumpi_rank.h"

#include <inttypes.h>

/* Any source and any tag of a receive.  Other partners below 0, and -1 in a send, are
 * MPI_PROC_NULL. */
enum { ANY = -1 };

/* A message as a call states it. */
struct stated {
  int32_t count, type, partner, tag, comm;
};

static struct stated stated_in(const struct dumpi_record *r)
{
  return (struct stated){r->number[0], r->number[1], r->number[2], r->number[3], r->number[4]};
}

static enum action_mode mode_of(unsigned function)
{
  if (function == DUMPI_BSEND || function == DUMPI_IBSEND || function == DUMPI_BSEND_INIT)
    return ACTION_BUFFERED;
  const bool waits =
      function == DUMPI_SSEND || function == DUMPI_ISSEND || function == DUMPI_SSEND_INIT;
  return waits ? ACTION_SYNCHRONOUS : ACTION_STANDARD;
}

/* The rank in the world of a partner in the communicator. */
static enum status world_of(const struct dumpi_rank *d, const struct dumpi_comm *c, int32_t partner,
                            int32_t *world, struct err *e)
{
  if (partner < 0 || (uint32_t)partner >= c->count)
    return dumpi_rank_refuse(
        d, e, "the partner %" PRId32 " is not in the communicator of %" PRIu32 " members", partner,
        c->count);
  *world = (int32_t)c->member[partner];
  return OK;
}

/* Fills in the message.  Its kind is RECORD_NONE for MPI_PROC_NULL; a receive from any source has
 * ACTION_ANY_SOURCE. */
static enum status fill(struct dumpi_rank *d, const struct stated *m, bool sends, struct record *x,
                        struct err *e)
{
  struct dumpi_comm *c;
  const bool any = !sends && m->partner == ANY;
  *x = (struct record){.kind = RECORD_NONE, .mode = mode_of(d->file.record.function)};
  x->place = d->file.record.offset;
  x->ticks = d->file.record.entry;
  if (m->partner < 0 && !any)
    return OK;
  if (dumpi_rank_comm(d, m->comm, x, &c, e) != OK ||
      dumpi_rank_bytes(d, m->count, m->type, &x->sent, e) != OK)
    return FAIL;
  if (m->tag < 0 && (sends || m->tag != ANY))
    return dumpi_rank_refuse(d, e, "the tag %" PRId32 " is negative", m->tag);
  x->tag = m->tag < 0 ? ACTION_ANY_TAG : m->tag;
  x->partner = ACTION_ANY_SOURCE;
  if (!any && world_of(d, c, m->partner, &x->partner, e) != OK)
    return FAIL;
  x->kind = sends ? ACTION_SEND : ACTION_RECV;
  return OK;
}

/* Replaces any source and any tag by the source and tag of the status.  *real is false if no
 * message came. */
static enum status resolve(struct dumpi_rank *d, const struct dumpi_status *s, struct record *x,
                           bool *real, struct err *e)
{
  *real = x->kind != RECORD_NONE;
  if (!*real || s == NULL)
    return OK;
  *real = !s->cancelled && !(x->partner == ACTION_ANY_SOURCE && s->source < 0 && s->bytes <= 0);
  if (x->tag == ACTION_ANY_TAG && s->tag >= 0)
    x->tag = s->tag;
  if (!*real || x->partner != ACTION_ANY_SOURCE || s->source < 0)
    return OK;
  const struct dumpi_comm *c = NULL;
  for (uint32_t i = 0; i < d->comms->comms && c == NULL; i++)
    if (d->comms->comm[i].number == x->comm + 1)
      c = &d->comms->comm[i];
  return c == NULL ? OK : world_of(d, c, s->source, &x->partner, e);
}

static const struct dumpi_status *status_at(const struct dumpi_record *r, uint32_t i)
{
  return i < r->statuses ? &r->status[i] : NULL;
}

/* True if any source or any tag remains. */
static bool is_open(const struct record *x)
{
  return x->partner < 0 || x->tag == ACTION_ANY_TAG;
}

static enum status put(struct dumpi_rank *d, const struct record *x, struct err *e)
{
  d->recording->wildcards |= x->kind != ACTION_WAIT && x->kind != RECORD_NONE && is_open(x);
  return records_put(&d->recording->records, x, e);
}

static enum status blocking(struct dumpi_rank *d, bool sends, struct err *e)
{
  const struct stated m = stated_in(&d->file.record);
  struct record x;
  bool real;
  if (fill(d, &m, sends, &x, e) != OK ||
      resolve(d, sends ? NULL : status_at(&d->file.record, 0), &x, &real, e) != OK)
    return FAIL;
  if (!sends)
    x.ticks = d->file.record.leave;
  return real ? put(d, &x, e) : OK;
}

/* --- requests -------------------------------------------------------------------------------- */

static enum status start(struct dumpi_rank *d, struct dumpi_request *q, struct err *e)
{
  q->active = true;
  q->cancelled = false;
  q->message.ticks = d->file.record.entry;
  q->message.place = d->file.record.offset;
  if (q->message.kind == ACTION_IRECV)
    return records_put_slot(&d->recording->records, &q->message, &q->slot, e);
  return q->message.kind == ACTION_ISEND ? put(d, &q->message, e) : OK;
}

static enum status post(struct dumpi_rank *d, bool sends, bool persistent, struct err *e)
{
  const struct stated m = stated_in(&d->file.record);
  struct dumpi_request *q;
  struct record x;
  if (fill(d, &m, sends, &x, e) != OK ||
      dumpi_requests_add(&d->requests, d->file.record.number[5], &q, e) != OK)
    return FAIL;
  if (x.kind != RECORD_NONE)
    x.kind = sends ? ACTION_ISEND : ACTION_IRECV;
  q->message = x;
  q->persistent = persistent;
  q->active = false;
  return persistent ? OK : start(d, q, e);
}

/* Fills the slot of a receive that has ended: with @p x, or as empty if it received no message. */
static enum status settle(struct dumpi_rank *d, struct dumpi_request *q, struct record *x,
                          bool real, struct err *e)
{
  const struct record none = {.kind = RECORD_NONE};
  x->received = d->file.record.leave;
  if (real && (x->partner < 0 || x->tag == ACTION_ANY_TAG))
    d->recording->wildcards = true;
  const enum status s = records_fill(&d->recording->records, q->slot, real ? x : &none, e);
  x->received = 0;
  return s;
}

/* DUMPI does not record nonblocking collectives: their requests appear only where they end. */
static void note_unknown(struct dumpi_rank *d)
{
  if (d->unknown++ > 0)
    return;
  d->unknown_rank = d->rank;
  d->unknown_offset = d->file.record.offset;
}

/* Stores the end of request @p id, with the status @p s, or NULL if it was not recorded. */
static enum status complete(struct dumpi_rank *d, int32_t id, const struct dumpi_status *s,
                            struct err *e)
{
  struct dumpi_request *q = dumpi_requests_find(&d->requests, id);
  if (id != DUMPI_REQUEST_NULL && q == NULL)
    note_unknown(d);
  if (id == DUMPI_REQUEST_NULL || q == NULL || !q->active)
    return OK;
  struct record x = q->message;
  const bool receives = x.kind == ACTION_IRECV;
  bool real = x.kind != RECORD_NONE;
  if (receives && q->cancelled && s == NULL)
    x.kind = RECORD_NONE;
  if (receives && (resolve(d, s, &x, &real, e) != OK || settle(d, q, &x, real, e) != OK))
    return FAIL;
  q->active = false;
  if (!q->persistent)
    dumpi_requests_remove(&d->requests, id);
  if (!real)
    return OK;
  x.kind = ACTION_WAIT;
  x.mode = 0;
  x.receives = receives;
  x.sent = 0;
  x.ticks = d->file.record.leave;
  x.place = d->file.record.offset;
  return put(d, &x, e);
}

static int32_t element(const struct dumpi_record *r, uint32_t array, uint32_t i)
{
  const struct dumpi_array *a = &r->array[array];
  return array < r->arrays && i < a->count ? r->value[a->first + i] : DUMPI_REQUEST_NULL;
}

static enum status complete_all(struct dumpi_rank *d, struct err *e)
{
  const struct dumpi_record *r = &d->file.record;
  for (uint32_t i = 0; r->arrays > 0 && i < r->array[0].count; i++)
    if (complete(d, element(r, 0, i), status_at(r, i), e) != OK)
      return FAIL;
  return OK;
}

static enum status complete_some(struct dumpi_rank *d, struct err *e)
{
  const struct dumpi_record *r = &d->file.record;
  const int32_t count = r->number[1];
  for (int32_t i = 0; i < count && r->arrays > 1 && (uint32_t)i < r->array[1].count; i++) {
    const int32_t index = element(r, 1, (uint32_t)i);
    if (index >= 0 &&
        complete(d, element(r, 0, (uint32_t)index), status_at(r, (uint32_t)i), e) != OK)
      return FAIL;
  }
  return OK;
}

static enum status complete_any(struct dumpi_rank *d, bool ended, struct err *e)
{
  const struct dumpi_record *r = &d->file.record;
  const int32_t index = r->number[1];
  if (!ended || index < 0)
    return OK;
  return complete(d, element(r, 0, (uint32_t)index), status_at(r, 0), e);
}

static enum status start_all(struct dumpi_rank *d, struct err *e)
{
  const struct dumpi_record *r = &d->file.record;
  const bool all = r->function == DUMPI_STARTALL;
  const uint32_t n = !all ? 1 : r->arrays > 0 ? r->array[0].count : 0;
  for (uint32_t i = 0; i < n; i++) {
    struct dumpi_request *q =
        dumpi_requests_find(&d->requests, all ? element(r, 0, i) : r->number[0]);
    if (q == NULL)
      return dumpi_rank_refuse(d, e, "%s of a request that was never made",
                               dumpi_calls[r->function].name);
    if (start(d, q, e) != OK)
      return FAIL;
  }
  return OK;
}

static void cancel(struct dumpi_rank *d)
{
  struct dumpi_request *q = dumpi_requests_find(&d->requests, d->file.record.number[0]);
  if (q != NULL)
    q->cancelled = true;
}

/* A send of a freed request continues.  The slot of a freed receive stays as it is. */
static void free_request(struct dumpi_rank *d)
{
  const struct dumpi_request *q = dumpi_requests_find(&d->requests, d->file.record.number[0]);
  if (q != NULL && q->active && q->message.kind == ACTION_IRECV)
    d->recording->wildcards |= is_open(&q->message);
  dumpi_requests_remove(&d->requests, d->file.record.number[0]);
}

static enum status exchange(struct dumpi_rank *d, struct err *e)
{
  const struct dumpi_record *r = &d->file.record;
  const bool replace = r->function == DUMPI_SENDRECV_REPLACE;
  const int32_t *n = r->number;
  const struct stated to = {n[0], n[1], n[2], n[3], n[replace ? 6 : 8]};
  const struct stated from = {n[replace ? 0 : 4], n[replace ? 1 : 5], n[replace ? 4 : 6],
                              n[replace ? 5 : 7], n[replace ? 6 : 8]};
  struct record x, y;
  bool real;
  if (fill(d, &to, true, &x, e) != OK || fill(d, &from, false, &y, e) != OK ||
      resolve(d, status_at(r, 0), &y, &real, e) != OK)
    return FAIL;
  const bool sends = x.kind != RECORD_NONE;
  x.kind = sends ? ACTION_ISEND : RECORD_NONE;
  if (sends && put(d, &x, e) != OK)
    return FAIL;
  y.ticks = r->leave;
  if (real && put(d, &y, e) != OK)
    return FAIL;
  x.kind = ACTION_WAIT;
  x.sent = 0;
  x.ticks = r->leave;
  return sends ? put(d, &x, e) : OK;
}

/* Calls that start, complete, free or cancel requests. */
static enum status request_call(struct dumpi_rank *d, bool *known, struct err *e)
{
  const struct dumpi_record *r = &d->file.record;
  switch (r->function) {
  case DUMPI_WAIT:
    return complete(d, r->number[0], status_at(r, 0), e);
  case DUMPI_TEST:
    return r->number[1] == 0 ? OK : complete(d, r->number[0], status_at(r, 0), e);
  case DUMPI_WAITANY:
    return complete_any(d, true, e);
  case DUMPI_TESTANY:
    return complete_any(d, r->number[2] != 0, e);
  case DUMPI_WAITALL:
    return complete_all(d, e);
  case DUMPI_TESTALL:
    return r->number[1] == 0 ? OK : complete_all(d, e);
  case DUMPI_WAITSOME:
  case DUMPI_TESTSOME:
    return complete_some(d, e);
  case DUMPI_START:
  case DUMPI_STARTALL:
    return start_all(d, e);
  case DUMPI_REQUEST_FREE:
    free_request(d);
    return OK;
  case DUMPI_CANCEL:
    cancel(d);
    return OK;
  default:
    *known = false;
    return OK;
  }
}

enum status dumpi_message(struct dumpi_rank *d, bool *known, struct err *e)
{
  const unsigned f = d->file.record.function;
  const bool persistent = f >= DUMPI_SEND_INIT && f <= DUMPI_RECV_INIT;
  *known = f <= DUMPI_RSEND || (f >= DUMPI_ISEND && f <= DUMPI_TESTSOME) || persistent ||
           f == DUMPI_CANCEL || (f >= DUMPI_START && f <= DUMPI_SENDRECV_REPLACE);
  if (f == 2) /* MPI_Get_count */
    *known = false;
  if (!*known)
    return OK;
  if (dumpi_rank_compute(d, e) != OK)
    return FAIL;
  if (f == DUMPI_RECV || f <= DUMPI_RSEND)
    return blocking(d, f != DUMPI_RECV, e);
  if (persistent || f <= DUMPI_IRECV)
    return post(d, f != DUMPI_IRECV && f != DUMPI_RECV_INIT, persistent, e);
  if (f == DUMPI_SENDRECV || f == DUMPI_SENDRECV_REPLACE)
    return exchange(d, e);
  return request_call(d, known, e);
}
