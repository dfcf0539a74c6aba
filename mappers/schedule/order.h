/** @file order.h
 *  Orders of all elements of a network, producers before consumers, and the ranks by which list
 *  schedulers sort.  Each function takes time near linear in elements and ends.
 */
#pragma once

#include "common/err.h"
#include "tasks/tasknet.h"

/** Costs of elements and of data, in seconds. */
struct order_weights {
  const double *work; /**< by element */
  double gap;         /**< transfer of a unit of data between two elements */
};

/** Writes all elements to @p order.  The next one is the element with the least key of the elements
 *  whose producers are already in @p order; ties: the lower number. */
enum status order_by_key(const struct tasknet *n, const double *key, uint32_t *order,
                         struct err *e);

/** Writes the upward rank of HEFT of each element: the seconds on the longest path from the element
 *  to an end of the network, including the element's work. */
enum status order_rank_up(const struct tasknet *n, const struct order_weights *w, double *rank,
                          struct err *e);

/** Writes the downward rank of each element: the seconds on the longest path from a start of the
 *  network to the element, without the element's work. */
enum status order_rank_down(const struct tasknet *n, const struct order_weights *w, double *rank,
                            struct err *e);
