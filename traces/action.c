#include "traces/action.h"

#include <stdlib.h>

#include "common/lines.h"
#include "common/mem.h"
#include "traces/files/parse.h"

/* The name of a collective and of its nonblocking form. */
#define COLLECTIVE(kind, name)                                                                     \
  [kind] = name, [ACTION_NONBLOCKING - ACTION_BARRIER + (kind)] = "i" name

const char *action_name(enum action_kind kind)
{
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
      [ACTION_COMM] = "comm_size",
      [ACTION_MARK] = "iteration",
      [ACTION_DEFINE] = "comm",
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
  };
  return kind < ACTION_KINDS ? NAME[kind] : "?";
}

int32_t action_request_tag(enum action_kind kind)
{
  static const int16_t TAG[ACTION_NONBLOCKING] = {
      [ACTION_BARRIER] = -779,       [ACTION_BCAST] = -3335,    [ACTION_REDUCE] = -113,
      [ACTION_ALLREDUCE] = -4446,    [ACTION_ALLTOALL] = -1113, [ACTION_ALLTOALLV] = -1001,
      [ACTION_GATHER] = -446,        [ACTION_GATHERV] = -2224,  [ACTION_SCATTER] = -224,
      [ACTION_SCATTERV] = -335,      [ACTION_ALLGATHER] = -557, [ACTION_ALLGATHERV] = -668,
      [ACTION_REDUCESCATTER] = -890, [ACTION_SCAN] = -889,      [ACTION_EXSCAN] = -889,
      [ACTION_ALLTOALLW] = -1021,
  };
  return TAG[action_blocking(kind)];
}

void action_reader_reset(struct action_reader *r)
{
  r->doubles = r->finished = false;
  r->members = r->ranks;
  r->knowns = 0;
  r->on = NULL;
  r->name = 0;
}

void action_reader_clear(struct action_reader *r)
{
  free(r->counts);
  free(r->known);
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
  const char *end = text + length;
  size_t n = 0;
  text[length] = '\0';
  for (char *p = text;; n++) {
    while (lines_is_blank(*p))
      p++;
    if (*p == '\0') {
      w->count = n;
      return p == end ? OK : err_set(e, "the line has a NUL byte");
    }
    if (n == w->room && more_words(w, e) != OK)
      return FAIL;
    w->word[n] = p;
    while (!ends_word(*p))
      p++;
    if (*p != '\0')
      *p++ = '\0';
  }
}
