/** @file space.h
 *  What a sweep searches: programs of different numbers of ranks, sets of hosts, and mappers that
 *  order the ranks on them.
 */
#ifndef PREDICT_SWEEP_SPACE_H
#define PREDICT_SWEEP_SPACE_H

#include <stddef.h>
#include <stdint.h>

#include "campaign/inputs.h"
#include "campaign/operations.h"
#include "common/err.h"
#include "platforms/mapping/mapping.h"
#include "platforms/platform.h"
#include "sim/sim.h"
#include "traces/survey.h"

enum { SWEEP_SUBSET = 64, SWEEP_MAPPERS = 16 };

struct sweep_spec {
  const struct platform *platform;
  const char *trace; /**< a pattern, see pattern.h */
  const char *mapper[SWEEP_MAPPERS];
  size_t mappers;          /**< at least 1 */
  uint32_t ranks_per_host; /**< at least 1 */
  const struct sim_options *sim;
  const struct reading *reading;
};

/** A program, opened. */
struct sweep_program {
  struct input_trace trace;
  uint32_t ranks;
  double *flops;                 /**< by rank */
  struct operations *operations; /**< by rank */
  struct survey loop;
};

/** A program on hosts. */
struct sweep_choice {
  size_t program;
  char subset[SWEEP_SUBSET]; /**< "all", or how the hosts were chosen */
  const char *mapper;
  struct mapping mapping;
  uint64_t shape; /**< choices of a program with the same are the same (shape.h); 0: not known */
  double power;   /**< sum of the speeds of the hosts used, in flop/s */
  double bound_s; /**< a run takes at least about this long */
};

struct sweep_space {
  char **name; /**< by program that is or could not be opened */
  size_t names;
  struct sweep_program *program;
  size_t programs;
  struct sweep_choice *choice;
  size_t room, choices;
};

/** Opens programs and places them in every way.  Programs that there cannot be, or that do not
 *  fit on the platform, are left out, unless none is left.  @p spec outlives *out, which is the
 *  caller's in any case: sweep_space_clear(). */
enum status sweep_space_make(struct sweep_space *out, const struct sweep_spec *spec, struct err *e);

void sweep_space_clear(struct sweep_space *s);

#endif
