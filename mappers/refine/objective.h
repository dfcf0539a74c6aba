/** @file objective.h
 *  What a placement is judged by.  Values are exact integers, the same as metrics.h computes.
 */
#ifndef MAPPERS_REFINE_OBJECTIVE_H
#define MAPPERS_REFINE_OBJECTIVE_H

#include "common/registry.h"

enum objective {
  OBJECTIVE_HOPBYTES, /**< bytes times hops */
  OBJECTIVE_LINKLOAD, /**< bytes on the fullest link, or its seconds where bandwidths differ; of
                           equal ones hop-bytes */
  OBJECTIVE_BLEND,    /**< bytes on the fullest link + 1.5 * hop-bytes / links: docs/fit.md */
  OBJECTIVE_RMATT     /**< RMATT's: sum over directed pairs of ranks that communicate of hops times
                           bytes on the fullest link of the route */
};

struct objective_name {
  const char *name;
  enum objective objective;
};

/** Of struct objective_name: those of mapper anneal, and those of refine-objective=. */
extern const struct registry objectives, objectives_refine;

#endif
