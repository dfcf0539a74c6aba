#include "mappers/tune/descent.h"

#include <string.h>

#include "common/arena.h"

static enum status blame(const struct descent *d, struct err *e)
{
  return d->blame == NULL ? OK : d->blame(d->data, d->moves, e);
}

enum status descent_run(const struct descent *d, struct rng *r, uint32_t *at, double *least,
                        struct err *e)
{
  ARENA(mem, e);
  const uint32_t slots = moves_slots(d->moves);
  const size_t size = slots * sizeof *at;
  uint32_t *current = arena_array(&mem, slots, sizeof *current);
  uint32_t *to = arena_array(&mem, slots, sizeof *to);
  if (arena_status(&mem) != OK)
    return FAIL;
  const enum move kinds = d->blame == NULL ? MOVE_BLAMED : MOVES;
  double score = *least = d->score(d->data, at);
  if (blame(d, e) != OK)
    return FAIL;
  memcpy(current, at, size);
  for (uint32_t i = 0; i < d->steps; i++) {
    const double heat = d->heat * (d->steps - i) / d->steps;
    moves_make(d->moves, (enum move)rng_below(r, kinds), r, current, to);
    const double next = d->score(d->data, to);
    if (next >= score * (1 + heat * heat))
      continue;
    memcpy(current, to, size);
    score = next;
    if (blame(d, e) != OK)
      return FAIL;
    if (score >= *least)
      continue;
    *least = score;
    memcpy(at, current, size);
  }
  return OK;
}
