/** @file dumpi_comms.h
 *  Private to traces/: the communicators of a DUMPI trace.  Each rank numbers them independently,
 *  and records the calls that create them.  These calls are collective: the k-th creation from a
 *  parent is the same call on all members of the parent.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/err.h"
#include "traces/dumpi/dumpi_file.h"
#include "traces/recorded/recording.h"

enum { DUMPI_COMM_NULL = 1, DUMPI_COMM_WORLD = 2, DUMPI_COMM_SELF = 3 };

/** A communicator: its members and its number in the recording. */
struct dumpi_comm {
  uint32_t *member; /**< ranks of the world; owned */
  uint32_t count;
  uint32_t number; /**< in the recording, plus 1; 0: none yet */
  uint32_t *side;  /**< sides of a grid; the last axis has stride 1; owned */
  uint32_t sides;
};

struct dumpi_creation; /* a call that creates a communicator */
struct dumpi_map;      /* the numbers of one rank */

struct dumpi_comms {
  uint32_t ranks;
  struct dumpi_comm *comm; /**< 0: the world; 1 to ranks: MPI_COMM_SELF of each rank; owned */
  size_t comm_room;
  uint32_t comms;
  struct dumpi_map *map; /**< by rank; owned */
  bool
      reordered; /**< a call created a grid or graph with `reorder`, which may renumber the ranks */
};

enum status dumpi_comms_init(struct dumpi_comms *c, uint32_t ranks, struct err *e);

/** First pass: stores the call of a rank if it creates a group or a communicator. */
enum status dumpi_comms_note(struct dumpi_comms *c, uint32_t rank, const struct dumpi_record *r,
                             struct err *e);

/** Finds the members of all communicators; call after the first pass. */
enum status dumpi_comms_resolve(struct dumpi_comms *c, struct err *e);

/** Second pass: restores the rank's numbers before its first call. */
void dumpi_comms_begin(struct dumpi_comms *c, uint32_t rank);

/** Updates the rank's numbers by its next call. */
void dumpi_comms_pass(struct dumpi_comms *c, uint32_t rank, const struct dumpi_record *r);

/** The communicator to which the rank gives the number @p id now; NULL if it is not known. */
struct dumpi_comm *dumpi_comms_find(struct dumpi_comms *c, uint32_t rank, int32_t id);

void dumpi_comms_clear(struct dumpi_comms *c);
