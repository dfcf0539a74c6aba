/** @file form.h
 *  An instance converted for searches: flows and distances are divided by their greatest common
 *  divisors and stored in 32 bits if the changes of value fit, and interchangeable facilities are
 *  adjacent.  Constant during a search; threads share it.
 *
 *  A swap moves facilities u and v to each other's location.  Facilities are interchangeable if a
 *  swap of them never changes the value, for example ranks without traffic.  The slots of one host
 *  are interchangeable locations.  The form may exchange the roles of flows and distances, to have
 *  fewer swaps that change the value.
 *
 *  If the flows or the distances are symmetric, the form makes both symmetric, and the value has
 *  one product for each pair.  If neither is (`two`), the value has two products for each pair, and
 *  back_flow and back_distance are the transposes.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/arena.h"
#include "mappers/qap/instance.h"

struct form {
  uint32_t n;
  bool wide; /**< entries are int64_t; false: int32_t.  Changes of value are exact modulo 2^64 or
                  2^32 */
  bool two;  /**< flows and distances are not symmetric */
  int64_t scale; /**< factor from a change of value in the form to the change in the instance */

  void *flow, *back_flow;         /**< [u * n + v], diagonal 0; one array unless `two` */
  void *distance, *back_distance; /**< [k * n + l], diagonal 0; one array unless `two` */
  int64_t *self, *place;          /**< diagonals of flows and distances: the value includes
                                       self[u] * place[location of u] */

  uint32_t *skip;   /**< facilities u to skip[u] - 1 are interchangeable */
  uint32_t *region; /**< by location: locations of equal region are interchangeable */
  uint64_t swaps;   /**< pairs of facilities that are not interchangeable */

  size_t *first;     /**< partner[first[u]] to partner[first[u + 1] - 1] have flows with u */
  uint32_t *partner; /**< sorted; without u itself */

  bool inverted;   /**< the form's facilities are the instance's locations */
  uint32_t *order; /**< by facility: its number in the instance; if inverted, the location's */
};

/** Converts @p q, which has passed qap_check().  The form belongs to @p mem. */
enum status form_new(struct form **out, const struct qap *q, struct arena *mem);

/** Entry (i, j) of a matrix of the form. */
static inline int64_t form_entry(const struct form *f, const void *matrix, uint32_t i, uint32_t j)
{
  const size_t at = (size_t)i * f->n + j;
  return f->wide ? ((const int64_t *)matrix)[at] : ((const int32_t *)matrix)[at];
}

/** Converts @p location, an assignment in the numbers of the form, to numbers of the instance:
 *  at[i] is the location of facility i. */
void form_assignment(const struct form *f, const uint32_t *location, uint32_t *at);
