/** @file generator.h
 *  Generated traces.  A spec such as "npb:cg.C.512" or "ring:64:size=1000" names a generator, which
 *  makes the actions of each rank block by block.  To read the actions, use trace.h, which accepts
 *  a spec instead of a file.
 *
 *  A stream has five parts: HEAD (set-up), WARMUP, MIDDLE, LOOP (repeated for each iteration) and
 *  TAIL (verification).  Each part has the same number of blocks on all ranks; a block may be
 *  empty. generator_fill() adds `init`, `finalize` and the marks of iterations.
 *
 *  To count messages, only one of all iterations with equal messages needs to be read, see
 *  trace_single_iteration().
 *
 *  Blocks are small (a stage of a sweep, one inner iteration), since one block of each rank is in
 *  memory.  A generator is a file and a row in generator.c; for an NPB benchmark, see npb.h.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/err.h"
#include "common/registry.h"
#include "common/spec.h"
#include "traces/generators/emit.h"

enum { GENERATOR_RANKS_MAX = 1 << 20 };

enum generator_part {
  GENERATOR_HEAD,
  GENERATOR_WARMUP,
  GENERATOR_MIDDLE,
  GENERATOR_LOOP,
  GENERATOR_TAIL
};

/** Iterations of LOOP that have equal actions, apart from computations. */
enum generator_likeness {
  GENERATOR_ALIKE,      /**< all iterations */
  GENERATOR_ALIKE_WARM, /**< all iterations, and WARMUP */
  GENERATOR_BUT_LAST,   /**< all iterations except the last */
  GENERATOR_ALL_DIFFER, /**< none */
  GENERATOR_TREND,      /**< none, but the time of an iteration changes smoothly with its number */
};

/** The position of a block in a stream. */
struct generator_place {
  enum generator_part part;
  uint32_t iteration; /**< number of the iteration of LOOP, from 1; 0 in other parts */
  uint32_t step;      /**< index of the block in its part, or in its iteration; from 0 */
};

/** An opened generator, the first member of the struct of each kind.  fill() does not change it. */
struct generator {
  uint32_t ranks;                            /**< at least 1 */
  uint32_t head, warmup, middle, loop, tail; /**< blocks of each part; loop: per iteration */
  uint32_t iterations; /**< of LOOP, may be 0; trace_single_iteration() sets it to 1 or 2 */
  enum generator_likeness likeness;
  uint32_t
      turn;     /**< of GENERATOR_TREND: iterations after which each rank has the same role again */
  double flops; /**< factor on the flops of computations; 0: 1 */
  double per_flop; /**< memory traffic of a flop in bytes, see trace_per_flop() */
  uint64_t pairs;  /**< number of pairs (src, dst) with messages, see trace_pairs(); 0: not known */
  /** Emits the block at @p at of rank out->rank. */
  void (*fill)(const struct generator *g, const struct generator_place *at, struct emit *out);
  /** Frees the members of the kind's own struct; NULL: there are none to free. */
  void (*close)(struct generator *g);
};

struct pattern;

/** A kind of generator: a row of generator.c. */
struct generator_kind {
  const char *name;    /**< the part of a spec before the first colon, e.g. "npb" */
  const char *example; /**< a valid spec */
  const char *help;    /**< one line */
  const struct spec_option *options;
  /** Makes the generator; @p text is the part of the spec after the first colon. */
  enum status (*open)(struct generator **out, const struct generator_kind *kind, const char *text,
                      struct err *e);
  /* For patterns only: */
  size_t bytes; /**< size of the struct of the pattern, which is the record of its options */
  /** Completes the struct of the pattern, whose options are set; see pattern_open(). */
  enum status (*set_up)(struct pattern *p, struct err *e);
};

/** All generators, as struct generator_kind. */
extern const struct registry generators;

/** True if @p text begins with the name of a generator and a colon. */
bool generator_is_spec(const char *text);

/** Opens the generator named by @p spec.  Free with generator_close(). */
enum status generator_open(struct generator **out, const char *spec, struct err *e);

/** Accepts NULL. */
void generator_close(struct generator *g);

/** Number of blocks of a rank's stream, in all parts and iterations. */
uint64_t generator_blocks(const struct generator *g);

/** The first block of iteration @p iteration (from 1), or of the tail with ACTION_MARK_END. */
uint64_t generator_first_block(const struct generator *g, uint64_t iteration);

/** True if block @p block (from 0) belongs to iteration @p iteration (from 1) of LOOP. */
bool generator_in_iteration(const struct generator *g, uint64_t block, uint32_t iteration);

/** Emits block @p block (from 0) of rank out->rank, init, marks and finalize included. */
void generator_fill(const struct generator *g, uint64_t block, struct emit *out);
