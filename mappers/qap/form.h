/** @file form.h
 *  An instance in the form that searches work on: flows and distances divided by what divides them
 *  all, symmetric if one of them is, in 32 bits if the changes of value fit, and with facilities
 *  that are interchangeable next to each other.  Constant during a search; threads share it.
 *
 *  A swap moves facilities u and v to each other's location.  Facilities are interchangeable if a
 *  swap of them never changes the value: unused hosts, ranks without traffic, slots of a host.
 *  Flows and distances may have changed roles, so that there are fewer swaps that do.
 *
 *  Where flow or distance is symmetric, the form has sums over pairs with both of them symmetric;
 *  otherwise it has `two` products a pair, and back_flow and back_distance are the transposes.
 */
#ifndef MAPPERS_QAP_FORM_H
#define MAPPERS_QAP_FORM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/err.h"
#include "mappers/qap/instance.h"

struct form {
  uint32_t n;
  bool wide; /**< entries are int64_t, else int32_t; arithmetic is modulo 2^64 or 2^32, exact for
                  changes of value */
  bool two;
  int64_t scale; /**< changes of value in the instance are this times those of the form */

  void *flow, *back_flow;         /**< [u * n + v], diagonal 0; owned; the same unless `two` */
  void *distance, *back_distance; /**< [k * n + l], likewise */
  int64_t *self, *place;          /**< diagonals: the value has self[u] * place[location of u] */

  uint32_t *skip;   /**< facilities u to skip[u]-1 are interchangeable with u */
  uint32_t *region; /**< of a location: those of one region are interchangeable */
  uint64_t swaps;   /**< pairs of facilities that are not interchangeable */

  size_t *first;     /**< facility u has flows with partner[first[u]] to partner[first[u+1]-1] */
  uint32_t *partner; /**< sorted; not u itself */

  bool inverted;   /**< the form's facilities are the instance's locations */
  uint32_t *order; /**< the instance's number of facility u, or location if inverted */
};

/** Puts @p q, which has passed qap_check(), into its form.  The caller's: form_free(). */
enum status form_new(struct form **out, const struct qap *q, struct err *e);

/** Entry (i, j) of a matrix of the form. */
static inline int64_t form_entry(const struct form *f, const void *matrix, uint32_t i, uint32_t j)
{
  const size_t at = (size_t)i * f->n + j;
  return f->wide ? ((const int64_t *)matrix)[at] : ((const int32_t *)matrix)[at];
}

/** Accepts NULL. */
void form_free(struct form *f);

/** Writes the location of each facility of the instance to @p at, given those of the form. */
void form_assignment(const struct form *f, const uint32_t *location, uint32_t *at);

#endif
