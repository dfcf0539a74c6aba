/** @file input.h
 *  Input checks and option parsing of the mappers by merging.
 */
#pragma once

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

struct merge_options {
  enum merge_objective objective;
  const char *subgroup; /**< NULL if the mapper has no subgroups */
  uint64_t order;       /**< seed of a random order of combinations; 0: see pattern.h */
  enum { MERGE_ALL, MERGE_DISTINCT, MERGE_NOTHING } combinations; /**< of mopt */
};

/** Options of these mappers: objective= in all tables; combinations= of mopt; order= of the others;
 *  subgroup= in the last table. */
extern const struct spec_option merge_input_mopt[], merge_input_objective[], merge_input_both[];

/** Requires at most one rank for each host, traffic between ranks below in->ranks, and a sum of
 *  bytes times hops below 2^63 under any mapping.  Fills @p plan. */
enum status merge_input_check(const struct mapper_input *in, struct merge_plan *plan,
                              struct err *e);

/** Reads the option subgroup=, such as "2@6+4@9" (SIZE@ITERATION).  Sizes are powers of two;
 *  sizes and iterations must rise; blocks of the size must exist at the iteration. "auto" uses
 *  size 2^j from round j+1 on: 2@6+4@9+8@12 etc. in 3 dimensions. */
enum status merge_input_subgroups(const struct mapper_input *in, const struct merge_plan *plan,
                                  struct merge_subgroups *out, struct err *e);
