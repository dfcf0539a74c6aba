#include "mappers/hcube/relabel.h"

#include <stdlib.h>
#include <string.h>

#include "common/mem.h"
#include "common/numeric/rising.h"

/* Maximum number of reads of arcs in a search: LOOKS_AN_ARC for each arc, plus LOOKS. */
#define LOOKS_AN_ARC 256
#define LOOKS        ((uint64_t)1 << 20)
#define INVERTED     (1u << 5) /* flag of a choice: the bit is inverted */

/* An arc that must match, and an upper bound of the weight that can match with it. */
struct relabel_anchor {
  uint64_t bound;
  uint32_t arc;
};

/* The search for the relabelling with the greatest value. */
struct label_search {
  uint32_t bits;
  size_t arcs;
  const struct relabel_arc *arc; /* sorted by a, then b */
  struct relabel_arc *moved;     /* the same arcs, labels relative to the anchor's */
  uint32_t *list;                /* arcs that can still match, by depth: bits + 1 rows */
  uint8_t from[RELABEL_MAX_BITS];
  uint32_t used; /* set of bits of b that are assigned */
  uint64_t looks;
  struct relabelling *best;
  struct relabel_arc anchor; /* must match; labels in `moved` are relative to its labels */
  bool inverts;              /* there is no anchor; bits may be inverted */
  uint32_t flip;
};

void relabel_scratch_clear(struct relabel_scratch *s)
{
  free(s->arc);
  free(s->list);
  free(s->anchor);
  *s = (struct relabel_scratch){0};
}

static int by_labels(const void *x, const void *y)
{
  const struct relabel_arc *p = x, *q = y;
  return RISING(p->a, q->a) ?: RISING(p->b, q->b);
}

static int by_bound(const void *x, const void *y)
{
  const struct relabel_anchor *p = x, *q = y;
  return RISING(q->bound, p->bound) ?: RISING(p->arc, q->arc);
}

/* Upper bound of the weight that can match with the anchor @p with.  An arc can match only if its
 * two labels differ from the anchor's in equally many bits.  Of the arcs with the same label a only
 * one can match, so the heaviest counts. */
static uint64_t bound_with(const struct relabel_arc *arc, size_t arcs,
                           const struct relabel_arc *with)
{
  uint64_t sum = 0, most = 0;
  for (size_t i = 0; i < arcs; i++) {
    const struct relabel_arc *x = &arc[i];
    if (i > 0 && x->a != arc[i - 1].a) {
      sum += most;
      most = 0;
    }
    const bool alike = __builtin_popcount(x->a ^ with->a) == __builtin_popcount(x->b ^ with->b);
    most = alike && x->weight > most ? x->weight : most;
  }
  return sum + most;
}

static uint64_t bound_of(const struct label_search *f, const uint32_t *list, size_t n)
{
  uint64_t sum = 0, most = 0;
  uint32_t a = 0;
  for (size_t i = 0; i < n; i++) {
    const struct relabel_arc *x = &f->moved[list[i]];
    if (i > 0 && x->a != a) {
      sum += most;
      most = 0;
    }
    a = x->a;
    most = x->weight > most ? x->weight : most;
  }
  return sum + most;
}

/* Writes to @p out the arcs of @p list that can still match if bit @p j of a is the bit of b that
 * @p choice gives, and returns their number. */
static size_t filter(struct label_search *f, const uint32_t *list, size_t n, uint32_t j,
                     uint32_t choice, uint32_t *out)
{
  const uint32_t p = choice % INVERTED, want = choice / INVERTED;
  size_t kept = 0;
  for (size_t i = 0; i < n; i++) {
    const struct relabel_arc *x = &f->moved[list[i]];
    out[kept] = list[i];
    kept += ((x->a >> j ^ x->b >> p) & 1) == want;
  }
  f->looks += n;
  return kept;
}

static void keep(struct label_search *f, uint64_t value)
{
  struct relabelling *best = f->best;
  if (value <= best->value)
    return;
  memcpy(best->from, f->from, sizeof f->from);
  best->flip = 0;
  best->value = value;
  best->flip = f->flip ^ f->anchor.a ^ relabel_apply(best, f->bits, f->anchor.b);
}

/* True if an unused bit q < p of b equals bit p on all arcs of the list.  Then only one of the two
 * needs to be tried. */
static bool is_copy(const struct label_search *f, const uint32_t *list, size_t n, uint32_t p)
{
  for (uint32_t q = 0; q < p; q++) {
    size_t i = 0;
    if ((f->used >> q & 1) != 0)
      continue;
    while (i < n && ((f->moved[list[i]].b >> p ^ f->moved[list[i]].b >> q) & 1) == 0)
      i++;
    if (i == n)
      return true;
  }
  return false;
}

struct choice {
  uint64_t bound;
  uint32_t bit; /* INVERTED is added for the inverted bit */
};

static uint32_t insert(struct choice *out, uint32_t count, struct choice c)
{
  uint32_t i = count;
  for (; i > 0 && out[i - 1].bound < c.bound; i--)
    out[i] = out[i - 1];
  out[i] = c;
  return count + 1;
}

/* Lists the bits of b that bit @p j of a can be, the highest bound first. */
static uint32_t choices(struct label_search *f, uint32_t j, const uint32_t *list, size_t n,
                        struct choice *out)
{
  uint32_t *const scratch = f->list + (size_t)(j + 1) * f->arcs;
  uint32_t count = 0;
  for (uint32_t p = 0; p < f->bits; p++) {
    if ((f->used >> p & 1) != 0 || is_copy(f, list, n, p))
      continue;
    for (uint32_t bit = p; bit <= (f->inverts ? p + INVERTED : p); bit += INVERTED) {
      const size_t kept = filter(f, list, n, j, bit, scratch);
      count = insert(out, count, (struct choice){bound_of(f, scratch, kept), bit});
    }
  }
  return count;
}

static bool is_over(const struct label_search *f)
{
  return f->looks > LOOKS_AN_ARC * (uint64_t)f->arcs + LOOKS;
}

static void branch(struct label_search *f, uint32_t j, size_t n)
{
  uint32_t *const list = f->list + (size_t)j * f->arcs;
  if (j == f->bits) {
    keep(f, bound_of(f, list, n));
    return;
  }
  struct choice choice[2 * RELABEL_MAX_BITS];
  const uint32_t count = choices(f, j, list, n, choice);
  for (uint32_t i = 0; i < count && choice[i].bound > f->best->value; i++) {
    if (i > 0 && is_over(f)) {
      f->best->exact = false;
      return;
    }
    const uint32_t p = choice[i].bit % INVERTED, flip = choice[i].bit / INVERTED << j;
    f->from[j] = (uint8_t)p;
    f->flip ^= flip;
    f->used ^= (uint32_t)1 << p;
    branch(f, j + 1, filter(f, list, n, j, choice[i].bit, list + f->arcs));
    f->used ^= (uint32_t)1 << p;
    f->flip ^= flip;
  }
}

/* Finds the best relabelling that matches arc @p with.  With labels relative to it, a relabelling
 * is a permutation of bits, which keeps the number of ones. */
static void try_anchor(struct label_search *f, const struct relabel_arc *with)
{
  size_t n = 0;
  f->anchor = *with;
  for (size_t i = 0; i < f->arcs; i++) {
    const struct relabel_arc *x = &f->arc[i];
    f->moved[i] = (struct relabel_arc){x->a ^ with->a, x->b ^ with->b, x->weight};
    f->list[n] = (uint32_t)i;
    n += f->inverts || __builtin_popcount(f->moved[i].a) == __builtin_popcount(f->moved[i].b);
  }
  f->looks += f->arcs;
  branch(f, 0, n);
}

static enum status prepare(struct relabel_scratch *s, const struct relabel_arc *arc, size_t arcs,
                           uint32_t bits, struct err *e)
{
  if (MEM_GROW(s->arc, s->arcs_room, 2 * arcs, e) != OK ||
      MEM_GROW(s->list, s->list_room, (bits + 1) * arcs, e) != OK ||
      MEM_GROW(s->anchor, s->anchor_room, arcs, e) != OK)
    return FAIL;
  memcpy(s->arc, arc, arcs * sizeof *arc);
  qsort(s->arc, arcs, sizeof *arc, by_labels);
  return OK;
}

/* Fills s->anchor, the highest bound first, and returns the number of anchors.  Uses a subset of
 * the arcs if the bounds of all would take more than half of the reads. */
static size_t list_anchors(struct relabel_scratch *s, struct label_search *f)
{
  const uint64_t most = (LOOKS_AN_ARC / 2 * (uint64_t)f->arcs + LOOKS / 2) / f->arcs;
  const size_t n = most < f->arcs ? most : f->arcs;
  for (size_t i = 0; i < n; i++) {
    const uint32_t at = (uint32_t)((uint64_t)i * f->arcs / n);
    s->anchor[i] = (struct relabel_anchor){bound_with(f->arc, f->arcs, &f->arc[at]), at};
  }
  f->looks += n * f->arcs;
  qsort(s->anchor, n, sizeof *s->anchor, by_bound);
  return n;
}

static void try_anchors(struct label_search *f, struct relabel_scratch *s)
{
  const size_t anchors = list_anchors(s, f);
  f->best->exact = anchors == f->arcs;
  for (size_t i = 0; i < anchors && s->anchor[i].bound > f->best->value; i++) {
    if (i > 0 && is_over(f)) {
      f->best->exact = false;
      return;
    }
    try_anchor(f, &f->arc[s->anchor[i].arc]);
  }
}

enum status relabel_most_equal(const struct relabel_arc *arc, size_t arcs, uint32_t bits,
                               struct relabel_scratch *s, struct relabelling *out, struct err *e)
{
  if (prepare(s, arc, arcs, bits, e) != OK)
    return FAIL;
  *out = (struct relabelling){.exact = true};
  for (uint32_t i = 0; i < bits; i++)
    out->from[i] = (uint8_t)i;
  struct label_search f = {.bits = bits,
                           .arcs = arcs,
                           .arc = s->arc,
                           .moved = s->arc + arcs,
                           .list = s->list,
                           .best = out};
  f.inverts = arcs >> bits != 0; /* with many arcs, each chosen bit halves the list */
  if (f.inverts)
    try_anchor(&f, &(struct relabel_arc){.a = 0, .b = 0});
  else
    try_anchors(&f, s);
  return OK;
}

/* --- least bits ------------------------------------------------------------------------------- */

/* Sums of weight.  differ[i][p]: arcs with different bits i of a and p of b, without inversion. */
struct table {
  uint32_t bits;
  uint64_t differ[RELABEL_MAX_BITS][RELABEL_MAX_BITS];
  uint64_t weight; /* of all arcs */
};

static void fill_table(struct table *t, const struct relabel_arc *arc, size_t arcs)
{
  for (size_t k = 0; k < arcs; k++) {
    t->weight += arc[k].weight;
    for (uint32_t i = 0; i < t->bits; i++)
      for (uint32_t p = 0; p < t->bits; p++)
        if (((arc[k].a >> i ^ arc[k].b >> p) & 1) != 0)
          t->differ[i][p] += arc[k].weight;
  }
}

static int64_t cost(const struct table *t, uint32_t i, uint32_t p)
{
  const uint64_t differ = t->differ[i][p], inverted = t->weight - differ;
  return (int64_t)(differ < inverted ? differ : inverted);
}

/* The Hungarian method, adding row by row.  Rows and columns count from 1; 0 is none. */
struct assignment {
  int64_t row[RELABEL_MAX_BITS + 1], column[RELABEL_MAX_BITS + 1]; /* duals */
  uint32_t owner[RELABEL_MAX_BITS + 1];                            /* row of a column, 0: none */
  uint32_t before[RELABEL_MAX_BITS + 1];
};

/* Finds the shortest augmenting path from the new row, the owner of column 0, to a column without
 * owner, and returns that column. */
static uint32_t shortest_way(const struct table *t, struct assignment *h)
{
  int64_t least[RELABEL_MAX_BITS + 1];
  bool done[RELABEL_MAX_BITS + 1] = {false};
  uint32_t at = 0;
  for (uint32_t c = 0; c <= t->bits; c++)
    least[c] = INT64_MAX;
  do {
    const uint32_t row = h->owner[at];
    uint32_t next = 0;
    done[at] = true;
    for (uint32_t c = 1; c <= t->bits; c++) {
      const int64_t slack = done[c] ? 0 : cost(t, row - 1, c - 1) - h->row[row] - h->column[c];
      if (!done[c] && slack < least[c]) {
        least[c] = slack;
        h->before[c] = at;
      }
      if (!done[c] && (next == 0 || least[c] < least[next]))
        next = c;
    }
    const int64_t step = least[next];
    for (uint32_t c = 0; c <= t->bits; c++) {
      h->row[h->owner[c]] += done[c] ? step : 0;
      h->column[c] -= done[c] ? step : 0;
      least[c] -= done[c] || least[c] == INT64_MAX ? 0 : step;
    }
    at = next;
  } while (h->owner[at] != 0);
  return at;
}

void relabel_least_bits(const struct relabel_arc *arc, size_t arcs, uint32_t bits,
                        struct relabelling *out)
{
  struct table t = {.bits = bits};
  struct assignment h = {.row = {0}};
  fill_table(&t, arc, arcs);
  for (uint32_t i = 1; i <= bits; i++) {
    h.owner[0] = i;
    uint32_t c = shortest_way(&t, &h);
    for (; c != 0; c = h.before[c])
      h.owner[c] = h.owner[h.before[c]];
  }
  *out = (struct relabelling){.exact = true};
  for (uint32_t c = 1; c <= bits; c++) {
    const uint32_t i = h.owner[c] - 1;
    out->from[i] = (uint8_t)(c - 1);
    out->value += (uint64_t)cost(&t, i, c - 1);
    if (t.differ[i][c - 1] > t.weight - t.differ[i][c - 1])
      out->flip |= (uint32_t)1 << i;
  }
}
