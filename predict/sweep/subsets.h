/** @file subsets.h
 *  Private to predict/sweep/: the sets of hosts of a platform that are worth trying.  Hosts of the
 *  same cluster and speed are alike and form a group.  Sets are made from whole or partial groups.
 */
#pragma once

#include <stdint.h>

#include "common/err.h"
#include "platforms/platform.h"

/** Number of groups up to which all combinations are tried; size of a set's name in bytes. */
enum { SUBSETS_GROUPS = 6, SUBSETS_NAME = 64 };

struct subset {
  char name[SUBSETS_NAME]; /**< for example "A@2Gf+B@1Gf" */
  uint32_t *host;          /**< in the order in which ranks fill them; owned */
  uint32_t hosts;
};

struct subsets {
  struct subset *set;
  size_t room, count;
};

/** Lists sets of @p hosts hosts each.  For each combination of groups with enough hosts it makes
 *  two sets: the fastest groups filled first, and hosts of all its groups in proportion to their
 *  sizes.  With more than SUBSETS_GROUPS groups, the combinations are the fastest 1, 2, ... groups,
 *  and each single group.  Equal sets are listed once.  The caller frees *out with
 *  subsets_clear(). */
enum status subsets_find(struct subsets *out, const struct platform *p, uint32_t hosts,
                         struct err *e);

void subsets_clear(struct subsets *s);
