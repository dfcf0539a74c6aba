#include "traces/collectives/collective.h"

#include <stdbool.h>
#include <string.h>

#include "common/registry.h"
#include "traces/collectives/algorithms.h"
#include "traces/collectives/nonblocking/nonblocking.h"
#include "traces/collectives/selectors/selector.h"

/* Maximum bytes shown of an unknown name. */
enum { NAME_SHOWN = 64 };

#define LIST(KIND, ROWS) [ACTION_##KIND - ACTION_BARRIER] = REGISTRY("algorithm", ROWS)

static const struct registry LISTS[COLLECTIVE_KINDS] = {
    LIST(BARRIER, BARRIER_ALGORITHMS),
    LIST(BCAST, BCAST_ALGORITHMS),
    LIST(REDUCE, REDUCE_ALGORITHMS),
    LIST(ALLREDUCE, ALLREDUCE_ALGORITHMS),
    LIST(ALLTOALL, ALLTOALL_ALGORITHMS),
    LIST(ALLTOALLV, ALLTOALLV_ALGORITHMS),
    LIST(GATHER, GATHER_ALGORITHMS),
    LIST(GATHERV, GATHERV_ALGORITHMS),
    LIST(SCATTER, SCATTER_ALGORITHMS),
    LIST(SCATTERV, SCATTERV_ALGORITHMS),
    LIST(ALLGATHER, ALLGATHER_ALGORITHMS),
    LIST(ALLGATHERV, ALLGATHERV_ALGORITHMS),
    LIST(REDUCESCATTER, REDUCE_SCATTER_ALGORITHMS),
    LIST(SCAN, SCAN_ALGORITHMS),
    LIST(EXSCAN, SCAN_ALGORITHMS),
};

const struct lower_algorithm *lower_algorithm(enum action_kind kind, size_t i)
{
  const void *const *row = LISTS[kind - ACTION_BARRIER].rows;
  size_t k = 0;
  for (; row[k] != NULL; k++)
    if (k == i)
      return row[k];
  return selector_at(kind, i - k);
}

/* Bytes that select a tuned algorithm: of the block of one rank, or of the message in collectives
 * without blocks; the mean if blocks differ. */
static uint64_t selecting_bytes(const struct lowering *l, enum action_kind kind)
{
  switch (kind) {
  case ACTION_GATHER:
    return selector_gathered(l);
  case ACTION_SCATTER:
    return selector_scattered(l);
  case ACTION_ALLGATHERV:
  case ACTION_REDUCESCATTER:
    return selector_total(l, l->recv_size) / l->ranks;
  default:
    return tuned_by_bytes(kind) ? l->send_bytes : 0;
  }
}

const struct lower_algorithm *lower_chosen(const struct lowering *l, enum action_kind kind)
{
  const struct tuned *s = &l->choice->tuned;
  size_t i = l->choice->algorithm[kind - ACTION_BARRIER];
  if (s->rows > 0 && (l->choice->named >> (kind - ACTION_BARRIER) & 1) == 0)
    i = tuned_find(s, kind, l->ranks, selecting_bytes(l, kind));
  return lower_algorithm(kind, i == SIZE_MAX ? 0 : i);
}

/* The only piece of l->algorithm, apart from lower_prepare and lower_nothing, and its collective;
 * NULL if there are several such pieces. */
static const struct lower_algorithm *only_piece(const struct lowering *l, struct lowering *of)
{
  const struct lower_algorithm *only = NULL, *p;
  struct lowering sub;
  for (uint32_t k = 0; (p = lower_piece(l, k, &sub)) != NULL; k++) {
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
  struct lowering of;
  l->algorithm = a;
  while (l->algorithm->step == NULL && only_piece(l, &of) != NULL)
    *l = of;
  return l->algorithm;
}

const struct collective_algorithm *collective_algorithm(enum action_kind kind, size_t i)
{
  const struct lower_algorithm *a = lower_algorithm(kind, i);
  return a == NULL ? NULL : &a->row;
}

/* Refuses SMPI's "automatic", which runs all algorithms one after another at each call. */
static enum status refuse_automatic(const char *text, struct err *e)
{
  return err_set(e,
                 "%s: runs all algorithms at each call to time them, which no program does; "
                 "name one, or a library",
                 text);
}

/* Algorithms of SimGrid 3.32 that are not lowered. */
static const struct refusal {
  enum action_kind kind;
  const char *name, *why;
} REFUSED[] = {
    {ACTION_BCAST, "arrival_pattern_aware", "rank 0 probes which ranks have arrived"},
    {ACTION_BCAST, "arrival_pattern_aware_wait", "rank 0 probes which ranks have arrived"},
    {ACTION_BCAST, "arrival_scatter", "rank 0 probes which ranks have arrived"},
    {ACTION_REDUCE, "arrival_pattern_aware", "rank 0 probes which ranks have arrived"},
    {ACTION_ALLTOALL, "pair_rma", "its transfers are one-sided"},
};

static enum status unknown_algorithm(enum action_kind kind, const char *name, const char *known,
                                     struct err *e)
{
  for (size_t i = 0; i < sizeof REFUSED / sizeof *REFUSED; i++)
    if (REFUSED[i].kind == kind && strcmp(REFUSED[i].name, name) == 0)
      return err_set(e, "collective %s: algorithm '%s' cannot be lowered: %s", action_name(kind),
                     name, REFUSED[i].why);
  if (strcmp(name, "automatic") == 0)
    return refuse_automatic(name, e);
  return err_set(e, "collective %s has no algorithm '%s'; it has: %s", action_name(kind), name,
                 known);
}

/* Finds the row @p name of a collective; false if it has none. */
static bool find(enum action_kind kind, const char *name, uint8_t *row)
{
  const struct collective_algorithm *a;
  for (size_t i = 0; (a = collective_algorithm(kind, i)) != NULL; i++)
    if (strcmp(a->name, name) == 0) {
      *row = (uint8_t)i;
      return true;
    }
  return false;
}

static enum status set_by_name(struct collectives *c, enum action_kind kind, const char *name,
                               struct err *e)
{
  char known[2048] = "";
  const struct collective_algorithm *a;
  const int k = kind - ACTION_BARRIER;
  if (find(kind, name, &c->algorithm[k])) {
    c->named |= UINT32_C(1) << k;
    return OK;
  }
  for (size_t i = 0; (a = collective_algorithm(kind, i)) != NULL; i++)
    err_list(known, sizeof known, a->name);
  return unknown_algorithm(kind, name, known, e);
}

enum status collective_kind(enum action_kind *out, const char *name, size_t length, struct err *e)
{
  for (enum action_kind kind = ACTION_BARRIER; kind <= ACTION_EXSCAN; kind++)
    if (strlen(action_name(kind)) == length && strncmp(action_name(kind), name, length) == 0) {
      *out = kind;
      return OK;
    }
  return err_set(e, "'%.*s' is not a collective; see 'haichi list collectives'",
                 length < NAME_SHOWN ? (int)length : NAME_SHOWN, name);
}

enum status collectives_set(struct collectives *c, const char *text, struct err *e)
{
  const char *equals = strchr(text, '=');
  enum action_kind kind = ACTION_BARRIER;
  if (equals == NULL)
    return err_set(e, "collective '%s': expected NAME=ALGORITHM, as in allreduce=rdb", text);
  if (collective_kind(&kind, text, (size_t)(equals - text), e) != OK)
    return FAIL;
  if (c->named >> (kind - ACTION_BARRIER) & 1)
    return err_set(e, "collective '%s' is given twice", action_name(kind));
  return set_by_name(c, kind, equals + 1, e);
}

enum status collectives_load(struct collectives *c, const char *path, struct err *e)
{
  if (tuned_load(&c->tuned, path, e) != OK)
    return FAIL;
  for (int k = 0; k < COLLECTIVE_KINDS; k++)
    if ((c->named >> k & 1) == 0)
      c->algorithm[k] = 0;
  c->tuned_file = path;
  return OK;
}

static bool is_library(const char *name)
{
  const struct lower_algorithm *a;
  for (size_t i = 0; (a = selector_at(ACTION_BARRIER, i)) != NULL; i++)
    if (strcmp(a->row.name, name) == 0)
      return true;
  return strcmp(name, "default") == 0;
}

enum status collectives_select(struct collectives *c, const char *name, struct err *e)
{
  if (strcmp(name, "automatic") == 0)
    return refuse_automatic(name, e);
  if (!is_library(name))
    return err_set(e, "'%s' is none of default, ompi, mpich, mvapich2, impi", name);
  for (int k = 0; k < COLLECTIVE_KINDS; k++) {
    uint8_t row = 0;
    find((enum action_kind)(ACTION_BARRIER + k), name, &row);
    if ((c->named >> k & 1) == 0)
      c->algorithm[k] = row;
  }
  c->tuned.rows = 0;
  c->tuned_file = NULL;
  return OK;
}
