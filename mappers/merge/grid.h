/** @file merge_grid.h
 *  Where units lie in the groups that are merged, and what they send each other.  A unit is a task
 *  or a subgroup (a block of tasks that counts as one); a group is a box full of units.
 *
 *  Tasks are the ranks and, up to the number of hosts, idle ones.
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
  uint32_t level; /**< a unit is a group as it was before this round: 2^level hosts a side, as far
                       as the sides go; of a hypercube, 2 * level dimensions */
  uint32_t units;
  uint32_t groups;
  uint32_t *group; /**< of each unit; owned, as the others */
  uint32_t *cell;  /**< of each unit in its group */
  uint32_t *start; /**< groups + 1: where a group's units begin in unit_at[] */
  uint32_t *unit_at;

  /** What unit u sends: entry[row[u]] to entry[row[u + 1] - 1], by rising destination. */
  const struct matrix_entry *entry;
  size_t *row;
  struct matrix_entry *own; /**< entry, unless it is the matrix given */
};

/** How two groups are put together. */
struct merge_join {
  struct merge_pattern pattern[2];
};

/** One task a group, at level 0.  Keeps a pointer to the matrix's entries. */
enum status merge_grid_tasks(struct merge_grid *g, uint32_t tasks, const struct matrix *m,
                             struct err *e);

/** The groups of @p from as units, one a group. */
enum status merge_grid_coarsen(struct merge_grid *g, const struct merge_grid *from, uint32_t level,
                               struct err *e);

/** Accepts a zeroed one. */
void merge_grid_clear(struct merge_grid *g);

/** Length in units along @p d of a group of @p shape before iteration @p i, which is not before the
 *  units were made. */
uint32_t merge_grid_length(const struct merge_grid *g, const struct merge_plan *plan, uint32_t i,
                           uint32_t shape, uint32_t d);

/** Merges the groups of iteration @p i as the pairs and joins say; shape[] is that of the groups
 *  before it. */
enum status merge_grid_merge(struct merge_grid *g, const struct merge_plan *plan, uint32_t i,
                             const uint8_t *shape, const struct merge_pair *pair,
                             const struct merge_join *join, uint32_t count, struct err *e);

#endif
