#include "mappers/merge/pattern.h"

#include <stdlib.h>
#include <string.h>

#include "common/mem.h"
#include "common/numeric/rng.h"

void merge_pattern_init(struct merge_patterns *p, uint32_t ndims, const uint32_t *length,
                        const uint32_t *other_length)
{
  *p = (struct merge_patterns){.ndims = ndims, .reflections = 1, .permutations = 1};
  uint32_t members[MERGE_PLAN_MAX_DIMS] = {0}; /* number of axes of each kind */
  for (uint32_t d = 0; d < ndims; d++) {
    uint32_t k = 0;
    while (k < d && (length[d] < 2 || length[k] != length[d] || other_length[k] != other_length[d]))
      k++;
    p->kind[d] = (uint8_t)k;
    p->permutations *= ++members[k];
    if (p->permutations > UINT32_MAX)
      p->permutations = UINT32_MAX;
    if (length[d] < 2)
      continue;
    p->flips |= (uint32_t)1 << d;
    p->reflections *= 2;
  }
}

/* Makes the next permutation, in lexicographic order, that exchanges axes only within their kinds.
 * Returns false after the last. */
static bool next_permutation(const struct merge_patterns *p, uint8_t *from)
{
  /* Find the last position with a larger axis of its kind to the right.  Exchange it with the
   * smallest such axis. */
  for (uint32_t d = p->ndims; d-- > 0;) {
    uint32_t best = p->ndims;
    for (uint32_t k = d + 1; k < p->ndims; k++)
      if (p->kind[k] == p->kind[d] && from[k] > from[d] &&
          (best == p->ndims || from[k] < from[best]))
        best = k;
    if (best == p->ndims)
      continue;
    const uint8_t t = from[d];
    from[d] = from[best];
    from[best] = t;
    /* Sort the axes of each kind to the right of that position. */
    for (uint32_t i = d + 1; i < p->ndims; i++)
      for (uint32_t k = i + 1; k < p->ndims; k++)
        if (p->kind[k] == p->kind[i] && from[k] < from[i]) {
          const uint8_t s = from[i];
          from[i] = from[k];
          from[k] = s;
        }
    return true;
  }
  return false;
}

enum status merge_pattern_list(struct merge_patterns *p, struct err *e)
{
  p->table = mem_array(p->permutations, p->ndims, e);
  if (p->table == NULL)
    return FAIL;
  const struct merge_pattern first = merge_pattern_identity(p->ndims);
  uint8_t from[MERGE_PLAN_MAX_DIMS];
  memcpy(from, first.from, sizeof from);
  uint8_t *row = p->table;
  do {
    memcpy(row, from, p->ndims);
    row += p->ndims;
  } while (next_permutation(p, from));
  return OK;
}

enum status merge_pattern_shuffle(struct merge_patterns *p, uint64_t seed, struct err *e)
{
  const uint32_t n = (uint32_t)merge_pattern_count(p);
  uint32_t *order = mem_array(n, sizeof *order, e);
  if (order == NULL)
    return FAIL;
  for (uint32_t i = 0; i < n; i++)
    order[i] = i;
  struct rng rng = rng_new(seed, n);
  rng_shuffle(&rng, order, n);
  free(p->order);
  p->order = order;
  return OK;
}

void merge_pattern_clear(struct merge_patterns *p)
{
  free(p->table);
  free(p->order);
  p->table = NULL;
  p->order = NULL;
}

uint64_t merge_pattern_count(const struct merge_patterns *p)
{
  const uint64_t n = p->permutations * p->reflections;
  return n > UINT32_MAX ? UINT32_MAX : n;
}

/* Moves bit i of @p rank to the i-th axis that may be reflected. */
static uint32_t spread(uint32_t flips, uint32_t rank)
{
  uint32_t flip = 0;
  for (uint32_t left = flips; left != 0; left &= left - 1, rank >>= 1)
    if ((rank & 1) != 0)
      flip |= left & -left;
  return flip;
}

struct merge_pattern merge_pattern_at(const struct merge_patterns *p, uint64_t i)
{
  if (p->order != NULL)
    i = p->order[i];
  const uint32_t rank = p->reflections - 1 - (uint32_t)(i % p->reflections);
  struct merge_pattern out = {.flip = spread(p->flips, rank)};
  memcpy(out.from, p->table + i / p->reflections * p->ndims, p->ndims);
  return out;
}

struct merge_pattern merge_pattern_identity(uint32_t ndims)
{
  struct merge_pattern p = {.flip = 0};
  for (uint32_t d = 0; d < ndims; d++)
    p.from[d] = (uint8_t)d;
  return p;
}

void merge_pattern_apply(const struct merge_pattern *p, uint32_t ndims, const uint32_t *length,
                         const uint32_t *at, uint32_t *to)
{
  for (uint32_t d = 0; d < ndims; d++) {
    const uint32_t a = p->from[d];
    to[d] = (p->flip >> d & 1) != 0 ? length[a] - 1 - at[a] : at[a];
  }
}
