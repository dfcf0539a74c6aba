/** @file tables.h
 *  An assignment, and a table with the change of its value for every swap of two facilities.
 *
 *  place_cost[u][k] is the cost of facility u at the location of facility k while all other
 *  facilities stay.  A swap (r, s) adds x[u] * y[k] to each entry, where x is a difference of two
 *  rows of the flows and y a difference of two rows of the distances.  It adds -(x[u] - x[v]) *
 *  (y[u] - y[v]) to the change of each swap (u, v) of other facilities (Taillard, Parallel
 *  Computing 17, 1991; with other variable names).  The changes of swaps with r or s are computed
 *  from place_cost.  A swap takes O(n^2), O(1) for each pair, and reads memory in order.  Sparse
 *  flows take less, since x is sparse too.
 */
#pragma once

#include <stdint.h>

#include "common/arena.h"
#include "mappers/qap/form.h"

/** A swap, u < v, and its change of the value. */
struct swap {
  uint32_t u, v;
  int64_t change;
};

/** The stride of the tables is a multiple of this number of entries. */
enum { TABLES_LANES = 16 };

struct tables {
  const struct form *form;
  uint32_t *at;     /**< location of each facility; only tables.c and the kernels write it */
  int64_t value;    /**< value of the assignment, in the form's unit */
  uint32_t stride;  /**< entries from one row to the next */
  void *place_cost; /**< [u * stride + k]; entries are int64_t if form->wide, int32_t if not */
  void *change;     /**< [u * stride + v], v >= skip[u]; same type; other entries are undefined */
  void *x, *y;      /**< x and y of the last swap; same type */
  uint32_t *some;   /**< facilities with a nonzero x */
};

/** The swaps that tables_best() may return: swaps with until[u * stride + v] <= now, and swaps with
 *  a change below `wanted` and an `until` below INT32_MAX. */
struct scan {
  const int32_t *until; /**< INT32_MAX where the change is undefined */
  int32_t now;
  int64_t wanted;
};

/** The tables belong to @p mem.  Also fails if an earlier request of @p mem has failed. */
enum status tables_new(struct tables *t, const struct form *f, struct arena *mem);

/** Copies the assignment @p at, whose value is @p value, and computes the tables.  O(n^2 + n *
 *  flows). */
void tables_start(struct tables *t, const uint32_t *at, int64_t value);

/** Swaps two facilities that are not interchangeable. */
void tables_swap(struct tables *t, uint32_t u, uint32_t v);

/** The change of swapping u and v, in any order; they must not be interchangeable.  O(1). */
int64_t tables_change(const struct tables *t, uint32_t u, uint32_t v);

/** The allowed swap with the least change; u == v if no swap is allowed.  Ties go to the first row,
 *  in the order @p first to n - 1, then 0 to @p first - 1.  O(n^2). */
struct swap tables_best(const struct tables *t, const struct scan *s, uint32_t first);

/** The change of swapping u and v, computed without tables.  O(flows of u and v). */
int64_t tables_price(const struct form *f, const uint32_t *at, uint32_t u, uint32_t v);

/** The value of an assignment in the form's unit.  O(n + flows). */
int64_t tables_value(const struct form *f, const uint32_t *at);
