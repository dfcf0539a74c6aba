/** @file records.h
 *  Private to traces/: the calls of a recorded trace, stored in a temporary file, rank after rank,
 *  so that memory does not grow with their number.  A call whose arguments become known later, such
 *  as the source of a receive that only its completion states, gets a slot that is filled in then.
 *
 *  Sizes are bytes, partners are ranks of the world.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/err.h"
#include "traces/action.h"
#include "traces/recorded/scratch.h"

/** A call: the fields of struct action that messages and collectives of bytes need. */
struct record {
  uint64_t ticks; /**< time of the call; of ACTION_COMPUTE: its length */
  uint64_t place; /**< position of the event in the recorded file */
  uint8_t kind;   /**< enum action_kind, or RECORD_NONE */
  uint8_t mode;   /**< enum action_mode */
  bool receives;  /**< an ACTION_WAIT for a receive, not for a send */
  int32_t partner, tag;
  uint32_t comm;           /**< number of the communicator, see recording.h; 0: the world */
  uint32_t root;           /**< a member of comm */
  int32_t name;            /**< of the request of a nonblocking collective */
  uint64_t sent, received; /**< bytes of a message (sent), or to and from each member; received of
                              an ACTION_IRECV: time of its end, 0: not known */
  uint64_t volume;         /**< sizes by member: see volumes.h; 0 if the collective has none */
};

enum { RECORD_NONE = 127 /**< a call that has no effect: a cancelled receive */ };

/** The records of one rank. */
struct record_range {
  uint64_t begin, end; /**< offsets */
  uint64_t start;      /**< time of the first event */
};

struct records {
  struct scratch file;
  struct record_range *range; /**< by rank; owned */
  uint32_t ranks, rank;       /**< rank: the one that is written */
  uint64_t ticks, place;      /**< of its last record */
};

/** Prepares for records of @p ranks ranks, each of them empty at first. */
enum status records_init(struct records *r, uint32_t ranks, struct err *e);

/** Frees the arrays and the file. */
void records_clear(struct records *r);

/** Begins the records of a rank, whose first event is at time @p start.  Call at most once for each
 *  rank. */
void records_begin(struct records *r, uint32_t rank, uint64_t start);

/** Ends the records of the rank. */
void records_end(struct records *r);

/** Appends a record.  Times and places of the records of a rank must not decrease. */
enum status records_put(struct records *r, const struct record *x, struct err *e);

/** Like records_put(), for a record that records_fill() may replace, except its time and place.
 *  Sets *slot. */
enum status records_put_slot(struct records *r, const struct record *x, uint64_t *slot,
                             struct err *e);

/** Replaces a record. */
enum status records_fill(struct records *r, uint64_t slot, const struct record *x, struct err *e);

/** Reads the records of one rank.  Zeroed, then records_rewind(). */
struct record_cursor {
  uint64_t at, end;      /**< offset of the next byte that is not in the buffer, and of the end */
  unsigned char *buffer; /**< owned: free() */
  size_t room, used, next;
  uint64_t clock;     /**< time of the last call that has one */
  struct record last; /**< the record that was read last */
};

/** Moves the cursor to the first record of the rank.  @p room bytes are buffered, at least
 *  RECORDS_BUFFER. */
#define RECORDS_BUFFER 512
enum status records_rewind(const struct records *r, struct record_cursor *c, uint32_t rank,
                           size_t room, struct err *e);

/** Reads the next record into c->last; *more is false at the end.  Call after all is written and
 *  r->file is flushed. */
enum status records_next(const struct records *r, struct record_cursor *c, bool *more,
                         struct err *e);
