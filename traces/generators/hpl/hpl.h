/** @file hpl.h
 *  Private to this folder: High-Performance Linpack (HPL 2.3) as a generator.  Emits the messages
 *  of HPL_pdgesv() call by call, for the factorisation with look-ahead and for the solution, and
 *  the time of its kernels (kernels.h).  Leaves out HPL's generation of the matrix and its check of
 *  the result.
 *
 *  The matrix has N rows and N + 1 columns, the last of which is the right-hand side, in blocks of
 *  NB x NB, dealt cyclically to a grid of P x Q ranks.  Panel k, the columns k NB to k NB + NB - 1,
 *  is factored by the ranks of column k mod Q, broadcast along the rows, and updates the columns
 *  after it.  An iteration of the main loop is a panel.
 *
 *  Source: A. Petitet, R. C. Whaley, J. Dongarra, A. Cleary, "HPL - A Portable Implementation of
 *  the High-Performance Linpack Benchmark", version 2.3, 2018, whose functions the comments name.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "common/numeric/rng.h"
#include "traces/generators/generator.h"
#include "traces/generators/hpl/kernels.h"

enum hpl_broadcast { HPL_RING, HPL_RING_M, HPL_2RING, HPL_2RING_M, HPL_LONG, HPL_LONG_M };
enum hpl_swap { HPL_SWAP_EXCHANGE, HPL_SWAP_LONG, HPL_SWAP_MIX };
enum hpl_factor { HPL_LEFT, HPL_CROUT, HPL_RIGHT };
enum hpl_order { HPL_BY_ROW, HPL_BY_COLUMN };
enum hpl_pivots_from { HPL_RANDOM, HPL_MATRIX };

struct hpl_options {
  uint32_t n, nb, p, q, depth, nbmin, ndiv, threshold;
  uint32_t bcast, swap, pfact, rfact, pmap; /**< values of the enumerations above */
  bool no_equil;
  uint32_t pivots; /**< enum hpl_pivots_from */
  uint64_t seed;   /**< of random pivots and of the noise */
  const char *kernels;
  uint32_t per_host; /**< ranks on each host of the table of kernels */
  double noise;      /**< factor of the noise of kernels; 0: none */
  double speed;      /**< flop/s of the machine on which the kernels were measured */
};

struct hpl_pivots;
struct hpl_plan;

struct hpl {
  struct generator base;
  struct spec spec;
  struct hpl_options o;
  uint32_t panels, chunks;  /**< chunks: blocks of a factorisation */
  uint32_t ahead;           /**< panels of look-ahead, see HPL_pdgesv */
  struct hpl_plan *plan[2]; /**< of full panels, and of the last one */
  struct hpl_pivots *pivots;
  struct kernels *kernels; /**< NULL: counts of flops */
  uint32_t *cut;           /**< scratch of swap_long.c; P + 1 entries */
};

enum { HPL_CHUNK = 8 /* columns of a factorisation in one block */ };

/** A panel as one rank sees it. */
struct hpl_panel {
  uint32_t index;
  uint32_t first, width; /**< columns of the matrix */
  uint32_t prow, pcol;   /**< coordinates of the rank with the diagonal block */
  uint32_t dist;         /**< distance of the rank's row from prow, in 0..P-1 */
  int32_t tag;           /**< of its broadcast */
  uint64_t rows;         /**< rows of the rank from the diagonal on */
  uint64_t below;        /**< rows below the diagonal block */
  uint64_t length;       /**< doubles of its broadcast */
};

/** A block of actions while it is made. */
struct hpl_at {
  const struct hpl *h;
  struct emit *out;
  uint32_t row, col; /**< of the rank */
  bool relay;        /**< a panel is expected: the rank probes for it */
  double due;        /**< cost of kernels since the last action: seconds; flops if cost is NULL */
  struct rng noise;
  const struct kernel_cost *cost; /**< of the rank's host; NULL: counts of flops */
};

/* Numbering: hpl.c. */

uint32_t hpl_rank(const struct hpl *h, uint32_t row, uint32_t col);

/** Number of rows or columns in [from, to) of the matrix that row or column @p at of the grid has;
 *  @p of is P or Q. */
uint64_t hpl_local(const struct hpl *h, uint64_t from, uint64_t to, uint32_t at, uint32_t of);

static inline uint32_t hpl_after(uint32_t base, uint32_t distance, uint32_t of)
{
  return (base + distance) % of;
}

/** Largest power of two that is at most @p n; n > 0. */
static inline uint32_t hpl_power(uint32_t n)
{
  return UINT32_C(1) << (31 - __builtin_clz(n));
}

/* Messages of doubles: comms.c.  Each function first emits the computation of the kernels that are
 * due. */

enum { HPL_TAG_SWAP = 1001, HPL_TAG_PANEL = 2001, HPL_TAG_SOLVE = 3001, HPL_TAG_COLL = 9001 };

void hpl_flush(struct hpl_at *a);
/** As HPL_send() and HPL_recv(), these do nothing if @p doubles is 0. */
void hpl_send(struct hpl_at *a, uint32_t rank, int32_t tag, uint64_t doubles);
void hpl_recv(struct hpl_at *a, uint32_t rank, int32_t tag, uint64_t doubles);
/** HPL_sdrv(): an exchange with one partner; a side of 0 doubles has no message. */
void hpl_exchange(struct hpl_at *a, uint32_t rank, uint64_t sent, uint64_t received);
void hpl_probe(struct hpl_at *a);

/** A broadcast down a binary tree over the rows base .. base + size - 1 (modulo P) of the rank's
 *  column.  The rank is at distance `dist` from base.  If `probes`, it probes after each round. */
struct hpl_tree {
  uint32_t base, size, dist;
  int32_t tag;
  bool probes;
};
void hpl_tree(struct hpl_at *a, const struct hpl_tree *t, uint64_t doubles);

/** Broadcasts a panel, all ranks blocking. */
void hpl_bcast(struct hpl_at *a, const struct hpl_panel *x);
/** Begins the broadcast of a panel at the start of an update: the root of a ring sends; the other
 *  ranks of a ring expect the panel and probe from now on; long broadcasts block. */
void hpl_bcast_begin(struct hpl_at *a, const struct hpl_panel *x);

/* Factorisation of a panel: panel.c. */

enum status hpl_plan_new(struct hpl_plan **out, const struct hpl_options *o, uint32_t width,
                         struct err *e);
void hpl_plan_free(struct hpl_plan *p);
/** Factors the columns @p from to @p to - 1 of panel @p x. */
void hpl_factor(struct hpl_at *a, const struct hpl_panel *x, uint32_t from, uint32_t to);

/* Exchange of rows before an update of n columns: swap.c, swap_long.c. */

void hpl_swap_exchange(struct hpl_at *a, const struct hpl_panel *x, uint64_t n);
void hpl_swap_long(struct hpl_at *a, const struct hpl_panel *x, uint64_t n);

/* Pivots: pivots.c. */

/** The rows that a panel exchanges, all by row of the grid. */
struct hpl_rows {
  uint32_t panel;
  /** Number of rows outside of the diagonal block that are pivots, by distance from the panel's
   *  row. */
  uint32_t *pivots;
  /** For the binary exchange: before[d] is the number of rows of the distances below d, after the
   *  rows of the distances from the largest power of two on have been added to lower distances
   *  (fold() of swap.c). */
  uint32_t *before;
  /** For the long swap: rows of the grid in their order in the ring, the place of each row, and the
   *  first row of U of each place, with P + 1 entries. */
  uint32_t *order, *place, *start;
};

enum status hpl_pivots_new(struct hpl_pivots **out, const struct hpl *h, struct err *e);
void hpl_pivots_free(struct hpl_pivots *p);
/** The rows of panel @p x, valid until the next call. */
const struct hpl_rows *hpl_rows_of(const struct hpl_at *a, const struct hpl_panel *x);

/* Solution of the triangular system: solve.c. */

/** Number of blocks of actions of the solution.  hpl_solve() emits block @p step. */
uint32_t hpl_solve_steps(const struct hpl *h);
void hpl_solve(struct hpl_at *a, uint32_t step);
