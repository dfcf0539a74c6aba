/** @file blocks.h
 *  Tests whether the messages of an exchange (exchange.h) can carry the blocks of an all-to-all,
 *  in which each rank has a separate block for each other rank.  Passes the blocks from rank to
 *  rank: if all of them arrive, the messages suffice.
 */
#pragma once

#include "tests/unit/traces/collectives/exchange.h"

/* Blocks: for each origin, a bit mask of destinations. */
struct blocks {
  uint64_t of[EXCHANGE_RANKS];
};

struct blocks_case {
  const struct exchange *x;
  uint64_t (*bytes)(const void *data, uint32_t origin, uint32_t destination);
  const void *data;
  struct blocks *held;    /* blocks at each point; backwards: blocks that must be there */
  uint64_t *reach;        /* bit masks of ranks that can be reached from each point */
  uint64_t *come;         /* bit masks of ranks from which each point can be reached */
  uint32_t *next;         /* the following point of the same rank */
  uint32_t *first, *list; /* linked lists of the messages sent from each point */
};

static inline void blocks_reach(struct blocks_case *b)
{
  const struct exchange *x = b->x;
  for (uint32_t i = 0; i < x->points; i++) {
    const struct point *p = &x->point[i];
    b->come[i] =
        p->before == EXCHANGE_NONE ? UINT64_C(1) << p->rank : b->come[p->before] | b->come[p->from];
  }
  for (uint32_t r = 0; r < x->ranks; r++)
    b->reach[x->rank[r].last] |= UINT64_C(1) << r;
  for (uint32_t i = x->points; i-- > 0;) {
    const struct point *p = &x->point[i];
    if (p->before == EXCHANGE_NONE)
      continue;
    b->reach[p->before] |= b->reach[i];
    b->reach[p->from] |= b->reach[i];
    b->next[p->before] = i;
    b->list[i] = b->first[p->from];
    b->first[p->from] = i;
  }
}

/* Bit mask of the ranks that a block at point @p from can reach if it takes neither the message
 * to point @p to nor an earlier one. */
static inline uint64_t blocks_otherwise(const struct blocks_case *b, uint32_t from, uint32_t to)
{
  uint64_t reach = b->next[from] == EXCHANGE_NONE ? UINT64_C(1) << b->x->point[from].rank
                                                  : b->reach[b->next[from]];
  for (uint32_t m = b->first[from]; m != EXCHANGE_NONE; m = b->list[m])
    if (m > to)
      reach |= b->reach[m];
  return reach;
}

/* True if a block for @p destination was already passed on from point @p from by an earlier
 * message, to a point from which it can arrive. */
static inline bool blocks_gone(const struct blocks_case *b, uint32_t from, uint32_t to,
                               uint32_t origin, uint32_t destination)
{
  for (uint32_t m = b->first[from]; m != EXCHANGE_NONE; m = b->list[m])
    if (m < to && (b->held[m].of[origin] & b->reach[m]) >> destination & 1)
      return true;
  return false;
}

/* Puts blocks for the ranks of @p mask into the message as long as there is room. */
static inline void blocks_hand(struct blocks_case *b, uint32_t i, uint64_t mask, bool unless_gone,
                               uint64_t *room)
{
  const struct point *p = &b->x->point[i];
  for (uint32_t o = 0; o < b->x->ranks; o++) {
    uint64_t left = b->held[p->from].of[o] & ~b->held[i].of[o] & mask & b->reach[i];
    for (; left != 0; left &= left - 1) {
      const uint32_t d = (uint32_t)__builtin_ctzll(left);
      const uint64_t bytes = b->bytes(b->data, o, d);
      if (bytes > *room || (unless_gone && blocks_gone(b, p->from, i, o, d)))
        continue;
      *room -= bytes;
      b->held[i].of[o] |= UINT64_C(1) << d;
    }
  }
}

/* The message carries the blocks for its receiver, then blocks that cannot arrive by another
 * path, then copies of the remaining blocks. */
static inline void blocks_receive(struct blocks_case *b, uint32_t i)
{
  const struct point *p = &b->x->point[i];
  uint64_t room = p->bytes;
  b->held[i] = b->held[p->before];
  blocks_hand(b, i, UINT64_C(1) << p->rank, false, &room);
  if (room > 0)
    blocks_hand(b, i, ~blocks_otherwise(b, p->from, i), true, &room);
  if (room > 0)
    blocks_hand(b, i, UINT64_MAX, false, &room);
}

/* Forwards: each point passes its blocks on.  If false, *origin and *destination name a block
 * that does not arrive. */
static inline bool blocks_forwards(struct blocks_case *b, uint32_t *origin, uint32_t *destination)
{
  const struct exchange *x = b->x;
  for (uint32_t i = 0; i < x->points; i++)
    if (x->point[i].before == EXCHANGE_NONE)
      b->held[i].of[x->point[i].rank] = UINT64_MAX >> (64 - x->ranks);
    else
      blocks_receive(b, i);
  for (uint32_t o = 0; o < x->ranks; o++)
    for (uint32_t d = 0; d < x->ranks; d++) {
      *origin = o;
      *destination = d;
      if ((b->held[x->rank[d].last].of[o] >> d & 1) == 0 && b->bytes(b->data, o, d) > 0)
        return false;
    }
  return true;
}

/* Requests the blocks of rank @p origin that point @p i needs: from the sender of the message
 * while there is room in it, the rest from the previous point of the rank. */
static inline void blocks_ask(struct blocks_case *b, uint32_t i, uint32_t origin, uint64_t *room)
{
  const struct point *p = &b->x->point[i];
  for (uint64_t left = b->held[i].of[origin]; left != 0; left &= left - 1) {
    const uint32_t d = (uint32_t)__builtin_ctzll(left);
    const uint64_t bytes = b->bytes(b->data, origin, d);
    const bool carried = (b->come[p->from] >> origin & 1) != 0 && bytes <= *room;
    b->held[carried ? p->from : p->before].of[origin] |= UINT64_C(1) << d;
    *room -= carried ? bytes : 0;
  }
}

/* The message carries the blocks of its sender, then blocks that cannot have arrived earlier. */
static inline void blocks_ask_all(struct blocks_case *b, uint32_t i)
{
  const struct point *p = &b->x->point[i];
  const uint32_t sender = b->x->point[p->from].rank;
  uint64_t room = p->bytes, none = 0;
  blocks_ask(b, i, sender, &room);
  for (uint32_t o = 0; o < b->x->ranks; o++)
    if (o != sender)
      blocks_ask(b, i, o, (b->come[p->before] >> o & 1) != 0 ? &none : &room);
}

/* Backwards: each point requests the blocks that it must have. */
static inline bool blocks_backwards(struct blocks_case *b)
{
  const struct exchange *x = b->x;
  memset(b->held, 0, x->points * sizeof *b->held);
  for (uint32_t o = 0; o < x->ranks; o++)
    for (uint32_t d = 0; d < x->ranks; d++)
      if (b->bytes(b->data, o, d) > 0)
        b->held[x->rank[d].last].of[o] |= UINT64_C(1) << d;
  for (uint32_t i = x->points; i-- > 0;) {
    if (x->point[i].before != EXCHANGE_NONE) {
      blocks_ask_all(b, i);
      continue;
    }
    for (uint32_t o = 0; o < x->ranks; o++)
      if (b->held[i].of[o] != 0 && o != x->point[i].rank)
        return false;
  }
  return true;
}

/* True if all blocks arrive.  If false, *origin and *destination name a block that does not
 * arrive. */
static inline bool blocks_arrive(const struct exchange *x, const void *data,
                                 uint64_t (*bytes)(const void *, uint32_t, uint32_t),
                                 uint32_t *origin, uint32_t *destination)
{
  const uint32_t n = x->points;
  struct blocks_case b = {.x = x,
                          .bytes = bytes,
                          .data = data,
                          .held = calloc(n, sizeof *b.held),
                          .reach = calloc(n, sizeof *b.reach),
                          .come = calloc(n, sizeof *b.come),
                          .next = malloc(n * sizeof *b.next),
                          .first = malloc(n * sizeof *b.first),
                          .list = malloc(n * sizeof *b.list)};
  assert_true(b.held != NULL && b.reach != NULL && b.come != NULL);
  assert_true(b.next != NULL && b.first != NULL && b.list != NULL);
  memset(b.next, 0xff, n * sizeof *b.next);
  memset(b.first, 0xff, n * sizeof *b.first);
  blocks_reach(&b);
  const bool arrive = blocks_forwards(&b, origin, destination) || blocks_backwards(&b);
  free(b.held);
  free(b.reach);
  free(b.come);
  free(b.next);
  free(b.first);
  free(b.list);
  return arrive;
}
