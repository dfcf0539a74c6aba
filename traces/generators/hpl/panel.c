/* Factorisation of a panel by the ranks of its column: recursion by halves (HPL_pdrpan*), columns
 * (HPL_pdpan*), and the search for the pivot of a column with the exchange of its row
 * (HPL_pdmxswp). */
#include <stdlib.h>

#include "common/mem.h"
#include "traces/generators/hpl/charge.h"
#include "traces/generators/hpl/hpl.h"

/* A kernel between two columns.  With `panel`, its m is the number of the rank's rows without the
 * `done` factored ones. */
struct item {
  enum kernel kernel;
  bool panel;    /* m comes from the rank's rows */
  bool current;  /* in the row of the diagonal block only */
  uint32_t done; /* columns that are factored */
  uint32_t m, n, k;
};

/* A column: the kernels before it, and its place in the innermost block of the recursion. */
struct column {
  uint32_t first; /* of its items */
  uint32_t at;    /* number in the block, from 0 */
  uint32_t width; /* columns of the block */
  uint32_t left;  /* columns of the block after this one */
};

struct hpl_plan {
  uint32_t width;
  struct item *item;
  size_t items, item_room;
  struct column *column; /* width + 1 entries; in the last one, `first` is the number of items */
  uint32_t columns;
  enum status status;
  struct err *err;
};

void hpl_plan_free(struct hpl_plan *p)
{
  if (p == NULL)
    return;
  free(p->item);
  free(p->column);
  free(p);
}

/* --- the recursion ---------------------------------------------------------------------------- */

static void add(struct hpl_plan *p, struct item x)
{
  if ((!x.panel && x.m == 0) || x.n == 0 || x.k == 0 || p->status != OK)
    return;
  p->status = MEM_GROW(p->item, p->item_room, p->items + 1, p->err);
  if (p->status == OK)
    p->item[p->items++] = x;
}

static void add_columns(struct hpl_plan *p, uint32_t width)
{
  for (uint32_t i = 0; i < width; i++)
    p->column[p->columns++] = (struct column){
        .first = (uint32_t)p->items, .at = i, .width = width, .left = width - 1 - i};
}

/* A step of the recursion on a block that begins with column `first` of the panel: `width` columns,
 * with `done` columns of the block before them and `left` after them. */
struct part {
  uint32_t first, done, width, left;
};

static void before_part(struct hpl_plan *p, uint32_t variant, const struct part *x)
{
  const uint32_t at = x->first + x->done;
  if (variant == HPL_LEFT)
    add(p, (struct item){KERNEL_DTRSM, .m = x->done, .n = x->width, .k = x->done});
  if (variant != HPL_RIGHT)
    add(p, (struct item){KERNEL_DGEMM, .panel = true, .done = at, .n = x->width, .k = x->done});
}

static void after_part(struct hpl_plan *p, uint32_t variant, const struct part *x)
{
  const uint32_t at = x->first + x->done;
  if (variant == HPL_CROUT)
    add(p, (struct item){KERNEL_DGEMM, .m = x->left, .n = x->width, .k = x->done});
  if (variant != HPL_LEFT)
    add(p, (struct item){KERNEL_DTRSM, .m = x->width, .n = x->left, .k = x->width});
  if (variant == HPL_RIGHT)
    add(p, (struct item){KERNEL_DGEMM, .panel = true, .done = at + x->width, .n = x->left,
                         .k = x->width});
  add(p, (struct item){KERNEL_DLATCPY, .current = true, .m = at, .n = x->width, .k = 1});
}

static void divide(struct hpl_plan *p, const struct hpl_options *o, uint32_t first, uint32_t width)
{
  if (width <= o->nbmin) {
    add_columns(p, width);
    return;
  }
  const uint32_t units = (width + o->nbmin - 1) / o->nbmin;
  const uint32_t most = (units + o->ndiv - 1) / o->ndiv * o->nbmin;
  for (uint32_t done = 0; done < width;) {
    const uint32_t w = width - done < most ? width - done : most;
    const struct part x = {first, done, w, width - done - w};
    before_part(p, o->rfact, &x);
    divide(p, o, first + done, w);
    after_part(p, o->rfact, &x);
    done += w;
  }
}

enum status hpl_plan_new(struct hpl_plan **out, const struct hpl_options *o, uint32_t width,
                         struct err *e)
{
  struct hpl_plan *p = mem_array(1, sizeof *p, e);
  if (p == NULL)
    return FAIL;
  *p = (struct hpl_plan){.width = width, .err = e};
  p->column = mem_array((size_t)width + 1, sizeof *p->column, e);
  p->status = p->column == NULL ? FAIL : OK;
  if (p->status == OK)
    divide(p, o, 0, width);
  if (p->status != OK) {
    hpl_plan_free(p);
    return FAIL;
  }
  p->column[width].first = (uint32_t)p->items;
  *out = p;
  return OK;
}

/* --- the pivot of a column -------------------------------------------------------------------- */

/* Doubles of HPL's messages: a row of the panel; a row and 4 numbers; two rows and 4 numbers. */
struct sizes {
  uint64_t row, one, both;
};

static uint32_t rank_of(const struct hpl_at *a, const struct hpl_panel *x, uint32_t dist)
{
  return hpl_rank(a->h, hpl_after(x->prow, dist, a->h->o.p), a->col);
}

static void copy_row(struct hpl_at *a, const struct hpl_panel *x)
{
  hpl_charge(a, KERNEL_DCOPY, x->width, 1, 1);
}

/* Of two partners, the rank with the smaller candidate copies the larger one.  Which rank this is
 * depends on the matrix; here it alternates with the number of the column. */
static void choose(struct hpl_at *a, const struct hpl_panel *x, uint32_t number, uint32_t bit)
{
  if (((number ^ x->dist) & bit) != 0)
    copy_row(a, x);
}

/* Ranks from the largest power of two on send their candidates to partners below it. */
static void fold(struct hpl_at *a, const struct hpl_panel *x, const struct sizes *s,
                 uint32_t number)
{
  const uint32_t power = hpl_power(a->h->o.p), rank = rank_of(a, x, x->dist ^ power);
  if (x->dist == power)
    hpl_exchange(a, rank, s->one, s->row);
  else if (x->dist > power)
    hpl_send(a, rank, HPL_TAG_SWAP, s->one);
  else if (x->dist == 0)
    hpl_exchange(a, rank, s->row, s->one);
  else
    hpl_recv(a, rank, HPL_TAG_SWAP, s->one);
  if (x->dist < power)
    choose(a, x, number, power);
}

static void double_up(struct hpl_at *a, const struct hpl_panel *x, const struct sizes *s,
                      uint32_t number)
{
  const uint32_t power = hpl_power(a->h->o.p);
  for (uint32_t bit = 1; bit < power; bit <<= 1) {
    const bool gets_row = x->dist >= bit && x->dist < 2 * bit; /* the current row */
    hpl_exchange(a, rank_of(a, x, x->dist ^ bit), x->dist < bit ? s->both : s->one,
                 gets_row ? s->both : s->one);
    if (gets_row)
      copy_row(a, x);
    else
      choose(a, x, number, bit);
  }
}

/* The pivot of column @p number of the panel.  Each rank with rows copies its candidate, and the
 * first rank also the current row. */
static void find_pivot(struct hpl_at *a, const struct hpl_panel *x, uint32_t number)
{
  const uint32_t p = a->h->o.p, power = hpl_power(p);
  const struct sizes s = {x->width, x->width + 4, 2 * (uint64_t)x->width + 4};
  const bool folds = p != power && (x->dist ^ power) < p;
  if (x->rows > 0)
    copy_row(a, x);
  if (x->dist == 0)
    copy_row(a, x);
  if (folds)
    fold(a, x, &s, number);
  if (x->dist < power)
    double_up(a, x, &s, number);
  else
    hpl_tree(a,
             &(struct hpl_tree){hpl_after(x->prow, power, p), p - power, x->dist - power,
                                HPL_TAG_SWAP, false},
             s.row);
  if (folds && x->dist >= power)
    hpl_recv(a, rank_of(a, x, x->dist ^ power), HPL_TAG_SWAP, s.one);
  else if (folds)
    hpl_send(a, rank_of(a, x, x->dist ^ power), HPL_TAG_SWAP, s.one);
}

/* --- columns ---------------------------------------------------------------------------------- */

/* Updates the next column by the columns before it in the innermost block.  @p m: number of rows of
 * the rank below the row of the pivot. */
static void next_column(struct hpl_at *a, const struct hpl_panel *x, const struct column *c,
                        double m)
{
  const uint32_t variant = a->h->o.pfact;
  const double left = c->left, k = c->at + 1;
  if (variant == HPL_CROUT && c->at > 0) {
    hpl_charge(a, KERNEL_DGEMV, left, c->at, 1);
    hpl_charge(a, KERNEL_DCOPY, x->dist == 0 ? left : 0, 1, 1);
  }
  if (variant == HPL_LEFT)
    hpl_charge(a, KERNEL_DTRSV, k, k, 1);
  hpl_charge(a, KERNEL_DSCAL, m, 1, 1);
  if (variant == HPL_RIGHT)
    hpl_charge(a, KERNEL_DAXPY, m, 1, 1);
  else
    hpl_charge(a, KERNEL_DGEMV, m, k, 1);
  hpl_charge(a, KERNEL_IDAMAX, m, 1, 1);
  if (variant == HPL_LEFT)
    hpl_charge(a, KERNEL_DCOPY, x->dist == 0 ? k : 0, 1, 1);
  if (variant == HPL_RIGHT)
    hpl_charge(a, KERNEL_DGER, m, left - 1, 1);
}

static void factor_column(struct hpl_at *a, const struct hpl_panel *x, const struct column *c,
                          uint32_t number)
{
  const bool current = x->dist == 0;
  const double rows = (double)(x->rows - (current ? number : 0));
  if (c->at == 0)
    hpl_charge(a, KERNEL_IDAMAX, rows, 1, 1);
  if (a->h->o.p > 1)
    find_pivot(a, x, number);
  const double m = rows - current;
  if (c->left > 0)
    next_column(a, x, c, m);
  else
    hpl_charge(a, KERNEL_DSCAL, m, 1, 1);
}

static void do_items(struct hpl_at *a, const struct hpl_panel *x, uint32_t from, uint32_t to)
{
  const struct hpl_plan *p = a->h->plan[x->width != a->h->o.nb];
  for (uint32_t i = from; i < to; i++) {
    const struct item *t = &p->item[i];
    const double rows = (double)(x->rows - (x->dist == 0 ? t->done : 0));
    if (!t->current || x->dist == 0)
      hpl_charge(a, t->kernel, t->panel ? rows : t->m, t->n, t->k);
  }
}

void hpl_factor(struct hpl_at *a, const struct hpl_panel *x, uint32_t from, uint32_t to)
{
  const struct hpl_plan *p = a->h->plan[x->width != a->h->o.nb];
  for (uint32_t c = from; c < to && c < x->width; c++) {
    do_items(a, x, c == 0 ? 0 : p->column[c - 1].first, p->column[c].first);
    factor_column(a, x, &p->column[c], c);
  }
  if (to >= x->width)
    do_items(a, x, p->column[x->width - 1].first, (uint32_t)p->items);
}
