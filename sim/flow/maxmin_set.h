/** @file maxmin_set.h
 *  Private to maxmin*.c: a set of small numbers that is filled and emptied often.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/err.h"

/** Empty when zeroed; numbers have to be reserved. */
struct maxmin_set {
  uint32_t *at;   /**< the members, in order of insertion */
  uint32_t count; /**< members */
  bool *has;      /**< by number: is it a member? */
  size_t numbers, at_room, has_room;
};

/** Allows the numbers 0..@p numbers - 1. */
enum status maxmin_set_reserve(struct maxmin_set *s, uint32_t numbers, struct err *e);

/** Frees the arrays; accepts a zeroed struct. */
void maxmin_set_clear(struct maxmin_set *s);

/** Removes all members.  O(count). */
void maxmin_set_empty(struct maxmin_set *s);

/** Inserts a reserved number unless it is a member. */
static inline void maxmin_set_add(struct maxmin_set *s, uint32_t number)
{
  s->at[s->count] = number; /* at[] has one entry more than there are numbers */
  s->count += !s->has[number];
  s->has[number] = true;
}
