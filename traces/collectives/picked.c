#include "traces/collectives/picked.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/mem.h"
#include "traces/collectives/lower.h"
#include "traces/collectives/nodes.h"
#include "traces/collectives/selectors/selector.h"

static bool is_selector(const struct lower_algorithm *a)
{
  const struct lower_algorithm *s;
  for (int kind = ACTION_BARRIER; kind <= ACTION_EXSCAN; kind++)
    for (size_t i = 0; (s = selector_at((enum action_kind)kind, i)) != NULL; i++)
      if (s == a)
        return true;
  return false;
}

bool picked_chooses(enum action_kind kind, size_t i)
{
  return i == 0 || is_selector(lower_algorithm(kind, i));
}

static void append(char *text, size_t size, const char *word)
{
  const size_t n = strlen(text);
  snprintf(text + n, size - n, "%s", word);
}

static void name_one(char *text, size_t size, const struct lower_algorithm *a,
                     const struct lowering *l)
{
  append(text, size, text[0] == '\0' ? "" : "+");
  append(text, size, a->row.name);
  if (l->between == NULL && l->within == NULL)
    return;
  append(text, size, "(");
  append(text, size, l->between == NULL ? "" : l->between->row.name);
  append(text, size, ",");
  append(text, size, l->within == NULL ? "" : l->within->row.name);
  append(text, size, ")");
}

/* Names all picked algorithms.  A selector may pick another selector.  "default" is replaced by the
 * algorithm that lower_picked() finds. */
static void name_all(char *text, size_t size, const struct lower_algorithm *a,
                     const struct lowering *l)
{
  const struct lower_algorithm *p;
  struct lowering of = *l, sub;
  of.algorithm = a;
  if (strcmp(a->row.name, "default") == 0)
    a = lower_picked(a, &of);
  if (!is_selector(a)) {
    name_one(text, size, a, &of);
    return;
  }
  for (uint32_t k = 0; (p = lower_piece(&of, k, &sub)) != NULL; k++)
    if (p != &lower_nothing)
      name_all(text, size, p, &sub);
}

enum status picked_name(char *text, size_t size, enum action_kind kind, size_t i,
                        const struct picked_call *call, struct err *e)
{
  const struct collectives on = {.ranks_per_host = call->per_host};
  struct lowering l = {.ranks = call->ranks,
                       .count = call->bytes,
                       .send_bytes = call->bytes,
                       .recv_bytes = call->bytes,
                       .send_size = 1,
                       .recv_size = 1,
                       .choice = &on,
                       .prepared = UINT64_MAX};
  int32_t *counts = mem_array(call->ranks, sizeof *counts, e);
  struct nodes *nodes = counts == NULL ? NULL : nodes_new(NULL, call->ranks, &on, e);
  if (nodes == NULL) {
    free(counts);
    return FAIL;
  }
  for (uint32_t r = 0; r < call->ranks; r++)
    counts[r] = (int32_t)call->bytes;
  l.sendcounts = l.recvcounts = counts;
  l.nodes = nodes;
  text[0] = '\0';
  name_all(text, size, lower_algorithm(kind, i), &l);
  nodes_free(nodes);
  free(counts);
  return OK;
}
