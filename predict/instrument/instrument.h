/** @file instrument.h
 *  Makes programs that time and count their blocks from C sources (BLOCK): timing/, with a mark at
 *  each block and the given loops reduced; counting/, with the real loops and only what decides how
 *  often each mark is passed; apart/, that and the communication, so that it runs without the
 *  computation between (the earlier method).
 */
#ifndef PREDICT_INSTRUMENT_INSTRUMENT_H
#define PREDICT_INSTRUMENT_INSTRUMENT_H

#include "common/err.h"
#include "predict/instrument/loops.h"
#include "predict/instrument/messages.h"
#include "predict/instrument/parse.h"

struct instrument_job {
  struct parse_job parse;
  struct loop_specs *specs;
  const char *folder; /**< made, or written over; NULL: only the loops are wanted */
  const char *warmup; /**< default of HAICHI_BLOCKS_WARMUP; NULL: none */
};

/** A loop around communication. */
struct instrument_loop {
  char file[256]; /**< cut */
  uint32_t line;
  char header[128];     /**< cut */
  uint64_t count, real; /**< 0: not given */
  uint32_t clock;       /**< the line that reads the clock, on which the bound depends; 0: none */
};

struct instrument_result {
  uint32_t blocks, communication, files;
  struct instrument_loop *loop; /**< owned */
  uint32_t loops;
  struct messages said; /**< after success, what stays in the counting program and why; after a
                             failure, what the compiler says or cannot be split, if anything */
};

/** On failure *r holds what is said, too: instrument_clear() in any case. */
enum status instrument(struct instrument_result *r, const struct instrument_job *job,
                       struct err *e);

void instrument_clear(struct instrument_result *r);

#endif
