/** @file method.h
 *  The search methods: each is one file and one row of the table in method.c.
 */
#pragma once

#include "common/registry.h"
#include "mappers/qap/methods/qap_search.h"

struct method {
  const char *name;
  const char *help; /**< one line */
  /** Searches until the budget is used up and passes good assignments to qap_search_offer().
   *  Allocates from @p mem.  Fails only if memory runs out. */
  enum status (*run)(struct qap_search *s, struct arena *mem);
};

/** Rows are struct method. */
extern const struct registry methods;
