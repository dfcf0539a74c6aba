/** @file tables.h
 *  Reads the files that `haichi instrument` and its programs write to a folder: blocks.tsv, and for
 *  each rank the series of its blocks (timing, apart, full) and their numbers of executions
 *  (counts).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/err.h"

/** Upper limits of blocks and ranks. */
enum { TABLES_MOST_BLOCKS = 1 << 20, TABLES_MOST_RANKS = 1 << 20 };

struct block_row {
  bool communication;
  char *function, *file, *call; /**< owned; `call` is "-" if there is none */
  uint32_t line, last_line;
};

struct block_table {
  struct block_row *row; /**< owned */
  uint32_t count;
  size_t room;
};

/** Reads blocks.tsv.  On failure *t is untouched.  The caller frees *t with block_table_clear(). */
enum status block_table_load(struct block_table *t, const char *path, struct err *e);

/** Accepts a zeroed struct. */
void block_table_clear(struct block_table *t);

/** The times of a block on a rank.  Each value is the mean of `width` executions, the last one
 *  perhaps of fewer. */
struct block_series {
  double *value; /**< in seconds; owned */
  size_t values, room;
  uint64_t width;
  uint64_t last;       /**< executions of the last value */
  uint64_t executions; /**< total number of executions */
  double sum;          /**< total time of all executions in s */
};

/** The series of all blocks of one rank. */
struct rank_series {
  struct block_series *block; /**< owned */
  uint32_t blocks;
};

/** Reads KIND.RANK.tsv of a program with @p blocks blocks; on failure *r is untouched.  The caller
 *  frees *r with rank_series_clear(). */
enum status rank_series_load(struct rank_series *r, const char *path, uint32_t blocks,
                             struct err *e);

/** Accepts a zeroed struct. */
void rank_series_clear(struct rank_series *r);

/** Reads counts.RANK.tsv into @p count, which has one entry per block. */
enum status rank_counts_load(uint64_t *count, const char *path, uint32_t blocks, struct err *e);

/** Sets @p path to FOLDER/KIND.RANK.tsv; fails if the path is too long. */
enum status tables_path(char *path, size_t size, const char *folder, const char *kind,
                        uint32_t rank, struct err *e);

/** Number of ranks that have left a file of the kind, counted from 0 to the first gap. */
uint32_t tables_ranks(const char *folder, const char *kind);
