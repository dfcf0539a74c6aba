/* The long swap (HPL_pdlaswp01T): the current row spreads the rows that others get (HPL_spreadT),
 * the pieces of U are made equally long (HPL_equil) and rolled through the ring of all ranks of the
 * column (HPL_rollT). */
#include "traces/generators/hpl/charge.h"
#include "traces/generators/hpl/hpl.h"

/* A spread from place `from` of the ring to the places after it or, if `back`, before it: place i
 * gets the rows start[i] to start[i + 1] - 1 of U, in n columns. */
struct spread {
  const struct hpl_rows *r;
  const uint32_t *start;
  uint32_t from;
  bool back;
  uint64_t n;
};

/* Rows of @p places places from distance @p at of s->from on.  Backwards, HPL sends the rows of one
 * place more. */
static uint64_t rows_from(const struct spread *s, uint32_t at, uint32_t places, uint32_t size)
{
  if (!s->back)
    return s->start[s->from + (at + places < size ? at + places : size)] - s->start[s->from + at];
  const uint32_t place = s->from - at;
  return s->start[place + 1] - s->start[place - (place < places ? place : places)];
}

/* A binary tree over places: each rank gets the rows of all places below it. */
static void spread(struct hpl_at *a, const struct spread *s)
{
  const uint32_t place = s->r->place[a->row];
  const uint32_t size = s->back ? s->from + 1 : a->h->o.p - s->from;
  if (size == 1 || (s->back ? place > s->from : place < s->from))
    return;
  const uint32_t me = s->back ? s->from - place : place - s->from;
  for (uint32_t bit = hpl_power(size - 1); bit > 0; bit >>= 1) {
    const uint32_t other = me ^ bit, right = me | bit;
    if (me % bit == 0 && right < size) {
      const uint32_t to = s->back ? s->from - other : s->from + other;
      const uint64_t n = rows_from(s, right, bit, size) * s->n;
      const uint32_t rank = hpl_rank(a->h, s->r->order[to], a->col);
      if ((me & bit) != 0)
        hpl_recv(a, rank, HPL_TAG_SWAP, n);
      else
        hpl_send(a, rank, HPL_TAG_SWAP, n);
    }
    hpl_probe(a);
  }
}

/* Pieces of U of nearly equal length. */
struct equal {
  uint32_t small, larger; /* rows of a piece; number of pieces with one row more */
};

static uint32_t equal_start(const struct equal *q, uint32_t place)
{
  return place * q->small + (place < q->larger ? place : q->larger);
}

/* Ignores the last place, as HPL does. */
static bool is_equal(const struct hpl_rows *r, const struct equal *q, uint32_t p, uint32_t width)
{
  const uint32_t most = (width + p - 1) / p;
  for (uint32_t i = 0; i + 1 < p; i++) {
    const uint32_t n = r->start[i + 1] - r->start[i];
    if (n != q->small && n != most)
      return false;
  }
  return true;
}

/* Spreads the rows of a place that belong to others after the equilibration; @p cut has room for
 * P + 1 numbers. */
static void give_away(struct hpl_at *a, const struct spread *all, const struct equal *q,
                      uint32_t place, uint32_t *cut)
{
  const uint32_t p = a->h->o.p, begin = all->start[place], end = all->start[place + 1];
  const bool back = begin < equal_start(q, place), ahead = equal_start(q, place + 1) < end;
  if (begin == end || (!back && !ahead))
    return;
  for (uint32_t i = 0; i <= p; i++) {
    const uint32_t at = equal_start(q, i);
    cut[i] = at < begin ? begin : at > end ? end : at;
  }
  struct spread s = {.r = all->r, .start = cut, .from = place, .n = all->n};
  s.back = true;
  if (back)
    spread(a, &s);
  s.back = false;
  if (ahead)
    spread(a, &s);
}

/* Unlike hpl_exchange(), posts the receive also if nothing is sent. */
static void exchange(struct hpl_at *a, uint32_t rank, uint64_t sent, uint64_t received)
{
  hpl_flush(a);
  if (received > 0)
    emit_irecv(a->out, rank, HPL_TAG_SWAP, (int64_t)received, EMIT_DOUBLE);
  hpl_send(a, rank, HPL_TAG_SWAP, sent);
  if (received > 0)
    emit_wait_recv(a->out, rank, HPL_TAG_SWAP);
}

static void roll(struct hpl_at *a, const struct spread *all, const uint32_t *start)
{
  const uint32_t p = a->h->o.p, me = all->r->place[a->row];
  for (uint32_t k = 0; k + 1 < p; k++) {
    const bool back = ((me + k) & 1) != 0;
    const uint32_t up = (me + k / 2) % p, down = (me + p - k / 2) % p;
    const uint32_t sent = back ? up : down;
    const uint32_t received = back ? (down + p - 1) % p : (up + 1) % p;
    const uint32_t to = all->r->order[back ? (me + p - 1) % p : (me + 1) % p];
    exchange(a, hpl_rank(a->h, to, a->col), (start[sent + 1] - start[sent]) * all->n,
             (start[received + 1] - start[received]) * all->n);
    hpl_probe(a);
  }
}

void hpl_swap_long(struct hpl_at *a, const struct hpl_panel *x, uint64_t n)
{
  const uint32_t p = a->h->o.p;
  const struct hpl_rows *r = hpl_rows_of(a, x);
  const struct equal q = {x->width / p, x->width % p};
  struct spread all = {.r = r, .start = r->start, .n = n};
  uint32_t *cut = a->h->cut;
  if (x->dist == 0)
    hpl_charge(a, KERNEL_DLASWP01T, x->width + (double)r->pivots[0], (double)n, 1);
  spread(a, &all);
  if (x->dist != 0)
    hpl_charge(a, KERNEL_DLASWP06T, r->pivots[x->dist], (double)n, 1);
  const bool levels = !a->h->o.no_equil && p > 2 && !is_equal(r, &q, p, x->width);
  for (uint32_t i = 0; levels && i < p; i++)
    give_away(a, &all, &q, i, cut);
  for (uint32_t i = 0; levels && i <= p; i++)
    cut[i] = equal_start(&q, i);
  roll(a, &all, levels ? cut : r->start);
  hpl_charge(a, KERNEL_DLASWP10N, (double)n, x->width, 1);
}
