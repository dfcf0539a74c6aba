/** @file problem.h
 *  What a general mapper starts from and ends with.
 */
#ifndef MAPPERS_GENERAL_PROBLEM_H
#define MAPPERS_GENERAL_PROBLEM_H

#include "mappers/general/graph.h"
#include "mappers/general/target.h"
#include "mappers/mapper.h"

struct problem {
  const struct mapper_input *in;
  struct graph g; /**< tasks are ranks */
  struct target m;
  uint32_t *slot; /**< of each rank: the result; at first the ranks' own numbers */
};

/** On success @p p is the caller's: problem_clear(). */
enum status problem_new(struct problem *p, const struct mapper_input *in, struct err *e);

/** Accepts a zeroed one. */
void problem_clear(struct problem *p);

/** Makes a mapping, the caller's, of p->slot. */
enum status problem_mapping(const struct problem *p, struct mapping *out, struct err *e);

#endif
