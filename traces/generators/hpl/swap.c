/* The binary exchange of rows (HPL_pdlaswp00T): the ranks of a column send the rows of their pivots
 * up by recursive doubling; in each round, the number of ranks with U is multiplied by two. */
#include "traces/generators/hpl/charge.h"
#include "traces/generators/hpl/hpl.h"

/* A rank's side of the exchange for n columns. */
struct side {
  const struct hpl_panel *x;
  const struct hpl_rows *r;
  uint32_t power;
  uint64_t n, u, mine; /* u: doubles of U; mine: rows that the rank sends */
};

static uint32_t rank_of(const struct hpl_at *a, const struct side *s, uint32_t dist)
{
  return hpl_rank(a->h, hpl_after(s->x->prow, dist, a->h->o.p), a->col);
}

/* Doubles in a message of rows, each with its row number. */
static uint64_t packed(const struct side *s, uint64_t rows)
{
  return rows * (s->n + 1);
}

static void fold(struct hpl_at *a, const struct side *s)
{
  const uint32_t dist = s->x->dist, other = dist ^ s->power, rank = rank_of(a, s, other);
  if (dist == 0) {
    hpl_exchange(a, rank, s->u, packed(s, s->r->pivots[other]));
    hpl_charge(a, KERNEL_DLASWP03T, s->r->pivots[other], (double)s->n, 1);
  } else if (dist == s->power) {
    hpl_exchange(a, rank, packed(s, s->mine), s->u);
  } else if (dist > s->power) {
    hpl_send(a, rank, HPL_TAG_SWAP, packed(s, s->mine));
  } else {
    hpl_recv(a, rank, HPL_TAG_SWAP, packed(s, s->r->pivots[other]));
  }
}

/* Rows of the group of @p bit ranks that includes distance @p dist. */
static uint64_t rows_of_group(const struct side *s, uint32_t dist, uint32_t bit)
{
  const uint32_t first = dist / bit * bit;
  return s->r->before[first + bit] - s->r->before[first];
}

static void one_round(struct hpl_at *a, const struct side *s, uint32_t bit)
{
  const uint32_t dist = s->x->dist, other = dist ^ bit, rank = rank_of(a, s, other);
  const uint64_t mine = rows_of_group(s, dist, bit), theirs = rows_of_group(s, other, bit);
  if (dist < bit) {
    hpl_exchange(a, rank, s->u, packed(s, theirs));
    hpl_charge(a, KERNEL_DLASWP03T, (double)theirs, (double)s->n, 1);
  } else if (dist < 2 * bit) {
    hpl_exchange(a, rank, packed(s, mine), s->u);
    hpl_charge(a, KERNEL_DLASWP04T, (double)mine, (double)s->n, 1);
  } else {
    hpl_exchange(a, rank, packed(s, mine), packed(s, theirs));
  }
}

static void rounds(struct hpl_at *a, const struct side *s)
{
  const uint32_t p = a->h->o.p, dist = s->x->dist;
  for (uint32_t bit = 1; dist < s->power && bit < s->power; bit <<= 1) {
    one_round(a, s, bit);
    hpl_probe(a);
  }
  if (dist < s->power)
    return;
  hpl_tree(a,
           &(struct hpl_tree){hpl_after(s->x->prow, s->power, p), p - s->power, dist - s->power,
                              HPL_TAG_SWAP, true},
           s->u);
  hpl_charge(a, KERNEL_DLASWP05T, (double)s->mine, (double)s->n, 1);
}

void hpl_swap_exchange(struct hpl_at *a, const struct hpl_panel *x, uint64_t n)
{
  const uint32_t p = a->h->o.p, power = hpl_power(p), other = x->dist ^ power;
  const struct hpl_rows *r = hpl_rows_of(a, x);
  const struct side s = {x, r, power, n, x->width * n, r->pivots[x->dist]};
  const bool folds = p != power && other < p;
  if (x->dist == 0)
    hpl_charge(a, KERNEL_DLASWP01T, x->width + (double)s.mine, (double)n, 1);
  else
    hpl_charge(a, KERNEL_DLASWP02N, (double)s.mine, (double)n, 1);
  hpl_probe(a);
  if (folds)
    fold(a, &s);
  hpl_probe(a);
  rounds(a, &s);
  if (folds && x->dist >= power)
    hpl_recv(a, rank_of(a, &s, other), HPL_TAG_SWAP, s.u);
  else if (folds)
    hpl_send(a, rank_of(a, &s, other), HPL_TAG_SWAP, s.u);
  hpl_probe(a);
}
