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

/** From iteration `iteration` on, blocks of 2^level hosts a side (on a hypercube, 2 * level
 *  dimensions) are placed as a whole. */
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

/** Tables of options.  All have objective=.  merge_input_mopt also has combinations=, the other two
 *  have order=, and merge_input_both has subgroup=. */
extern const struct spec_option merge_input_mopt[], merge_input_objective[], merge_input_both[];

/** Fills @p plan.  Fails if there are more ranks than hosts, if the traffic has a rank from
 *  in->ranks on, or if the sum of bytes times hops may reach 2^63. */
enum status merge_input_check(const struct mapper_input *in, struct merge_plan *plan,
                              struct err *e);

/** Parses the option subgroup=, such as "2@6+4@9" (SIZE@ITERATION).  Sizes must be powers of two,
 *  and sizes and iterations must rise.  Blocks of the size must exist at the iteration.  "auto"
 *  moves blocks of size 2^j from round j+1 on: in 3 dimensions 2@6+4@9+8@12 and so on. */
enum status merge_input_subgroups(const struct mapper_input *in, const struct merge_plan *plan,
                                  struct merge_subgroups *out, struct err *e);
