/* Paraver's traces (.prv): the messages that tasks send.  Their records have no communicator and no
 * request, and sizes of collectives are sums at best, so that only the messages are read. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/mem.h"
#include "common/num.h"
#include "traces/datatype.h"
#include "traces/files/source.h"
#include "traces/files/spool.h"
#include "traces/format.h"
#include "traces/paraver/fields.h"

#define HEAD "#Paraver ("

enum { EVENT = 2, MESSAGE = 3, COLLECTIVES = 50000002 };
enum { MPI_BARRIER = 8 };

/* A message in the spool of its sender. */
struct sent {
  uint64_t bytes, line;
  int32_t dst, tag;
};

struct prv {
  struct trace trace;
  struct spool *spool;
  struct spool_cursor *cursor; /* by rank */
  struct action *action;       /* by rank */
  uint64_t collectives;        /* calls of collectives besides barriers */
  char note[512];
};

/* --- the header ------------------------------------------------------------------------------- */

/* Skips text up to and including @p mark; false if the text lacks it. */
static bool skip(char **text, char mark)
{
  char *at = strchr(*text, mark);
  if (at != NULL)
    *text = at + 1;
  return at != NULL;
}

/* Skips a number or, with a list in parentheses, "N(...)", and the colon after it. */
static bool skip_nodes(char **text)
{
  const size_t n = strspn(*text, "0123456789");
  *text += n;
  return n > 0 && (**text != '(' || skip(text, ')')) && *(*text)++ == ':';
}

/* "...):DURATION[_ns]:NODES(CPUS,...):APPS:TASKS(THREADS:NODE,...)[,COMMS]" */
static enum status read_header(struct prv *t, struct fields *f, struct err *e)
{
  uint64_t ranks;
  struct err why;
  char *tasks, *at = f->text;
  if (!skip(&at, ')') || *at++ != ':' || !skip(&at, ':') || !skip_nodes(&at))
    return err_set(e, "no header of Paraver: %.100s", f->text);
  if (strncmp(at, "1:", 2) != 0)
    return err_set(e, "'%.*s' applications: only traces of one are supported",
                   (int)strcspn(at, ":"), at);
  tasks = at + 2;
  at = tasks + strspn(tasks, "0123456789");
  if (*at != '(')
    return err_set(e, "no header of Paraver: '%.64s' in place of the tasks", tasks);
  *at++ = '\0';
  if (num_u64(tasks, SOURCE_RANKS_MAX, &ranks, &why) != OK)
    return err_set(e, "the tasks: %s", why.text);
  if (ranks == 0)
    return err_set(e, "a trace of 0 tasks");
  uint64_t listed = 1;
  for (; *at != ')' && *at != '\0'; at++)
    listed += *at == ',';
  if (*at != ')' || listed != ranks)
    return err_set(e, "%" PRIu64 " tasks, but the header lists %" PRIu64, ranks, listed);
  t->trace.ranks = (uint32_t)ranks;
  return OK;
}

/* --- records ---------------------------------------------------------------------------------- */

/* CPU:APP:TASK:THREAD */
static enum status read_place(const struct prv *t, struct fields *f, int64_t *task, struct err *e)
{
  int64_t x;
  if (fields_number(f, "the CPU", 0, UINT32_MAX, &x, e) != OK ||
      fields_number(f, "the application", 1, 1, &x, e) != OK ||
      fields_number(f, "the task", 1, t->trace.ranks, task, e) != OK)
    return FAIL;
  return fields_number(f, "the thread", 1, UINT32_MAX, &x, e);
}

/* 3:FROM:LSEND:PSEND:TO:LRECV:PRECV:BYTES:TAG */
static enum status read_message(struct prv *t, struct fields *f, struct err *e)
{
  int64_t src, dst, bytes, tag, time;
  if (read_place(t, f, &src, e) != OK ||
      fields_number(f, "the time", 0, INT64_MAX, &time, e) != OK ||
      fields_number(f, "the time", 0, INT64_MAX, &time, e) != OK ||
      read_place(t, f, &dst, e) != OK ||
      fields_number(f, "the time", INT64_MIN, INT64_MAX, &time, e) != OK ||
      fields_number(f, "the time", INT64_MIN, INT64_MAX, &time, e) != OK ||
      fields_number(f, "the bytes", 0, INT64_MAX, &bytes, e) != OK ||
      fields_number(f, "the tag", INT64_MIN, INT64_MAX, &tag, e) != OK ||
      fields_need_end(f, e) != OK)
    return FAIL;
  const struct sent x = {.bytes = (uint64_t)bytes,
                         .line = f->lines.line,
                         .dst = (int32_t)dst - 1,
                         .tag = (int32_t)((uint64_t)tag & INT32_MAX)};
  return spool_append(t->spool, (uint32_t)src - 1, &x, sizeof x, e);
}

/* 2:PLACE:TIME:TYPE:VALUE[:TYPE:VALUE...] */
static enum status read_event(struct prv *t, struct fields *f, struct err *e)
{
  int64_t task, time, type, value;
  if (read_place(t, f, &task, e) != OK ||
      fields_number(f, "the time", 0, INT64_MAX, &time, e) != OK)
    return FAIL;
  do {
    if (fields_number(f, "the type", INT64_MIN, INT64_MAX, &type, e) != OK ||
        fields_number(f, "the value", INT64_MIN, INT64_MAX, &value, e) != OK)
      return FAIL;
    t->collectives += type == COLLECTIVES && value != 0 && value != MPI_BARRIER;
  } while (!fields_end(f));
  return OK;
}

/* States, and definitions of communicators, do not matter. */
static enum status read_record(struct prv *t, struct fields *f, struct err *e)
{
  int64_t kind;
  if (*f->text == '#' || *f->text == 'c')
    return OK;
  if (fields_number(f, "the kind of record", 1, MESSAGE, &kind, e) != OK)
    return FAIL;
  return kind == MESSAGE ? read_message(t, f, e) : kind == EVENT ? read_event(t, f, e) : OK;
}

static enum status add_streams(struct prv *t, uint64_t limit, struct err *e)
{
  uint32_t stream;
  if (spool_new(&t->spool, t->trace.name, limit, e) != OK)
    return FAIL;
  for (uint32_t r = 0; r < t->trace.ranks; r++)
    if (spool_add(t->spool, &stream, e) != OK)
      return FAIL;
  t->cursor = mem_array(t->trace.ranks, sizeof *t->cursor, e);
  t->action = t->cursor == NULL ? NULL : mem_array(t->trace.ranks, sizeof *t->action, e);
  return t->action == NULL ? FAIL : OK;
}

static enum status read_records(struct prv *t, struct fields *f, uint64_t limit, struct err *e)
{
  bool more;
  if (fields_line(f, &more, e) != OK)
    return FAIL;
  if (!more)
    return err_at(e, t->trace.name, 1, "the file has changed");
  if (read_header(t, f, e) != OK)
    return fields_at(f, e);
  if (add_streams(t, limit, e) != OK)
    return FAIL;
  for (;;) {
    if (fields_line(f, &more, e) != OK)
      return FAIL;
    if (!more)
      break;
    if (read_record(t, f, e) != OK)
      return fields_at(f, e);
  }
  for (uint32_t r = 0; r < t->trace.ranks; r++)
    if (spool_flush(t->spool, r, e) != OK)
      return FAIL;
  return OK;
}

/* --- the format ------------------------------------------------------------------------------- */

static bool sniff(const char *path)
{
  char head[sizeof HEAD - 1];
  return bytes_peek(path, head, sizeof head) == sizeof head && memcmp(head, HEAD, sizeof head) == 0;
}

static void rewind_prv(struct trace *trace)
{
  struct prv *t = (struct prv *)trace;
  for (uint32_t r = 0; r < trace->ranks; r++)
    t->cursor[r] = spool_start(t->spool, r);
}

static void close_prv(struct trace *trace)
{
  struct prv *t = (struct prv *)trace;
  spool_free(t->spool);
  free(t->cursor);
  free(t->action);
}

static enum status open_prv(struct trace *trace, uint64_t unpack_limit, struct err *e)
{
  struct bytes b;
  struct fields f;
  if (bytes_open(&b, trace->name, unpack_limit, e) != OK)
    return FAIL;
  fields_start(&f, &b, 0, 0);
  const enum status s = read_records((struct prv *)trace, &f, unpack_limit, e);
  fields_stop(&f);
  bytes_close(&b);
  if (s != OK)
    return FAIL;
  trace->no_calls_reason =
      "Paraver's format has no requests and no sizes of collectives: its messages "
      "can be counted, but not simulated; convert it to .dim";
  rewind_prv(trace);
  return OK;
}

static enum status next(struct trace *trace, uint32_t rank, const struct action **a, struct err *e)
{
  struct prv *t = (struct prv *)trace;
  struct sent x;
  size_t all = 0, got;
  *a = NULL;
  do {
    if (spool_read(t->spool, &t->cursor[rank], (char *)&x + all, sizeof x - all, &got, e) != OK)
      return FAIL;
    all += got;
  } while (got > 0 && all < sizeof x);
  if (all < sizeof x)
    return OK;
  action_begin(&t->action[rank], ACTION_SEND, ACTION_STANDARD);
  t->action[rank].partner = x.dst;
  t->action[rank].tag = x.tag;
  t->action[rank].count = (int64_t)x.bytes;
  t->action[rank].type = DATATYPE_BYTE;
  trace->rank[rank].record = x.line;
  *a = &t->action[rank];
  return OK;
}

static const char *note(struct trace *trace, size_t i)
{
  struct prv *t = (struct prv *)trace;
  if (i > 0 || t->collectives == 0)
    return NULL;
  snprintf(t->note, sizeof t->note,
           "%s: %" PRIu64
           " calls of collectives are left out, as the format does not state their sizes",
           trace->name, t->collectives);
  return t->note;
}

const struct trace_format trace_prv = {
    .name = "Paraver",
    .bytes = sizeof(struct prv),
    .sniff = sniff,
    .open = open_prv,
    .close = close_prv,
    .next = next,
    .rewind = rewind_prv,
    .note = note,
};
