/** @file dumpi_requests.h
 *  Private to traces/: the requests of one rank of a DUMPI trace, which names them by number.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/err.h"
#include "traces/recorded/fifos.h"
#include "traces/recorded/recording.h"

enum { DUMPI_REQUEST_NULL = 1 };

/** A request and its message, which may not have started yet. */
struct dumpi_request {
  struct record message; /**< kind ACTION_ISEND or ACTION_IRECV; RECORD_NONE: MPI_PROC_NULL */
  uint64_t slot;         /**< of a receive that has started */
  bool persistent, active;
  bool cancelled; /**< MPI_Cancel was called; a recorded status decides whether the message came */
};

/** Zeroed: none. */
struct dumpi_requests {
  struct dumpi_request *request; /**< owned */
  size_t room;
  uint32_t count, free; /**< free: first free entry plus 1; free entries are linked by slot */
  /** By id, oldest first.  An id has two requests if it is reused while the first is pending. */
  struct fifos by_id;
};

/** Adds the request @p id.  *out is valid until the next one is added. */
enum status dumpi_requests_add(struct dumpi_requests *r, int32_t id, struct dumpi_request **out,
                               struct err *e);

/** The oldest request @p id, which stays; NULL if there is none. */
struct dumpi_request *dumpi_requests_find(struct dumpi_requests *r, int32_t id);

/** Removes the oldest request @p id, if there is one. */
void dumpi_requests_remove(struct dumpi_requests *r, int32_t id);

void dumpi_requests_clear(struct dumpi_requests *r);
