#include "traces/recorded/recording.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/mem.h"
#include "traces/datatype.h"
#include "traces/recorded/exchange.h"

/* Bytes of read buffers: of all ranks together, and most of one rank. */
enum { BUFFERS = 1 << 25, BUFFER_MIN = 1024, BUFFER_MAX = 65536, RANKS_MAX = 1 << 20 };

enum recorded_phase { INIT, DELAY, RECORDS, END };

struct recorded_rank {
  struct record_cursor cursor;
  struct action action;      /* the last one given */
  bool held;                 /* the cursor's record is given next */
  enum recorded_phase phase; /* the part that is given next */
  uint64_t *known;           /* bits of the communicators that were given; owned */
  size_t known_room;         /* words */
  int32_t *counts;           /* of the last collective with sizes by member; owned */
  size_t counts_room;
  uint64_t *bytes; /* bytes of the same collective; owned */
  size_t bytes_room;
  char *file; /* owned */
};

void recording_close(struct trace *t)
{
  struct recording *r = (struct recording *)t;
  for (uint32_t i = 0; r->rank != NULL && i < r->trace.ranks; i++) {
    free(r->rank[i].cursor.buffer);
    free(r->rank[i].known);
    free(r->rank[i].counts);
    free(r->rank[i].bytes);
    free(r->rank[i].file);
  }
  free(r->rank);
  free(r->offset);
  records_clear(&r->records);
  volumes_clear(&r->volumes);
  comm_table_clear(&r->comms);
  names_clear(&r->inputs);
  names_clear(&r->notes);
}

enum status recording_ranks(struct recording *r, uint64_t ranks, struct err *e)
{
  if (ranks < 1 || ranks > RANKS_MAX)
    return err_set(e, "%s: %" PRIu64 " ranks; 1 to %d are allowed", r->trace.name, ranks,
                   RANKS_MAX);
  const uint32_t n = (uint32_t)ranks;
  if ((r->rank = mem_array(n, sizeof *r->rank, e)) == NULL)
    return FAIL;
  r->trace.ranks = n;
  return records_init(&r->records, n, e);
}

enum status recording_file(struct recording *r, uint32_t rank, const char *file, struct err *e)
{
  return (r->rank[rank].file = mem_strdup(file, e)) == NULL ? FAIL : OK;
}

enum status recording_comm(struct recording *r, struct comm_list *l, uint32_t *number,
                           struct err *e)
{
  const struct comm *c;
  if (comm_define(&r->comms, r->comms.count + 1, r->trace.ranks, l, &c, e) != OK)
    return FAIL;
  *number = c->index;
  return OK;
}

enum status recording_note(struct recording *r, struct err *e, const char *format, ...)
{
  uint32_t number;
  va_list values;
  va_start(values, format);
  char *text = mem_vprintf(e, format, values);
  va_end(values);
  const enum status s = text == NULL ? FAIL : names_add(&r->notes, text, &number, e);
  free(text);
  return s;
}

void recording_gap(struct recording *r, bool whole, const char *format, ...)
{
  struct trace_gap *g = &r->trace.gap;
  if (g->text[0] != '\0' && (g->whole || !whole))
    return;
  va_list values;
  va_start(values, format);
  vsnprintf(g->text, sizeof g->text, format, values);
  va_end(values);
  g->whole = whole;
}

/* --- checks ---------------------------------------------------------------------------------- */

static void name_comm(const struct recording *r, uint32_t number, char *text, size_t size)
{
  *text = '\0';
  if (number > 0)
    snprintf(text, size, " on communicator %" PRIu64, r->comms.comm[number - 1]->id);
}

static void report_lost(struct recording *r, const struct exchange *x)
{
  char comm[64];
  const struct exchange_end *m = x->unsent > 0 ? &x->not_sent : &x->not_received;
  if (r->wildcards)
    return;
  if (x->misfits > 0) {
    name_comm(r, x->misfit.comm, comm, sizeof comm);
    recording_gap(r, true,
                  "%s: %" PRIu64 " messages were received with another size than they were sent "
                  "with, such as one from rank %" PRIu32 " to rank %" PRIu32 " with tag %" PRId32
                  "%s: the recorder lost their order or their communicator",
                  r->trace.name, x->misfits, x->misfit.src, x->misfit.dst, x->misfit.tag, comm);
  }
  if (x->unsent + x->unreceived == 0)
    return;
  name_comm(r, m->comm, comm, sizeof comm);
  if (x->unsent > 0)
    recording_gap(r, true,
                  "%s: %" PRIu64 " messages were received that no rank has sent, such as one from "
                  "rank %" PRIu32 " to rank %" PRIu32 " with tag %" PRId32 "%s",
                  r->trace.name, x->unsent, m->src, m->dst, m->tag, comm);
  else
    recording_gap(r, true,
                  "%s: %" PRIu64 " messages were sent whose receive the recorder lost, such as one "
                  "from rank %" PRIu32 " to rank %" PRIu32 " with tag %" PRId32 "%s",
                  r->trace.name, x->unreceived, m->src, m->dst, m->tag, comm);
}

static enum status report_clocks(struct recording *r, const struct exchange *x, struct err *e)
{
  if (x->backward == 0)
    return OK;
  if (recording_note(r, e,
                     "%s: %" PRIu64 " of %" PRIu64 " messages were received before they were sent, "
                     "by up to %.3g s: the clocks of the ranks differ; only times within a rank "
                     "are used%s",
                     r->trace.name, x->backward, x->messages, (double)x->largest * r->second,
                     x->shift == NULL ? ", and --align cannot shift them into order" : "") != OK)
    return FAIL;
  if (x->shift == NULL)
    return OK;
  if ((r->offset = mem_array(r->trace.ranks, sizeof *r->offset, e)) == NULL)
    return FAIL;
  for (uint32_t i = 0; i < r->trace.ranks; i++)
    r->offset[i] = (double)x->shift[i] * r->second;
  return OK;
}

/* If events are lost, fails with this gap, which is the reason for sizes that do not fit. */
static enum status join_volumes(struct recording *r, struct err *e)
{
  if (volumes_join(&r->volumes, &r->comms, e) == OK)
    return OK;
  return r->trace.gap.whole ? err_set(e, "%s", r->trace.gap.text) : FAIL;
}

static enum status finish(struct recording *r, struct err *e)
{
  struct exchange x;
  if (scratch_flush(&r->records.file, e) != OK || join_volumes(r, e) != OK ||
      exchange_check(&x, &r->records, r->exact, e) != OK)
    return FAIL;
  report_lost(r, &x);
  enum status s = report_clocks(r, &x, e);
  free(x.shift);
  if (s == OK && r->volumes.guessed > 0)
    s = recording_note(r, e,
                       "%s: %" PRIu64 " calls of alltoallv or alltoallw state only the bytes that "
                       "each rank sends and receives in all; how much goes to each is a guess",
                       r->trace.name, r->volumes.guessed);
  if (s == OK)
    recording_rewind(&r->trace);
  return s;
}

/* --- reading --------------------------------------------------------------------------------- */

static size_t buffer_size(const struct recording *r)
{
  const size_t share = BUFFERS / r->trace.ranks;
  return share < BUFFER_MIN ? BUFFER_MIN : share > BUFFER_MAX ? BUFFER_MAX : share;
}

void recording_rewind(struct trace *t)
{
  struct recording *r = (struct recording *)t;
  for (uint32_t i = 0; i < t->ranks; i++) {
    struct recorded_rank *x = &r->rank[i];
    if (x->known_room > 0)
      memset(x->known, 0, x->known_room * sizeof *x->known);
    x->held = false;
    x->phase = INIT;
    x->cursor.used = x->cursor.next = 0;
    x->cursor.at = x->cursor.end = 0;
  }
}

/* Marks the communicator as known to the rank; *fresh if it was not. */
static enum status learn(struct recorded_rank *x, uint32_t comm, bool *fresh, struct err *e)
{
  const size_t word = comm / 64, old = x->known_room;
  if (MEM_GROW(x->known, x->known_room, word + 1, e) != OK)
    return FAIL;
  if (x->known_room > old)
    memset(x->known + old, 0, (x->known_room - old) * sizeof *x->known);
  *fresh = (x->known[word] >> comm % 64 & 1) == 0;
  x->known[word] |= UINT64_C(1) << comm % 64;
  return OK;
}

static void give_message(struct recorded_rank *x, uint32_t rank)
{
  const struct record *m = &x->cursor.last;
  struct action *a = &x->action;
  action_begin(a, (enum action_kind)m->kind, (enum action_mode)m->mode);
  a->tag = m->tag;
  a->count = (int64_t)m->sent;
  a->type = DATATYPE_BYTE;
  a->partner = m->partner;
  if (m->kind != ACTION_WAIT)
    return;
  a->count = 0;
  a->type = 0;
  a->source = m->receives ? m->partner : (int32_t)rank;
  a->partner = m->receives ? (int32_t)rank : m->partner;
}

/* Datatypes of 1, 4, 8 and 16 bytes. */
static const int16_t TYPES[] = {DATATYPE_BYTE, DATATYPE_INT, DATATYPE_DOUBLE, 14};

/* Counts bytes above 2^31-1, which are no count of MPI, in a wider datatype if one fits. */
static void widen(int64_t *bytes, int16_t *type)
{
  for (size_t k = 1; *bytes > INT32_MAX && k < sizeof TYPES / sizeof *TYPES; k++) {
    const int64_t size = datatype_size(TYPES[k]);
    if (*bytes % size != 0 || *bytes / size > INT32_MAX)
      continue;
    *bytes /= size;
    *type = TYPES[k];
  }
}

/* Sets the counts in a datatype of which all sizes are multiples, and returns it; -1: none fits. */
static int16_t count(int32_t *counts, const uint64_t *bytes, uint32_t n)
{
  uint64_t most = 0, all = 0;
  for (uint32_t i = 0; i < n; i++) {
    most = bytes[i] > most ? bytes[i] : most;
    all |= bytes[i];
  }
  for (size_t k = 0; k < sizeof TYPES / sizeof *TYPES; k++) {
    const uint32_t size = datatype_size(TYPES[k]);
    if (all % size != 0 || most / size > INT32_MAX)
      continue;
    for (uint32_t i = 0; i < n; i++)
      counts[i] = (int32_t)(bytes[i] / size);
    return TYPES[k];
  }
  return -1;
}

/* Sets the counts of a collective with sizes by member. */
static enum status give_volumes(struct recording *r, uint32_t rank, struct err *e)
{
  struct recorded_rank *x = &r->rank[rank];
  struct action *a = &x->action;
  const enum action_kind kind = action_blocking(a->kind);
  const uint32_t n = comm_size(a->comm, r->trace.ranks);
  uint32_t member = 0;
  (void)comm_member(a->comm, rank, &member);
  if (MEM_GROW(x->counts, x->counts_room, 2 * (size_t)n, e) != OK ||
      MEM_GROW(x->bytes, x->bytes_room, 2 * (size_t)n, e) != OK ||
      volumes_read(&r->volumes, &x->cursor.last, member, n, x->bytes, x->bytes + n, e) != OK)
    return FAIL;
  const bool to = kind == ACTION_SCATTERV || kind == ACTION_ALLTOALLV || kind == ACTION_ALLTOALLW;
  const bool from = kind != ACTION_SCATTERV;
  const bool mine = (kind != ACTION_SCATTERV && kind != ACTION_GATHERV) || member == a->root;
  const uint64_t *block = to ? x->bytes + n : x->bytes;
  a->type = to ? count(x->counts, x->bytes, n) : DATATYPE_BYTE;
  a->type2 = from ? count(x->counts + n, x->bytes + n, n) : DATATYPE_BYTE;
  if (kind == ACTION_REDUCESCATTER)
    a->type = a->type2;
  if (a->type < 0 || a->type2 < 0)
    return err_at(e, recording_rank_file(&r->trace, rank), x->cursor.last.place,
                  "%s with a block of more than 2^31-1 elements", action_name(a->kind));
  a->sendcounts = to && mine ? x->counts : NULL;
  a->recvcounts = from && mine ? x->counts + n : NULL;
  if (kind == ACTION_GATHERV || kind == ACTION_ALLGATHERV)
    a->count = (int64_t)block[member];
  if (kind == ACTION_SCATTERV)
    a->count2 = (int64_t)block[member];
  return OK;
}

static enum status give_collective(struct recording *r, uint32_t rank, struct err *e)
{
  struct recorded_rank *x = &r->rank[rank];
  const struct record *m = &x->cursor.last;
  struct action *a = &x->action;
  action_begin(a, (enum action_kind)m->kind, ACTION_STANDARD);
  a->comm = recording_comm_of(r, m->comm);
  a->root = m->root;
  a->name = m->name;
  a->count = (int64_t)m->sent;
  a->count2 = (int64_t)m->received;
  a->type = a->type2 = DATATYPE_BYTE;
  if (m->volume > 0 && give_volumes(r, rank, e) != OK)
    return FAIL;
  widen(&a->count, &a->type);
  widen(&a->count2, &a->type2);
  return OK;
}

static enum status give(struct recording *r, uint32_t rank, struct err *e)
{
  struct recorded_rank *x = &r->rank[rank];
  const struct record *m = &x->cursor.last;
  if (action_is_collective((enum action_kind)m->kind))
    return give_collective(r, rank, e);
  if (m->kind >= ACTION_SEND && m->kind <= ACTION_WAIT && m->name == 0) {
    give_message(x, rank);
    x->action.comm = recording_comm_of(r, m->comm);
    return OK;
  }
  action_begin(&x->action, (enum action_kind)m->kind, ACTION_STANDARD);
  if (m->kind == ACTION_COMPUTE)
    x->action.amount = (double)m->ticks * r->second * r->speed;
  if (m->kind == ACTION_WAIT) {
    x->action.source = x->action.partner = ACTION_COLLECTIVE;
    x->action.tag = m->tag;
    x->action.name = m->name;
  }
  return OK;
}

/* Time from the start of the first rank to the start of this one, by the corrected clocks. */
static double delay_of(const struct recording *r, uint32_t rank)
{
  double first = 0, mine = 0;
  for (uint32_t i = 0; i < r->trace.ranks; i++) {
    const uint64_t start = r->records.range[i].start, base = r->records.range[0].start;
    const double at =
        (double)(int64_t)(start - base) * r->second + (r->offset == NULL ? 0 : r->offset[i]);
    first = i == 0 || at < first ? at : first;
    mine = i == rank ? at : mine;
  }
  return mine - first;
}

/* Gives the actions before the records: init and, with --align, a sleep until the rank starts.
 * *given is false for no delay. */
static enum status begin(struct recording *r, uint32_t rank, bool *given, struct err *e)
{
  struct recorded_rank *x = &r->rank[rank];
  *given = true;
  action_begin(&x->action, ACTION_INIT, ACTION_STANDARD);
  if (x->phase++ == INIT)
    return records_rewind(&r->records, &x->cursor, rank, buffer_size(r), e);
  const double delay = r->align ? delay_of(r, rank) : 0;
  *given = delay > 0;
  x->action.kind = ACTION_SLEEP;
  x->action.amount = delay;
  return OK;
}

/* Reads the next record, unless it is held; *more is false at the end. */
static enum status read_record(struct recording *r, struct recorded_rank *x, bool *more,
                               struct err *e)
{
  *more = true;
  if (x->held)
    return OK;
  do {
    if (records_next(&r->records, &x->cursor, more, e) != OK)
      return FAIL;
  } while (*more && x->cursor.last.kind == RECORD_NONE);
  return OK;
}

enum status recording_next(struct trace *t, uint32_t rank, const struct action **a, struct err *e)
{
  struct recording *r = (struct recording *)t;
  struct recorded_rank *x = &r->rank[rank];
  bool more = true, fresh = false, given = false;
  *a = &x->action;
  while (x->phase < RECORDS && !given)
    if (begin(r, rank, &given, e) != OK)
      return FAIL;
  if (given)
    return OK;
  if (x->phase == END) {
    *a = NULL;
    return OK;
  }
  if (read_record(r, x, &more, e) != OK)
    return FAIL;
  if (!more) {
    x->phase = END;
    action_begin(&x->action, ACTION_FINALIZE, ACTION_STANDARD);
    return OK;
  }
  const struct record *m = &x->cursor.last;
  t->rank[rank].record = m->place;
  const bool on = m->kind != ACTION_COMPUTE && m->comm > 0;
  if (on && !x->held && learn(x, m->comm, &fresh, e) != OK)
    return FAIL;
  x->held = fresh;
  if (!fresh)
    return give(r, rank, e);
  action_begin(&x->action, ACTION_DEFINE, ACTION_STANDARD);
  x->action.comm = recording_comm_of(r, m->comm);
  return OK;
}

bool recording_is_foreign(const char *function)
{
  /* With a '*' at its end: all functions that begin so. */
  static const char *const PATTERNS[] = {"MPI_Put",
                                         "MPI_Rput",
                                         "MPI_Get",
                                         "MPI_Rget",
                                         "MPI_Accumulate",
                                         "MPI_Raccumulate",
                                         "MPI_Get_accumulate",
                                         "MPI_Rget_accumulate",
                                         "MPI_Fetch_and_op",
                                         "MPI_Compare_and_swap",
                                         "MPI_File_read*",
                                         "MPI_File_write*",
                                         "MPI_File_iread*",
                                         "MPI_File_iwrite*",
                                         "MPI_Psend_init",
                                         "MPI_Precv_init",
                                         "MPI_Comm_spawn",
                                         "MPI_Comm_spawn_multiple",
                                         "MPI_Comm_accept",
                                         "MPI_Comm_connect",
                                         "MPI_Comm_join"};
  for (size_t i = 0; i < sizeof PATTERNS / sizeof *PATTERNS; i++) {
    const size_t n = strcspn(PATTERNS[i], "*");
    if (strncmp(PATTERNS[i], function, n) == 0 &&
        (PATTERNS[i][n] == '*' || function[n] == '\0' || strcmp(function + n, "_c") == 0))
      return true;
  }
  return false;
}

const char *recording_rank_file(const struct trace *t, uint32_t rank)
{
  const struct recording *r = (const struct recording *)t;
  return r->rank[rank].file != NULL ? r->rank[rank].file : r->trace.name;
}

const char *recording_input(const struct trace *t, size_t i)
{
  const struct recording *r = (const struct recording *)t;
  return i < r->inputs.count ? r->inputs.name[i] : NULL;
}

enum status recording_configure(struct trace *t, const struct trace_settings *s, struct err *e)
{
  struct recording *r = (struct recording *)t;
  (void)e;
  r->speed = s->speed;
  r->align = s->align;
  return OK;
}

const char *recording_notes(struct trace *t, size_t i)
{
  const struct recording *r = (const struct recording *)t;
  return i < r->notes.count ? r->notes.name[i] : NULL;
}

enum status recording_open(struct trace *t, const struct unpacked_form *form,
                           recording_translate *translate, uint64_t unpack_limit, struct err *e)
{
  struct recording *r = (struct recording *)t;
  struct unpacked files;
  if (unpacked_open(&files, form, t->name, unpack_limit, e) != OK)
    return FAIL;
  r->budget = files.budget;
  r->records.file.budget = r->volumes.file.budget = &r->budget;
  r->records.file.name = r->volumes.file.name = t->name;
  r->second = r->speed = 1;
  const enum status s = translate(r, &files, e) == OK ? finish(r, e) : FAIL;
  unpacked_clear(&files);
  return s;
}
