/** @file action_parse.h
 *  From one line of a trace to its action.  Private to traces/: trace.c reads the lines and adds
 *  FILE:LINE to what is refused here.
 *
 *  A line is RANK ACTION ARGUMENTS..., its words parted by blanks; a carriage return is a blank.
 *  The arguments of each action are those that the *Parser::parse functions of
 *  src/smpi/internals/smpi_replay.cpp (SimGrid 3.32) read; more or fewer are refused, unless SMPI's
 *  tracer writes them (the TIData::print functions of src/instr/instr_private.hpp).
 */
#ifndef TRACES_FILES_PARSE_H
#define TRACES_FILES_PARSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/err.h"
#include "traces/action.h"
#include "traces/comm.h"

/** The words of a line; zeroed to begin with, and used again for the next line. */
struct action_words {
  char **word; /**< into the line; the array is owned */
  size_t count, room;
};

/** What the lines of one rank are read with; zeroed but for the first three, then reset. */
struct action_reader {
  uint32_t rank, ranks;
  struct comm_table *comms; /**< the trace's */
  uint32_t members;         /**< of the next action's communicator: ranks, or fewer */
  bool doubles;    /**< counts without a datatype are of doubles, not bytes: `init` says so */
  bool finished;   /**< `finalize` was read */
  int32_t *counts; /**< two a rank, for the last action that has counts by rank; owned */
  /* what the comments said (comment.h): */
  const struct comm **known; /**< communicators of the rank, by id; the array is owned */
  size_t knowns, known_room;
  const struct comm *on; /**< that of the next action, or NULL */
};

/** Ready for the first line. */
void action_reader_reset(struct action_reader *r);

/** Frees what it holds. */
void action_reader_clear(struct action_reader *r);

/** Cuts a line into words in place; text[length] is ours too. */
enum status action_split(struct action_words *w, char *text, size_t length, struct err *e);

/** Reads the words of a line, at least one, the first of which is the rank (not looked at).  *skip:
 *  the line has no effect (`location`), and @p a is untouched, as on failure. */
enum status action_parse(struct action_reader *r, const struct action_words *w, struct action *a,
                         bool *skip, struct err *e);

#endif
