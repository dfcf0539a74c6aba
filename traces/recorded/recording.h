/** @file recording.h
 *  Private to traces/: a trace that a recorder of MPI programs wrote.  The reader of its format
 *  translates all calls at opening; they are kept in a temporary file (records.h), from which the
 *  trace is read as often as needed.  Sizes are bytes, and computations are times.
 *
 *  A reader gives the ranks, the communicators and the calls.  The row of the format has the
 *  functions at the end of this header.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/containers/names.h"
#include "common/err.h"
#include "traces/comm.h"
#include "traces/format.h"
#include "traces/recorded/records.h"
#include "traces/recorded/unpacked.h"
#include "traces/recorded/volumes.h"

struct recorded_rank; /* the position of a rank, and its file */

struct recording {
  struct trace trace;
  struct records records;
  struct volumes volumes;
  struct scratch_budget budget; /**< of the files of records and volumes */
  struct comm_table comms;
  struct recorded_rank *rank; /**< by rank; owned */
  struct names inputs;        /**< files that were read */
  struct names notes;         /**< sentences for the user */
  double second;              /**< a tick of the records' times in s */
  double speed;               /**< flop/s of the machine where the trace was recorded */
  bool exact;                 /**< receives have the sizes of their messages */
  bool wildcards; /**< some receives have any source or any tag, which no status resolves */
  double *offset; /**< by rank: correction of its clock in s; NULL: not known */
  bool align;     /**< ranks start as their clocks say */
};

/** Sets the number of ranks, 1 to 2^20, once. */
enum status recording_ranks(struct recording *r, uint64_t ranks, struct err *e);

/** Names the file of a rank, for messages. */
enum status recording_file(struct recording *r, uint32_t rank, const char *file, struct err *e);

/** Adds a communicator with the members of @p l, which is emptied; *number is for record.comm. */
enum status recording_comm(struct recording *r, struct comm_list *l, uint32_t *number,
                           struct err *e);

/** The communicator @p number; NULL for the world, 0. */
static inline const struct comm *recording_comm_of(const struct recording *r, uint32_t number)
{
  return number == 0 ? NULL : r->comms.comm[number - 1];
}

/** Adds a sentence for the user, without a newline. */
enum status recording_note(struct recording *r, struct err *e, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/** States that the recording lacks something.  @p whole: nothing can be counted; false: the
 *  messages in the recording can be counted, and only a simulated time would be wrong.  The first
 *  sentence is kept, but a sentence with @p whole replaces one without. */
void recording_gap(struct recording *r, bool whole, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/** True for a function of MPI that moves data in a way that is not simulated: one-sided and
 *  partitioned communication, files, other programs. */
bool recording_is_foreign(const char *function);

/** Reads the files of a trace: gives all ranks, communicators and calls to @p r. */
typedef enum status recording_translate(struct recording *r, const struct unpacked *files,
                                        struct err *e);

/** Opens the trace t->name with the files of @p form; @p t is the first member of a struct
 *  recording.  After @p translate has returned, checks that messages are sent and received, and
 *  compares clocks. */
enum status recording_open(struct trace *t, const struct unpacked_form *form,
                           recording_translate *translate, uint64_t unpack_limit, struct err *e);

/** Functions of a format's row, see format.h. */
void recording_close(struct trace *t);
enum status recording_next(struct trace *t, uint32_t rank, const struct action **a, struct err *e);
void recording_rewind(struct trace *t);
const char *recording_rank_file(const struct trace *t, uint32_t rank);
const char *recording_input(const struct trace *t, size_t i);
enum status recording_configure(struct trace *t, const struct trace_settings *s, struct err *e);
const char *recording_notes(struct trace *t, size_t i);
