/** @file merge_input.h
 *  What the mappers by merging take: the checks of their input and their options as numbers.
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

/** From this iteration on, blocks of 2^level hosts a side (of a hypercube, 2 * level dimensions)
 *  count as one. */
struct merge_subgroup {
  uint32_t level, iteration;
};

#define MERGE_INPUT_MAX_SUBGROUPS 26

struct merge_subgroups {
  uint32_t count;
  struct merge_subgroup at[MERGE_INPUT_MAX_SUBGROUPS]; /**< both rise */
};

/** The two rows that the option lists of these mappers share. */
#define MERGE_INPUT_OBJECTIVE                                                                      \
  {                                                                                                \
    .name = "objective", .default_value = "minlink",                                               \
    .help = "minlink (bytes on the fullest link) or mincost (bytes times hops)"                    \
  }
#define MERGE_INPUT_SUBGROUP                                                                       \
  {                                                                                                \
    .name = "subgroup", .default_value = "auto",                                                   \
    .help = "SIZE@ITERATION[+SIZE@ITERATION...]: blocks and when they begin to count"              \
  }

/** One rank a host; ranks of the traffic below in->ranks; bytes times hops below 2^63 whatever the
 *  mapping.  Fills @p plan. */
enum status merge_input_check(const struct mapper_input *in, const char *mapper,
                              struct merge_plan *plan, struct err *e);

enum status merge_input_objective(const char *mapper, const char *text, enum merge_objective *out,
                                  struct err *e);

/** Reads "2@6+4@9": sizes, powers of two, and iterations rise, and blocks of that size exist by
 *  then.  "auto" is 2^j from round j+1 on, in 3 dimensions 2@6+4@9+8@12 and so on. */
enum status merge_input_subgroups(const char *mapper, const char *text,
                                  const struct merge_plan *plan, struct merge_subgroups *out,
                                  struct err *e);

#endif
