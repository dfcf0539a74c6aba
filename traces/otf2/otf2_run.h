/** @file otf2_run.h
 *  A simulated run as an OTF2 archive: states of ranks and messages, given during the run in order
 *  of time.  They are kept in an unnamed temporary file until the archive is written, so that
 *  memory is O(ranks).
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "common/err.h"

struct otf2_run;

/** One side of a message: a send when it is posted, a receive when its call has ended. */
struct otf2_run_message {
  uint32_t rank, partner;
  const char *action; /**< action of the trace that makes the message: "isend", "wait", "bcast" */
  bool receives;
  uint32_t comm;
  int32_t tag; /**< below 0: of a collective */
  uint64_t bytes;
};

/** Fails if @p path, the anchor, does not end in .otf2, or is no regular file. */
enum status otf2_run_check(const char *path, struct err *e);

/** Begins an archive of @p ranks ranks.  The caller frees *out with otf2_run_free(). */
enum status otf2_run_new(struct otf2_run **out, const char *path, uint32_t ranks, struct err *e);

/** Accepts NULL. */
void otf2_run_free(struct otf2_run *r);

/** The state of a rank from time @p at (s) on: an action of the trace; NULL: the rank has ended. */
enum status otf2_run_state(struct otf2_run *r, uint32_t rank, const char *action, double at,
                           struct err *e);

/** Adds one side of a message at time @p at (s). */
enum status otf2_run_message(struct otf2_run *r, const struct otf2_run_message *m, double at,
                             struct err *e);

/** Writes the archive: the anchor, NAME.def and the folder NAME beside it.  Replaces an archive of
 *  this name. */
enum status otf2_run_commit(struct otf2_run *r, struct err *e);
