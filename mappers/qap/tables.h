/** @file tables.h
 *  An assignment, and what every swap of two facilities would change of its value.
 *
 *  With place_cost[u][k], the cost of facility u at the location of facility k while all others
 *  stay, a swap (r, s) adds x[u] * y[k] to each entry, where x is a difference of two rows of the
 *  flows and y of two rows of the distances; and the change of a swap (u, v) of others by
 *  -(x[u] - x[v]) * (y[u] - y[v]) (Taillard, Parallel Computing 17, 1991, in other letters).  Swaps
 *  of r or s follow from place_cost.  So a swap costs O(n^2) in all, O(1) a pair, without loads out
 *  of order; less where flows are sparse, since x is.
 */
#ifndef MAPPERS_QAP_TABLES_H
#define MAPPERS_QAP_TABLES_H

#include <stddef.h>
#include <stdint.h>

#include "common/err.h"
#include "mappers/qap/form.h"

/** A swap, u < v, and the change of the value. */
struct swap {
  uint32_t u, v;
  int64_t change;
};

/** Rows of tables are multiples of this long. */
enum { TABLES_LANES = 16 };

struct tables {
  const struct form *form;
  uint32_t *at;     /**< location of each facility; read only outside */
  int64_t value;    /**< of the assignment, in the form's unit */
  uint32_t stride;  /**< from row to row */
  void *place_cost; /**< [u * stride + k], of the form's type, as all void * below; owned, all */
  void *change;     /**< [u * stride + v], v >= skip[u]; other entries are garbage */
  void *x, *y;      /**< of the last swap */
  uint32_t *some;   /**< the facilities whose x is not 0 */
};

/** What tables_best() may take: swaps with until[u * stride + v] <= now, and any with a change
 *  below `wanted` unless it is INT32_MAX, which stands wherever the table of changes has
 *  garbage. */
struct scan {
  const int32_t *until;
  int32_t now;
  int64_t wanted;
};

/** The caller's: tables_clear(), also after a failure. */
enum status tables_new(struct tables *t, const struct form *f, struct err *e);

/** Accepts a zeroed one. */
void tables_clear(struct tables *t);

/** Takes a copy of the assignment @p at, whose value is @p value.  O(n^2 + n * flows). */
void tables_start(struct tables *t, const uint32_t *at, int64_t value);

/** Swaps two facilities that are not interchangeable. */
void tables_swap(struct tables *t, uint32_t u, uint32_t v);

/** The change of swapping u and v, in any order, not interchangeable.  O(1). */
int64_t tables_change(const struct tables *t, uint32_t u, uint32_t v);

/** The swap of the least change among those allowed, of equal ones the first from row @p first on,
 *  around the end.  u == v: none is allowed.  O(n^2). */
struct swap tables_best(const struct tables *t, const struct scan *s, uint32_t first);

/** The change of swapping u and v, without tables.  O(flows of u and v). */
int64_t tables_price(const struct form *f, const uint32_t *at, uint32_t u, uint32_t v);

/** The value of an assignment in the form's unit.  O(n + flows). */
int64_t tables_value(const struct form *f, const uint32_t *at);

#endif
