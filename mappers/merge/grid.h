/** @file grid.h
 *  The positions of units in the groups that are merged, and the traffic between units.  A unit is
 *  a task or a subgroup (a block of tasks that is placed as one); a group is a box full of units.
 *
 *  Tasks are the ranks, filled up with idle ones to the number of hosts.
 */
#ifndef MAPPERS_MERGE_GRID_H
#define MAPPERS_MERGE_GRID_H

#include <stddef.h>
#include <stdint.h>

#include "common/err.h"
#include "mappers/merge/pattern.h"
#include "mappers/merge/plan.h"
#include "mappers/merge/select.h"
#include "traces/matrix/matrix.h"

/** The cells of a box are numbered with the first axis fastest. */
struct merge_grid {
  uint32_t level; /**< a unit is a group as of the start of this round: 2^level hosts a side, or
                       the whole side if shorter; of a hypercube, 2 * level dimensions */
  uint32_t units;
  uint32_t groups;
  uint32_t *group; /**< of each unit; owned, as the others */
  uint32_t *cell;  /**< of each unit in its group */
  uint32_t *start; /**< groups + 1: where a group's units begin in unit_at[] */
  uint32_t *unit_at;

  /** What unit u sends: entries row[u] to row[u + 1] - 1 of the traffic, by rising destination. */
  const struct matrix *traffic; /**< of tasks; NULL: own has that of the units */
  size_t *row;
  struct matrix own;
};

/** The traffic between units. */
static inline const struct matrix *merge_grid_traffic(const struct merge_grid *g)
{
  return g->traffic != NULL ? g->traffic : &g->own;
}

/** The patterns by which two groups are merged. */
struct merge_join {
  struct merge_pattern pattern[2];
};

/** Each task a unit and a group, at level 0.  Keeps a pointer to @p m, which must outlive it.
 *  On success @p g is the caller's: merge_grid_clear(). */
enum status merge_grid_tasks(struct merge_grid *g, uint32_t tasks, const struct matrix *m,
                             struct err *e);

/** Each group of @p from a unit and a group; likewise the caller's. */
enum status merge_grid_coarsen(struct merge_grid *g, const struct merge_grid *from, uint32_t level,
                               struct err *e);

/** Accepts a zeroed one. */
void merge_grid_clear(struct merge_grid *g);

/** Length in units along @p d of a group of @p shape before iteration @p i, at which the units must
 *  exist. */
uint32_t merge_grid_length(const struct merge_grid *g, const struct merge_plan *plan, uint32_t i,
                           uint32_t shape, uint32_t d);

/** Merges the groups by the @p count pairs and joins of iteration @p i; shape[] is by group, before
 *  it.  @p g is untouched on failure. */
enum status merge_grid_merge(struct merge_grid *g, const struct merge_plan *plan, uint32_t i,
                             const uint8_t *shape, const struct merge_pair *pair,
                             const struct merge_join *join, uint32_t count, struct err *e);

#endif
