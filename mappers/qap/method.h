/** @file method.h
 *  The ways to search for a good assignment: each is one file and one row of the table in method.c.
 */
#ifndef MAPPERS_QAP_METHOD_H
#define MAPPERS_QAP_METHOD_H

#include "common/registry.h"
#include "mappers/qap/search.h"

struct method {
  const char *name;
  const char *help; /**< one line */
  /** Searches until the budget is used up; what it finds it offers to the search.  Fails only for
   *  lack of memory. */
  enum status (*run)(struct search *s, struct err *e);
};

/** Of struct method. */
extern const struct registry methods;

#endif
