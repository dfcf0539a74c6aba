/** @file otf2_emit.h
 *  Private to traces/: the actions of a rank as events of OTF2.  Functions of MPI take one tick.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/containers/names.h"
#include "common/err.h"
#include "traces/action.h"
#include "traces/comm.h"
#include "traces/otf2/otf2_api.h"
#include "traces/otf2/otf2_bytes.h"
#include "traces/recorded/fifos.h"

/** A request of a rank. */
struct otf2_open {
  uint64_t request;     /**< increases with the order of begin */
  bool over;            /**< it has ended */
  struct action action; /**< the action that posted it; the counts of a collective are not valid */
  uint64_t sent, received; /**< of a collective, as OTF2 states them */
};

/** To initialise it, zero it, set api and report and call otf2_emit_init(). */
struct otf2_emit {
  const struct otf2_writing *api;
  const struct otf2_report *report;
  uint32_t ranks;
  struct names regions;
  const struct comm **comm; /**< by index - 1; NULL: not seen; owned */
  size_t comm_room, comms;
  uint64_t *events; /**< by rank; owned */
  uint64_t latest;  /**< time of the last event of all ranks */
  /* of the rank: */
  OTF2_EvtWriter *writer;
  uint32_t rank;
  uint64_t time, request;
  uint64_t written;       /**< time of the last event */
  double rest;            /**< fraction of a tick that is not in `time` yet */
  struct fifos keys;      /**< requests by key */
  struct otf2_open *open; /**< in the order of their begin; owned */
  size_t open_room, opens;
  double due;  /**< flops of collectives that have ended in the current call */
  bool credit; /**< a waitall named fewer requests than were pending: later waits may name others */
  bool bad;    /**< the library has failed */
};

/** Prepares for @p ranks ranks.  Free with otf2_emit_clear(). */
enum status otf2_emit_init(struct otf2_emit *m, uint32_t ranks, struct err *e);
/** Begins the events of @p rank, which go to @p w. */
void otf2_emit_begin(struct otf2_emit *m, OTF2_EvtWriter *w, uint32_t rank);
/** Writes the events of the next action of the rank. */
enum status otf2_emit_action(struct otf2_emit *m, const struct action *a, struct err *e);

/** Ends the rank: waits for its requests. */
enum status otf2_emit_end(struct otf2_emit *m, struct err *e);
/** Frees the arrays. */
void otf2_emit_clear(struct otf2_emit *m);
