/** @file subsets.h
 *  Private to predict/sweep/: the sets of hosts of a platform that are worth trying.  Hosts of one
 *  cluster and one speed are alike: a set is a number of such groups.
 */
#ifndef PREDICT_SWEEP_SUBSETS_H
#define PREDICT_SWEEP_SUBSETS_H

#include <stdint.h>

#include "common/err.h"
#include "platforms/platform.h"

/** Groups, of which all sets are tried, and characters of a set's name. */
enum { SUBSETS_GROUPS = 6, SUBSETS_NAME = 64 };

struct subset {
  char name[SUBSETS_NAME]; /**< as "A@2Gf+B@1Gf" */
  uint32_t *host;          /**< in the order in which ranks fill them; owned */
  uint32_t hosts;
};

struct subsets {
  struct subset *set;
  size_t room, count;
};

/** Lists the sets of which each has @p hosts hosts: the fastest, and of each set of groups the
 *  first hosts of its fastest groups, and as many of each group as its size demands.  Beyond
 *  SUBSETS_GROUPS groups, the sets are those of the fastest 1, 2, ... groups and of each one.
 *  Sets of hosts that are listed already are left out.  The caller's: subsets_clear(). */
enum status subsets_find(struct subsets *out, const struct platform *p, uint32_t hosts,
                         struct err *e);

void subsets_clear(struct subsets *s);

#endif
