/* Opens the input as the spec of a generator and reads the first actions of the first and the last
 * rank. */
#include <stdbool.h>
#include <string.h>

#include "tests/fuzz/input.h"
#include "traces/files/spool.h"
#include "traces/generators/generator.h"
#include "traces/trace.h"

enum { LONGEST = 100, ACTIONS = 500 };

/* Opening these takes seconds: IS above class A generates all its keys, and graphs may be large. */
static bool is_slow(const char *text)
{
  return (strncmp(text, "npb:is.", 7) == 0 && strchr("SWA", text[7]) == NULL) ||
         (strncmp(text, "random:", 7) == 0 && strcspn(text + 7, ":") > 4);
}

static void read_rank(struct trace *t, uint32_t rank)
{
  const struct action *a;
  struct err e;
  for (int i = 0; i < ACTIONS; i++) {
    if (trace_next(t, rank, &a, &e) != OK)
      abort(); /* an open trace is readable */
    if (a == NULL)
      return;
    if (a->kind <= ACTION_IRECV && a->kind >= ACTION_SEND && (uint32_t)a->partner >= trace_ranks(t))
      abort();
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  char text[LONGEST + 1] = "";
  struct trace *t;
  struct err e;
  memcpy(text, data, size < LONGEST ? size : LONGEST);
  if (!generator_is_spec(text) || is_slow(text) || trace_open(&t, text, SPOOL_LIMIT, &e) != OK)
    return 0;
  read_rank(t, 0);
  read_rank(t, trace_ranks(t) - 1);
  trace_rewind(t);
  trace_single_iteration(t);
  read_rank(t, 0);
  trace_free(t);
  return 0;
}
