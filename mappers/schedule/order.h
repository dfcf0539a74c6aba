/** @file order.h
 *  Orders of all elements of a network in which producers come before consumers, and the ranks that
 *  list schedulers sort by.  Every pass takes time near linear in elements and ends.
 */
#ifndef MAPPERS_SCHEDULE_ORDER_H
#define MAPPERS_SCHEDULE_ORDER_H

#include "common/err.h"
#include "tasks/tasknet.h"

/** Costs of elements and of data, in seconds. */
struct order_weights {
  const double *work; /**< by element */
  double gap;         /**< of a unit of data between two elements */
};

/** Writes all elements to @p order: again and again the one of the least key among those whose
 *  producers have all been taken; ties: the lower number. */
enum status order_by_key(const struct tasknet *n, const double *key, uint32_t *order,
                         struct err *e);

/** The longest way from an element to an end, its own work included: the upward rank of HEFT. */
enum status order_rank_up(const struct tasknet *n, const struct order_weights *w, double *rank,
                          struct err *e);

/** The longest way from a start to an element, without its own work: the downward rank. */
enum status order_rank_down(const struct tasknet *n, const struct order_weights *w, double *rank,
                            struct err *e);

#endif
