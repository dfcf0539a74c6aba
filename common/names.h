/** @file names.h
 *  Distinct texts, numbered 0, 1, 2, ... in the order in which they come first.
 */
#ifndef COMMON_NAMES_H
#define COMMON_NAMES_H

#include <stddef.h>
#include <stdint.h>

#include "common/err.h"
#include "common/index.h"

#define NAMES_NONE INDEX_NONE

/** Zeroed: empty. */
struct names {
  char **name; /**< by number; owned: names_clear() */
  size_t room;
  struct index index;
  uint32_t count; /**< the next one's number */
};

/** Frees the texts; leaves none. */
void names_clear(struct names *n);

/** The number of @p name; NAMES_NONE if it has none.  O(1) on average, as the next. */
uint32_t names_find(const struct names *n, const char *name);

/** The same, but copies a new name and gives it the next number. */
enum status names_add(struct names *n, const char *name, uint32_t *number, struct err *e);

#endif
