#include "traces/files/print.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/mem.h"
#include "traces/comm.h"
#include "traces/neighbours.h"

/* Appends text formatted as by printf(). */
__attribute__((format(printf, 3, 4))) static enum status append(struct action_text *t,
                                                                struct err *e, const char *fmt, ...)
{
  for (;;) {
    va_list args;
    va_start(args, fmt);
    const int n =
        vsnprintf(t->text == NULL ? NULL : t->text + t->size, t->room - t->size, fmt, args);
    va_end(args);
    if (n >= 0 && t->size + (size_t)n < t->room) {
      t->size += (size_t)n;
      return OK;
    }
    if (n < 0 || MEM_GROW(t->text, t->room, t->size + (size_t)n + 1, e) != OK)
      return FAIL;
  }
}

/* Prints the shortest %g form of 6 to 17 digits that parses to the same double. */
static enum status print_amount(struct action_text *t, double amount, struct err *e)
{
  char text[32];
  for (int digits = 6; digits <= 17; digits++) {
    snprintf(text, sizeof text, "%.*g", digits, amount);
    if (strtod(text, NULL) == amount)
      break;
  }
  return append(t, e, " %s", text);
}

/* Prints zeros if @p counts is NULL, as on ranks other than the root of a gatherv or scatterv. */
static enum status print_counts(struct action_text *t, const int32_t *counts, uint32_t members,
                                struct err *e)
{
  for (uint32_t r = 0; r < members; r++)
    if (append(t, e, " %" PRId32, counts == NULL ? 0 : counts[r]) != OK)
      return FAIL;
  return OK;
}

static int64_t sum(const int32_t *counts, uint32_t members)
{
  int64_t total = 0;
  for (uint32_t r = 0; r < members; r++)
    total += counts[r];
  return total;
}

static enum status print_with_counts(struct action_text *t, uint32_t members,
                                     const struct action *a, struct err *e)
{
  const enum action_kind kind = action_blocking(a->kind);
  enum status s = OK;
  if (kind == ACTION_ALLTOALLV)
    s = append(t, e, " %" PRId64, sum(a->sendcounts, members));
  else if (a->sendcounts == NULL && kind != ACTION_REDUCESCATTER && kind != ACTION_SCATTERV)
    s = append(t, e, " %" PRId64, a->count);
  if (s == OK && (a->sendcounts != NULL || kind == ACTION_SCATTERV))
    s = print_counts(t, a->sendcounts, members, e);
  if (s == OK && kind == ACTION_ALLTOALLV)
    s = append(t, e, " %" PRId64, sum(a->recvcounts, members));
  if (s == OK && (a->recvcounts != NULL || kind == ACTION_GATHERV))
    s = print_counts(t, a->recvcounts, members, e);
  if (s == OK && kind == ACTION_SCATTERV)
    s = append(t, e, " %" PRId64, a->count2);
  if (s == OK && kind == ACTION_REDUCESCATTER)
    s = print_amount(t, a->amount, e);
  return s;
}

static enum status print_neighbour_counts(struct action_text *t, const struct action *a,
                                          struct err *e)
{
  const struct neighbours *n = a->neighbours;
  const enum action_kind kind = action_blocking(a->kind);
  if (kind == ACTION_NEIGHBOR_ALLGATHER || kind == ACTION_NEIGHBOR_ALLTOALL)
    return append(t, e, " %" PRId64 " %" PRId64, a->count, a->count2);
  if (kind == ACTION_NEIGHBOR_ALLGATHERV && append(t, e, " %" PRId64, a->count) != OK)
    return FAIL;
  if (a->sendcounts != NULL && print_counts(t, a->sendcounts, n->destinations, e) != OK)
    return FAIL;
  return print_counts(t, a->recvcounts, n->sources, e);
}

/* Prints the key of a wait.  A collective's request is printed as by SMPI's tracer, but with the
 * rank's own number. */
static enum status print_key(struct action_text *t, uint32_t rank, const struct action *a,
                             struct err *e)
{
  if (a->source == ACTION_COLLECTIVE)
    return append(t, e, " %" PRIu32 " %" PRIu32 " %" PRId32, rank, rank, a->tag);
  return append(t, e, " %" PRId32 " %" PRId32 " %" PRId32, a->source, a->partner, a->tag);
}

static enum status print_relay(struct action_text *t, const struct action *a, struct err *e)
{
  if (a->kind == ACTION_RELAY_PROBE)
    return OK;
  if (a->kind == ACTION_RELAY)
    return append(t, e, " %" PRId32 " %" PRId32 " %" PRId64 " %" PRId32, a->partner, a->tag,
                  a->count, a->source);
  if (append(t, e, " %" PRId64 " %" PRId64, a->count, a->count2) != OK ||
      print_amount(t, a->amount, e) != OK || print_amount(t, a->amount2, e) != OK)
    return FAIL;
  if (a->noise == 0)
    return OK;
  return print_amount(t, a->noise, e) == OK ? append(t, e, " %" PRIu64, a->seed) : FAIL;
}

static enum status print_arguments(struct action_text *t, struct action_line line,
                                   const struct action *a, struct err *e)
{
  if (a->neighbours != NULL)
    return print_neighbour_counts(t, a, e);
  const enum action_kind kind = action_blocking(a->kind);
  if (a->sendcounts != NULL || a->recvcounts != NULL || kind == ACTION_GATHERV ||
      kind == ACTION_SCATTERV)
    return print_with_counts(t, comm_size(a->comm, line.ranks), a, e);
  switch (kind) {
  case ACTION_COMPUTE:
  case ACTION_SLEEP:
    return print_amount(t, a->amount, e);
  case ACTION_SEND:
  case ACTION_ISEND:
  case ACTION_RECV:
  case ACTION_IRECV:
    return append(t, e, " %" PRId32 " %" PRId32 " %" PRId64, a->partner, a->tag, a->count);
  case ACTION_SENDRECV:
    return append(t, e, " %" PRId64 " %" PRId32 " %" PRId64 " %" PRId32, a->count, a->partner,
                  a->count2, a->source);
  case ACTION_WAIT:
  case ACTION_TEST:
    return print_key(t, line.rank, a, e);
  case ACTION_WAITALL:
  case ACTION_WAITANY:
  case ACTION_BCAST:
    return a->count < 0 ? OK : append(t, e, " %" PRId64, a->count);
  case ACTION_REDUCE:
  case ACTION_ALLREDUCE:
  case ACTION_SCAN:
  case ACTION_EXSCAN:
  case ACTION_REDUCE_LOCAL:
    return append(t, e, " %" PRId64, a->count) == OK ? print_amount(t, a->amount, e) : FAIL;
  case ACTION_ALLTOALL:
  case ACTION_GATHER:
  case ACTION_SCATTER:
  case ACTION_ALLGATHER:
    return append(t, e, " %" PRId64 " %" PRId64, a->count, a->count2);
  default:
    return OK;
  }
}

/* Prints the root, if the collective has one, and the datatypes. */
static enum status print_types(struct action_text *t, const struct action *a, struct err *e)
{
  const enum action_kind kind = action_blocking(a->kind);
  const bool bytes = kind == ACTION_ALLTOALLW || kind == ACTION_NEIGHBOR_ALLTOALLW;
  const bool two = kind == ACTION_SENDRECV ||
                   (kind >= ACTION_ALLTOALL && kind <= ACTION_ALLGATHERV) ||
                   (action_is_neighbourly(kind) && !bytes);
  const bool one = (kind >= ACTION_SEND && kind <= ACTION_IRECV) || kind == ACTION_REDUCE_LOCAL ||
                   kind == ACTION_RELAY ||
                   (action_is_collective(kind) && kind != ACTION_BARRIER && !bytes);
  if (action_is_rooted(kind) && append(t, e, " %" PRIu32, a->root) != OK)
    return FAIL;
  if ((one || two) && append(t, e, " %d", a->type) != OK)
    return FAIL;
  return two ? append(t, e, " %d", a->type2) : OK;
}

/* Name as written by SMPI's tracer, which has a name for each send mode. */
static const char *name_of(const struct action *a)
{
  if (a->mode == ACTION_BUFFERED)
    return a->kind == ACTION_SEND ? "bsend" : "ibsend";
  if (a->mode == ACTION_SYNCHRONOUS)
    return a->kind == ACTION_SEND ? "Ssend" : "ISsend";
  return action_name(a->kind);
}

/* --- comments, as read by comment.h ----------------------------------------------------------- */

static enum status print_run(struct action_text *t, const struct comm_run *r, struct err *e)
{
  if (r->count == 1)
    return append(t, e, " %" PRId64, r->first);
  return append(t, e, " %" PRId64 ":%" PRId64 ":%" PRIu32, r->first, r->stride, r->count);
}

static enum status print_definition(struct action_text *t, const struct comm *c, struct err *e)
{
  if (append(t, e, "# haichi: comm %" PRIu64, c->id) != OK)
    return FAIL;
  for (uint32_t i = 0; i < c->members.runs; i++)
    if (print_run(t, &c->members.run[i], e) != OK)
      return FAIL;
  return append(t, e, "\n");
}

static enum status print_grid(struct action_text *t, const struct neighbours_grid *g, struct err *e)
{
  for (uint32_t d = 0; d < g->axes; d++)
    if (append(t, e, " %" PRIu32 "%s", g->side[d], g->periodic[d] ? "p" : "") != OK)
      return FAIL;
  return append(t, e, "\n");
}

static enum status print_topology(struct action_text *t, const struct action *a, struct err *e)
{
  const struct neighbours *n = a->neighbours;
  const char *kind = n->grid.axes > 0 ? "cart" : "graph";
  if (append(t, e, "# haichi: %s %" PRIu64, kind, a->comm->id) != OK)
    return FAIL;
  if (n->grid.axes > 0)
    return print_grid(t, &n->grid, e);
  if (append(t, e, " from") != OK || print_counts(t, n->source, n->sources, e) != OK ||
      append(t, e, " to") != OK || print_counts(t, n->destination, n->destinations, e) != OK)
    return FAIL;
  return append(t, e, "\n");
}

static enum status print_mark(struct action_text *t, int64_t iteration, struct err *e)
{
  return iteration == ACTION_MARK_END
             ? append(t, e, "# haichi: iteration end\n")
             : append(t, e, "# haichi: iteration %" PRId64 "\n", iteration);
}

enum status action_print(struct action_text *t, struct action_line line, const struct action *a,
                         struct err *e)
{
  if (a->kind == ACTION_MARK)
    return print_mark(t, a->count, e);
  if (a->kind == ACTION_DEFINE)
    return print_definition(t, a->comm, e);
  if (a->kind == ACTION_TOPOLOGY)
    return print_topology(t, a, e);
  if (a->kind == ACTION_TYPE)
    return append(t, e, "# haichi: type %d %" PRId64 "\n", a->type, a->count);
  if (a->comm != NULL && append(t, e, "# haichi: on %" PRIu64 "\n", a->comm->id) != OK)
    return FAIL;
  if (a->name != 0 && append(t, e, "# haichi: request %" PRId32 "\n", a->name) != OK)
    return FAIL;
  if (append(t, e, "%" PRIu32 " %s", line.rank, name_of(a)) != OK ||
      (action_is_relay(a->kind) ? print_relay(t, a, e) : print_arguments(t, line, a, e)) != OK ||
      print_types(t, a, e) != OK)
    return FAIL;
  return append(t, e, "\n");
}

bool action_is_extension(const struct action *a)
{
  const bool receives = a->kind == ACTION_RECV || a->kind == ACTION_IRECV;
  return (a->kind >= ACTION_WAITANY && a->kind <= ACTION_RELAY_COMPUTE) ||
         a->kind >= ACTION_ALLTOALLW || a->kind == ACTION_REDUCE_LOCAL ||
         a->mode != ACTION_STANDARD || a->derived > 0 || a->derived2 > 0 ||
         (a->comm != NULL && !action_is_note(a->kind)) ||
         (receives && (a->partner == ACTION_ANY_SOURCE || a->tag == ACTION_ANY_TAG)) ||
         (a->kind == ACTION_SENDRECV && a->source == ACTION_ANY_SOURCE);
}
