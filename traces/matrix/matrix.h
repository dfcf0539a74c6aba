/** @file matrix.h
 *  The traffic matrix: messages and payload bytes from each rank to each other, as entries sorted
 *  by (source, destination), or dense.  Messages of a rank to itself and messages of 0 bytes count.
 *  On disk: TSV with the header "src dst messages bytes".
 */
#ifndef TRACES_MATRIX_MATRIX_H
#define TRACES_MATRIX_MATRIX_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "common/err.h"
#include "traces/program.h"

/** The most pairs (src, dst) in a matrix that is counted or generated. */
#define MATRIX_PAIRS_MAX ((uint64_t)1 << 28)

struct matrix_entry {
  uint32_t src, dst;
  uint64_t messages;
  uint64_t bytes;
};

/** A matrix has one of the two forms; matrix_at() reads both. */
struct matrix {
  uint32_t ranks;
  size_t count;               /**< entries; ranks * (ranks - 1) of a dense one */
  struct matrix_entry *entry; /**< sorted by (src, dst), each pair once; owned; NULL if dense */
  uint32_t *dense; /**< NULL, or bytes of the one message from each rank to each other, sorted
                        likewise; owned */
};

/** Entry @p i, of which the source is known: O(1). */
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

/** The bytes of a dense matrix from @p src to another rank @p dst.  O(1). */
static inline uint32_t matrix_dense(const struct matrix *m, uint32_t src, uint32_t dst)
{
  return m->dense[(size_t)src * (m->ranks - 1) + dst - (dst > src)];
}

/** Index of the first entry in @p low..@p high - 1 that is not below (src, dst); @p high if none.
 *  O(log (high - low)). */
size_t matrix_search(const struct matrix_entry *entry, size_t low, size_t high, uint32_t src,
                     uint32_t dst);

/** Counts the sends of @p p, read to its end; @p p2p_only: without those of collectives (tag < 0).
 *  Refuses more than MATRIX_PAIRS_MAX pairs, and more than the machine's memory can hold.  Time is
 *  linear in the operations, memory in the pairs.  The caller's: matrix_clear(). */
enum status matrix_from_program(struct matrix *m, struct program *p, bool p2p_only, struct err *e);

/** As matrix_from_program(), with the messages of collectives in a matrix of their own. */
enum status matrix_split_program(struct matrix *p2p, struct matrix *collective, struct program *p,
                                 struct err *e);

/** Gives the ranks new numbers at random, the same for the same @p seed; @p m is not dense.
 *  O(entries * log entries); @p m is untouched on failure. */
enum status matrix_shuffle(struct matrix *m, uint64_t seed, struct err *e);

/** Reads the TSV; m->ranks is the largest rank in it + 1.  The sums of messages and of bytes must
 *  fit in 63 bits.  The caller's: matrix_clear(). */
enum status matrix_load(struct matrix *m, const char *path, struct err *e);

/** Writes the TSV, "-" being stdout.  A failure leaves no partial file. */
enum status matrix_save(const struct matrix *m, const char *path, struct err *e);

/** The same on @p f; the caller checks @p f for write errors. */
void matrix_print(const struct matrix *m, FILE *f);

/** Frees the entries and zeroes @p m. */
void matrix_clear(struct matrix *m);

#endif
