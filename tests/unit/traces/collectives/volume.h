/** @file volume.h
 *  Computes how many of the bytes that ranks hold initially can be at other ranks in the end, if
 *  no message of an exchange (exchange.h) carries more than its size.
 */
#pragma once

#include "tests/unit/traces/collectives/exchange.h"

/* Bytes that each rank has initially and must have in the end.  Bytes are interchangeable. */
struct volume {
  uint64_t supply[EXCHANGE_RANKS], demand[EXCHANGE_RANKS];
};

/* A backward flow of bytes, from the demands to the supplies. */
struct volume_flow {
  uint64_t *most;           /* most bytes that can be at a point */
  uint64_t *due;            /* bytes that must be at a point */
  uint64_t *kept, *carried; /* bytes that a point gets from the previous one and by message */
  uint32_t *next;           /* the following point of the same rank */
  uint32_t *message;        /* the last point that a message from this point leads to... */
  uint32_t *other;          /* ...and, by destination, the one before it in this list */
  uint32_t *way, *queue;    /* of a search */
};

static inline void *volume_array(uint32_t n, size_t size)
{
  void *p = calloc(n + 1, size);
  assert_non_null(p);
  return p;
}

static inline uint64_t volume_min(uint64_t a, uint64_t b)
{
  return a < b ? a : b;
}

static inline uint64_t volume_total(const struct exchange *x, const struct volume *v)
{
  uint64_t sum = 0;
  for (uint32_t r = 0; r < x->ranks; r++)
    sum += v->demand[r];
  return sum;
}

/* The most bytes that can be at each point if no byte were sent twice. */
static inline void volume_limits(const struct exchange *x, const struct volume *v, uint64_t *most)
{
  const uint64_t total = volume_total(x, v);
  for (uint32_t i = 0; i < x->points; i++) {
    const struct point *p = &x->point[i];
    if (p->before == EXCHANGE_NONE)
      most[i] = volume_min(total, v->supply[p->rank]);
    else
      most[i] = volume_min(total, most[p->before] + volume_min(p->bytes, most[p->from]));
  }
}

/* Takes the bytes due at each point from its message (@p messages) or from the previous point as
 * far as possible, and the rest from the other one.  Returns true if this satisfies the demands. */
static inline bool volume_greedy(const struct exchange *x, const struct volume *v,
                                 const uint64_t *most, uint64_t *due, bool messages)
{
  memset(due, 0, x->points * sizeof *due);
  for (uint32_t r = 0; r < x->ranks; r++)
    due[x->rank[r].last] += v->demand[r];
  for (uint32_t i = x->points; i-- > 0;) {
    const struct point *p = &x->point[i];
    if (p->before == EXCHANGE_NONE) {
      if (due[i] > v->supply[p->rank])
        return false;
      continue;
    }
    const uint64_t carry = volume_min(p->bytes, most[p->from]);
    const uint64_t kept = volume_min(due[i], most[p->before]);
    const uint64_t taken = volume_min(carry, messages ? due[i] : due[i] - kept);
    due[p->from] += taken;
    due[p->before] += due[i] - taken;
  }
  return true;
}

static inline struct volume_flow volume_flow_new(const struct exchange *x)
{
  const uint32_t n = x->points;
  struct volume_flow f = {.kept = volume_array(n, sizeof *f.kept),
                          .carried = volume_array(n, sizeof *f.carried),
                          .next = volume_array(n, sizeof *f.next),
                          .message = volume_array(n, sizeof *f.message),
                          .other = volume_array(n, sizeof *f.other),
                          .way = volume_array(n, sizeof *f.way),
                          .queue = volume_array(n, sizeof *f.queue)};
  memset(f.next, 0xff, n * sizeof *f.next);
  memset(f.message, 0xff, n * sizeof *f.message);
  for (uint32_t i = 0; i < n; i++) {
    if (x->point[i].before == EXCHANGE_NONE)
      continue;
    f.next[x->point[i].before] = i;
    f.other[i] = f.message[x->point[i].from];
    f.message[x->point[i].from] = i;
  }
  return f;
}

static inline void volume_flow_free(struct volume_flow *f)
{
  free(f->kept);
  free(f->carried);
  free(f->next);
  free(f->message);
  free(f->other);
  free(f->way);
  free(f->queue);
}

/* Remaining capacity from point @p from to point @p to, against the direction of messages. */
static inline uint64_t volume_left(const struct exchange *x, const struct volume_flow *f,
                                   uint32_t from, uint32_t to)
{
  const struct point *p = &x->point[from];
  if (p->before == to)
    return UINT64_MAX;
  if (p->from == to && p->bytes > f->carried[from])
    return p->bytes - f->carried[from];
  if (x->point[to].before == from)
    return f->kept[to];
  return x->point[to].from == from ? f->carried[to] : 0;
}

static inline void volume_visit(const struct exchange *x, struct volume_flow *f, uint32_t from,
                                uint32_t to, uint32_t *last)
{
  if (to == EXCHANGE_NONE || f->way[to] != EXCHANGE_NONE || volume_left(x, f, from, to) == 0)
    return;
  f->way[to] = from;
  f->queue[(*last)++] = to;
}

/* Finds the shortest path from the last point of @p sink to an initial point with remaining @p
 * supply.  Returns EXCHANGE_NONE if there is none. */
static inline uint32_t volume_search(const struct exchange *x, struct volume_flow *f,
                                     const uint64_t *supply, uint32_t sink)
{
  uint32_t last = 1;
  memset(f->way, 0xff, x->points * sizeof *f->way);
  f->queue[0] = x->rank[sink].last;
  f->way[f->queue[0]] = f->queue[0];
  for (uint32_t k = 0; k < last; k++) {
    const uint32_t i = f->queue[k];
    if (x->point[i].before == EXCHANGE_NONE && supply[x->point[i].rank] > 0)
      return i;
    volume_visit(x, f, i, x->point[i].before, &last);
    volume_visit(x, f, i, x->point[i].from, &last);
    volume_visit(x, f, i, f->next[i], &last);
    for (uint32_t m = f->message[i]; m != EXCHANGE_NONE; m = f->other[m])
      volume_visit(x, f, i, m, &last);
  }
  return EXCHANGE_NONE;
}

static inline void volume_push(const struct exchange *x, struct volume_flow *f, uint32_t from,
                               uint32_t to, uint64_t amount)
{
  const struct point *p = &x->point[from];
  if (p->before == to)
    f->kept[from] += amount;
  else if (p->from == to && p->bytes > f->carried[from])
    f->carried[from] += amount;
  else if (x->point[to].before == from)
    f->kept[to] -= amount;
  else
    f->carried[to] -= amount;
}

/* Moves the largest possible amount along the path found to @p source; returns the amount. */
static inline uint64_t volume_augment(const struct exchange *x, struct volume_flow *f,
                                      uint64_t *supply, uint32_t source, uint64_t amount)
{
  amount = volume_min(amount, supply[x->point[source].rank]);
  for (uint32_t i = source; f->way[i] != i; i = f->way[i])
    amount = volume_min(amount, volume_left(x, f, f->way[i], i));
  for (uint32_t i = source; f->way[i] != i; i = f->way[i])
    volume_push(x, f, f->way[i], i, amount);
  supply[x->point[source].rank] -= amount;
  return amount;
}

/* Same as volume_fits(), by augmenting paths. */
static inline bool volume_exact(const struct exchange *x, const struct volume *v)
{
  struct volume_flow f = volume_flow_new(x);
  struct volume left = *v;
  bool fits = true;
  for (uint32_t r = 0; r < x->ranks && fits; r++)
    while (left.demand[r] > 0 && fits) {
      const uint32_t source = volume_search(x, &f, left.supply, r);
      fits = source != EXCHANGE_NONE;
      if (fits)
        left.demand[r] -= volume_augment(x, &f, left.supply, source, left.demand[r]);
    }
  volume_flow_free(&f);
  return fits;
}

/* True if the demands can be satisfied: a maximum flow, which one of two greedy guesses nearly
 * always finds. */
static inline bool volume_fits(const struct exchange *x, const struct volume *v)
{
  uint64_t *most = volume_array(x->points, sizeof *most);
  uint64_t *due = volume_array(x->points, sizeof *due);
  volume_limits(x, v, most);
  const bool fits = volume_greedy(x, v, most, due, true) || volume_greedy(x, v, most, due, false) ||
                    volume_exact(x, v);
  free(most);
  free(due);
  return fits;
}

/* True if @p bytes of rank @p from can be at rank @p to in the end. */
static inline bool volume_between(const struct exchange *x, uint32_t from, uint32_t to,
                                  uint64_t bytes)
{
  struct volume v = {.supply = {0}};
  v.supply[from] = v.demand[to] = bytes;
  return volume_fits(x, &v);
}

/* Sets, for each point, the bits of the ranks from which @p bytes can arrive there in one piece. */
static inline void volume_whole(const struct exchange *x, uint64_t bytes, uint64_t *whole)
{
  for (uint32_t i = 0; i < x->points; i++) {
    const struct point *p = &x->point[i];
    if (p->before == EXCHANGE_NONE)
      whole[i] = UINT64_C(1) << p->rank;
    else
      whole[i] = whole[p->before] | (p->bytes >= bytes ? whole[p->from] : 0);
  }
}
