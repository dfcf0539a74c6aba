/** @file matrix.h
 *  The traffic matrix: messages and payload bytes from each rank to each other, sparse and
 *  sorted by (source, destination).  Messages to oneself and those of 0 bytes are entries too.
 *  On disk TSV with the header "src dst messages bytes" (tabs).
 */
#ifndef TRACES_MATRIX_MATRIX_H
#define TRACES_MATRIX_MATRIX_H

#include <stddef.h>
#include <stdint.h>

#include "common/err.h"
#include "traces/program.h"

/** Of ranks, in a matrix that is counted or generated. */
#define MATRIX_PAIRS_MAX ((uint64_t)1 << 28)

struct matrix_entry {
  uint32_t src, dst;
  uint64_t messages;
  uint64_t bytes;
};

struct matrix {
  uint32_t ranks;
  size_t count;
  struct matrix_entry *entry; /**< sorted by (src, dst), no two alike; owned */
};

/** The first of the entries @p low to @p high - 1 that is not below (src, dst); @p high if all are.
 *  O(log (high - low)). */
size_t matrix_search(const struct matrix_entry *entry, size_t low, size_t high, uint32_t src,
                     uint32_t dst);

/** Counts the sends of a program.  @p p2p_only leaves those of collectives (tag < 0) out.  Refuses
 *  more than MATRIX_PAIRS_MAX pairs, and what the machine's memory cannot hold.
 *  Time and memory: linear in the operations, and in the distinct pairs.  Reads @p p to its end,
 *  all ranks in step from collective to collective. */
enum status matrix_from_program(struct matrix *m, struct program *p, bool p2p_only, struct err *e);

/** The same in two: the messages of point-to-point actions, and those of collectives. */
enum status matrix_split_program(struct matrix *p2p, struct matrix *collective, struct program *p,
                                 struct err *e);

/** Reads the TSV; @p m->ranks is the largest rank named + 1.  Bytes of an entry and their sum
 *  must fit in 63 bits. */
enum status matrix_load(struct matrix *m, const char *path, struct err *e);

/** All or nothing; "-" is stdout. */
enum status matrix_save(const struct matrix *m, const char *path, struct err *e);

void matrix_clear(struct matrix *m);

#endif
