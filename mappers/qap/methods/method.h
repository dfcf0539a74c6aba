/** @file method.h
 *  The search methods: each is one file and one row of the table in method.c.
 */
#ifndef MAPPERS_QAP_METHODS_METHOD_H
#define MAPPERS_QAP_METHODS_METHOD_H

#include "common/registry.h"
#include "mappers/qap/methods/search.h"

struct method {
  const char *name;
  const char *help; /**< one line */
  /** Searches until the budget is used up and offers the assignments found with search_offer().
   *  Fails only for lack of memory. */
  enum status (*run)(struct search *s, struct err *e);
};

/** Entries are struct method. */
extern const struct registry methods;

#endif
