#include "mappers/partners.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>

#include "common/mem.h"

/* Rows of the matrix and of its transpose, each sorted by partner. */
struct sides {
  size_t *out_first, *in_first; /* by rank, with one more entry at the end */
  struct partner *out, *in;
};

static bool counts(const struct matrix_entry *x)
{
  return x->src != x->dst && x->bytes > 0;
}

static enum status count_rows(struct sides *s, const struct matrix *traffic, uint32_t ranks,
                              struct err *e)
{
  for (size_t i = 0; i < traffic->count; i++) {
    const struct matrix_entry x = matrix_at(traffic, i);
    if (x.src >= ranks || x.dst >= ranks)
      return err_set(e, "the traffic is between ranks %" PRIu32 " and %" PRIu32 " of %" PRIu32,
                     x.src, x.dst, ranks);
    s->out_first[x.src + 1] += counts(&x);
    s->in_first[x.dst + 1] += counts(&x);
  }
  for (uint32_t r = 0; r < ranks; r++) {
    s->out_first[r + 1] += s->out_first[r];
    s->in_first[r + 1] += s->in_first[r];
  }
  return OK;
}

/* Entries are sorted by source, then by destination, so each row of the transpose is filled in the
 * order of the sources.  Afterwards in_first[r] is the end of row r. */
static void fill_rows(struct sides *s, const struct matrix *traffic)
{
  size_t n = 0;
  for (size_t i = 0; i < traffic->count; i++) {
    const struct matrix_entry x = matrix_at(traffic, i);
    if (!counts(&x))
      continue;
    s->out[n++] = (struct partner){x.dst, x.bytes};
    s->in[s->in_first[x.dst]++] = (struct partner){x.src, x.bytes};
  }
}

/* Merges the two rows of a rank.  Returns the length of the result. */
static size_t merge(const struct partner *a, const struct partner *a_end, const struct partner *b,
                    const struct partner *b_end, struct partner *out)
{
  size_t n = 0;
  while (a < a_end || b < b_end) {
    const bool take_a = b == b_end || (a < a_end && a->rank <= b->rank);
    const bool take_b = a == a_end || (b < b_end && b->rank <= a->rank);
    out[n] = take_a ? *a : *b;
    if (take_a && take_b)
      out[n].bytes += b->bytes;
    a += take_a;
    b += take_b;
    n++;
  }
  return n;
}

static enum status alloc(struct sides *s, struct partners *p, const struct matrix *traffic,
                         struct err *e)
{
  const size_t rows = (size_t)p->ranks + 1;
  if ((s->out_first = mem_array(rows, sizeof *s->out_first, e)) == NULL ||
      (s->in_first = mem_array(rows, sizeof *s->in_first, e)) == NULL ||
      (s->out = mem_array(traffic->count, sizeof *s->out, e)) == NULL ||
      (s->in = mem_array(traffic->count, sizeof *s->in, e)) == NULL ||
      (p->first = mem_array(rows, sizeof *p->first, e)) == NULL ||
      (p->partner = mem_array(2 * traffic->count, sizeof *p->partner, e)) == NULL)
    return FAIL;
  return OK;
}

static enum status build(struct sides *s, struct partners *p, const struct matrix *traffic,
                         struct err *e)
{
  if (alloc(s, p, traffic, e) != OK || count_rows(s, traffic, p->ranks, e) != OK)
    return FAIL;
  fill_rows(s, traffic);
  for (uint32_t r = 0; r < p->ranks; r++) {
    const size_t in = r == 0 ? 0 : s->in_first[r - 1];
    p->first[r + 1] =
        p->first[r] + merge(s->out + s->out_first[r], s->out + s->out_first[r + 1], s->in + in,
                            s->in + s->in_first[r], p->partner + p->first[r]);
  }
  return OK;
}

enum status partners_new(struct partners *out, const struct matrix *traffic, uint32_t ranks,
                         struct err *e)
{
  struct sides s = {0};
  struct partners p = {.ranks = ranks};
  const enum status status = build(&s, &p, traffic, e);
  free(s.out_first);
  free(s.in_first);
  free(s.out);
  free(s.in);
  if (status == OK)
    *out = p;
  else
    partners_clear(&p);
  return status;
}

void partners_clear(struct partners *p)
{
  free(p->first);
  free(p->partner);
  *p = (struct partners){0};
}
