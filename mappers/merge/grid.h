/** @file grid.h
 *  The positions of units in the groups that are merged, and the traffic between units.  A unit is
 *  a task or a subgroup (a block of tasks placed as a whole).  A group is a box with a unit in each
 *  cell.
 *
 *  Tasks are the ranks and, for the remaining hosts, idle tasks.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "common/arena.h"
#include "mappers/merge/pattern.h"
#include "mappers/merge/plan.h"
#include "mappers/merge/select.h"
#include "traces/matrix/matrix.h"

/** The cells of a box are numbered with the first axis fastest. */
struct merge_grid {
  uint32_t level; /**< units are the groups at the start of this round: 2^level hosts a side, or the
                       whole side if it is shorter; on a hypercube, 2 * level dimensions */
  uint32_t units;
  uint32_t groups;
  struct arena mem;  /**< owns the arrays below */
  uint32_t *group;   /**< by unit */
  uint32_t *cell;    /**< by unit: its cell in its group */
  uint32_t *start;   /**< groups + 1 offsets in unit_at[] */
  uint32_t *unit_at; /**< by start[group] + cell: the unit */

  /** Unit u sends entries row[u] to row[u + 1] - 1 of the traffic, sorted by destination. */
  const struct matrix *traffic; /**< between tasks; NULL: units are subgroups, see `own` */
  size_t *row;
  struct matrix own;
};

/** The traffic between units. */
static inline const struct matrix *merge_grid_traffic(const struct merge_grid *g)
{
  return g->traffic != NULL ? g->traffic : &g->own;
}

/** The patterns of the two groups of a pair. */
struct merge_join {
  struct merge_pattern pattern[2];
};

/** Makes each task a unit and a group, at level 0.  Keeps a pointer to @p m, which must outlive
 *  @p g.  On success the caller frees @p g with merge_grid_clear(). */
enum status merge_grid_tasks(struct merge_grid *g, uint32_t tasks, const struct matrix *m,
                             struct err *e);

/** Makes each group of @p from a unit and a group.  On success the caller frees @p g with
 *  merge_grid_clear(). */
enum status merge_grid_coarsen(struct merge_grid *g, const struct merge_grid *from, uint32_t level,
                               struct err *e);

/** Accepts a zeroed struct. */
void merge_grid_clear(struct merge_grid *g);

/** Length in units along axis @p d of a group of @p shape before iteration @p i.  The units must be
 *  no larger than the groups of that iteration. */
uint32_t merge_grid_length(const struct merge_grid *g, const struct merge_plan *plan, uint32_t i,
                           uint32_t shape, uint32_t d);

/** Merges the groups by the @p count pairs and joins of iteration @p i.  shape[] has the shape of
 *  each group before the iteration.  @p g is unchanged on failure. */
enum status merge_grid_merge(struct merge_grid *g, const struct merge_plan *plan, uint32_t i,
                             const uint8_t *shape, const struct merge_pair *pair,
                             const struct merge_join *join, uint32_t count, struct err *e);
