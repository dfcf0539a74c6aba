/* Messages of HPL between two ranks, and the six broadcasts of panels along the rows. */
#include "traces/generators/hpl/hpl.h"

void hpl_flush(struct hpl_at *a)
{
  emit_compute(a->out, a->due * (a->cost == NULL ? 1 : a->h->o.speed));
  a->due = 0;
}

void hpl_send(struct hpl_at *a, uint32_t rank, int32_t tag, uint64_t doubles)
{
  if (doubles == 0)
    return;
  hpl_flush(a);
  emit_send(a->out, rank, tag, (int64_t)doubles, EMIT_DOUBLE);
}

void hpl_recv(struct hpl_at *a, uint32_t rank, int32_t tag, uint64_t doubles)
{
  if (doubles == 0)
    return;
  hpl_flush(a);
  emit_recv(a->out, rank, tag, (int64_t)doubles, EMIT_DOUBLE);
}

void hpl_exchange(struct hpl_at *a, uint32_t rank, uint64_t sent, uint64_t received)
{
  if (sent == 0 || received == 0) {
    hpl_send(a, rank, HPL_TAG_SWAP, sent);
    hpl_recv(a, rank, HPL_TAG_SWAP, received);
    return;
  }
  hpl_flush(a);
  emit_irecv(a->out, rank, HPL_TAG_SWAP, (int64_t)received, EMIT_DOUBLE);
  emit_send(a->out, rank, HPL_TAG_SWAP, (int64_t)sent, EMIT_DOUBLE);
  emit_wait_recv(a->out, rank, HPL_TAG_SWAP);
}

void hpl_probe(struct hpl_at *a)
{
  if (!a->relay)
    return;
  hpl_flush(a);
  emit_relay_probe(a->out);
}

void hpl_tree(struct hpl_at *a, const struct hpl_tree *t, uint64_t doubles)
{
  const uint32_t of = a->h->o.p;
  if (t->size <= 1)
    return;
  for (uint32_t bit = hpl_power(t->size - 1); bit > 0; bit >>= 1) {
    const uint32_t partner = t->dist ^ bit;
    const uint32_t rank = hpl_rank(a->h, hpl_after(t->base, partner, of), a->col);
    if (t->dist % bit == 0 && (t->dist & bit) != 0)
      hpl_recv(a, rank, t->tag, doubles);
    else if (t->dist % bit == 0 && partner < t->size)
      hpl_send(a, rank, t->tag, doubles);
    if (t->probes)
      hpl_probe(a);
  }
}

/* --- rings ------------------------------------------------------------------------------------ */

/* The part of a rank in a ring, by its distance from the root. */
struct part {
  uint32_t from;  /* distance of the rank that it receives from */
  bool passes;    /* sends to the next rank */
  uint32_t sends; /* number of ranks that the root sends to */
  uint32_t to[3]; /* distances that the root sends to, in order */
};

/* In the modified rings the rank after the root only receives, and the rank after that is the head
 * of the ring.  In the double rings the rank half-way is the head of a second ring. */
static struct part part_in_ring(enum hpl_broadcast kind, uint32_t dist, uint32_t size)
{
  const bool modified = kind == HPL_RING_M || kind == HPL_2RING_M;
  const bool two = kind == HPL_2RING || kind == HPL_2RING_M;
  const uint32_t half = two ? (size + 1) / 2 % size : 0;
  struct part x = {.from = dist - 1, .sends = 1, .to = {1}};
  if (dist == half || (modified && size > 2 && dist == 2))
    x.from = 0;
  x.passes = dist > 0 && dist + 1 < size && dist + 1 != half && !(modified && dist == 1);
  if (size == 2)
    return x;
  if (modified && half != 2)
    x.to[x.sends++] = 2;
  if (two)
    x.to[x.sends++] = half;
  return x;
}

/* --- the long broadcasts ---------------------------------------------------------------------- */

/* The ranks of a long broadcast: all ranks of the row, or all except the rank after the root. */
struct ring {
  const struct hpl_panel *x;
  uint32_t size, place; /* number of ranks, and the rank's own place */
  uint64_t piece;       /* doubles of each place, except perhaps the last */
  bool skips;           /* without the rank after the root */
};

static uint32_t rank_at(const struct hpl_at *a, const struct ring *r, uint32_t place)
{
  const uint32_t distance = place > 0 && r->skips ? place + 1 : place;
  return hpl_rank(a->h, a->row, hpl_after(r->x->pcol, distance, a->h->o.q));
}

/* Doubles of the places from @p from on, up to @p to - 1. */
static uint64_t doubles_of(const struct ring *r, uint32_t from, uint32_t to)
{
  const uint64_t all = r->x->length, begin = from * r->piece;
  const uint64_t end = to >= r->size ? all : to * r->piece;
  return begin < end && begin < all ? (end < all ? end : all) - begin : 0;
}

/* Scatters the panel over the ranks by halves. */
static void scatter(struct hpl_at *a, const struct ring *r)
{
  if (r->size <= 1)
    return;
  for (uint32_t bit = hpl_power(r->size - 1); bit > 0; bit >>= 1) {
    const uint32_t partner = r->place ^ bit;
    if (r->place % bit != 0)
      continue;
    hpl_flush(a);
    const uint32_t right = r->place | bit;
    const int64_t n = (int64_t)doubles_of(r, right, right + bit);
    if ((r->place & bit) != 0)
      emit_recv(a->out, rank_at(a, r, partner), r->x->tag, n, EMIT_DOUBLE);
    else if (partner < r->size)
      emit_ssend(a->out, rank_at(a, r, partner), r->x->tag, n, EMIT_DOUBLE);
  }
}

/* Exchanges pieces with the next and the previous rank in turn, until all ranks have all pieces. */
static void roll(struct hpl_at *a, const struct ring *r)
{
  const uint32_t size = r->size, me = r->place;
  for (uint32_t k = 0; k + 1 < size; k++) {
    const bool back = ((me + k) & 1) != 0;
    const uint32_t l = k / 2;
    const uint32_t up = (me + l) % size, down = (me + size - l) % size;
    const uint32_t sent = back ? up : down;
    const uint32_t received = back ? (down + size - 1) % size : (up + 1) % size;
    const uint32_t partner = rank_at(a, r, back ? (me + size - 1) % size : (me + 1) % size);
    emit_issend(a->out, partner, r->x->tag, (int64_t)doubles_of(r, sent, sent + 1), EMIT_DOUBLE);
    emit_recv(a->out, partner, r->x->tag, (int64_t)doubles_of(r, received, received + 1),
              EMIT_DOUBLE);
    emit_wait_send(a->out, partner, r->x->tag);
  }
}

static void long_bcast(struct hpl_at *a, const struct hpl_panel *x, uint32_t dist)
{
  const uint32_t q = a->h->o.q;
  const bool skips = a->h->o.bcast == HPL_LONG_M;
  struct ring r = {.x = x, .size = q, .place = dist, .skips = skips};
  hpl_flush(a);
  if (skips) {
    const uint32_t next = hpl_rank(a->h, a->row, hpl_after(x->pcol, 1, q));
    if (dist == 0)
      emit_ssend(a->out, next, x->tag, (int64_t)x->length, EMIT_DOUBLE);
    if (dist == 1)
      emit_recv(a->out, hpl_rank(a->h, a->row, x->pcol), x->tag, (int64_t)x->length, EMIT_DOUBLE);
    if (dist == 1 || q == 2)
      return;
    r.size--;
    r.place -= dist > 0;
  }
  r.piece = x->length / r.size;
  if (r.piece == 0)
    r.piece = 1;
  scatter(a, &r);
  roll(a, &r);
}

/* --- all broadcasts --------------------------------------------------------------------------- */

static void ring_begin(struct hpl_at *a, const struct hpl_panel *x, uint32_t dist)
{
  const uint32_t q = a->h->o.q;
  const struct part part = part_in_ring((enum hpl_broadcast)a->h->o.bcast, dist, q);
  for (uint32_t i = 0; dist == 0 && i < part.sends; i++)
    hpl_send(a, hpl_rank(a->h, a->row, hpl_after(x->pcol, part.to[i], q)), x->tag, x->length);
  if (dist == 0)
    return;
  const uint32_t src = hpl_rank(a->h, a->row, hpl_after(x->pcol, part.from, q));
  const uint32_t next = hpl_rank(a->h, a->row, hpl_after(x->pcol, dist + 1, q));
  hpl_flush(a);
  emit_relay(a->out, src, part.passes ? (int32_t)next : ACTION_NOBODY, x->tag, (int64_t)x->length);
  a->relay = true;
}

void hpl_bcast_begin(struct hpl_at *a, const struct hpl_panel *x)
{
  const uint32_t q = a->h->o.q, dist = (a->col + q - x->pcol) % q;
  if (q == 1)
    return;
  if (a->h->o.bcast >= HPL_LONG) {
    long_bcast(a, x, dist);
    return;
  }
  ring_begin(a, x, dist);
  hpl_probe(a);
}

void hpl_bcast(struct hpl_at *a, const struct hpl_panel *x)
{
  const uint32_t q = a->h->o.q, dist = (a->col + q - x->pcol) % q;
  if (q == 1)
    return;
  if (a->h->o.bcast >= HPL_LONG) {
    long_bcast(a, x, dist);
    return;
  }
  const struct part part = part_in_ring((enum hpl_broadcast)a->h->o.bcast, dist, q);
  for (uint32_t i = 0; dist == 0 && i < part.sends; i++)
    hpl_send(a, hpl_rank(a->h, a->row, hpl_after(x->pcol, part.to[i], q)), x->tag, x->length);
  if (dist == 0)
    return;
  hpl_recv(a, hpl_rank(a->h, a->row, hpl_after(x->pcol, part.from, q)), x->tag, x->length);
  if (part.passes)
    hpl_send(a, hpl_rank(a->h, a->row, hpl_after(x->pcol, dist + 1, q)), x->tag, x->length);
}
