/** @file maxmin_set.h
 *  Private to maxmin*.c: a set of small numbers that is filled and emptied often.
 */
#ifndef SIM_FLOW_MAXMIN_SET_H
#define SIM_FLOW_MAXMIN_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/err.h"

/** Zeroed: empty, without room. */
struct maxmin_set {
  uint32_t *at;   /**< those in it, in the order in which they came */
  uint32_t count; /**< of them */
  bool *has;      /**< by number */
  size_t numbers, at_room, has_room;
};

/** Makes room for the numbers 0..@p numbers - 1. */
enum status maxmin_set_reserve(struct maxmin_set *s, uint32_t numbers, struct err *e);
void maxmin_set_clear(struct maxmin_set *s);

/** Takes all numbers out: O(count). */
void maxmin_set_empty(struct maxmin_set *s);

/** Puts in a number, which there is room for, if it is not there. */
static inline void maxmin_set_add(struct maxmin_set *s, uint32_t number)
{
  s->at[s->count] = number; /* at[] has room for one more than there are numbers */
  s->count += !s->has[number];
  s->has[number] = true;
}

#endif
