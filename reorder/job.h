/** @file job.h
 *  The new order of the ranks of a communicator, found by libhaichi.so in one process.  No code
 *  here calls MPI.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Sizes in bytes of a reason or description, and of the name of a machine. */
enum { REORDER_TEXT = 512, REORDER_MACHINE = 256 };

/** Words of 64 processing units in a location. */
enum { REORDER_WORDS = 16 };

/** Bytes of an edge of mean weight: the weights of MPI's topologies have no unit. */
enum { REORDER_BYTES = 65536 };

struct settings {
  const char *platform; /**< spec or file; NULL: the machines of the ranks, with the inside of the
                             first rank's machine */
  const char *mapper;   /**< NULL: auto */
  const char *hosts;    /**< file with the host of each rank of the world; NULL: ask each rank */
  const char *trace;    /**< trace or matrix, in place of edges; NULL: none */
  const char *report;   /**< NULL: none */
  double seconds;       /**< time limit */
  const char *invalid;  /**< NULL, or an error in the settings */
};

/** The settings in the environment (HAICHI_PLATFORM, ...). */
struct settings settings_of_environment(void);

/** Edges of a graph: source, destination and weight of each. */
struct edges {
  size_t count, room;
  int *edge;
};

/** False if memory is exhausted. */
bool edges_add(struct edges *x, int source, int destination, int weight);

/** Where a process runs. */
struct location {
  char machine[REORDER_MACHINE];
  uint64_t unit[REORDER_WORDS]; /**< the processing units to which it is bound, a bit each */
  int32_t words;                /**< of `unit`; 0: unknown */
  int32_t world;                /**< its rank in MPI_COMM_WORLD; -1: it is not there */
};

struct job {
  struct settings settings;
  char what[REORDER_TEXT];
  int world;                 /**< ranks of MPI_COMM_WORLD */
  int n;                     /**< processes of the communicator */
  int ranks;                 /**< of the topology */
  struct location *location; /**< by process; owned */
  struct edges edges;        /**< owned */
};

struct order {
  bool moved;
  uint32_t *process; /**< by new rank; owned */
};

/** Finds the order and writes the report.  Takes over the contents of @p j.  Returns false if it
 *  fails or exceeds the time limit; in the latter case a background thread completes the mapping
 *  and frees its memory.  @p why (REORDER_TEXT bytes) gets the reason, or the empty string. */
bool job_run(struct job *j, struct order *out, char *why);

/** A grid: its sides, and 1 for each direction that is periodic. */
struct grid {
  int axes;
  const int *side, *periodic;
};

/** Ranks of the grid; 0 if its arguments are wrong or do not fit @p n ranks. */
int grid_ranks(const struct grid *g, int n);

/** Adds an edge from each rank of the grid to each of its neighbours.  Ranks have MPI's numbers,
 *  last axis fastest.  False if memory is exhausted. */
bool grid_edges(struct edges *x, const struct grid *g);
