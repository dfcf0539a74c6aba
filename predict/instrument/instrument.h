/** @file instrument.h
 *  Makes three programs from C sources, which time and count their blocks (BLOCK).  The program
 *  in timing/ has a mark at each block, and the given loops reduced.  The program in counting/ has
 *  the real loops, and only the code that decides how often each mark is passed.  The program in
 *  apart/ has this code and the communication, but not the computation between communication;
 *  method "separate" (blocks/estimate.h) reads its times.
 */
#pragma once

#include "common/err.h"
#include "predict/instrument/loops.h"
#include "predict/instrument/source/messages.h"
#include "predict/instrument/source/parse.h"

struct instrument_job {
  struct parse_job parse;
  struct loop_specs *specs;
  const char *folder; /**< created or overwritten; NULL: only the loops are listed */
  /** Defaults of HAICHI_BLOCKS_WARMUP, _VARIATION and _SLOW; NULL: none. */
  const char *warmup, *variation, *slow;
};

/** A loop around communication. */
struct instrument_loop {
  char file[256]; /**< truncated */
  uint32_t line;
  char header[128];     /**< truncated */
  uint64_t count, real; /**< rounds in the timing program and in the real one; 0: not given */
  uint32_t clock;       /**< line that reads the clock on which the bound depends; 0: none */
};

struct instrument_result {
  uint32_t blocks, communication, files;
  struct instrument_loop *loop; /**< owned */
  uint32_t loops;
  struct messages said; /**< after success, the statements that stay in the counting program, with
                             reasons; after a failure, errors of the compiler or constructs that
                             cannot be split, if any */
};

/** *r contains messages also after a failure; the caller calls instrument_clear() in any case. */
enum status instrument(struct instrument_result *r, const struct instrument_job *job,
                       struct err *e);

void instrument_clear(struct instrument_result *r);
