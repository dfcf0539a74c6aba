/* Traces of Dimemas (.dim): the records of each task in order, in a text file.  Records of a task
 * are read from the first one on; records of other tasks in between are skipped. */
#include "traces/paraver/dim.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/containers/index.h"
#include "common/mem.h"
#include "common/num.h"
#include "traces/datatype.h"
#include "traces/files/source.h"
#include "traces/format.h"
#include "traces/paraver/fields.h"

#define HEAD "#DIMEMAS:"

enum { LOST, COMPUTE, SEND = 2, RECEIVE = 3, COLLECTIVE = 10, EVENT = 20 };
enum { MODE_SYNCHRONOUS = 1, MODE_IMMEDIATE = 2 };
enum { SYNC_WAIT = 2, SYNC_LAST = 3 };
enum { RECEIVE_BLOCKING, RECEIVE_IMMEDIATE, RECEIVE_WAIT, RECEIVE_WAITALL };
enum { EVENT_FIRST = 50000001, EVENT_LAST = 50000003, CALL_NONE = 0, CALL_WAIT = 5 };
enum { CALL_WAITALL = 6 };

/* Flops of a second: a host of 1 Gf takes the seconds that the file states. */
#define SPEED 1e9

struct task {
  uint64_t offset, line; /* of its first record */
  uint64_t last;         /* offset of its last record */
  struct fields fields;
  bool open;            /* fields are in use */
  int64_t call;         /* the call of MPI that events delimit */
  bool waited;          /* a record within the call is a wait */
  uint32_t draining;    /* waits to give at the end of a call */
  struct action *queue; /* waits for pending sends and collectives, from `first` on */
  size_t queue_room, first, queued;
  int32_t names; /* nonblocking collectives so far */
  struct action action;
  struct dim_counts counts;
};

struct dim {
  struct trace trace;
  struct bytes bytes;
  struct task *task;
  struct comm_table comms;
  struct dim_calls *calls; /* of each communicator */
  size_t calls_room;
  uint32_t communicators;
  int64_t *id; /* of each communicator */
  size_t id_room;
  struct index by_id;
  uint64_t guessed; /* all-to-alls whose counts are guessed */
  char note[512];
};

/* --- header and communicators ----------------------------------------------------------------- */

/* "NAME":1,OFFSET:TASKS(THREADS,...),COMMS,0,0 */
static enum status read_header(struct dim *t, struct fields *f, struct err *e)
{
  char *at = strrchr(f->text, '"'), *tasks;
  uint64_t ranks, listed = 0;
  struct err why;
  if (at == NULL || at[1] != ':' || (tasks = strchr(at + 2, ':')) == NULL)
    return err_set(e, "no header of Dimemas: '%.100s'", f->text);
  tasks++;
  at = tasks + strspn(tasks, "0123456789");
  if (*at != '(')
    return err_set(e, "'%.64s' in place of the tasks", tasks);
  *at++ = '\0';
  if (num_u64(tasks, SOURCE_RANKS_MAX, &ranks, &why) != OK)
    return err_set(e, "the tasks: %s", why.text);
  if (ranks == 0)
    return err_set(e, "a trace of 0 tasks");
  do {
    if (at[0] != '1' || (at[1] != ',' && at[1] != ')'))
      return err_set(e, "'%.64s' in place of a task with one thread", at);
    listed++;
    at += 2;
  } while (at[-1] == ',');
  if (listed != ranks)
    return err_set(e, "%" PRIu64 " tasks, but the header lists %" PRIu64, ranks, listed);
  t->trace.ranks = (uint32_t)ranks;
  t->task = mem_array(ranks, sizeof *t->task, e);
  return t->task == NULL ? FAIL : OK;
}

static uint64_t hash_id(const void *ids, uint32_t i)
{
  return index_mix((uint64_t)((const int64_t *)ids)[i]);
}

static bool same_id(const void *ids, uint32_t i, const void *id)
{
  return ((const int64_t *)ids)[i] == *(const int64_t *)id;
}

static struct dim_calls *find_comm(const struct dim *t, int64_t id)
{
  const uint32_t i = index_find(&t->by_id, index_mix((uint64_t)id), same_id, t->id, &id);
  return i == INDEX_NONE ? NULL : &t->calls[i];
}

static enum status add_comm(struct dim *t, int64_t id, struct comm_list *l, struct err *e)
{
  const struct comm *comm = NULL;
  const uint32_t ranks = t->trace.ranks, members = l->size;
  const bool world = l->runs == 1 && members == ranks && l->run[0].first == 0 &&
                     (ranks == 1 || l->run[0].stride == 1);
  if (find_comm(t, id) != NULL)
    return err_set(e, "communicator %" PRId64 " is defined a second time", id);
  if (MEM_GROW(t->calls, t->calls_room, (size_t)t->communicators + 1, e) != OK ||
      MEM_GROW(t->id, t->id_room, (size_t)t->communicators + 1, e) != OK ||
      index_reserve(&t->by_id, t->communicators, hash_id, t->id, e) != OK)
    return FAIL;
  if (!world && comm_define(&t->comms, t->communicators + 1, ranks, l, &comm, e) != OK)
    return FAIL;
  if (dim_calls_init(&t->calls[t->communicators], comm, members, e) != OK)
    return FAIL;
  t->id[t->communicators] = id;
  index_add(&t->by_id, index_mix((uint64_t)id), t->communicators++);
  return OK;
}

/* d:1:ID:N:TASK:... */
static enum status read_comm(struct dim *t, struct fields *f, struct err *e)
{
  struct comm_list l = {0};
  int64_t kind, id, n, task;
  f->text += 2;
  if (fields_number(f, "the kind of definition", 1, 1, &kind, e) != OK ||
      fields_number(f, "the communicator", INT32_MIN, INT32_MAX, &id, e) != OK ||
      fields_number(f, "the number of tasks", 1, t->trace.ranks, &n, e) != OK)
    return FAIL;
  enum status s = OK;
  for (int64_t i = 0; i < n && s == OK; i++) {
    s = fields_number(f, "a task", 0, t->trace.ranks - 1, &task, e);
    if (s == OK)
      s = comm_list_add(&l, t->trace.ranks, &(struct comm_run){.first = task, .count = 1}, e);
  }
  if (s == OK)
    s = fields_need_end(f, e);
  if (s == OK)
    s = add_comm(t, id, &l, e);
  comm_list_clear(&l);
  return s;
}

static enum status read_comm_of(struct dim *t, struct fields *f, struct dim_calls **out,
                                struct err *e)
{
  int64_t id;
  if (fields_number(f, "the communicator", INT32_MIN, INT32_MAX, &id, e) != OK)
    return FAIL;
  if ((*out = find_comm(t, id)) == NULL)
    return err_set(e, "communicator %" PRId64 " is not defined", id);
  return OK;
}

/* TASK:THREAD */
static enum status read_place(const struct dim *t, struct fields *f, int64_t *task, struct err *e)
{
  int64_t thread;
  if (fields_number(f, "the task", 0, t->trace.ranks - 1, task, e) != OK)
    return FAIL;
  return fields_number(f, "the thread", 0, 0, &thread, e);
}

/* OP:COMM:IS_ROOT:ROOT_THREAD:SENT:RECEIVED[:SYNC].  SYNC 2 marks a wait
 * for the oldest pending OP; other values have no effect. */
static enum status read_call(struct dim *t, struct fields *f, struct dim_calls **on,
                             struct dim_call *out, enum dim_phase *phase, struct err *e)
{
  int64_t operation, root, x, synchronisation = 1;
  if (fields_number(f, "the operation", 0, DIM_OPERATIONS - 1, &operation, e) != OK ||
      read_comm_of(t, f, on, e) != OK || fields_number(f, "the root", 0, 1, &root, e) != OK ||
      fields_number(f, "the thread of the root", 0, INT32_MAX, &x, e) != OK ||
      fields_number(f, "the bytes sent", 0, INT64_MAX, &out->sent, e) != OK ||
      fields_number(f, "the bytes received", 0, INT64_MAX, &out->received, e) != OK ||
      (!fields_end(f) &&
       fields_number(f, "the synchronisation", 0, SYNC_LAST, &synchronisation, e) != OK) ||
      fields_need_end(f, e) != OK)
    return FAIL;
  *phase = operation < DIM_NONBLOCKING ? DIM_BLOCKS : DIM_BEGINS;
  if (synchronisation == SYNC_WAIT)
    *phase = DIM_WAITS;
  out->operation = (uint32_t)operation % DIM_NONBLOCKING;
  out->is_root = root == 1;
  return OK;
}

static enum status need_member(const struct dim_calls *c, uint32_t task, uint32_t *member,
                               struct err *e)
{
  if (comm_member(c->comm, task, member))
    return OK;
  return err_set(e, "task %" PRIu32 " is no member of the communicator", task);
}

/* --- the first pass --------------------------------------------------------------------------- */

static enum status scan_call(struct dim *t, struct fields *f, uint32_t task, struct err *e)
{
  struct dim_calls *on;
  struct dim_call call;
  uint32_t member;
  enum dim_phase phase;
  if (read_call(t, f, &on, &call, &phase, e) != OK || need_member(on, task, &member, e) != OK)
    return FAIL;
  if (phase == DIM_WAITS)
    return OK;
  t->guessed += member == 0 && (call.operation == DIM_ALLTOALLV || call.operation == DIM_ALLTOALLW);
  return dim_calls_note(on, member, &call, e);
}

static enum status scan_record(struct dim *t, struct fields *f, struct err *e)
{
  int64_t kind, task;
  if (*f->text == '#')
    return OK;
  if (f->text[0] == 'd' && f->text[1] == ':')
    return read_comm(t, f, e);
  if (f->text[0] == 's' && f->text[1] == ':')
    return OK;
  if (fields_number(f, "the kind of record", 0, INT32_MAX, &kind, e) != OK ||
      read_place(t, f, &task, e) != OK)
    return FAIL;
  if (kind == LOST)
    return err_set(e, "a record of type 0, which prv2dim writes for a collective that it has lost");
  if (kind != COMPUTE && kind != SEND && kind != RECEIVE && kind != COLLECTIVE && kind != EVENT)
    return err_set(e, "a record of the unknown type %" PRId64, kind);
  struct task *k = &t->task[task];
  if (k->line == 0) {
    k->line = f->lines.line;
    k->offset = f->offset;
  }
  k->last = f->offset;
  return kind == COLLECTIVE ? scan_call(t, f, (uint32_t)task, e) : OK;
}

static enum status scan(struct dim *t, struct fields *f, struct err *e)
{
  bool more;
  if (fields_line(f, &more, e) != OK)
    return FAIL;
  if (!more)
    return err_at(e, t->trace.name, 1, "the file has changed");
  if (read_header(t, f, e) != OK)
    return fields_at(f, e);
  for (;;) {
    if (fields_line(f, &more, e) != OK)
      return FAIL;
    if (!more)
      break;
    if (scan_record(t, f, e) != OK)
      return fields_at(f, e);
  }
  for (uint32_t r = 0; r < t->trace.ranks; r++)
    if (t->task[r].line == 0)
      return err_at(e, t->trace.name, f->lines.line, "task %" PRIu32 " has no records", r);
  return OK;
}

/* --- actions ---------------------------------------------------------------------------------- */

/* Queues a request that only an event of a wait can end. */
static enum status keep(struct task *k, const struct action *wait, struct err *e)
{
  if (k->first == k->queued)
    k->first = k->queued = 0;
  if (MEM_GROW(k->queue, k->queue_room, k->queued + 1, e) != OK)
    return FAIL;
  k->queue[k->queued++] = *wait;
  return OK;
}

/* PARTNER:THREAD:BYTES:TAG:COMM:MODE */
static enum status read_message(struct dim *t, struct fields *f, uint32_t task, int64_t *mode,
                                struct err *e)
{
  struct action *a = &t->task[task].action;
  const bool sends = a->kind == ACTION_SEND;
  struct dim_calls *on;
  int64_t partner, thread, bytes, tag;
  uint32_t member;
  if (fields_number(f, "the partner", sends ? 0 : -1, t->trace.ranks - 1, &partner, e) != OK ||
      fields_number(f, "its thread", -1, 0, &thread, e) != OK ||
      fields_number(f, "the bytes", 0, INT64_MAX, &bytes, e) != OK ||
      fields_number(f, "the tag", sends ? 0 : -1, INT32_MAX, &tag, e) != OK ||
      read_comm_of(t, f, &on, e) != OK || fields_number(f, "the mode", 0, 3, mode, e) != OK ||
      fields_need_end(f, e) != OK || need_member(on, task, &member, e) != OK ||
      (partner >= 0 && need_member(on, (uint32_t)partner, &member, e) != OK))
    return FAIL;
  a->partner = partner < 0 ? ACTION_ANY_SOURCE : (int32_t)partner;
  a->tag = tag < 0 ? ACTION_ANY_TAG : (int32_t)tag;
  a->count = bytes;
  a->type = DATATYPE_BYTE;
  a->comm = on->comm;
  return OK;
}

/* The wait for a message that @p a has posted. */
static struct action wait_for(const struct action *a, bool sends, uint32_t task)
{
  struct action wait;
  action_begin(&wait, ACTION_WAIT, ACTION_STANDARD);
  wait.source = sends ? (int32_t)task : a->partner;
  wait.partner = sends ? a->partner : (int32_t)task;
  wait.tag = a->tag;
  wait.comm = a->comm;
  return wait;
}

static enum status read_send(struct dim *t, struct fields *f, uint32_t task, struct err *e)
{
  struct task *k = &t->task[task];
  int64_t mode;
  action_begin(&k->action, ACTION_SEND, ACTION_STANDARD);
  if (read_message(t, f, task, &mode, e) != OK)
    return FAIL;
  k->action.mode = (mode & MODE_SYNCHRONOUS) != 0 ? ACTION_SYNCHRONOUS : ACTION_STANDARD;
  if ((mode & MODE_IMMEDIATE) == 0)
    return OK;
  k->action.kind = ACTION_ISEND;
  const struct action wait = wait_for(&k->action, true, task);
  return keep(k, &wait, e);
}

static enum status read_receive(struct dim *t, struct fields *f, uint32_t task, struct err *e)
{
  struct task *k = &t->task[task];
  int64_t kind;
  action_begin(&k->action, ACTION_RECV, ACTION_STANDARD);
  if (read_message(t, f, task, &kind, e) != OK)
    return FAIL;
  if (kind == RECEIVE_IMMEDIATE)
    k->action.kind = ACTION_IRECV;
  if (kind < RECEIVE_WAIT)
    return OK;
  k->action = wait_for(&k->action, false, task);
  k->waited = true;
  return OK;
}

/* Ends the oldest pending call of a kind. */
static enum status wait_for_call(struct task *k, enum action_kind kind, struct err *e)
{
  const int32_t tag = action_request_tag(kind);
  size_t i = k->first;
  while (i < k->queued && (k->queue[i].source != ACTION_COLLECTIVE || k->queue[i].tag != tag))
    i++;
  if (i == k->queued)
    return err_set(e, "a wait for a nonblocking %s that is not pending", action_name(kind));
  k->action = k->queue[i];
  for (k->queued--; i < k->queued; i++)
    k->queue[i] = k->queue[i + 1];
  k->waited = true;
  return OK;
}

static enum status read_collective(struct dim *t, struct fields *f, uint32_t task, struct err *e)
{
  struct task *k = &t->task[task];
  struct dim_calls *on;
  struct dim_call call;
  uint32_t member;
  enum dim_phase phase;
  if (read_call(t, f, &on, &call, &phase, e) != OK || need_member(on, task, &member, e) != OK)
    return FAIL;
  if (phase == DIM_WAITS)
    return wait_for_call(k, dim_kind_of(call.operation), e);
  if (dim_calls_next(on, member, &call, &k->counts, &k->action, e) != OK)
    return FAIL;
  k->action.comm = on->comm;
  if (phase == DIM_BLOCKS)
    return OK;
  struct action wait;
  k->action.kind = action_nonblocking(k->action.kind);
  k->action.name = ++k->names;
  action_begin(&wait, ACTION_WAIT, ACTION_STANDARD);
  wait.source = wait.partner = ACTION_COLLECTIVE;
  wait.tag = action_request_tag(k->action.kind);
  wait.name = k->action.name;
  return keep(k, &wait, e);
}

/* TYPE:VALUE.  An event that ends a wait without a record of its own ends the oldest request of the
 * queue; the end of a waitall ends all requests. */
static enum status read_event(struct task *k, struct fields *f, struct err *e)
{
  int64_t type, value;
  if (fields_number(f, "the type", INT64_MIN, INT64_MAX, &type, e) != OK ||
      fields_number(f, "the value", INT64_MIN, INT64_MAX, &value, e) != OK ||
      fields_need_end(f, e) != OK)
    return FAIL;
  if (type < EVENT_FIRST || type > EVENT_LAST)
    return OK;
  const size_t pending = k->queued - k->first;
  if (value == CALL_NONE && k->call == CALL_WAITALL)
    k->draining = (uint32_t)pending;
  if (value == CALL_NONE && k->call == CALL_WAIT && !k->waited)
    k->draining = pending > 0;
  k->call = value;
  k->waited = false;
  return OK;
}

/* Reads the record of a line; *ready is true if it gives an action, k->action. */
static enum status read_record(struct dim *t, struct fields *f, uint32_t rank, bool *ready,
                               struct err *e)
{
  struct task *k = &t->task[rank];
  int64_t kind, task;
  double seconds;
  *ready = false;
  if (*f->text == '#' || *f->text == 'd' || *f->text == 's')
    return OK;
  if (fields_number(f, "the kind of record", 0, INT32_MAX, &kind, e) != OK ||
      read_place(t, f, &task, e) != OK)
    return FAIL;
  if (task != rank)
    return OK;
  *ready = kind != EVENT;
  switch (kind) {
  case COMPUTE:
    if (fields_seconds(f, &seconds, e) != OK)
      return FAIL;
    action_begin(&k->action, ACTION_COMPUTE, ACTION_STANDARD);
    k->action.amount = seconds * SPEED;
    return fields_need_end(f, e);
  case SEND:
    return read_send(t, f, rank, e);
  case RECEIVE:
    return read_receive(t, f, rank, e);
  case COLLECTIVE:
    return read_collective(t, f, rank, e);
  default:
    return read_event(k, f, e);
  }
}

static enum status next(struct trace *trace, uint32_t rank, const struct action **a, struct err *e)
{
  struct dim *t = (struct dim *)trace;
  struct task *k = &t->task[rank];
  bool ready = false, more = true;
  *a = NULL;
  if (!k->open)
    fields_start(&k->fields, &t->bytes, k->offset, k->line - 1);
  k->open = true;
  while (!ready && k->draining == 0) {
    if (k->fields.lines.line >= k->line && k->fields.offset >= k->last)
      return OK;
    if (fields_line(&k->fields, &more, e) != OK)
      return FAIL;
    if (!more)
      return err_at(e, t->trace.name, k->fields.lines.line, "the file has changed");
    if (read_record(t, &k->fields, rank, &ready, e) != OK)
      return fields_at(&k->fields, e);
  }
  if (!ready) {
    k->draining--;
    k->action = k->queue[k->first++];
  }
  trace->rank[rank].record = k->fields.lines.line;
  *a = &k->action;
  return OK;
}

/* --- the format ------------------------------------------------------------------------------- */

static bool sniff(const char *path)
{
  char head[sizeof HEAD - 1];
  return bytes_peek(path, head, sizeof head) == sizeof head && memcmp(head, HEAD, sizeof head) == 0;
}

static void rewind_dim(struct trace *trace)
{
  struct dim *t = (struct dim *)trace;
  for (uint32_t i = 0; i < t->communicators; i++)
    dim_calls_rewind(&t->calls[i]);
  for (uint32_t r = 0; r < trace->ranks; r++) {
    struct task *k = &t->task[r];
    if (k->open)
      fields_stop(&k->fields);
    k->open = k->waited = false;
    k->call = CALL_NONE;
    k->draining = 0;
    k->first = k->queued = 0;
    k->names = 0;
  }
}

static void close_dim(struct trace *trace)
{
  struct dim *t = (struct dim *)trace;
  for (uint32_t r = 0; t->task != NULL && r < trace->ranks; r++) {
    if (t->task[r].open)
      fields_stop(&t->task[r].fields);
    free(t->task[r].queue);
    free(t->task[r].counts.count);
  }
  for (uint32_t i = 0; i < t->communicators; i++)
    dim_calls_clear(&t->calls[i]);
  comm_table_clear(&t->comms);
  bytes_close(&t->bytes);
  free(t->calls);
  free(t->id);
  index_clear(&t->by_id);
  free(t->task);
}

static enum status open_dim(struct trace *trace, uint64_t unpack_limit, struct err *e)
{
  struct fields f;
  struct dim *t = (struct dim *)trace;
  t->bytes.fd = -1;
  if (bytes_open(&t->bytes, trace->name, unpack_limit, e) != OK)
    return FAIL;
  fields_start(&f, &t->bytes, 0, 0);
  const enum status s = scan(t, &f, e);
  fields_stop(&f);
  if (s == OK)
    rewind_dim(trace);
  return s;
}

static const char *note(struct trace *trace, size_t i)
{
  struct dim *t = (struct dim *)trace;
  if (i > 0 || t->guessed == 0)
    return NULL;
  snprintf(t->note, sizeof t->note,
           "%s: %" PRIu64 " all-to-alls state sums: the counts of their pairs are guessed",
           trace->name, t->guessed);
  return t->note;
}

const struct trace_format trace_dim = {
    .name = "Dimemas",
    .bytes = sizeof(struct dim),
    .sniff = sniff,
    .open = open_dim,
    .close = close_dim,
    .next = next,
    .rewind = rewind_dim,
    .note = note,
};
