/** @file once.h
 *  Checks that each contribution to a reduction counts once.  Tracks, block by block, which
 *  ranks have contributed to the data of a rank at each point of an exchange.  A rank sends its
 *  current data.  Received data is added if both have no contribution in common, and replaces
 *  the data of the rank if it includes all its contributions.  In all other cases, the common
 *  contributions would count twice.
 *
 *  Requires that the sizes of messages tell their blocks: either there is one block, and
 *  messages are empty or contain it completely; or block i has 2^i bytes, which is bit i of the
 *  size.  In the second case a rank may also forward the last received data unchanged, as
 *  MPICH's recursive doubling does.
 */
#pragma once

#include "tests/unit/traces/collectives/exchange.h"

struct once {
  uint32_t blocks;
  /* By point and block, a bit mask of contributing ranks: to the data of the rank, and to the
   * last received data.  Owned. */
  uint64_t *has, *came;
  uint32_t rank, twice; /* the first rank that would count another rank twice */
};

static inline void once_clear(struct once *o)
{
  free(o->has);
  free(o->came);
}

static inline bool once_fits(uint64_t own, uint64_t got)
{
  return (own & got) == 0 || (own & ~got) == 0;
}

/* Adds block @p b of the reception that leads to point @p i. */
static inline bool once_receive(struct once *o, const struct exchange *x, uint32_t i, uint32_t b)
{
  const struct point *p = &x->point[i];
  const size_t at = (size_t)i * o->blocks + b, from = (size_t)p->from * o->blocks + b;
  const uint64_t own = o->has[(size_t)p->before * o->blocks + b];
  const bool carried = o->blocks == 1 ? p->bytes > 0 : (p->bytes >> b & 1) != 0;
  uint64_t got = carried ? o->has[from] : 0;
  if (o->blocks > 1 && !once_fits(own, got) && o->came[from] != 0 && once_fits(own, o->came[from]))
    got = o->came[from];
  o->has[at] = own | got;
  o->came[at] = got;
  o->rank = p->rank;
  o->twice = (uint32_t)__builtin_ffsll((long long)(own & got)) - 1;
  return once_fits(own, got);
}

/** Fills in *o, which the caller clears.  Returns false if a rank would count another rank
 *  twice. */
static inline bool once_follow(struct once *o, const struct exchange *x, uint32_t blocks)
{
  *o = (struct once){.blocks = blocks};
  o->has = calloc((size_t)x->points * blocks, sizeof *o->has);
  o->came = calloc((size_t)x->points * blocks, sizeof *o->came);
  assert_non_null(o->has);
  assert_non_null(o->came);
  for (uint32_t i = 0; i < x->points; i++)
    for (uint32_t b = 0; b < blocks; b++) {
      if (x->point[i].before == EXCHANGE_NONE)
        o->has[(size_t)i * blocks + b] = UINT64_C(1) << x->point[i].rank;
      else if (!once_receive(o, x, i, b))
        return false;
    }
  return true;
}
