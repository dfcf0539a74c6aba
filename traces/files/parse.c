#include "traces/files/parse.h"

#include <inttypes.h>

#include "common/plural.h"
#include "traces/datatype.h"
#include "traces/files/args.h"

/* --- forms of lines, see parse.h -------------------------------------------------------------- */

static enum status parse_nothing(struct args *s, struct action *a)
{
  (void)s;
  (void)a;
  return OK;
}

static enum status parse_init(struct args *s, struct action *a)
{
  (void)a;
  s->reader->doubles = s->count > 0;
  return OK;
}

static enum status parse_finalize(struct args *s, struct action *a)
{
  (void)a;
  s->reader->finished = true;
  return OK;
}

static enum status parse_compute(struct args *s, struct action *a)
{
  return number(s, a->kind == ACTION_SLEEP ? "seconds" : "flops", &a->amount);
}

static enum status parse_location(struct args *s, struct action *a)
{
  int64_t line;
  (void)a;
  s->at = 1;
  return integer(s, "line", INT32_MIN, INT32_MAX, &line);
}

static enum status parse_send(struct args *s, struct action *a)
{
  if (rank(s, "partner", false, &a->partner) != OK || tag(s, false, &a->tag) != OK ||
      count(s, "count", COUNT_MAX, &a->count) != OK)
    return FAIL;
  return one_datatype(s, a);
}

static enum status parse_recv(struct args *s, struct action *a)
{
  if (rank(s, "partner", true, &a->partner) != OK || tag(s, true, &a->tag) != OK ||
      integer(s, "count", ACTION_COUNT_OF_MESSAGE, COUNT_MAX, &a->count) != OK)
    return FAIL;
  return one_datatype(s, a);
}

static enum status parse_sendrecv(struct args *s, struct action *a)
{
  if (count(s, "count sent", INT32_MAX, &a->count) != OK ||
      rank(s, "destination", false, &a->partner) != OK ||
      count(s, "count received", INT32_MAX, &a->count2) != OK ||
      rank(s, "source", true, &a->source) != OK)
    return FAIL;
  return datatypes(s, a);
}

/* Waits for a collective: its tag is negative.  Ignores the tracer's ranks, which are wrong. */
static enum status parse_collective_wait(struct args *s, struct action *a)
{
  int64_t ignored;
  if (integer(s, "source", INT32_MIN, INT32_MAX, &ignored) != OK ||
      integer(s, "destination", INT32_MIN, INT32_MAX, &ignored) != OK ||
      int32(s, "tag", INT32_MIN, -1, &a->tag) != OK)
    return FAIL;
  if (!action_is_request_tag(a->tag))
    return err_set(s->err, "%s: no nonblocking collective has the tag %" PRId32, s->action, a->tag);
  a->source = a->partner = ACTION_COLLECTIVE;
  return OK;
}

static enum status parse_wait(struct args *s, struct action *a)
{
  if (s->word[2][0] == '-' && !same_word(s->word[2], "-444"))
    return parse_collective_wait(s, a);
  if (rank(s, "source", true, &a->source) != OK || rank(s, "destination", false, &a->partner) != OK)
    return FAIL;
  return tag(s, true, &a->tag);
}

/* The count is the argument of the program's call; -1 if absent. */
static enum status parse_waitall(struct args *s, struct action *a)
{
  a->count = -1;
  return left(s) ? count(s, "count", INT32_MAX, &a->count) : OK;
}

static enum status parse_bcast(struct args *s, struct action *a)
{
  if (count(s, "count", COUNT_MAX, &a->count) != OK || root(s, a) != OK)
    return FAIL;
  return one_datatype(s, a);
}

static enum status parse_reduce(struct args *s, struct action *a)
{
  if (count(s, "count", COUNT_MAX, &a->count) != OK || number(s, "flops", &a->amount) != OK)
    return FAIL;
  if (a->kind == ACTION_REDUCE && root(s, a) != OK)
    return FAIL;
  return one_datatype(s, a);
}

/* SMPI's tracer omits a received count of 0 but always writes the root, if there is one, and both
 * datatypes: COUNT ROOT TYPE TYPE with a root; 0 TYPE TYPE without one, where the sent count is 0,
 * too.  smpirun misreads both forms. */
static enum status parse_alltoall(struct args *s, struct action *a)
{
  const bool rooted = a->kind == ACTION_GATHER || a->kind == ACTION_SCATTER;
  if (count(s, "count sent", INT32_MAX, &a->count) != OK)
    return FAIL;
  const bool left_out = rooted ? s->count == 4 : s->count == 3 && a->count == 0;
  if (!left_out && count(s, "count received", INT32_MAX, &a->count2) != OK)
    return FAIL;
  return !rooted || root(s, a) == OK ? datatypes(s, a) : FAIL;
}

static enum status parse_alltoallv(struct args *s, struct action *a)
{
  int64_t buffer;
  if (count(s, "size of the send buffer", COUNT_MAX, &buffer) != OK ||
      counts(s, 0, &a->sendcounts) != OK ||
      count(s, "size of the receive buffer", COUNT_MAX, &buffer) != OK ||
      counts(s, 1, &a->recvcounts) != OK)
    return FAIL;
  return datatypes(s, a);
}

/* In bytes: each pair of ranks may use its own datatypes. */
static enum status parse_alltoallw(struct args *s, struct action *a)
{
  a->type = a->type2 = DATATYPE_BYTE;
  return counts(s, 0, &a->sendcounts) == OK ? counts(s, 1, &a->recvcounts) : FAIL;
}

static enum status parse_gatherv(struct args *s, struct action *a)
{
  if (count(s, "count sent", INT32_MAX, &a->count) != OK || counts(s, 0, &a->recvcounts) != OK ||
      root(s, a) != OK)
    return FAIL;
  return datatypes(s, a);
}

/* Checks and drops the displacements at the end of the line, after any datatypes. */
static enum status displacements(struct args *s)
{
  const size_t n = s->reader->members;
  struct args last = *s;
  int64_t ignored;
  s->count -= n;
  for (last.at = s->count; left(&last);)
    if (integer(&last, "displacement", INT32_MIN, INT32_MAX, &ignored) != OK)
      return FAIL;
  return OK;
}

static enum status parse_allgatherv(struct args *s, struct action *a)
{
  const size_t n = s->reader->members;
  if (count(s, "count sent", INT32_MAX, &a->count) != OK || counts(s, 0, &a->recvcounts) != OK)
    return FAIL;
  const size_t rest = s->count - s->at;
  if (rest > 2 && rest != n && rest != n + 2)
    return err_set(s->err, "%s: %zu argument%s, not %zu to %zu, %zu or %zu", s->action, s->count,
                   PLURAL(s->count), n + 1, n + 3, 2 * n + 1, 2 * n + 3);
  if (rest > 2 && displacements(s) != OK)
    return FAIL;
  return datatypes(s, a);
}

static enum status parse_scatterv(struct args *s, struct action *a)
{
  if (counts(s, 0, &a->sendcounts) != OK ||
      count(s, "count received", INT32_MAX, &a->count2) != OK || root(s, a) != OK)
    return FAIL;
  return datatypes(s, a);
}

/* Sets the same count for each member. */
static enum status equal_counts(struct args *s, int32_t count, const int32_t **out)
{
  const uint32_t n = s->reader->members;
  int32_t *into = half_of(s, 0, n);
  for (uint32_t i = 0; into != NULL && i < n; i++)
    into[i] = count;
  *out = into;
  return into == NULL ? FAIL : OK;
}

static enum status parse_reduce_scatter_block(struct args *s, struct action *a)
{
  int32_t each = 0;
  if (int32(s, "count", 0, INT32_MAX, &each) != OK || number(s, "flops", &a->amount) != OK ||
      equal_counts(s, each, &a->recvcounts) != OK)
    return FAIL;
  return one_datatype(s, a);
}

/* The tracer's line for MPI_Reduce_scatter_block: a zero for each element, and a type. */
static bool is_block(const struct args *s)
{
  for (size_t i = 0; i + 1 < s->count; i++)
    if (!same_word(s->word[i], "0"))
      return false;
  return s->count > 0;
}

static enum status parse_reducescatter(struct args *s, struct action *a)
{
  const size_t n = s->reader->members;
  if (s->count != n + 1 && s->count != n + 2) {
    if (!is_block(s))
      return err_set(s->err, "%s: %zu argument%s, not %zu or %zu", s->action, s->count,
                     PLURAL(s->count), n + 1, n + 2);
    s->at = s->count - 1;
    return equal_counts(s, (int32_t)s->at, &a->recvcounts) == OK ? one_datatype(s, a) : FAIL;
  }
  if (counts(s, 0, &a->recvcounts) != OK || number(s, "flops", &a->amount) != OK)
    return FAIL;
  return one_datatype(s, a);
}

/* A persistent request starts.  For a receive the tracer writes the rank itself as partner. */
static enum status parse_start(struct args *s, struct action *a)
{
  struct action_reader *r = s->reader;
  int64_t type;
  if (parse_send(&(struct args){s->action, s->word, 3, 0, r, s->err}, a) != OK)
    return FAIL;
  s->at = 3;
  if (left(s) && integer(s, "datatype", INT32_MIN, INT32_MAX, &type) != OK)
    return FAIL;
  a->type = DATATYPE_BYTE;
  if (a->partner != (int32_t)r->rank)
    return OK;
  a->kind = ACTION_IRECV;
  a->partner = r->source;
  r->source = ACTION_ANY_SOURCE;
  return OK;
}

static enum status parse_startall(struct args *s, struct action *a)
{
  (void)a;
  return err_set(
      s->err,
      "%s: the tracer lost which requests start; replace the line by an isend or irecv for each",
      s->action);
}

/* Form of a line: name of the action, and min to max arguments plus per_rank for each member. */
struct form {
  const char *name;
  enum action_kind kind;
  enum action_mode mode;
  size_t min, max, per_rank;
  enum status (*parse)(struct args *s, struct action *a);
};

#define LOCATION ACTION_KINDS
#define MANY     SIZE_MAX

/* Searched in order: frequent forms first. */
static const struct form FORMS[] = {
    {"compute", ACTION_COMPUTE, 0, 1, 1, 0, parse_compute},
    {"send", ACTION_SEND, 0, 3, 4, 0, parse_send},
    {"recv", ACTION_RECV, 0, 3, 4, 0, parse_recv},
    {"isend", ACTION_ISEND, 0, 3, 4, 0, parse_send},
    {"irecv", ACTION_IRECV, 0, 3, 4, 0, parse_recv},
    {"wait", ACTION_WAIT, 0, 3, 3, 0, parse_wait},
    {"waitall", ACTION_WAITALL, 0, 0, 1, 0, parse_waitall},
    {"sendRecv", ACTION_SENDRECV, 0, 6, 6, 0, parse_sendrecv},
    {"test", ACTION_TEST, 0, 3, 3, 0, parse_wait},
    {"allreduce", ACTION_ALLREDUCE, 0, 2, 3, 0, parse_reduce},
    {"barrier", ACTION_BARRIER, 0, 0, 0, 0, parse_nothing},
    {"bcast", ACTION_BCAST, 0, 1, 3, 0, parse_bcast},
    {"reduce", ACTION_REDUCE, 0, 2, 4, 0, parse_reduce},
    {"alltoall", ACTION_ALLTOALL, 0, 2, 4, 0, parse_alltoall},
    {"alltoallv", ACTION_ALLTOALLV, 0, 2, 4, 2, parse_alltoallv},
    {"gather", ACTION_GATHER, 0, 2, 5, 0, parse_alltoall},
    {"gatherv", ACTION_GATHERV, 0, 1, 4, 1, parse_gatherv},
    {"scatter", ACTION_SCATTER, 0, 2, 5, 0, parse_alltoall},
    {"scatterv", ACTION_SCATTERV, 0, 1, 4, 1, parse_scatterv},
    {"allgather", ACTION_ALLGATHER, 0, 2, 4, 0, parse_alltoall},
    {"allgatherv", ACTION_ALLGATHERV, 0, 1, MANY, 1, parse_allgatherv},
    {"reducescatter", ACTION_REDUCESCATTER, 0, 1, MANY, 0, parse_reducescatter},
    {"scan", ACTION_SCAN, 0, 2, 3, 0, parse_reduce},
    {"exscan", ACTION_EXSCAN, 0, 2, 3, 0, parse_reduce},
    {"sleep", ACTION_SLEEP, 0, 1, 1, 0, parse_compute},
    {"init", ACTION_INIT, 0, 0, 1, 0, parse_init},
    {"finalize", ACTION_FINALIZE, 0, 0, 0, 0, parse_finalize},
    {"location", LOCATION, 0, 2, 2, 0, parse_location},
    {"comm_size", ACTION_COMM, 0, 0, MANY, 0, parse_nothing},
    {"comm_split", ACTION_COMM, 0, 0, MANY, 0, parse_nothing},
    {"comm_dup", ACTION_COMM, 0, 0, MANY, 0, parse_nothing},
    {"Start", ACTION_ISEND, 0, 3, 4, 0, parse_start},
    {"Startall", ACTION_ISEND, 0, 0, MANY, 0, parse_startall},
    /* Calls that SMPI's tracer cannot write. */
    {"reduce_local", ACTION_REDUCE_LOCAL, 0, 2, 3, 0, parse_reduce},
    {"reduce_scatter_block", ACTION_REDUCESCATTER, 0, 2, 3, 0, parse_reduce_scatter_block},
    {"alltoallw", ACTION_ALLTOALLW, 0, 0, 0, 2, parse_alltoallw},
    {"relay", ACTION_RELAY, 0, 4, 5, 0, args_parse_relay},
    {"relayProbe", ACTION_RELAY_PROBE, 0, 0, 0, 0, parse_nothing},
    {"relayCompute", ACTION_RELAY_COMPUTE, 0, 4, 6, 0, args_parse_relay_compute},
    {"neighbor_allgather", ACTION_NEIGHBOR_ALLGATHER, 0, 0, MANY, 0, args_parse_neighbor_one},
    {"neighbor_allgatherv", ACTION_NEIGHBOR_ALLGATHERV, 0, 0, MANY, 0,
     args_parse_neighbor_allgatherv},
    {"neighbor_alltoall", ACTION_NEIGHBOR_ALLTOALL, 0, 0, MANY, 0, args_parse_neighbor_one},
    {"neighbor_alltoallv", ACTION_NEIGHBOR_ALLTOALLV, 0, 0, MANY, 0, args_parse_neighbor_counts},
    {"neighbor_alltoallw", ACTION_NEIGHBOR_ALLTOALLW, 0, 0, MANY, 0, args_parse_neighbor_counts},
    /* Actions that SMPI's tracer writes but its replay refuses. */
    {"waitAny", ACTION_WAITANY, 0, 0, 1, 0, parse_waitall},
    {"waitany", ACTION_WAITANY, 0, 0, 1, 0, parse_waitall},
    {"bsend", ACTION_SEND, ACTION_BUFFERED, 3, 4, 0, parse_send},
    {"ibsend", ACTION_ISEND, ACTION_BUFFERED, 3, 4, 0, parse_send},
    {"Ssend", ACTION_SEND, ACTION_SYNCHRONOUS, 3, 4, 0, parse_send},
    {"ssend", ACTION_SEND, ACTION_SYNCHRONOUS, 3, 4, 0, parse_send},
    {"ISsend", ACTION_ISEND, ACTION_SYNCHRONOUS, 3, 4, 0, parse_send},
    {"issend", ACTION_ISEND, ACTION_SYNCHRONOUS, 3, 4, 0, parse_send},
};

static const struct form *find_name(const char *name)
{
  for (size_t i = 0; i < sizeof FORMS / sizeof *FORMS; i++)
    if (same_word(FORMS[i].name, name))
      return &FORMS[i];
  return NULL;
}

/* A nonblocking collective has the form of the blocking one. */
static const struct form *find_form(const char *name, bool *nonblocking)
{
  const struct form *f = find_name(name);
  *nonblocking = f == NULL && *name == 'i';
  if (*nonblocking)
    f = find_name(name + 1);
  return f != NULL && (!*nonblocking || action_is_collective(f->kind)) ? f : NULL;
}

static enum status check_count(const struct form *f, const struct args *s, uint32_t members,
                               struct err *e)
{
  const size_t args = s->count;
  const size_t base = f->per_rank * members, min = base + f->min;
  const size_t max = f->max == MANY ? MANY : base + f->max;
  if (args >= min && args <= max)
    return OK;
  if (min == max || args < min)
    return err_set(e, "%s: %zu argument%s, not %zu%s", s->action, args, PLURAL(args), min,
                   min == max ? "" : " or more");
  return err_set(e, "%s: %zu argument%s, more than %zu", s->action, args, PLURAL(args), max);
}

enum status action_parse(struct action_reader *r, const struct action_words *w,
                         const struct action **a, struct err *e)
{
  if (w->count < 2)
    return err_set(e, "'%.64s' is not followed by an action", w->word[0]);
  bool nonblocking;
  const struct form *f = find_form(w->word[1], &nonblocking);
  if (f == NULL)
    return err_set(e, "action '%.64s' is not supported", w->word[1]);
  if (r->finished)
    return err_set(e, "action '%s' after finalize", w->word[1]);
  struct args s = {w->word[1], w->word + 2, w->count - 2, 0, r, e};
  if (check_count(f, &s, r->members, e) != OK)
    return FAIL;
  if (action_is_neighbourly(f->kind) && r->neighbours == NULL)
    return err_set(e, "%s: not on a communicator whose neighbours are stated", s.action);
  struct action *parsed = &r->action;
  action_begin(parsed, f->kind, f->mode);
  if (f->parse(&s, parsed) != OK)
    return FAIL;
  if ((parsed->derived > 0 || parsed->derived2 > 0) &&
      action_check_sizes(r, parsed, s.action, e) != OK)
    return FAIL;
  if (nonblocking)
    parsed->kind = action_nonblocking(parsed->kind);
  *a = f->kind == LOCATION ? NULL : parsed;
  return OK;
}
