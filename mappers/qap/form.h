/** @file form.h
 *  An instance in the form that searches work on: flows and distances are divided by their common
 *  divisors, made symmetric if one of them is, stored in 32 bits if the changes of value fit, and
 *  interchangeable facilities are adjacent.  Constant during a search; threads share it.
 *
 *  A swap moves facilities u and v to each other's location.  Facilities are interchangeable if a
 *  swap of them never changes the value: unused hosts, ranks without traffic, slots of the same
 *  host.  The form may exchange the roles of flows and distances, to have fewer swaps that change
 *  the value.
 *
 *  If flow or distance is symmetric, the form makes both symmetric and the value has one product
 *  for each pair.  If neither is (`two`), the value has two products for each pair, and back_flow
 *  and back_distance are the transposes.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/arena.h"
#include "mappers/qap/instance.h"

struct form {
  uint32_t n;
  bool wide; /**< entries are int64_t; if false, int32_t.  Arithmetic is modulo 2^64 or 2^32, exact
                  for changes of value */
  bool two;
  int64_t scale; /**< factor from a change of value in the form to the change in the instance */

  void *flow, *back_flow;         /**< [u * n + v], diagonal 0; one array unless `two` */
  void *distance, *back_distance; /**< [k * n + l], diagonal 0; one array unless `two` */
  int64_t *self, *place;          /**< diagonals: the value has self[u] * place[location of u] */

  uint32_t *skip;   /**< facilities u to skip[u] - 1 are interchangeable */
  uint32_t *region; /**< of a location: locations of the same region are interchangeable */
  uint64_t swaps;   /**< pairs of facilities that are not interchangeable */

  size_t *first;     /**< partner[first[u]] to partner[first[u + 1] - 1] have flows with u */
  uint32_t *partner; /**< sorted; without u itself */

  bool inverted;   /**< the form's facilities are the instance's locations */
  uint32_t *order; /**< number of facility u in the instance; of the location if inverted */
};

/** Converts @p q, which has passed qap_check(). */
enum status form_new(struct form **out, const struct qap *q, struct arena *mem);

/** Entry (i, j) of a matrix of the form. */
static inline int64_t form_entry(const struct form *f, const void *matrix, uint32_t i, uint32_t j)
{
  const size_t at = (size_t)i * f->n + j;
  return f->wide ? ((const int64_t *)matrix)[at] : ((const int32_t *)matrix)[at];
}

/** Converts @p location, an assignment in the form's numbers, to the location of each facility of
 *  the instance in @p at. */
void form_assignment(const struct form *f, const uint32_t *location, uint32_t *at);
