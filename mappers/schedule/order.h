/** @file order.h
 *  Orders of all elements of a network in which producers come before consumers, and the ranks that
 *  list schedulers sort by.  Each function takes time near linear in elements and ends.
 */
#pragma once

#include "common/err.h"
#include "tasks/tasknet.h"

/** Costs of elements and of data, in seconds. */
struct order_weights {
  const double *work; /**< by element */
  double gap;         /**< per unit of data between two elements */
};

/** Writes all elements to @p order.  Each step takes the element with the least key that has all
 *  producers taken; ties: the lower number. */
enum status order_by_key(const struct tasknet *n, const double *key, uint32_t *order,
                         struct err *e);

/** The longest path from an element to an end of the network, including the element's work: the
 *  upward rank of HEFT. */
enum status order_rank_up(const struct tasknet *n, const struct order_weights *w, double *rank,
                          struct err *e);

/** The longest path from a start of the network to an element, without the element's work: the
 *  downward rank. */
enum status order_rank_down(const struct tasknet *n, const struct order_weights *w, double *rank,
                            struct err *e);
