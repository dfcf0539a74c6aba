/** @file generator.h
 *  Traces that are made and not read: a spec such as "npb:cg.C.512" or "ring:64:size=1000" names a
 *  generator, which yields the actions of each rank block by block.  Not a reader of them: that is
 *  trace.h, which takes a spec wherever it takes a file.
 *
 *  A stream has five parts, each of a number of blocks that is the same on all ranks: HEAD
 *  (set-up), WARMUP, MIDDLE, LOOP once each iteration, TAIL (verification).  `init`, `finalize`
 *  and the marks of the iterations are added here; a block may turn out empty for a rank.
 *
 *  Iterations that are alike in all but their computations, as those of most generators are, can be
 *  counted by reading one (generated_fold()).
 *
 *  Blocks are small (a stage of a sweep, one inner iteration), since one of each rank is in memory.
 *  To add a generator: a file and a row in generator.c; to add an NPB benchmark, see npb.h.
 */
#ifndef TRACES_GENERATORS_GENERATOR_H
#define TRACES_GENERATORS_GENERATOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/err.h"
#include "traces/generators/emit.h"

enum { GENERATOR_RANKS_MAX = 1 << 20 };

enum generator_part {
  GENERATOR_HEAD,
  GENERATOR_WARMUP,
  GENERATOR_MIDDLE,
  GENERATOR_LOOP,
  GENERATOR_TAIL
};

/** How the iterations differ, their computations aside. */
enum generator_likeness {
  GENERATOR_ALIKE,      /**< not at all */
  GENERATOR_ALIKE_WARM, /**< nor does WARMUP from them */
  GENERATOR_BUT_LAST,   /**< the last one from the others */
  GENERATOR_ALL_DIFFER, /**< each from each */
};

/** Where a block stands. */
struct generator_place {
  enum generator_part part;
  uint32_t iteration; /**< of LOOP, from 1; otherwise 0 */
  uint32_t step;      /**< the block's index in the part, or in the iteration */
};

/** An opened generator.  Each kind has this at the beginning of its own struct; fill() changes
 *  nothing in it. */
struct generator {
  uint32_t ranks;                            /**< at least 1 */
  uint32_t head, warmup, middle, loop, tail; /**< blocks of each part, of LOOP an iteration's */
  uint32_t iterations;                       /**< of LOOP; may be 0; folding makes it 1 or 2 */
  enum generator_likeness likeness;
  uint64_t pairs; /**< (src, dst) that exchange messages, if they are many; 0: not told */
  /** Emits the block at @p at of rank out->rank. */
  void (*fill)(const struct generator *g, const struct generator_place *at, struct emit *out);
  /** Frees what open() made, @p g too. */
  void (*close)(struct generator *g);
};

/** A row of the table. */
struct generator_kind {
  const char *name;    /**< "npb": what stands before the first colon of a spec */
  const char *example; /**< a spec of its own */
  const char *help;    /**< one line */
  const char *options; /**< of a pattern, see pattern_takes(); NULL: none */
  /** @p fields is what follows the first colon of the spec. */
  enum status (*open)(struct generator **out, const char *fields, struct err *e);
};

/** Row @p i of the table, and its name; NULL past the last. */
const struct generator_kind *generator_at(size_t i);
const char *generator_name(size_t i);

/** Does @p text begin with the name of a generator and a colon? */
bool generator_is_spec(const char *text);

/** Opens what @p spec names.  The caller's: generator_close(). */
enum status generator_open(struct generator **out, const char *spec, struct err *e);

/** Accepts NULL. */
void generator_close(struct generator *g);

/** Blocks of a rank's stream; of all parts and iterations. */
uint64_t generator_blocks(const struct generator *g);

/** Is block @p block one of iteration @p iteration (from 1) of LOOP? */
bool generator_in_iteration(const struct generator *g, uint64_t block, uint32_t iteration);

/** Emits block @p block (from 0) of rank out->rank, init, marks and finalize included. */
void generator_fill(const struct generator *g, uint64_t block, struct emit *out);

#endif
