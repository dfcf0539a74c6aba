/* Solution of the upper triangular system, block by block from the last (HPL_pdtrsv): the solution
 * of a block is passed up its column, rank by rank, and its products with the blocks above are sent
 * to the column of the block before. */
#include "traces/generators/hpl/charge.h"
#include "traces/generators/hpl/hpl.h"

enum { TAGS = 500 /* tags along rows; along columns: the same number */ };

uint32_t hpl_solve_steps(const struct hpl *h)
{
  return h->panels + 1;
}

/* The right-hand side is in the column of the grid after the last block: moves it to that block. */
static void begin(struct hpl_at *a)
{
  const struct hpl_options *o = &a->h->o;
  const uint32_t last = a->h->panels - 1, col = last % o->q, rhs = o->n / o->nb % o->q;
  const uint64_t rows = hpl_local(a->h, 0, o->n, a->row, o->p);
  if (col != rhs && a->col == rhs)
    hpl_send(a, hpl_rank(a->h, a->row, col), HPL_TAG_SOLVE, rows);
  if (col != rhs && a->col == col)
    hpl_recv(a, hpl_rank(a->h, a->row, rhs), HPL_TAG_SOLVE, rows);
  const double width = o->n - last * o->nb;
  if (a->col == col && a->row == last % o->p) {
    hpl_charge(a, KERNEL_DTRSV, width, width, 1);
    hpl_charge(a, KERNEL_DCOPY, width, 1, 1);
  }
}

/* A step: block `block` has been solved, and the one before it is next. */
struct step {
  uint32_t row, col, next_col; /* of the grid: of the block, and of the next */
  uint64_t width;              /* columns of the block */
  uint64_t above, first;       /* rows of the rank above the block; rows that are updated first */
  int32_t row_tag, col_tag;
};

static struct step step_at(const struct hpl_at *a, uint32_t number)
{
  const struct hpl_options *o = &a->h->o;
  const uint32_t block = a->h->panels - number;
  const uint64_t top = (uint64_t)block * o->nb, ahead = (uint64_t)(o->q > 1 ? o->q - 1 : 1) * o->nb;
  return (struct step){
      .row = block % o->p,
      .col = block % o->q,
      .next_col = (block - 1) % o->q,
      .width = number == 1 ? o->n - top : o->nb,
      .above = hpl_local(a->h, 0, top, a->row, o->p),
      .first = hpl_local(a->h, ahead < top ? top - ahead : 0, top, a->row, o->p),
      .row_tag = HPL_TAG_SOLVE + 2 * (int32_t)(number % TAGS),
      .col_tag = HPL_TAG_SOLVE + 1 + 2 * (int32_t)((number - 1) % TAGS),
  };
}

/* The rank is in the column of the block. */
static void pass_solution(struct hpl_at *a, const struct step *s)
{
  const uint32_t p = a->h->o.p, up = hpl_after(a->row, p - 1, p), down = hpl_after(a->row, 1, p);
  const bool owner = a->row == s->row;
  if (owner && p > 1)
    hpl_send(a, hpl_rank(a->h, up, a->col), s->col_tag, s->width);
  if (!owner)
    hpl_recv(a, hpl_rank(a->h, down, a->col), s->col_tag, s->width);
  hpl_charge(a, KERNEL_DGEMV, (double)s->first, (double)s->width, 1);
  if (s->first > 0 && a->h->o.q > 1)
    hpl_send(a, hpl_rank(a->h, a->row, s->next_col), s->row_tag, s->first);
  if (!owner && a->row != hpl_after(s->row, 1, p))
    hpl_send(a, hpl_rank(a->h, up, a->col), s->col_tag, s->width);
}

static void solve_block(struct hpl_at *a, uint32_t number)
{
  const struct hpl_options *o = &a->h->o;
  const struct step s = step_at(a, number);
  if (a->col == s.col) {
    pass_solution(a, &s);
  } else if (a->col == s.next_col) {
    hpl_recv(a, hpl_rank(a->h, a->row, s.col), s.row_tag, s.first);
    hpl_charge(a, KERNEL_DAXPY, (double)s.first, 1, 1);
  }
  if (a->col == s.next_col && a->row == (a->h->panels - number - 1) % o->p) {
    hpl_charge(a, KERNEL_DTRSV, o->nb, o->nb, 1);
    hpl_charge(a, KERNEL_DCOPY, o->nb, 1, 1);
  }
  if (a->col == s.col)
    hpl_charge(a, KERNEL_DGEMV, (double)(s.above - s.first), (double)s.width, 1);
}

void hpl_solve(struct hpl_at *a, uint32_t step)
{
  const struct hpl_options *o = &a->h->o;
  if (step == 0)
    begin(a);
  if (step > 0 && step < a->h->panels)
    solve_block(a, step);
  if (step == a->h->panels && a->col == 0)
    hpl_tree(a, &(struct hpl_tree){0, o->p, a->row, HPL_TAG_COLL, false},
             o->n < o->nb ? o->n : o->nb);
}
