#include "mappers/tune/moves.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/numeric/rising.h"
#include "mappers/tune/digits.h"

/* Limit of the hosts for listing the near hosts of each. */
enum { MOST_NEAR = 2048 };

struct moves {
  const struct mapper_input *in;
  uint32_t hosts, slots;
  uint32_t open; /* number of slots within the capacities; a mapping has the others last */
  struct digits host, rank;
  uint32_t *near;  /* by host: the other hosts, nearest first; NULL: too many hosts */
  uint32_t *owner; /* by slot: index of the rank or empty place in it */
  struct arena *mem;
  struct mapper_blame *blame; /* for MOVE_BLAMED; `seconds`: of this pair and the pairs before it */
  size_t blames, blame_room;
};

/* --- making ----------------------------------------------------------------------------------- */

struct neighbour {
  double latency_s;
  uint32_t hops, host;
};

static int by_distance(const void *a, const void *b)
{
  const struct neighbour *x = a, *y = b;
  return RISING(x->latency_s, y->latency_s) ?: RISING(x->hops, y->hops) ?: RISING(x->host, y->host);
}

static enum status sort_near(struct moves *m, struct platform_finder *f, struct neighbour *all,
                             struct err *e)
{
  for (uint32_t h = 0; h < m->hosts; h++) {
    uint32_t n = 0;
    for (uint32_t to = 0; to < m->hosts; to++) {
      struct platform_route route;
      if (to == h)
        continue;
      if (platform_route(f, h, to, &route, e) != OK)
        return FAIL;
      all[n++] = (struct neighbour){route.latency_s, route.links, to};
    }
    qsort(all, n, sizeof *all, by_distance);
    for (uint32_t i = 0; i < n; i++)
      m->near[(size_t)h * (m->hosts - 1) + i] = all[i].host;
  }
  return OK;
}

static enum status find_near(struct moves *m, struct arena *mem)
{
  ARENA(room, mem->e);
  struct platform_finder *f;
  if (m->hosts < 2 || m->hosts > MOST_NEAR)
    return OK;
  struct neighbour *all = arena_array(&room, m->hosts, sizeof *all);
  m->near = arena_array(mem, (size_t)m->hosts * (m->hosts - 1), sizeof *m->near);
  if (all == NULL || m->near == NULL || platform_finder_new(&f, m->in->platform, mem->e) != OK)
    return FAIL;
  const enum status s = sort_near(m, f, all, mem->e);
  platform_finder_free(f);
  return s;
}

/* The number of slots of a host beyond its capacity.  They are its last slots. */
static uint32_t closed_slots(const struct moves *m, uint32_t host)
{
  const uint32_t each = m->in->ranks_per_host, *capacity = m->in->capacity;
  return capacity != NULL && capacity[host] < each ? each - capacity[host] : 0;
}

static bool is_closed(const struct moves *m, uint32_t slot)
{
  const uint32_t each = m->in->ranks_per_host;
  return slot % each >= each - closed_slots(m, slot / each);
}

enum status moves_new(struct moves **out, const struct mapper_input *in, struct arena *mem)
{
  struct moves *m = arena_array(mem, 1, sizeof *m);
  if (m == NULL)
    return FAIL;
  m->in = in;
  m->mem = mem;
  m->hosts = platform_hosts(in->platform);
  m->slots = m->open = m->hosts * in->ranks_per_host;
  if (m->hosts > UINT32_MAX / 2 / in->ranks_per_host)
    return err_set(mem->e, "%" PRIu32 " hosts with %" PRIu32 " ranks each are too many", m->hosts,
                   in->ranks_per_host);
  for (uint32_t h = 0; h < m->hosts; h++)
    m->open -= closed_slots(m, h);
  m->host = digits_of_hosts(in->platform, false);
  digits_factor(&m->rank, in->ranks);
  *out = m;
  m->owner = arena_array(mem, m->slots, sizeof *m->owner);
  return m->owner == NULL ? FAIL : find_near(m, mem);
}

uint32_t moves_slots(const struct moves *m)
{
  return m->slots;
}

enum status moves_place(const struct moves *m, const uint32_t *host, uint32_t *at, struct err *e)
{
  const uint32_t ranks = m->in->ranks, each = m->in->ranks_per_host;
  ARENA(mem, e);
  bool *taken = arena_array(&mem, m->slots, sizeof *taken);
  if (taken == NULL)
    return FAIL;
  for (uint32_t r = 0; r < ranks; r++) {
    at[r] = host[r] * each;
    while (taken[at[r]])
      at[r]++;
    taken[at[r]] = true;
  }
  uint32_t i = ranks;
  for (int closed = 0; closed < 2; closed++)
    for (uint32_t slot = 0; slot < m->slots; slot++)
      if (!taken[slot] && is_closed(m, slot) == closed)
        at[i++] = slot;
  return OK;
}

/* --- two ranks -------------------------------------------------------------------------------- */

static uint32_t below(struct rng *r, uint32_t n)
{
  return (uint32_t)rng_below(r, n);
}

static void exchange(uint32_t *to, uint32_t a, uint32_t b)
{
  const uint32_t slot = to[a];
  to[a] = to[b];
  to[b] = slot;
}

static void swap_two(const struct moves *m, struct rng *r, uint32_t *to)
{
  const uint32_t a = below(r, m->in->ranks);
  if (m->open > 1)
    exchange(to, a, (a + 1 + below(r, m->open - 1)) % m->open);
}

/* Draws a near host: one of the 4 nearest, or with probability 1/2 one of the 8 nearest, or again
 * with probability 1/2 one of the 16 nearest, and so on. */
static uint32_t near_host(const struct moves *m, struct rng *r, uint32_t host)
{
  uint32_t among = 4;
  while (among < m->hosts - 1 && rng_below(r, 2) == 0)
    among *= 2;
  if (among > m->hosts - 1)
    among = m->hosts - 1;
  return m->near[(size_t)host * (m->hosts - 1) + below(r, among)];
}

/* Exchanges one of two ranks with the content of a slot near the other: if hosts take several
 * ranks, half of the time with a slot of the same host. */
static void join_pair(struct moves *m, struct rng *r, uint32_t src, uint32_t dst, uint32_t *to)
{
  const uint32_t each = m->in->ranks_per_host;
  const bool forth = rng_below(r, 2) == 0;
  const uint32_t a = forth ? src : dst, b = forth ? dst : src;
  for (uint32_t i = 0; i < m->slots; i++)
    m->owner[to[i]] = i;
  const uint32_t there = to[b] / each;
  const uint32_t host = each > 1 && below(r, 2) == 0 ? there : near_host(m, r, there);
  exchange(to, a, m->owner[host * each + below(r, each - closed_slots(m, host))]);
}

static void join_two(struct moves *m, struct rng *r, uint32_t *to)
{
  const struct matrix *t = m->in->traffic;
  if (t->count == 0 || m->near == NULL) {
    swap_two(m, r, to);
    return;
  }
  const struct matrix_entry x = matrix_at(t, rng_below(r, t->count));
  join_pair(m, r, x.src, x.dst, to);
}

/* --- blamed pairs ----------------------------------------------------------------------------- */

enum status moves_blame(struct moves *m, const struct mapper_blame *blame, size_t count,
                        struct err *e)
{
  double sum = 0;
  m->blames = 0;
  if (count > m->blame_room) {
    m->mem->e = e;
    m->blame_room = 2 * count;
    m->blame = arena_array(m->mem, m->blame_room, sizeof *m->blame);
    if (m->blame == NULL)
      return FAIL;
  }
  for (size_t i = 0; i < count; i++) {
    if (!(blame[i].seconds > 0) || blame[i].src == blame[i].dst)
      continue;
    m->blame[m->blames] = blame[i];
    m->blame[m->blames++].seconds = sum += blame[i].seconds;
  }
  return OK;
}

static void join_blamed(struct moves *m, struct rng *r, uint32_t *to)
{
  if (m->blames == 0 || m->near == NULL) {
    join_two(m, r, to);
    return;
  }
  const double drawn = rng_double(r) * m->blame[m->blames - 1].seconds;
  size_t first = 0, last = m->blames - 1;
  while (first < last) {
    const size_t middle = (first + last) / 2;
    if (m->blame[middle].seconds > drawn)
      last = middle;
    else
      first = middle + 1;
  }
  join_pair(m, r, m->blame[first].src, m->blame[first].dst, to);
}

/* --- boxes ------------------------------------------------------------------------------------ */

/* A box of numbers, and an exchange in it: of the digits `digit` and `other` or, if these are the
 * same, of the values a and b of the digit. */
struct box {
  const struct digits *d;
  uint32_t value[DIGITS_MOST]; /* by digit: its value in the box; UINT32_MAX: any */
  uint32_t digit, other;
  uint32_t a, b;
};

static void choose_box(struct box *x, const struct digits *d, struct rng *r)
{
  const uint32_t loose = below(r, 4); /* a digit may have any value with probability loose / 4 */
  x->d = d;
  x->digit = x->other = below(r, d->n);
  for (uint32_t i = 0; i < d->n; i++)
    x->value[i] = below(r, 4) < loose ? UINT32_MAX : below(r, d->side[i]);
  x->a = below(r, d->side[x->digit]);
  x->b = (x->a + 1 + below(r, d->side[x->digit] - 1)) % d->side[x->digit];
  const uint32_t other = below(r, d->n);
  if (below(r, 2) == 0 && d->side[other] == d->side[x->digit])
    x->other = other;
  x->value[x->digit] = x->value[x->other] = UINT32_MAX;
}

/* The number after the exchange.  All images are a permutation of the numbers. */
static uint32_t box_image(const struct box *x, uint32_t number)
{
  const struct digits *d = x->d;
  for (uint32_t i = 0; i < d->n; i++)
    if (x->value[i] != UINT32_MAX && digits_at(d, number, i) != x->value[i])
      return number;
  const uint32_t p = digits_at(d, number, x->digit), q = digits_at(d, number, x->other);
  if (x->digit != x->other)
    return number - p * d->stride[x->digit] - q * d->stride[x->other] + q * d->stride[x->digit] +
           p * d->stride[x->other];
  if (p != x->a && p != x->b)
    return number;
  return number - p * d->stride[x->digit] + (p == x->a ? x->b : x->a) * d->stride[x->digit];
}

static void change_hosts(const struct moves *m, struct rng *r, uint32_t *to)
{
  const uint32_t each = m->in->ranks_per_host;
  struct box x;
  choose_box(&x, &m->host, r);
  for (uint32_t i = 0; i < m->slots; i++)
    to[i] = box_image(&x, to[i] / each) * each + to[i] % each;
}

static void change_ranks(const struct moves *m, struct rng *r, const uint32_t *at, uint32_t *to)
{
  struct box x;
  choose_box(&x, &m->rank, r);
  for (uint32_t i = 0; i < m->in->ranks; i++)
    to[i] = at[box_image(&x, i)];
}

/* --- runs ------------------------------------------------------------------------------------- */

/* Rotates 2 to 9 ranks first, first + step, ... by some places, or reverses them. */
static void rotate(const struct moves *m, struct rng *r, const uint32_t *at, uint32_t *to)
{
  const uint32_t ranks = m->in->ranks, step = UINT32_C(1) << below(r, 4);
  const uint32_t first = below(r, ranks), most = (ranks - first + step - 1) / step;
  if (most < 2) {
    swap_two(m, r, to);
    return;
  }
  const uint32_t n = 2 + below(r, most < 9 ? most - 1 : 8), by = 1 + below(r, n - 1);
  const bool reverse = below(r, 2) == 0;
  for (uint32_t i = 0; i < n; i++)
    to[first + i * step] = at[first + (reverse ? n - 1 - i : (i + by) % n) * step];
}

void moves_make(struct moves *m, enum move kind, struct rng *r, const uint32_t *at, uint32_t *to)
{
  memcpy(to, at, m->slots * sizeof *to);
  if (kind == MOVE_HOSTS && m->host.n > 0 && m->open == m->slots)
    change_hosts(m, r, to);
  else if (kind == MOVE_RANKS && m->rank.n > 0)
    change_ranks(m, r, at, to);
  else if (kind == MOVE_ROTATE)
    rotate(m, r, at, to);
  else if (kind == MOVE_JOIN)
    join_two(m, r, to);
  else if (kind == MOVE_BLAMED)
    join_blamed(m, r, to);
  else
    swap_two(m, r, to);
}
