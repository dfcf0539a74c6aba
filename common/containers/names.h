/** @file names.h
 *  Numbers distinct strings 0, 1, 2, ... in the order of their first addition, and sorts names.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "common/containers/index.h"
#include "common/err.h"

#define NAMES_NONE INDEX_NONE

/** Zeroed: empty. */
struct names {
  char **name; /**< strings by number; owned: names_clear() */
  size_t room;
  struct index index;
  uint32_t count; /**< number of strings; the next string gets this number */
};

/** Frees the strings.  Leaves an empty set. */
void names_clear(struct names *n);

/** The number of @p name; NAMES_NONE if it is not in the set.  O(1) on average. */
uint32_t names_find(const struct names *n, const char *name);

/** Writes the number of @p name; adds a copy if the name is new.  O(1) on average. */
enum status names_add(struct names *n, const char *name, uint32_t *number, struct err *e);

/** Sets *order to the numbers of @p n strings, sorted as by strverscmp(3): digits compare as
 *  numbers.  Equal strings are in the order of their numbers.  The caller frees *order.
 *  O(n log n). */
enum status names_order(uint32_t **order, char *const *name, uint32_t n, struct err *e);
