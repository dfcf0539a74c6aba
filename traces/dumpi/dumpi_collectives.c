#include "traces/dumpi/dumpi_rank.h"

#include <string.h>

#include "common/mem.h"

/* Arguments of a collective; -1: the record lacks this type or count. */
struct stated {
  enum action_kind kind;
  int32_t comm, root;
  int32_t to_count, to_type, from_count, from_type;
  int to_array, from_array; /* numbers of the arrays of counts; -1: none */
  int to_types, from_types; /* numbers of the arrays of datatypes; -1: none */
};

/* By function: the index of each argument in the record; -1: the record lacks it. */
static const struct layout {
  unsigned function;
  struct stated at;
} LAYOUTS[] = {
    {DUMPI_BARRIER, {ACTION_BARRIER, 0, -1, -1, -1, -1, -1, -1, -1, -1, -1}},
    {DUMPI_BCAST, {ACTION_BCAST, 3, 2, 0, 1, -1, -1, -1, -1, -1, -1}},
    {DUMPI_GATHER, {ACTION_GATHER, 4, 3, 1, 2, 5, 6, -1, -1, -1, -1}},
    {DUMPI_GATHERV, {ACTION_GATHERV, 5, 4, 2, 3, -1, 6, -1, 0, -1, -1}},
    {DUMPI_SCATTER, {ACTION_SCATTER, 4, 3, 5, 6, 1, 2, -1, -1, -1, -1}},
    {DUMPI_SCATTERV, {ACTION_SCATTERV, 6, 5, -1, 2, 3, 4, 0, -1, -1, -1}},
    {DUMPI_ALLGATHER, {ACTION_ALLGATHER, 4, -1, 0, 1, 2, 3, -1, -1, -1, -1}},
    {DUMPI_ALLGATHERV, {ACTION_ALLGATHERV, 4, -1, 1, 2, -1, 3, -1, 0, -1, -1}},
    {DUMPI_ALLTOALL, {ACTION_ALLTOALL, 4, -1, 0, 1, 2, 3, -1, -1, -1, -1}},
    {DUMPI_ALLTOALLV, {ACTION_ALLTOALLV, 3, -1, -1, 1, -1, 2, 0, 2, -1, -1}},
    {DUMPI_REDUCE, {ACTION_REDUCE, 4, 3, 0, 1, -1, -1, -1, -1, -1, -1}},
    {DUMPI_ALLREDUCE, {ACTION_ALLREDUCE, 3, -1, 0, 1, -1, -1, -1, -1, -1, -1}},
    {DUMPI_REDUCE_SCATTER, {ACTION_REDUCESCATTER, 3, -1, -1, -1, -1, 1, -1, 0, -1, -1}},
    {DUMPI_SCAN, {ACTION_SCAN, 3, -1, 0, 1, -1, -1, -1, -1, -1, -1}},
    {DUMPI_EXSCAN, {ACTION_EXSCAN, 3, -1, 0, 1, -1, -1, -1, -1, -1, -1}},
    {DUMPI_ALLTOALLW, {ACTION_ALLTOALLW, 1, -1, -1, -1, -1, -1, 0, 3, 2, 5}},
};

static int32_t at(const struct dumpi_record *r, int32_t i)
{
  return i >= 0 && (uint32_t)i < r->numbers ? r->number[i] : -1;
}

static struct stated state(const struct dumpi_record *r, const struct stated *l)
{
  struct stated s = *l;
  s.comm = at(r, l->comm);
  s.root = l->root < 0 ? 0 : at(r, l->root);
  s.to_count = at(r, l->to_count);
  s.to_type = at(r, l->to_type);
  s.from_count = at(r, l->from_count);
  s.from_type = at(r, l->from_type);
  return s;
}

/* --- equal sizes ----------------------------------------------------------------------------- */

static enum status set_block(struct dumpi_rank *d, const struct stated *s, struct record *x,
                             struct err *e)
{
  uint64_t to = 0, from = 0;
  if (s->to_count >= 0 && dumpi_rank_bytes(d, s->to_count, s->to_type, &to, e) != OK)
    return FAIL;
  if (s->from_count >= 0 && dumpi_rank_bytes(d, s->from_count, s->from_type, &from, e) != OK)
    return FAIL;
  /* The record of a call in place lacks the size of the rank's own block, which equals the size of
   * the other blocks. */
  const bool receives = s->kind == ACTION_ALLTOALL || s->kind == ACTION_ALLGATHER ||
                        (s->kind == ACTION_GATHER && s->from_count >= 0);
  const bool sends = s->from_count < 0 || (s->kind == ACTION_SCATTER && s->to_count >= 0);
  x->sent = receives || s->to_count < 0 ? from : to;
  x->received = sends ? to : from;
  return OK;
}

/* --- sizes by member ------------------------------------------------------------------------- */

/* Sets bytes[] by an array of counts.  Leaves bytes[] unchanged if the record lacks the array. */
static enum status add_counts(struct dumpi_rank *d, const struct stated *s, bool to,
                              uint64_t *bytes, uint32_t members, struct err *e)
{
  const struct dumpi_record *r = &d->file.record;
  const int array = to ? s->to_array : s->from_array, types = to ? s->to_types : s->from_types;
  if (array < 0 || (uint32_t)array >= r->arrays)
    return OK;
  const struct dumpi_array *a = &r->array[array];
  if (a->count > members)
    return dumpi_rank_refuse(d, e, "%u counts, but the communicator has %u members",
                             (unsigned)a->count, (unsigned)members);
  for (uint32_t i = 0; i < a->count; i++) {
    int32_t type = to ? s->to_type : s->from_type;
    if (types >= 0 && (uint32_t)types < r->arrays && i < r->array[types].count)
      type = r->value[r->array[types].first + i];
    if (dumpi_rank_bytes(d, r->value[a->first + i], type, &bytes[i], e) != OK)
      return FAIL;
  }
  return OK;
}

static bool is_zero(const uint64_t *bytes, uint32_t n)
{
  for (uint32_t i = 0; i < n; i++)
    if (bytes[i] != 0)
      return false;
  return true;
}

/* Sets the rank's own block, which the record of a call in place lacks. */
static enum status set_own(struct dumpi_rank *d, const struct stated *s, uint32_t me, uint32_t n,
                           struct err *e)
{
  uint64_t *to = d->bytes, *from = d->bytes + n;
  const bool root = (int32_t)me == s->root;
  switch (s->kind) {
  case ACTION_GATHERV:
    if (!root)
      return dumpi_rank_bytes(d, s->to_count, s->to_type, &to[me], e);
    to[me] = from[me];
    return OK;
  case ACTION_SCATTERV:
    if (!root)
      return dumpi_rank_bytes(d, s->from_count, s->from_type, &from[me], e);
    from[me] = to[me];
    return OK;
  case ACTION_ALLGATHERV:
    to[me] = from[me];
    return OK;
  case ACTION_ALLTOALLV:
  case ACTION_ALLTOALLW:
    if (is_zero(to, n))
      memcpy(to, from, n * sizeof *to);
    return OK;
  default:
    return OK;
  }
}

static enum status set_volumes(struct dumpi_rank *d, const struct stated *s, struct dumpi_comm *c,
                               struct record *x, struct err *e)
{
  const uint32_t n = c->count;
  uint32_t me = 0;
  if (MEM_GROW(d->bytes, d->bytes_room, 2 * (size_t)n, e) != OK)
    return FAIL;
  memset(d->bytes, 0, 2 * (size_t)n * sizeof *d->bytes);
  while (me < n && c->member[me] != d->rank)
    me++;
  if (add_counts(d, s, true, d->bytes, n, e) != OK ||
      add_counts(d, s, false, d->bytes + n, n, e) != OK || set_own(d, s, me, n, e) != OK)
    return FAIL;
  return volumes_put_exact(&d->recording->volumes, d->bytes, d->bytes + n, n, x, e);
}

/* --- calls ----------------------------------------------------------------------------------- */

static const struct stated *layout_of(unsigned function)
{
  for (size_t i = 0; i < sizeof LAYOUTS / sizeof *LAYOUTS; i++)
    if (LAYOUTS[i].function == function)
      return &LAYOUTS[i].at;
  return NULL;
}

enum status dumpi_collective(struct dumpi_rank *d, bool *known, struct err *e)
{
  const struct dumpi_record *r = &d->file.record;
  const struct stated *layout = layout_of(r->function);
  struct dumpi_comm *c;
  struct record x = {0};
  *known = layout != NULL;
  if (layout == NULL)
    return OK;
  const struct stated s = state(r, layout);
  const bool sized = s.to_array >= 0 || s.from_array >= 0;
  x.kind = (uint8_t)s.kind;
  if (dumpi_rank_compute(d, e) != OK || dumpi_rank_comm(d, s.comm, &x, &c, e) != OK)
    return FAIL;
  if (s.root < 0 || (uint32_t)s.root >= c->count)
    return dumpi_rank_refuse(d, e, "the root %d is not in the communicator of %u members",
                             (int)s.root, (unsigned)c->count);
  x.root = (uint32_t)s.root;
  if ((sized ? set_volumes(d, &s, c, &x, e) : set_block(d, &s, &x, e)) != OK)
    return FAIL;
  return records_put(&d->recording->records, &x, e);
}
