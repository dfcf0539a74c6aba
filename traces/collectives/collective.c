#include "traces/collectives/collective.h"

#include <string.h>

#include "traces/collectives/rows.h"

static const struct lower_algorithm *const *const ROWS[COLLECTIVE_KINDS] = {
    [ACTION_BARRIER - ACTION_BARRIER] = lower_barrier_rows,
    [ACTION_BCAST - ACTION_BARRIER] = lower_bcast_rows,
    [ACTION_REDUCE - ACTION_BARRIER] = lower_reduce_rows,
    [ACTION_ALLREDUCE - ACTION_BARRIER] = lower_allreduce_rows,
    [ACTION_ALLTOALL - ACTION_BARRIER] = lower_alltoall_rows,
    [ACTION_ALLTOALLV - ACTION_BARRIER] = lower_alltoallv_rows,
    [ACTION_GATHER - ACTION_BARRIER] = lower_gather_rows,
    [ACTION_GATHERV - ACTION_BARRIER] = lower_gatherv_rows,
    [ACTION_SCATTER - ACTION_BARRIER] = lower_scatter_rows,
    [ACTION_SCATTERV - ACTION_BARRIER] = lower_scatterv_rows,
    [ACTION_ALLGATHER - ACTION_BARRIER] = lower_allgather_rows,
    [ACTION_ALLGATHERV - ACTION_BARRIER] = lower_allgatherv_rows,
    [ACTION_REDUCESCATTER - ACTION_BARRIER] = lower_reduce_scatter_rows,
    [ACTION_SCAN - ACTION_BARRIER] = lower_scan_rows,
    [ACTION_EXSCAN - ACTION_BARRIER] = lower_scan_rows,
};

const struct lower_algorithm *lower_algorithm(enum action_kind kind, size_t i)
{
  const struct lower_algorithm *const *row = ROWS[kind - ACTION_BARRIER];
  for (size_t k = 0; row[k] != NULL; k++)
    if (k == i)
      return row[k];
  return NULL;
}

/* The bytes that a selection goes by: what a rank has for another, or all where there is no other;
 * where they differ by rank, their mean. */
static uint64_t selecting_bytes(const struct lowering *l, enum action_kind kind)
{
  uint64_t sum = 0;
  switch (kind) {
  case ACTION_GATHER:
    return l->rank == l->root ? l->recv_bytes : l->send_bytes;
  case ACTION_SCATTER:
    return l->rank == l->root ? l->send_bytes : l->recv_bytes;
  case ACTION_ALLGATHERV:
  case ACTION_REDUCESCATTER:
    for (uint32_t r = 0; r < l->ranks; r++)
      sum += (uint64_t)l->recvcounts[r];
    return sum * l->recv_size / l->ranks;
  default:
    return tuned_by_bytes(kind) ? l->send_bytes : 0;
  }
}

const struct lower_algorithm *lower_chosen(const struct lowering *l, enum action_kind kind)
{
  const struct tuned *s = &l->choice->tuned;
  size_t i = l->choice->algorithm[kind - ACTION_BARRIER];
  if (i == 0 && s->rows > 0)
    i = tuned_find(s, kind, l->ranks, selecting_bytes(l, kind));
  return lower_algorithm(kind, i == SIZE_MAX ? 0 : i);
}

/* The one piece of @p a that is not about finding out who shares a host; NULL if there are more. */
static const struct lower_algorithm *only_piece(const struct lower_algorithm *a,
                                                const struct lowering *l, struct lowering *of)
{
  const struct lower_algorithm *only = NULL, *p;
  struct lowering sub = *l;
  for (uint32_t k = 0; (p = a->piece(l, k, &sub)) != NULL; k++, sub = *l) {
    if (p == &lower_nothing || p == &lower_prepare)
      continue;
    if (only != NULL)
      return NULL;
    only = p;
    *of = sub;
  }
  return only;
}

const struct lower_algorithm *lower_picked(const struct lower_algorithm *a, struct lowering *l)
{
  struct lowering of = *l;
  while (a->piece != NULL) {
    const struct lower_algorithm *only = only_piece(a, l, &of);
    if (only == NULL)
      return a;
    a = only;
    *l = of;
  }
  return a;
}

const struct collective_algorithm *collective_algorithm(enum action_kind kind, size_t i)
{
  const struct lower_algorithm *a = lower_algorithm(kind, i);
  return a == NULL ? NULL : &a->row;
}

/* Algorithms of SimGrid 3.32 that are not lowered. */
static const struct refusal {
  enum action_kind kind;
  const char *name, *why;
} REFUSED[] = {
    {ACTION_BCAST, "arrival_pattern_aware", "rank 0 probes who has arrived"},
    {ACTION_BCAST, "arrival_pattern_aware_wait", "rank 0 probes who has arrived"},
    {ACTION_BCAST, "arrival_scatter", "rank 0 probes who has arrived"},
    {ACTION_REDUCE, "arrival_pattern_aware", "rank 0 probes who has arrived"},
    {ACTION_ALLTOALL, "pair_rma", "its transfers are one-sided"},
};

static enum status unknown_algorithm(enum action_kind kind, const char *name, const char *known,
                                     struct err *e)
{
  for (size_t i = 0; i < sizeof REFUSED / sizeof *REFUSED; i++)
    if (REFUSED[i].kind == kind && strcmp(REFUSED[i].name, name) == 0)
      return err_set(e, "collective %s: algorithm '%s' cannot be lowered: %s", action_name(kind),
                     name, REFUSED[i].why);
  return err_set(e, "collective %s has no algorithm '%s'; it has: %s", action_name(kind), name,
                 known);
}

enum status collectives_set(struct collectives *c, const char *text, struct err *e)
{
  const char *equals = strchr(text, '=');
  if (equals == NULL)
    return err_set(e, "collective '%s': expected NAME=ALGORITHM, as allreduce=rdb", text);
  for (int k = 0; k < COLLECTIVE_KINDS; k++) {
    const enum action_kind kind = (enum action_kind)(ACTION_BARRIER + k);
    const char *name = action_name(kind);
    if (strlen(name) != (size_t)(equals - text) || strncmp(name, text, strlen(name)) != 0)
      continue;
    char known[1024] = "";
    for (size_t i = 0; collective_algorithm(kind, i) != NULL; i++) {
      if (strcmp(collective_algorithm(kind, i)->name, equals + 1) == 0) {
        c->algorithm[k] = (uint8_t)i;
        return OK;
      }
      err_list(known, sizeof known, collective_algorithm(kind, i)->name);
    }
    return unknown_algorithm(kind, equals + 1, known, e);
  }
  return err_set(e, "'%.*s' is not a collective; see 'haichi list collectives'",
                 (int)(equals - text), text);
}

enum status collectives_load(struct collectives *c, const char *path, struct err *e)
{
  if (tuned_load(&c->tuned, path, e) != OK)
    return FAIL;
  c->tuned_file = path;
  return OK;
}
