#include "wan/draws.h"

#include <math.h>
#include <stdlib.h>

#include "common/mem.h"
#include "common/numeric/rising.h"
#include "wan/bounding.h"

/* --- plan ------------------------------------------------------------------------------------- */

struct near {
  uint64_t rtt_ps;
  uint32_t process;
};

static int compare(const void *a, const void *b)
{
  const struct near *x = a, *y = b;
  return RISING(x->rtt_ps, y->rtt_ps) ?: RISING(x->process, y->process);
}

struct planner {
  struct draws_plan *d;
  struct near *near; /* the n - 1 processes other than the current one */
  struct bounding_block block[BOUNDING_BLOCKS];
  uint32_t blocks;
};

static void sort_others(const struct planner *x, uint32_t p)
{
  const struct processes *all = x->d->processes;
  uint32_t count = 0;
  for (uint32_t q = 0; q < all->n; q++)
    if (q != p)
      x->near[count++] = (struct near){processes_rtt(all, p, q), q};
  qsort(x->near, count, sizeof *x->near, compare);
  for (uint32_t i = 0; i < count; i++)
    x->d->other[(size_t)p * (all->n - 1) + i] = x->near[i].process;
}

/* The tie at position @p at (from 0) in the RTT order of process @p p.  Its end is cut at position
 * @p end, the end of the block. */
static struct draws_tie tie_at(const struct planner *x, uint32_t p, uint32_t at, uint32_t end)
{
  const struct processes *all = x->d->processes;
  uint32_t low = at, high = at;
  struct draws_tie t = {.blocked = true};
  while (low > 0 && x->near[low - 1].rtt_ps == x->near[at].rtt_ps)
    low--;
  while (high < all->n - 1 && x->near[high].rtt_ps == x->near[at].rtt_ps)
    high++;
  for (uint32_t i = low; i < high; i++)
    t.blocked = t.blocked && processes_blocked(all, p, x->near[i].process);
  t.end = high < end ? high : end;
  t.other = low;
  t.count = high - low;
  return t;
}

static enum status add_ties(struct planner *x, uint32_t p, const struct bounding_block *b,
                            bool *blocked, struct err *e)
{
  struct draws_plan *d = x->d;
  const uint32_t first = b->first - 1, end = b->end - 1;
  *blocked = true;
  for (uint32_t at = first; at < end;) {
    if (MEM_GROW(d->tie, d->tie_room, d->ties + 1, e) != OK)
      return FAIL;
    struct draws_tie t = tie_at(x, p, at, end);
    at = t.end;
    t.end -= first;
    *blocked = *blocked && t.blocked;
    d->tie[d->ties++] = t;
  }
  return OK;
}

static enum status add_slot(struct planner *x, struct draws_slot s, struct err *e)
{
  struct draws_plan *d = x->d;
  if (MEM_GROW(d->slot, d->slot_room, d->slots + 1, e) != OK)
    return FAIL;
  d->slot[d->slots++] = s;
  return OK;
}

/* Plans a block in which every position is selected: one slot, with a known tie, for each position
 * that is not blocked. */
static enum status add_whole(struct planner *x, uint32_t tie, uint32_t block, struct err *e)
{
  uint32_t place = 0;
  for (; tie < x->d->ties; tie++)
    for (; place < x->d->tie[tie].end; place++)
      if (!x->d->tie[tie].blocked &&
          add_slot(x, (struct draws_slot){tie, 1, 0, block, 1, 1}, e) != OK)
        return FAIL;
  return OK;
}

static enum status add_block(struct planner *x, uint32_t p, uint32_t i, struct err *e)
{
  const struct bounding_block *b = &x->block[i];
  const uint32_t tie = (uint32_t)x->d->ties, places = b->end - b->first;
  bool blocked;
  if (add_ties(x, p, b, &blocked, e) != OK)
    return FAIL;
  if (blocked)
    return OK;
  if (b->whole == places)
    return add_whole(x, tie, i, e);
  const uint32_t ties = (uint32_t)x->d->ties - tie;
  for (uint32_t k = 0; k < b->whole + (b->part > 0); k++) {
    const bool sure = k < b->whole;
    const struct draws_slot s = {tie, ties, places, i, sure ? 1 : b->part, sure ? 1 : b->unit};
    if (add_slot(x, s, e) != OK)
      return FAIL;
  }
  return OK;
}

/* Orders the slots of a process: the nearest first, then the others from the farthest to the second
 * nearest.  A few near and a few far selections connect most graphs. */
static void reorder(struct draws_slot *s, size_t n)
{
  for (size_t a = 1, b = n - 1; a < b; a++, b--) {
    const struct draws_slot t = s[a];
    s[a] = s[b];
    s[b] = t;
  }
}

static enum status plan_all(struct planner *x, struct err *e)
{
  struct draws_plan *d = x->d;
  for (uint32_t p = 0; p < d->processes->n; p++) {
    sort_others(x, p);
    for (uint32_t i = 0; i < x->blocks; i++)
      if (add_block(x, p, i, e) != OK)
        return FAIL;
    d->first[p + 1] = d->slots;
    if (d->slots > d->first[p])
      reorder(d->slot + d->first[p], d->slots - d->first[p]);
  }
  return OK;
}

enum status draws_plan_new(struct draws_plan *out, const struct processes *p, uint32_t beta,
                           struct err *e)
{
  struct draws_plan d = {.processes = p};
  struct planner x = {.d = &d};
  enum status s = FAIL;
  x.blocks = bounding_blocks(x.block, p->n, beta);
  if ((x.near = mem_array(p->n, sizeof *x.near, e)) != NULL &&
      (d.other = mem_array((size_t)p->n * p->n, sizeof *d.other, e)) != NULL &&
      (d.first = mem_array((size_t)p->n + 1, sizeof *d.first, e)) != NULL)
    s = plan_all(&x, e);
  free(x.near);
  if (s == OK)
    *out = d;
  else
    draws_plan_clear(&d);
  return s;
}

void draws_plan_clear(struct draws_plan *d)
{
  free(d->other);
  free(d->tie);
  free(d->slot);
  free(d->first);
  *d = (struct draws_plan){0};
}

/* --- chances ---------------------------------------------------------------------------------- */

/* Number of processes of a tie in another cluster than @p p that accept connections. */
static uint32_t outside_of_tie(const struct draws_plan *d, uint32_t p, const struct draws_tie *t)
{
  const struct processes *all = d->processes;
  const uint32_t *other = d->other + (size_t)p * (all->n - 1) + t->other;
  uint32_t n = 0;
  for (uint32_t i = 0; i < t->count; i++)
    n += all->cluster[other[i]] != all->cluster[p] && !all->closed[other[i]];
  return n;
}

/* Probability that slot @p s opens no connection to another cluster, given that @p taken other
 * selections of its block opened none. */
static double stay_inside(const struct draws_plan *d, uint32_t p, const struct draws_slot *s,
                          uint32_t taken)
{
  uint32_t begin = 0, outside = 0;
  for (uint32_t i = s->tie; i < s->tie + s->ties; i++) {
    const struct draws_tie *t = &d->tie[i];
    const uint32_t n = outside_of_tie(d, p, t), here = t->end - begin;
    if (n > 0 && n < t->count && here < t->count)
      return NAN; /* the number of them in this block is random */
    outside += n == t->count ? here : n;
    begin = t->end;
  }
  if (s->places == 0)
    return outside == 0;
  if (outside + taken >= s->places)
    return (double)(s->unit - s->part) / s->unit;
  return 1 - (double)s->part / s->unit * outside / (s->places - taken);
}

double draws_none_outside(const struct draws_plan *d, uint32_t p)
{
  double none = 1;
  for (size_t i = d->first[p]; i < d->first[p + 1]; i++) {
    /* Other selections of the block: the earlier certain ones; of an uncertain slot, all. */
    uint32_t taken = 0;
    for (size_t k = d->first[p]; k < d->first[p + 1]; k++) {
      const bool sure = d->slot[k].unit == 1;
      taken +=
          k != i && d->slot[k].block == d->slot[i].block && sure && (k < i || d->slot[i].unit > 1);
    }
    none *= stay_inside(d, p, &d->slot[i], taken);
  }
  return none;
}

/* --- draws ------------------------------------------------------------------------------------ */

enum status draws_new(struct draws *out, const struct draws_plan *plan, struct err *e)
{
  struct draws d = {.plan = plan};
  if ((d.revealed = mem_array(plan->processes->n, sizeof *d.revealed, e)) == NULL ||
      (d.place = mem_array(plan->slots, sizeof *d.place, e)) == NULL ||
      (d.other = mem_array(plan->slots, sizeof *d.other, e)) == NULL) {
    draws_clear(&d);
    return FAIL;
  }
  *out = d;
  return OK;
}

void draws_clear(struct draws *d)
{
  free(d->revealed);
  free(d->place);
  free(d->other);
  *d = (struct draws){0};
}

void draws_begin(struct draws *d, uint64_t seed, uint64_t graph)
{
  d->rng = rng_new(seed, graph);
  for (uint32_t p = 0; p < d->plan->processes->n; p++)
    d->revealed[p] = 0;
}

/* Uniform in 0..n-1.  Only one call in 2^32 / n needs a division (Lemire, ACM TOMACS 29, 2019). */
static inline uint32_t below(struct rng *r, uint32_t n)
{
  uint64_t x = (rng_next(r) >> 32) * n;
  if ((uint32_t)x < n) {
    const uint32_t least = -n % n; /* 2^32 mod n */
    while ((uint32_t)x < least)
      x = (rng_next(r) >> 32) * n;
  }
  return (uint32_t)(x >> 32);
}

/* Returns the tie of slot @p i of process @p p.  If its block has several ties, draws a position
 * that no earlier slot has. */
static const struct draws_tie *draw_tie(struct draws *d, uint32_t p, size_t i)
{
  const struct draws_slot *slot = d->plan->slot, *s = &slot[i];
  const struct draws_tie *t = d->plan->tie + s->tie;
  if (s->places == 0 || s->ties == 1)
    return t;
  bool again = true;
  while (again) {
    d->place[i] = below(&d->rng, s->places);
    again = false;
    for (size_t k = d->plan->first[p]; k < i; k++)
      again = again || (slot[k].block == s->block && d->place[k] == d->place[i]);
  }
  while (t->end <= d->place[i])
    t++;
  return t;
}

/* Draws a process of the tie that no earlier slot of process @p p has. */
static uint32_t draw_other(struct draws *d, uint32_t p, size_t i, const struct draws_tie *t)
{
  bool again = true;
  while (again) {
    d->other[i] = t->other + (t->count == 1 ? 0 : below(&d->rng, t->count));
    again = false;
    for (size_t k = d->plan->first[p]; k < i; k++)
      again = again || d->other[k] == d->other[i];
  }
  return d->plan->other[(size_t)p * (d->plan->processes->n - 1) + d->other[i]];
}

uint32_t draws_reveal(struct draws *d, uint32_t p)
{
  const size_t i = d->plan->first[p] + d->revealed[p]++;
  const struct draws_slot *s = &d->plan->slot[i];
  d->place[i] = d->other[i] = DRAWS_NONE;
  if (s->unit > 1 && below(&d->rng, s->unit) >= s->part)
    return DRAWS_NONE;
  const struct draws_tie *t = draw_tie(d, p, i);
  if (t->blocked)
    return DRAWS_NONE;
  const uint32_t q = draw_other(d, p, i, t);
  return processes_blocked(d->plan->processes, p, q) ? DRAWS_NONE : q;
}
