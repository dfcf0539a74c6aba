/** @file registry.h
 *  A registry lists the rows that users select by name, such as engines or mappers, in the order of
 *  the help texts, with the default first.  Rows are structs whose first member is their name, a
 *  const char *.  Each row is usually defined in a separate file:
 *
 *      #define LIST(ROW) ROW(engine_flow) ROW(engine_simgrid)
 *      #define DECLARE(row) extern const struct engine row;
 *      LIST(DECLARE)
 *      const struct registry engines = REGISTRY("engine", LIST);
 */
#pragma once

#include <stddef.h>

#include "common/err.h"

struct registry {
  const char *what;        /**< kind of row for messages, such as "engine" */
  const void *const *rows; /**< the last entry is NULL */
};

#define REGISTRY_ROW(row) &row,
#define REGISTRY(what, LIST)                                                                       \
  {                                                                                                \
    what, (const void *const[])                                                                    \
    {                                                                                              \
      LIST(REGISTRY_ROW) NULL                                                                      \
    }                                                                                              \
  }

/** Row @p i and its name.  NULL past the last row. */
const void *registry_at(const struct registry *r, size_t i);
const char *registry_name(const struct registry *r, size_t i);

/** The row whose name equals the first @p n bytes of @p name; NULL if none does.  O(rows). */
const void *registry_find(const struct registry *r, const char *name, size_t n);

/** The row called @p name.  If there is none, returns NULL with the message of registry_unknown().
 */
const void *registry_get(const struct registry *r, const char *name, struct err *e);

/** Reports "unknown WHAT 'NAME', perhaps 'NEAREST'; expected ..." for the first @p n bytes of @p
 *  name.  Returns FAIL. */
enum status registry_unknown(const struct registry *r, const char *name, size_t n, struct err *e);

/** The name with the smallest edit distance (insert, delete, replace, swap neighbours) to the first
 *  @p n bytes of @p name.  NULL if more than a third of the letters differ or the name is longer
 *  than 32 bytes. */
const char *registry_nearest(const struct registry *r, const char *name, size_t n);

/** Writes the names as "a, b or c" into @p text, truncated to @p size bytes. */
void registry_list(const struct registry *r, char *text, size_t size);
