#include "traces/paraver/dim_write.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "common/files/outfile.h"
#include "common/files/temp.h"
#include "common/files/textout.h"
#include "common/mem.h"
#include "traces/comm.h"
#include "traces/paraver/dim.h"

/* Flops of a second, and the size below which a send completes at once (docs/models.md). */
#define SPEED 1e9
enum { COMPLETES_BELOW = 65536, WAIT = 5, WAITALL = 6, CALLS = 50000001, COPY = 1 << 16 };
enum { IMMEDIATE = 1, RECEIVE_WAIT = 2, RECEIVE_WAITALL = 3, SEND_IMMEDIATE = 2 };

enum kind { SENT, RECEIVED, CALLED };

/* A request that the rank has not waited for. */
struct request {
  enum kind kind;
  bool over;  /* waited for, but still in the queue of the file's readers */
  bool quick; /* a send that completes at once */
  uint64_t bytes;
  int32_t source, partner, tag, name;
  const struct comm *comm;
};

struct rank {
  uint32_t rank;
  struct request *request; /* in the order of their posts; owned */
  size_t room, requests;
  bool credit; /* a waitall may have waited for requests that the program waits for later */
};

struct dim_writer {
  struct trace *trace;
  FILE *body;
  uint64_t *offset;         /* by rank: of its first record in the body */
  const struct comm **comm; /* seen, by index - 1; owned */
  size_t comm_room;
  uint32_t comms;
  struct rank k;
};

/* --- lines ------------------------------------------------------------------------------------ */

static enum status note_comm(struct dim_writer *w, const struct comm *c, struct err *e)
{
  if (c == NULL)
    return OK;
  if (MEM_GROW(w->comm, w->comm_room, c->index, e) != OK)
    return FAIL;
  while (w->comms < c->index)
    w->comm[w->comms++] = NULL;
  w->comm[c->index - 1] = c;
  return OK;
}

/* Communicators are numbered from 1, the world first. */
static uint32_t id_of(const struct comm *c)
{
  return c == NULL ? 1 : c->index + 1;
}

static void put_event(const struct dim_writer *w, int value)
{
  fprintf(w->body, "20:%" PRIu32 ":0:%d:%d\n", w->k.rank, CALLS, value);
}

static void put_flops(const struct dim_writer *w, double flops)
{
  fprintf(w->body, "1:%" PRIu32 ":0:%.18f\n", w->k.rank, flops / SPEED);
}

static void put_message(const struct dim_writer *w, bool sends, const struct request *q, int mode)
{
  fprintf(w->body, "%d:%" PRIu32 ":0:%" PRId32 ":-1:%" PRIu64 ":%" PRId32 ":%" PRIu32 ":%d\n",
          sends ? 2 : 3, w->k.rank, sends ? q->partner : q->source, q->bytes, q->tag,
          id_of(q->comm), mode);
}

/* --- requests --------------------------------------------------------------------------------- */

static enum status keep(struct dim_writer *w, const struct request *q, struct err *e)
{
  struct rank *k = &w->k;
  if (MEM_GROW(k->request, k->room, k->requests + 1, e) != OK)
    return FAIL;
  k->request[k->requests++] = *q;
  return OK;
}

static void drop(struct rank *k, size_t i)
{
  k->requests--;
  for (; i < k->requests; i++)
    k->request[i] = k->request[i + 1];
}

/* The oldest request of the queue that events of waits end: all but receives. */
static size_t oldest(const struct rank *k)
{
  size_t i = 0;
  while (i < k->requests && k->request[i].kind == RECEIVED)
    i++;
  return i;
}

static void put_wait(struct dim_writer *w, size_t i)
{
  put_event(w, WAIT);
  put_event(w, 0);
  drop(&w->k, i);
}

/* An event of a wait ends the oldest request.  So the requests before this one must be over.  A
 * send that completes at once needs no wait, and stays in the queue. */
static enum status wait_for(struct dim_writer *w, size_t i, struct err *e)
{
  struct rank *k = &w->k;
  struct request *q = &k->request[i];
  if (q->kind == RECEIVED) {
    put_message(w, false, q, RECEIVE_WAIT);
    drop(k, i);
    return OK;
  }
  size_t first;
  while ((first = oldest(k)) < i && k->request[first].over) {
    put_wait(w, first);
    i--;
  }
  q = &k->request[i];
  if (first == i)
    put_wait(w, i);
  else if (q->quick)
    q->over = true;
  else
    return err_set(e, "it waits for requests in another order than it has begun them");
  return OK;
}

static enum status put_wait_of(struct dim_writer *w, const struct action *a, struct err *e)
{
  struct rank *k = &w->k;
  const bool call = a->source == ACTION_COLLECTIVE;
  for (size_t i = 0; i < k->requests; i++) {
    const struct request *q = &k->request[i];
    if (!q->over && (q->kind == CALLED) == call && q->tag == a->tag && q->comm == a->comm &&
        (call ? q->name == a->name : q->source == a->source && q->partner == a->partner))
      return wait_for(w, i, e);
  }
  return k->credit ? OK : err_set(e, "it waits for a request that was never posted");
}

/* Waits for all messages, one by one: an event of a waitall would also end collectives. */
static enum status wait_for_each(struct dim_writer *w, struct err *e)
{
  const struct rank *k = &w->k;
  for (size_t i = 0; i < k->requests;) {
    if (k->request[i].kind == CALLED || k->request[i].over)
      i++;
    else if (wait_for(w, i, e) != OK)
      return FAIL;
    else
      i = 0;
  }
  return OK;
}

/* A waitall of a trace waits for all messages, and for collectives if its count exceeds their
 * number. */
static enum status put_waitall(struct dim_writer *w, const struct action *a, struct err *e)
{
  struct rank *k = &w->k;
  int64_t open = 0;
  bool calls = false, unnamed = false;
  for (size_t i = 0; i < k->requests; i++) {
    const bool call = k->request[i].kind == CALLED;
    calls |= call;
    unnamed |= call && k->request[i].name == 0;
    open += !call && !k->request[i].over;
  }
  if (unnamed && (a->count < 0 || a->count > open))
    return err_set(e, "it waits for messages and collectives at once");
  k->credit = k->credit || (a->count >= 0 && a->count < open);
  if (calls)
    return wait_for_each(w, e);
  put_event(w, WAITALL);
  for (size_t i = 0; i < k->requests; i++)
    if (k->request[i].kind == RECEIVED)
      put_message(w, false, &k->request[i], RECEIVE_WAITALL);
  put_event(w, 0);
  k->requests = 0;
  return OK;
}

/* --- messages --------------------------------------------------------------------------------- */

static enum status put_send(struct dim_writer *w, const struct action *a, struct err *e)
{
  const uint64_t bytes = (uint64_t)a->count * action_size(a);
  const struct request q = {.kind = SENT,
                            .quick = bytes < COMPLETES_BELOW && a->mode != ACTION_SYNCHRONOUS,
                            .bytes = bytes,
                            .source = (int32_t)w->k.rank,
                            .partner = a->partner,
                            .tag = a->tag,
                            .comm = a->comm};
  const bool immediate = a->kind == ACTION_ISEND;
  if (a->mode == ACTION_BUFFERED && !q.quick)
    return err_set(e, "Dimemas has no buffered sends of %d bytes or more", COMPLETES_BELOW);
  put_message(w, true, &q, (a->mode == ACTION_SYNCHRONOUS) + (immediate ? SEND_IMMEDIATE : 0));
  return immediate ? keep(w, &q, e) : OK;
}

static enum status put_receive(struct dim_writer *w, const struct action *a, struct err *e)
{
  if (a->partner == ACTION_ANY_SOURCE || a->tag == ACTION_ANY_TAG)
    return err_set(e, "Dimemas has no receives from any source or of any tag");
  if (a->count < 0)
    return err_set(e, "Dimemas has no receives of any size");
  const struct request q = {.kind = RECEIVED,
                            .bytes = (uint64_t)a->count * action_size(a),
                            .source = a->partner,
                            .partner = (int32_t)w->k.rank,
                            .tag = a->tag,
                            .comm = a->comm};
  const bool immediate = a->kind == ACTION_IRECV;
  put_message(w, false, &q, immediate ? IMMEDIATE : 0);
  return immediate ? keep(w, &q, e) : OK;
}

/* Both messages at once, then a wait for both. */
static enum status put_exchange(struct dim_writer *w, const struct action *a, struct err *e)
{
  struct action send = *a, receive = *a;
  const int32_t self = (int32_t)w->k.rank;
  if (a->partner == self && a->source == self)
    return OK;
  send.kind = ACTION_ISEND;
  receive.kind = ACTION_IRECV;
  receive.partner = a->source;
  receive.count = a->count2;
  receive.type = a->type2;
  receive.derived = a->derived2;
  if (put_send(w, &send, e) != OK || put_receive(w, &receive, e) != OK)
    return FAIL;
  if (wait_for(w, w->k.requests - 1, e) != OK)
    return FAIL;
  return wait_for(w, w->k.requests - 1, e);
}

/* --- collectives ------------------------------------------------------------------------------ */

static int64_t sum(const int32_t *count, uint32_t n)
{
  int64_t all = 0;
  for (uint32_t i = 0; i < n; i++)
    all += count[i];
  return all;
}

/* A collective as one member sees it. */
struct view {
  const struct action *a;
  uint32_t member, members;
  int64_t sent, received; /* bytes of a->count and a->count2 */
};

/* Sets the operation and sizes of a collective with a root; false if Dimemas cannot hold it. */
static bool rooted_call(const struct view *v, enum action_kind kind, struct dim_call *c)
{
  const struct action *a = v->a;
  const int64_t size = (int64_t)action_size(a), size2 = (int64_t)action_size2(a);
  const bool root = v->member == a->root;
  switch (kind) {
  case ACTION_BCAST:
    *c = (struct dim_call){1, root, v->sent, v->sent};
    return true;
  case ACTION_GATHER:
    *c = (struct dim_call){2, root, v->sent, root ? v->received * v->members : 0};
    return true;
  case ACTION_GATHERV:
    *c = (struct dim_call){DIM_GATHERV, root, v->sent,
                           root ? sum(a->recvcounts, v->members) * size2 : 0};
    return !root || a->recvcounts[v->member] * size2 == v->sent;
  case ACTION_SCATTER:
    *c = (struct dim_call){4, root, root ? v->sent * v->members : 0, v->received};
    return true;
  case ACTION_SCATTERV:
    *c = (struct dim_call){DIM_SCATTERV, root, root ? sum(a->sendcounts, v->members) * size : 0,
                           v->received};
    return !root || a->sendcounts[v->member] * size == v->received;
  case ACTION_REDUCE:
    *c = (struct dim_call){10, root, v->sent, v->sent};
    return true;
  default:
    return false;
  }
}

/* Sets the operation and sizes of any blocking collective; false if Dimemas cannot hold it. */
static bool call_of(const struct view *v, enum action_kind kind, struct dim_call *c)
{
  const struct action *a = v->a;
  const int64_t size = (int64_t)action_size(a), size2 = (int64_t)action_size2(a);
  switch (kind) {
  case ACTION_BARRIER:
    return true;
  case ACTION_ALLGATHER:
    *c = (struct dim_call){6, false, v->sent, v->received * v->members};
    return true;
  case ACTION_ALLGATHERV:
    *c = (struct dim_call){DIM_ALLGATHERV, false, v->sent, sum(a->recvcounts, v->members) * size2};
    return true;
  case ACTION_ALLTOALL:
    *c = (struct dim_call){8, false, v->sent, v->received};
    return true;
  case ACTION_ALLREDUCE:
    *c = (struct dim_call){11, false, v->sent, v->sent};
    return true;
  case ACTION_REDUCESCATTER:
    *c = (struct dim_call){DIM_REDUCE_SCATTER, false, sum(a->recvcounts, v->members) * size,
                           a->recvcounts[v->member] * size};
    return true;
  case ACTION_SCAN:
    *c = (struct dim_call){14, false, v->sent, v->sent};
    return true;
  default:
    return rooted_call(v, kind, c);
  }
}

/* The bytes of the member's own block in a collective with sizes by member; 0 in others. */
static int64_t block_of(const struct dim_call *c)
{
  return c->operation == DIM_GATHERV || c->operation == DIM_ALLGATHERV        ? c->sent
         : c->operation == DIM_SCATTERV || c->operation == DIM_REDUCE_SCATTER ? c->received
                                                                              : 0;
}

static enum status put_collective(struct dim_writer *w, const struct action *a, struct err *e)
{
  const bool blocks = !action_is_nonblocking(a->kind);
  struct view v = {.a = a,
                   .members = comm_size(a->comm, trace_ranks(w->trace)),
                   .sent = a->count * (int64_t)action_size(a),
                   .received = a->count2 * (int64_t)action_size2(a)};
  struct dim_call c = {0};
  (void)comm_member(a->comm, w->k.rank, &v.member);
  if (!call_of(&v, action_blocking(a->kind), &c))
    return err_set(e, "Dimemas cannot hold the counts of this collective");
  if (block_of(&c) > INT32_MAX)
    return err_set(e, "a block of %" PRId64 " bytes is above %d, the limit of haichi's reader",
                   block_of(&c), INT32_MAX);
  if (!blocks && a->amount > 0)
    return err_set(e, "Dimemas has no computation in a nonblocking collective");
  fprintf(w->body, "10:%" PRIu32 ":0:%" PRIu32 ":%" PRIu32 ":%d:0:%" PRId64 ":%" PRId64 ":%d\n",
          w->k.rank, c.operation + (blocks ? 0 : DIM_NONBLOCKING), id_of(a->comm), c.is_root,
          c.sent, c.received, blocks);
  if (blocks) {
    if (a->amount > 0)
      put_flops(w, a->amount);
    return OK;
  }
  const struct request q = {
      .kind = CALLED, .tag = action_request_tag(a->kind), .name = a->name, .comm = NULL};
  return keep(w, &q, e);
}

/* --- the file --------------------------------------------------------------------------------- */

static enum status put_action(struct dim_writer *w, const struct action *a, struct err *e)
{
  if (action_is_collective(a->kind))
    return put_collective(w, a, e);
  switch (a->kind) {
  case ACTION_COMPUTE:
  case ACTION_REDUCE_LOCAL:
    put_flops(w, a->amount);
    return OK;
  case ACTION_SEND:
  case ACTION_ISEND:
    return put_send(w, a, e);
  case ACTION_RECV:
  case ACTION_IRECV:
    return put_receive(w, a, e);
  case ACTION_SENDRECV:
    return put_exchange(w, a, e);
  case ACTION_WAIT:
    return put_wait_of(w, a, e);
  case ACTION_WAITALL:
    return put_waitall(w, a, e);
  case ACTION_SLEEP:
  case ACTION_TEST:
  case ACTION_WAITANY:
  case ACTION_RELAY:
  case ACTION_RELAY_PROBE:
  case ACTION_RELAY_COMPUTE:
    return err_set(e, "Dimemas has no such record");
  default: /* init, finalize, notes: no operation */
    return OK;
  }
}

static enum status write_rank(struct dim_writer *w, uint32_t rank, struct err *e)
{
  struct trace *t = w->trace;
  const struct action *a;
  free(w->k.request);
  w->k = (struct rank){.rank = rank};
  w->offset[rank] = (uint64_t)ftello(w->body);
  put_flops(w, 0); /* a task needs a record */
  for (;;) {
    struct err why;
    if (trace_next(t, rank, &a, e) != OK)
      return FAIL;
    if (a == NULL)
      return OK;
    if (note_comm(w, a->comm, e) != OK)
      return FAIL;
    if (put_action(w, a, &why) != OK)
      return err_at(e, trace_file(t, rank), trace_line(t, rank), "%s: %s", action_name(a->kind),
                    why.text);
  }
}

/* The communicators that the records name. */
static void put_comms(const struct dim_writer *w, FILE *f)
{
  const uint32_t ranks = trace_ranks(w->trace);
  for (uint32_t i = 0; i <= w->comms; i++) {
    const struct comm *c = i == 0 ? NULL : w->comm[i - 1];
    if (i > 0 && c == NULL)
      continue;
    fprintf(f, "d:1:%" PRIu32 ":%" PRIu32, i + 1, comm_size(c, ranks));
    for (uint32_t m = 0; m < comm_size(c, ranks); m++)
      fprintf(f, ":%" PRIu32, c == NULL ? m : comm_world_rank(c, m));
    fputc('\n', f);
  }
}

/* The length of the header does not depend on @p offset. */
static void put_header(const struct dim_writer *w, FILE *f, uint64_t offset)
{
  const uint32_t ranks = trace_ranks(w->trace);
  uint32_t comms = 1;
  for (uint32_t i = 0; i < w->comms; i++)
    comms += w->comm[i] != NULL;
  fprintf(f, "#DIMEMAS:\"haichi\":1,%020" PRIu64 ":%" PRIu32 "(", offset, ranks);
  for (uint32_t r = 0; r < ranks; r++)
    fputs(r == 0 ? "1" : ",1", f);
  fprintf(f, "),%" PRIu32 ",0,0\n", comms);
  put_comms(w, f);
}

static enum status copy_body(const struct dim_writer *w, FILE *to, struct err *e)
{
  char buffer[COPY];
  size_t n;
  rewind(w->body);
  while ((n = fread(buffer, 1, sizeof buffer, w->body)) > 0)
    fwrite(buffer, 1, n, to);
  return ferror(w->body) ? err_set(e, "temporary file: cannot read") : OK;
}

static enum status put_file(const struct dim_writer *w, FILE *f, struct err *e)
{
  struct textout header;
  if (textout_begin(&header, e) != OK)
    return FAIL;
  put_header(w, header.f, 0);
  OWNED char *text = textout_end(&header, OK, e);
  if (text == NULL)
    return FAIL;
  const size_t length = header.size;
  put_header(w, f, length + (uint64_t)ftello(w->body));
  if (copy_body(w, f, e) != OK)
    return FAIL;
  for (uint32_t r = 0; r < trace_ranks(w->trace); r++)
    fprintf(f, "s:%" PRIu32 ":%" PRIu64 "\n", r, length + w->offset[r]);
  return OK;
}

static enum status write_body(struct dim_writer *w, struct err *e)
{
  for (uint32_t r = 0; r < trace_ranks(w->trace); r++)
    if (write_rank(w, r, e) != OK)
      return FAIL;
  return outfile_flush(w->body, "temporary file", e);
}

static enum status write_all(struct dim_writer *w, const char *path, struct err *e)
{
  struct outfile o;
  if (write_body(w, e) != OK || outfile_open(&o, path, e) != OK)
    return FAIL;
  return outfile_end(&o, put_file(w, o.f, e), e);
}

enum status dim_write(struct trace *t, const char *path, struct err *e)
{
  struct dim_writer w = {.trace = t};
  int fd = -1;
  if (trace_need_sequences(t, "Dimemas' format", e) != OK || outfile_check(path, e) != OK ||
      (w.offset = mem_array(trace_ranks(t), sizeof *w.offset, e)) == NULL)
    return FAIL;
  trace_rewind(t);
  enum status s = temp_unnamed(&fd, e);
  if (s == OK && (w.body = fdopen(fd, "w+")) == NULL) {
    close(fd);
    s = err_set(e, "out of memory");
  }
  if (s == OK)
    s = write_all(&w, path, e);
  if (w.body != NULL)
    fclose(w.body);
  free(w.k.request);
  free(w.comm);
  free(w.offset);
  return s;
}
