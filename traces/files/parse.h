/** @file parse.h
 *  Private to traces/: parses one line of a trace into an action.  Errors have no FILE:LINE: smpi.c
 *  adds it.
 *
 *  A line is RANK ACTION ARGUMENTS..., separated by blanks; a carriage return is a blank.  An
 *  action takes the arguments that the *Parser::parse functions of
 *  src/smpi/internals/smpi_replay.cpp (SimGrid 3.32) read.  Missing or extra arguments are
 *  errors, unless SMPI's tracer writes them (the TIData::print functions of
 *  src/instr/instr_private.hpp).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/err.h"
#include "traces/action.h"
#include "traces/comm.h"
#include "traces/neighbours.h"

/** The words of a line.  Empty if zeroed; reused for the next line. */
struct action_words {
  char **word; /**< into the line; the array is owned */
  size_t count, room;
};

/** A derived datatype. */
struct action_type {
  int16_t id;
  uint32_t bytes;
};

/** The neighbours of the rank in a communicator. */
struct action_topology {
  const struct comm *comm;
  struct neighbours neighbours;
};

/** Parser state of one rank.  To initialise it, set the first three fields, zero the others and
 *  call action_reader_reset(). */
struct action_reader {
  uint32_t rank, ranks;
  struct comm_table *comms; /**< owned by the trace */
  uint32_t members;         /**< number of members of the next action's communicator */
  bool doubles;         /**< set by `init`: a count without a datatype counts doubles, not bytes */
  bool finished;        /**< `finalize` was read */
  struct action action; /**< last action parsed */
  int32_t *counts;      /**< send counts, then receive counts from counts[half] on, of the last
                             action with counts by rank; owned */
  size_t half;
  /* from comments (comment.h): */
  const struct comm **known; /**< communicators of the rank, sorted by id; the array is owned */
  size_t knowns, known_room;
  struct action_type *type; /**< derived datatypes; the array is owned */
  size_t types, type_room;
  struct action_topology **topology; /**< array and entries are owned */
  size_t topologies, topology_room;
  const struct comm *on;               /**< communicator of the next action; NULL: none stated */
  const struct neighbours *neighbours; /**< of the rank in `on`; NULL: none stated */
  int32_t source; /**< source of the next Start of a receive; ACTION_ANY_SOURCE: none stated */
  int32_t name;   /**< name of the next action's request; 0: none stated */
};

/** Prepares the reader for the first line. */
void action_reader_reset(struct action_reader *r);

/** The derived datatype @p id; NULL if the rank has not stated it. */
const struct action_type *action_reader_type(const struct action_reader *r, int64_t id);

/** The rank's neighbours in a communicator; NULL if it has not stated them. */
const struct neighbours *action_reader_neighbours(const struct action_reader *r,
                                                  const struct comm *c);

/** For an action with a derived datatype: fails if its blocks are so large that sums may overflow.
 *  Errors name the action, @p name. */
enum status action_check_sizes(const struct action_reader *r, const struct action *a,
                               const char *name, struct err *e);

/** Frees the arrays of the reader. */
void action_reader_clear(struct action_reader *r);

/** Splits a line into words in place; also overwrites text[length].  Fails on NUL bytes. */
enum status action_split(struct action_words *w, char *text, size_t length, struct err *e);

/** Parses the words of a line, at least one; does not check the first, the rank. *a is an action,
 *  valid until the reader's next line, or NULL if the line has no effect (`location`). *a is
 *  unchanged on failure. */
enum status action_parse(struct action_reader *r, const struct action_words *w,
                         const struct action **a, struct err *e);
