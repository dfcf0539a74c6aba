/** @file problem.h
 *  The input of a general mapper as a graph and a machine, and its result.
 */
#pragma once

#include "mappers/general/target.h"
#include "mappers/graph.h"
#include "mappers/mapper.h"

struct problem {
  const struct mapper_input *in;
  struct graph g; /**< tasks are ranks */
  struct target m;
  uint32_t *slot;   /**< by rank: the result; at first the rank's own number */
  struct arena mem; /**< owns the graph and the slots */
};

/** The caller frees @p p with problem_clear(). */
enum status problem_new(struct problem *p, const struct mapper_input *in, struct err *e);

/** Accepts a zeroed struct. */
void problem_clear(struct problem *p);

/** Makes the mapping to the slots p->slot.  The caller frees it with mapping_clear(). */
enum status problem_mapping(const struct problem *p, struct mapping *out, struct err *e);
