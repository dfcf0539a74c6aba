/** @file neighbours.h
 *  The neighbours of one rank in a communicator with a topology, for neighbourhood collectives.
 *  The topology is a Cartesian grid, as made by MPI_Cart_create, or a graph, as made by
 *  MPI_Dist_graph_create_adjacent.  Does not depend on actions.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/err.h"

/** A missing neighbour, beyond the end of an axis: MPI_PROC_NULL. */
#define NEIGHBOURS_NONE (-1)

enum { NEIGHBOURS_AXES_MAX = 8 };

/** A grid.  Its last axis has stride 1. */
struct neighbours_grid {
  uint32_t axes; /**< 0: a graph */
  uint32_t side[NEIGHBOURS_AXES_MAX];
  bool periodic[NEIGHBOURS_AXES_MAX];
};

/** Sources and destinations are members of the communicator, or NEIGHBOURS_NONE.  In a grid, both
 *  lists hold the lower and the upper neighbour along each axis. */
struct neighbours {
  struct neighbours_grid grid;
  uint32_t sources, destinations;
  size_t source_room, destination_room;
  int32_t *source, *destination; /**< owned; freed by neighbours_clear() */
};

/** Fills in the neighbours of @p member (below the grid's size) in the grid n->grid.  All other
 *  fields of *n must be zeroed. */
enum status neighbours_of_grid(struct neighbours *n, uint32_t member, struct err *e);

/** Number of members of a grid; 0 if it exceeds UINT32_MAX or a side is 0. */
uint32_t neighbours_grid_size(const struct neighbours_grid *g);

/** Appends a neighbour of a graph. */
enum status neighbours_add(struct neighbours *n, bool source, int32_t member, struct err *e);

/** Destination of the rank's message number @p i; sets *block to the index of its block.  In a grid
 *  the message to the upper neighbour goes first: along a periodic side of two it must match the
 *  receive from the lower neighbour, which is posted first. */
int32_t neighbours_destination(const struct neighbours *n, uint32_t i, uint32_t *block);

/** Frees the lists and zeroes *n. */
void neighbours_clear(struct neighbours *n);
