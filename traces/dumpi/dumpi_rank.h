/** @file dumpi_rank.h
 *  Private to traces/: the calls of one rank of a DUMPI trace as calls of a recording.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/containers/pairs.h"
#include "common/err.h"
#include "traces/dumpi/dumpi_comms.h"
#include "traces/dumpi/dumpi_file.h"
#include "traces/dumpi/dumpi_requests.h"
#include "traces/recorded/recording.h"

/** State of the translation.  To initialise it, zero it and set recording and comms. */
struct dumpi_rank {
  struct recording *recording;
  struct dumpi_comms *comms;
  uint32_t rank;
  struct dumpi_file file;
  struct dumpi_requests requests;
  struct pairs types;  /**< derived datatypes that the rank defines itself */
  uint64_t *type_size; /**< bytes, by number in `types`; owned */
  size_t type_room;
  uint64_t *bytes; /**< of a collective with sizes by member; owned */
  size_t bytes_room;
  uint64_t unknown;      /**< requests of all ranks that end but that no call made */
  uint32_t unknown_rank; /**< rank of the first of them */
  uint64_t unknown_offset;
  bool begun;
  uint64_t calls;          /**< of the rank, so far */
  uint64_t last, computed; /**< end of the last call; computation not stored yet; both in ns */
};

/** Translates d->file.record, a call of MPI. */
enum status dumpi_rank_call(struct dumpi_rank *d, struct err *e);

/** Begins a rank whose file is open, and ends it. */
void dumpi_rank_begin(struct dumpi_rank *d, uint32_t rank);
void dumpi_rank_end(struct dumpi_rank *d);

/** Frees the arrays. */
void dumpi_rank_clear(struct dumpi_rank *d);

/** Fails with "FILE: offset OFFSET: " and the formatted text. */
enum status dumpi_rank_refuse(const struct dumpi_rank *d, struct err *e, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/** Stores the computation before the record, if there is any. */
enum status dumpi_rank_compute(struct dumpi_rank *d, struct err *e);

/** Sets *bytes to the size of @p count elements of datatype @p type. */
enum status dumpi_rank_bytes(struct dumpi_rank *d, int32_t count, int32_t type, uint64_t *bytes,
                             struct err *e);

/** Sets *c and x->comm, x->place and x->ticks for a call on the communicator @p id. */
enum status dumpi_rank_comm(struct dumpi_rank *d, int32_t id, struct record *x,
                            struct dumpi_comm **c, struct err *e);

/** Translate a point-to-point call and a collective; *known is false for other calls. */
enum status dumpi_message(struct dumpi_rank *d, bool *known, struct err *e);
enum status dumpi_collective(struct dumpi_rank *d, bool *known, struct err *e);
