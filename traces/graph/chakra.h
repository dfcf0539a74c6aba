/** @file chakra.h
 *  Private to traces/graph/: Chakra execution traces (mlcommons/chakra), a file of Protocol Buffers
 *  for each rank.  chakra.c has the format, chakra_rank.c reads a rank, chakra_groups.c the process
 *  groups.
 */
#pragma once

#include "common/containers/names.h"
#include "traces/comm.h"
#include "traces/files/bytes.h"
#include "traces/graph/graph.h"

/** Process groups.  Zeroed except for `ranks`: only the world is known. */
struct chakra_groups {
  uint32_t ranks;          /**< of the world */
  struct names defined;    /**< groups other than the world, as texts: name and members */
  struct comm_table comms; /**< group number n of `defined` has id n + 1 */
};

void chakra_groups_clear(struct chakra_groups *g);

/** Process groups by name, as one file states them. */
struct chakra_names {
  struct names name;
  const struct comm **comm; /**< by number of the name; NULL: the world */
  size_t room;
  const struct chakra_names *set; /**< names of the set of files, which precede; NULL: none */
};

void chakra_names_clear(struct chakra_names *n);

/** Sets *out to the group @p name.  False if there is none. */
bool chakra_names_find(const struct chakra_names *n, const char *name, const struct comm **out);

/** Reads groups from JSON: objects with "pg_name" and "ranks".  An empty array is the world.  Other
 *  contents, and a text that is not JSON, are skipped. */
enum status chakra_read_groups(struct chakra_names *n, struct chakra_groups *g, const char *text,
                               size_t length, struct err *e);

/** Reads groups from a file of JSON: an object with an array of ranks for each name, or the objects
 *  of chakra_read_groups(). */
enum status chakra_load_groups(struct chakra_names *n, struct chakra_groups *g, const char *path,
                               struct err *e);

/** Contents of the file of a rank that the reader left out or guessed: their numbers. */
struct chakra_doubts {
  uint64_t dropped; /**< dependences on nodes that are not in the file */
  uint64_t control; /**< control dependences, dropped because they form cycles */
  uint64_t roots;   /**< rooted collectives: the root is taken to be member 0 */
};

/** A rank to read.  Reading adds the groups of its file to `names`. */
struct chakra_rank {
  const struct bytes *file;
  uint32_t rank;
  struct chakra_groups *groups;
  struct chakra_names *names;
};
/** Reads the graph of a rank, and counts its doubts. */
enum status chakra_read_rank(const struct chakra_rank *from, struct graph *out,
                             struct chakra_doubts *doubts, struct err *e);
