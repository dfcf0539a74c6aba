/** @file matrix.h
 *  The traffic matrix: messages and payload bytes for each ordered pair of ranks, as entries sorted
 *  by (source, destination) or as a dense array.  Messages of a rank to itself and messages of 0
 *  bytes count.  On disk: TSV with the header MATRIX_HEADER; load.h reads this and other formats.
 */
#pragma once

#include <stdint.h>
#include <stdio.h>

#include "common/err.h"
#include "traces/program/program.h"

/** Maximum number of pairs (src, dst) in a matrix that is counted or generated. */
#define MATRIX_PAIRS_MAX ((uint64_t)1 << 28)

/** First line of a file; blanks may separate the words. */
#define MATRIX_HEADER "src\tdst\tmessages\tbytes"

struct matrix_entry {
  uint32_t src, dst;
  uint64_t messages;
  uint64_t bytes;
};

/** A matrix in one of two forms; matrix_at() reads both. */
struct matrix {
  uint32_t ranks;
  size_t count;               /**< number of entries; ranks * (ranks - 1) if dense */
  struct matrix_entry *entry; /**< sorted by (src, dst), each pair once; owned; NULL if dense */
  uint32_t *dense; /**< if dense: bytes of the one message of each pair of different ranks, sorted
                      by (src, dst); owned; NULL if not dense */
};

/** Entry @p i, given its source @p src.  O(1). */
static inline struct matrix_entry matrix_in_row(const struct matrix *m, uint32_t src, size_t i)
{
  if (m->dense == NULL)
    return m->entry[i];
  const uint32_t k = (uint32_t)(i - (size_t)src * (m->ranks - 1));
  return (struct matrix_entry){src, k + (k >= src), 1, m->dense[i]};
}

/** Entry @p i, in order of (src, dst).  O(1). */
static inline struct matrix_entry matrix_at(const struct matrix *m, size_t i)
{
  return matrix_in_row(m, m->dense == NULL ? 0 : (uint32_t)i / (m->ranks - 1), i);
}

/** Bytes from @p src to another rank @p dst in a dense matrix.  O(1). */
static inline uint32_t matrix_dense(const struct matrix *m, uint32_t src, uint32_t dst)
{
  return m->dense[(size_t)src * (m->ranks - 1) + dst - (dst > src)];
}

/** Index of the first entry in @p low..@p high - 1 that is not below (src, dst); @p high if there
 *  is none.  O(log (high - low)). */
size_t matrix_search(const struct matrix_entry *entry, size_t low, size_t high, uint32_t src,
                     uint32_t dst);

/** Counts the sends of @p p, which is read to its end.  @p p2p_only: leaves out collectives (tag <
 *  0).  Fails for more than MATRIX_PAIRS_MAX pairs, and if memory runs out.  Time is linear in the
 *  operations, memory in the pairs.  Free with matrix_clear(). */
enum status matrix_from_program(struct matrix *m, struct program *p, bool p2p_only, struct err *e);

/** Like matrix_from_program(), but counts the messages of collectives (tag < 0) in a second matrix.
 */
enum status matrix_split_program(struct matrix *p2p, struct matrix *collective, struct program *p,
                                 struct err *e);

/** Orders two struct matrix_entry by (src, dst), for qsort(3). */
int matrix_compare(const void *a, const void *b);

/** Sorts the entries and merges the entries of each pair into their sum.  O(entries * log entries).
 */
void matrix_sort(struct matrix *m);

/** Sets *out to the traffic between groups of ranks: @p group has the number of each rank's group,
 *  below @p groups.  Messages within a group are left out.  *out is unchanged on failure.
 *  O(entries * log entries).  Free with matrix_clear(). */
enum status matrix_contract(struct matrix *out, const struct matrix *m, const uint32_t *group,
                            uint32_t groups, struct err *e);

/** Renumbers the ranks at random by @p seed.  @p m must not be dense.  @p m is unchanged on
 *  failure.  O(entries * log entries). */
enum status matrix_shuffle(struct matrix *m, uint64_t seed, struct err *e);

/** Writes the TSV to @p path, "-" for stdout.  A failure leaves no partial file. */
enum status matrix_save(const struct matrix *m, const char *path, struct err *e);

/** Writes the TSV to @p f.  The caller checks @p f for write errors. */
void matrix_print(const struct matrix *m, FILE *f);

/** Frees the entries and zeroes @p m. */
void matrix_clear(struct matrix *m);
