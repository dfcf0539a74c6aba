#include "traces/action.h"

#include <inttypes.h>
#include <stdlib.h>

#include "common/files/lines.h"
#include "common/mem.h"
#include "traces/datatype.h"
#include "traces/files/parse.h"

/* Maximum bytes of a block of a derived datatype.  Keeps the bytes of all ranks together within 64
 * bits. */
#define DERIVED_BYTES_MAX (INT64_C(1) << 43)

/* Names of a collective and of its nonblocking form. */
#define COLLECTIVE(kind, name)                                                                     \
  [kind] = name, [ACTION_NONBLOCKING - ACTION_BARRIER + (kind)] = "i" name

static const char *const NAME[ACTION_KINDS] = {
    [ACTION_INIT] = "init",
    [ACTION_FINALIZE] = "finalize",
    [ACTION_COMPUTE] = "compute",
    [ACTION_SLEEP] = "sleep",
    [ACTION_SEND] = "send",
    [ACTION_ISEND] = "isend",
    [ACTION_RECV] = "recv",
    [ACTION_IRECV] = "irecv",
    [ACTION_SENDRECV] = "sendRecv",
    [ACTION_WAIT] = "wait",
    [ACTION_TEST] = "test",
    [ACTION_WAITALL] = "waitall",
    [ACTION_WAITANY] = "waitAny",
    [ACTION_RELAY] = "relay",
    [ACTION_RELAY_PROBE] = "relayProbe",
    [ACTION_RELAY_COMPUTE] = "relayCompute",
    [ACTION_COMM] = "comm_size",
    [ACTION_MARK] = "iteration",
    [ACTION_DEFINE] = "comm",
    [ACTION_TYPE] = "type",
    [ACTION_TOPOLOGY] = "topology",
    [ACTION_REDUCE_LOCAL] = "reduce_local",
    COLLECTIVE(ACTION_BARRIER, "barrier"),
    COLLECTIVE(ACTION_BCAST, "bcast"),
    COLLECTIVE(ACTION_REDUCE, "reduce"),
    COLLECTIVE(ACTION_ALLREDUCE, "allreduce"),
    COLLECTIVE(ACTION_ALLTOALL, "alltoall"),
    COLLECTIVE(ACTION_ALLTOALLV, "alltoallv"),
    COLLECTIVE(ACTION_GATHER, "gather"),
    COLLECTIVE(ACTION_GATHERV, "gatherv"),
    COLLECTIVE(ACTION_SCATTER, "scatter"),
    COLLECTIVE(ACTION_SCATTERV, "scatterv"),
    COLLECTIVE(ACTION_ALLGATHER, "allgather"),
    COLLECTIVE(ACTION_ALLGATHERV, "allgatherv"),
    COLLECTIVE(ACTION_REDUCESCATTER, "reducescatter"),
    COLLECTIVE(ACTION_SCAN, "scan"),
    COLLECTIVE(ACTION_EXSCAN, "exscan"),
    COLLECTIVE(ACTION_ALLTOALLW, "alltoallw"),
    COLLECTIVE(ACTION_NEIGHBOR_ALLGATHER, "neighbor_allgather"),
    COLLECTIVE(ACTION_NEIGHBOR_ALLGATHERV, "neighbor_allgatherv"),
    COLLECTIVE(ACTION_NEIGHBOR_ALLTOALL, "neighbor_alltoall"),
    COLLECTIVE(ACTION_NEIGHBOR_ALLTOALLV, "neighbor_alltoallv"),
    COLLECTIVE(ACTION_NEIGHBOR_ALLTOALLW, "neighbor_alltoallw"),
};

const char *action_name(enum action_kind kind)
{
  return kind < ACTION_KINDS ? NAME[kind] : "?";
}

uint64_t action_size(const struct action *a)
{
  return a->derived > 0 ? a->derived : datatype_size(a->type);
}

uint64_t action_size2(const struct action *a)
{
  return a->derived2 > 0 ? a->derived2 : datatype_size(a->type2);
}

int32_t action_request_tag(enum action_kind kind)
{
  static const int16_t TAG[ACTION_NONBLOCKING] = {
      [ACTION_BARRIER] = -779,
      [ACTION_BCAST] = -3335,
      [ACTION_REDUCE] = -113,
      [ACTION_ALLREDUCE] = -4446,
      [ACTION_ALLTOALL] = -1113,
      [ACTION_ALLTOALLV] = -1001,
      [ACTION_GATHER] = -446,
      [ACTION_GATHERV] = -2224,
      [ACTION_SCATTER] = -224,
      [ACTION_SCATTERV] = -335,
      [ACTION_ALLGATHER] = -557,
      [ACTION_ALLGATHERV] = -668,
      [ACTION_REDUCESCATTER] = -890,
      [ACTION_SCAN] = -889,
      [ACTION_EXSCAN] = -889,
      [ACTION_ALLTOALLW] = -1021,
      [ACTION_NEIGHBOR_ALLGATHER] = -5001,
      [ACTION_NEIGHBOR_ALLGATHERV] = -5002,
      [ACTION_NEIGHBOR_ALLTOALL] = -5003,
      [ACTION_NEIGHBOR_ALLTOALLV] = -5004,
      [ACTION_NEIGHBOR_ALLTOALLW] = -5005,
  };
  return TAG[action_blocking(kind)];
}

bool action_is_request_tag(int32_t tag)
{
  for (int k = ACTION_BARRIER; k < ACTION_NONBLOCKING; k++)
    if (action_request_tag(k) == tag)
      return true;
  return false;
}

static void forget_topologies(struct action_reader *r)
{
  for (size_t i = 0; i < r->topologies; i++) {
    neighbours_clear(&r->topology[i]->neighbours);
    free(r->topology[i]);
  }
  r->topologies = 0;
}

void action_reader_reset(struct action_reader *r)
{
  forget_topologies(r);
  r->neighbours = NULL;
  r->source = ACTION_ANY_SOURCE;
  r->doubles = r->finished = false;
  r->members = r->ranks;
  r->knowns = r->types = 0;
  r->on = NULL;
  r->name = 0;
}

void action_reader_clear(struct action_reader *r)
{
  free(r->counts);
  free(r->known);
  free(r->type);
  forget_topologies(r);
  free(r->topology);
}

const struct action_type *action_reader_type(const struct action_reader *r, int64_t id)
{
  for (size_t i = 0; i < r->types; i++)
    if (r->type[i].id == id)
      return &r->type[i];
  return NULL;
}

const struct neighbours *action_reader_neighbours(const struct action_reader *r,
                                                  const struct comm *c)
{
  for (size_t i = 0; i < r->topologies; i++)
    if (r->topology[i]->comm == c)
      return &r->topology[i]->neighbours;
  return NULL;
}

static int64_t larger(int64_t most, const int32_t *counts, uint32_t n)
{
  for (uint32_t i = 0; counts != NULL && i < n; i++)
    most = counts[i] > most ? counts[i] : most;
  return most;
}

static int64_t largest_count(const struct action_reader *r, const struct action *a)
{
  const struct neighbours *n = a->neighbours;
  const int64_t most = larger(a->count > a->count2 ? a->count : a->count2, a->sendcounts,
                              n == NULL ? r->members : n->destinations);
  return larger(most, a->recvcounts, n == NULL ? r->members : n->sources);
}

enum status action_check_sizes(const struct action_reader *r, const struct action *a,
                               const char *name, struct err *e)
{
  const uint32_t bytes = a->derived > a->derived2 ? a->derived : a->derived2;
  const int64_t most = largest_count(r, a);
  if (most <= DERIVED_BYTES_MAX / bytes)
    return OK;
  return err_set(e, "%s: %" PRId64 " elements of %" PRIu32 " bytes: more than %" PRId64 " bytes",
                 name, most, bytes, DERIVED_BYTES_MAX);
}

static enum status more_words(struct action_words *w, struct err *e)
{
  if (MEM_GROW(w->word, w->room, w->room + 1, e) != OK)
    return FAIL;
  return OK;
}

static bool ends_word(char c)
{
  return c <= ' ' && (c == '\0' || lines_is_blank(c));
}

enum status action_split(struct action_words *w, char *text, size_t length, struct err *e)
{
  size_t n = 0;
  text[length] = '\0';
  for (char *p = text;; n++) {
    while (lines_is_blank(*p))
      p++;
    if (*p == '\0') {
      w->count = n;
      return p == text + length ? OK : err_set(e, "the line has a NUL byte");
    }
    if (n == w->room && more_words(w, e) != OK)
      return FAIL;
    w->word[n] = p;
    do
      p++;
    while (!ends_word(*p));
    if (*p != '\0')
      *p++ = '\0';
  }
}
