/** @file input.h
 *  Input checks and option parsing of the mappers by merging.
 */
#ifndef MAPPERS_MERGE_INPUT_H
#define MAPPERS_MERGE_INPUT_H

#include "common/err.h"
#include "mappers/mapper.h"
#include "mappers/merge/plan.h"

enum merge_objective {
  MERGE_MINLINK, /**< bytes on the most loaded directed link (the paper's Eval_Link) */
  MERGE_MINCOST  /**< bytes times hops (Eval_Cost) */
};

/** From this iteration on, blocks of 2^level hosts a side (on a hypercube, 2 * level dimensions)
 *  are placed as a whole. */
struct merge_subgroup {
  uint32_t level, iteration;
};

#define MERGE_INPUT_MAX_SUBGROUPS 26

struct merge_subgroups {
  uint32_t count;
  struct merge_subgroup at[MERGE_INPUT_MAX_SUBGROUPS]; /**< sorted by level and by iteration */
};

/** Options shared by these mappers. */
#define MERGE_INPUT_OBJECTIVE                                                                      \
  {                                                                                                \
    .name = "objective", .default_value = "minlink",                                               \
    .help = "minlink (bytes on the fullest link) or mincost (bytes times hops)"                    \
  }
#define MERGE_INPUT_SUBGROUP                                                                       \
  {                                                                                                \
    .name = "subgroup", .default_value = "auto",                                                   \
    .help = "SIZE@ITERATION[+SIZE@ITERATION...]: hosts in a block, and the iteration from which "  \
            "it is moved whole"                                                                    \
  }

/** Requires at most one rank for each host, traffic between ranks below in->ranks, and a sum of
 *  bytes times hops below 2^63 under any mapping.  Fills @p plan. */
enum status merge_input_check(const struct mapper_input *in, const char *mapper,
                              struct merge_plan *plan, struct err *e);

/** Reads "minlink" or "mincost"; errors name @p mapper. */
enum status merge_input_objective(const char *mapper, const char *text, enum merge_objective *out,
                                  struct err *e);

/** Reads "2@6+4@9" (SIZE@ITERATION).  Sizes are powers of two; sizes and iterations must rise;
 *  blocks of the size must exist at the iteration. "auto" uses size 2^j from round j+1 on:
 *  2@6+4@9+8@12 etc. in 3 dimensions. */
enum status merge_input_subgroups(const char *mapper, const char *text,
                                  const struct merge_plan *plan, struct merge_subgroups *out,
                                  struct err *e);

#endif
