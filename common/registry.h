/** @file registry.h
 *  A registry holds the rows of a choice that users have by name, such as engines or mappers, in
 *  the order of the help texts, the default first.  Rows are structs whose first member is their
 *  name, a const char *, and mostly stand in files of their own:
 *
 *      #define LIST(ROW) ROW(engine_flow) ROW(engine_simgrid)
 *      #define DECLARE(row) extern const struct engine row;
 *      LIST(DECLARE)
 *      const struct registry engines = REGISTRY("engine", LIST);
 */
#ifndef COMMON_REGISTRY_H
#define COMMON_REGISTRY_H

#include <stddef.h>

#include "common/err.h"

struct registry {
  const char *what;        /**< "engine", for messages */
  const void *const *rows; /**< ends with NULL */
};

#define REGISTRY_ROW(row) &row,
#define REGISTRY(what, LIST)                                                                       \
  {                                                                                                \
    what, (const void *const[])                                                                    \
    {                                                                                              \
      LIST(REGISTRY_ROW) NULL                                                                      \
    }                                                                                              \
  }

/** Row @p i, and its name; NULL past the last. */
const void *registry_at(const struct registry *r, size_t i);
const char *registry_name(const struct registry *r, size_t i);

/** The row whose name is the first @p n bytes of @p name; NULL if none is.  O(rows). */
const void *registry_find(const struct registry *r, const char *name, size_t n);

/** The row called @p name; else NULL with the message of registry_unknown(). */
const void *registry_get(const struct registry *r, const char *name, struct err *e);

/** Writes "unknown WHAT 'NAME', perhaps 'NEAREST'; expected ..." about the first @p n bytes of
 *  @p name, and returns FAIL. */
enum status registry_unknown(const struct registry *r, const char *name, size_t n, struct err *e);

/** The name with the fewest letters left out, added, changed or swapped against the first @p n
 *  bytes of @p name; NULL if more than a third of the letters differ, or beyond 32 bytes. */
const char *registry_nearest(const struct registry *r, const char *name, size_t n);

/** Writes the names "a, b or c" into @p text, cut to @p size bytes. */
void registry_list(const struct registry *r, char *text, size_t size);

#endif
