/** @file otf2_events.h
 *  Private to traces/: the events of one location of an OTF2 archive as calls of a recording.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/err.h"
#include "traces/otf2/otf2_api.h"
#include "traces/otf2/otf2_bytes.h"
#include "traces/otf2/otf2_defs.h"
#include "traces/recorded/fifos.h"
#include "traces/recorded/recording.h"

/** Where something was found first, and how often. */
struct otf2_tally {
  uint64_t count;
  uint32_t rank; /**< of the first one */
  uint64_t place;
};

/** A collective in the queue of its rank.  Collectives with sizes by member are numbered in the
 *  order of their calls, and nonblocking ones state their communicator only when they end. */
struct otf2_collected {
  struct record record;
  struct otf2_collective sizes;
  uint64_t slot; /**< of the record */
  bool known;    /**< false: it has not ended */
};

/** Counts of missing events, over all ranks. */
struct otf2_losses {
  struct otf2_tally receives;       /**< nonblocking receives that never end */
  uint64_t all_receives;            /**< nonblocking receives */
  uint64_t late;                    /**< receives in calls that complete requests */
  struct otf2_tally lengths;        /**< messages with impossible sizes */
  uint64_t length;                  /**< size of the first of these messages */
  struct otf2_tally unfinished;     /**< collectives without their end */
  struct otf2_tally cancelled;      /**< sends that were cancelled */
  struct otf2_tally contradictions; /**< of eztrace: events that do not fit earlier ones */
  struct otf2_tally *silent; /**< by region: calls without an event that should have one; owned */
  struct otf2_tally *calls;  /**< by region: all calls; owned */
  struct otf2_tally off;     /**< intervals without recording, which are no computation */
  uint64_t off_ticks;
};

/** State of the translation.  To initialise it, zero it and set defs, recording and losses. */
struct otf2_events {
  struct otf2_defs *defs;
  struct recording *recording;
  struct otf2_losses *losses;
  bool single;   /**< eztrace: see otf2_bytes.h; calls without events have lost them */
  struct err *e; /**< of a callback that has failed */
  bool failed;
  /* of the location: */
  uint32_t rank; /**< UINT32_MAX: a thread that must not communicate */
  bool begun;
  uint64_t last;      /**< end of the last call, or of the interval without recording */
  uint64_t computed;  /**< ticks of computation before `last' that are not stored yet */
  uint64_t off_since; /**< start of an interval without recording, plus 1; 0: none */
  uint32_t depth;     /**< of regions, from a function of MPI on */
  uint32_t region;    /**< number of this function */
  uint64_t region_place;
  uint32_t events;        /**< of messages, in this function */
  uint32_t open;          /**< collectives in this function that have begun and not ended */
  struct record exchange; /**< wait for the send of an MPI_Sendrecv; kind 0: none */
  struct fifos requests;
  int32_t name;                     /**< of the last request of a nonblocking collective */
  struct otf2_collected *collected; /**< queue of collectives in the order of calls; owned */
  size_t collected_room, first, end;
  uint64_t base; /**< number of the collective at index 0 */
};

/* For the callbacks: */

/** Maximum bytes of a message.  A larger size was not known to the recorder. */
#define OTF2_LENGTH_MAX (UINT64_C(1) << 43)

/** Counts an event in a tally. */
void otf2_events_count(struct otf2_tally *t, const struct otf2_events *v, uint64_t place);

/** Call for an event that does not fit earlier ones.  Fails, as the archive is damaged.  With
 *  eztrace, which loses events, only counts it; the caller then leaves out the event. */
enum status otf2_events_bad(struct otf2_events *v, uint64_t place, const char *what, uint64_t id);

/** The result of a callback; stops the reading after a failure. */
OTF2_CallbackCode otf2_events_done(struct otf2_events *v, enum status s);

/** Appends a record. */
enum status otf2_events_put(struct otf2_events *v, const struct record *x);

/** Begins an event of a message or collective: outside a function of MPI it ends a computation. */
enum status otf2_events_begin_one(struct otf2_events *v, uint64_t time, uint64_t place);

/** The key of a request. */
static inline struct fifo_key otf2_events_key(uint64_t request)
{
  return (struct fifo_key){request, 0};
}

/** Sets the callbacks for messages and for collectives. */
void otf2_messages_callbacks(const struct otf2_reading *api, OTF2_EvtReaderCallbacks *c);
void otf2_collectives_callbacks(const struct otf2_reading *api, OTF2_EvtReaderCallbacks *c);

/** The callbacks of the library; free with the library's function. */
OTF2_EvtReaderCallbacks *otf2_events_callbacks(const struct otf2_reading *api);

/** Prepares for the events of a rank; UINT32_MAX: of another thread. */
void otf2_events_begin(struct otf2_events *v, uint32_t rank);

/** Ends the events of the rank. */
enum status otf2_events_end(struct otf2_events *v, struct err *e);

/** Frees the arrays, but not `losses`. */
void otf2_events_clear(struct otf2_events *v);
