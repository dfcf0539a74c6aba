/** @file objective.h
 *  The objectives of a placement.  Values are integers.  Hops and loads of links are counted as in
 *  metrics.h.
 */
#pragma once

enum objective {
  OBJECTIVE_HOPBYTES, /**< bytes times hops */
  OBJECTIVE_LINKLOAD, /**< bytes on the most loaded link, or its seconds if bandwidths differ;
                           hop-bytes break ties */
  OBJECTIVE_BLEND,    /**< bytes on the most loaded link + 1.5 * hop-bytes / links: docs/fit.md */
  OBJECTIVE_TIME,     /**< estimated time: timing.h */
  OBJECTIVE_RMATT     /**< RMATT's: sum over directed pairs of ranks that communicate of hops times
                           bytes on the most loaded link of their route */
};

/** Names by number, ended by NULL.  `objectives` serves the mapper anneal, `objectives_refine` the
 *  other mappers and the option refine-objective=. */
extern const char *const objectives[], *const objectives_refine[];
