#include "traces/action.h"

#include <stdlib.h>

#include "common/lines.h"
#include "common/mem.h"
#include "traces/files/parse.h"

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
      [ACTION_BARRIER] = "barrier",
      [ACTION_BCAST] = "bcast",
      [ACTION_REDUCE] = "reduce",
      [ACTION_ALLREDUCE] = "allreduce",
      [ACTION_ALLTOALL] = "alltoall",
      [ACTION_ALLTOALLV] = "alltoallv",
      [ACTION_GATHER] = "gather",
      [ACTION_GATHERV] = "gatherv",
      [ACTION_SCATTER] = "scatter",
      [ACTION_SCATTERV] = "scatterv",
      [ACTION_ALLGATHER] = "allgather",
      [ACTION_ALLGATHERV] = "allgatherv",
      [ACTION_REDUCESCATTER] = "reducescatter",
      [ACTION_SCAN] = "scan",
      [ACTION_EXSCAN] = "exscan",
  };
  return kind < ACTION_KINDS ? NAME[kind] : "?";
}

void action_reader_reset(struct action_reader *r)
{
  r->doubles = r->finished = false;
  r->members = r->ranks;
  r->knowns = 0;
  r->on = NULL;
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
