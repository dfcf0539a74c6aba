/** @file space.h
 *  The search space of a sweep: programs with different numbers of ranks, sets of hosts, and
 *  mappers that order the ranks on them.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "common/err.h"
#include "platforms/mapping/mapping.h"
#include "platforms/platform.h"
#include "setup/inputs.h"
#include "setup/runs/operations.h"
#include "sim/sim.h"
#include "traces/survey.h"

/** Size of the name of a set of hosts; maximum number of mappers. */
enum { SWEEP_SUBSET = 64, SWEEP_MAPPERS = 16 };

struct sweep_spec {
  const struct platform *platform;
  const char *trace; /**< a pattern, see pattern.h */
  const char *mapper[SWEEP_MAPPERS];
  size_t mappers;          /**< at least 1 */
  uint32_t ranks_per_host; /**< at least 1; if the hosts are cores: ranks of a node, a multiple of
                                its cores */
  const struct sim_options *sim;
  const struct reading *reading;
};

/** An opened program. */
struct sweep_program {
  struct input_trace trace;
  uint32_t ranks;
  double *flops;                 /**< by rank */
  struct operations *operations; /**< by rank */
  bool asks_hosts; /**< the operations depend on which ranks share a host; `operations` counts them
                        for ranks that fill the hosts in order */
  struct survey loop;
};

/** A program placed on hosts.  `mapper` points into the sweep_spec. */
struct sweep_choice {
  size_t program;
  char subset[SWEEP_SUBSET]; /**< "all", or a description of the selected hosts */
  const char *mapper;
  struct mapping mapping;
  uint64_t shape; /**< choices of a program with equal shapes are equivalent (shape.h); 0:
                       unknown */
  double power;   /**< flop/s of all cores of the hosts used */
  double bound_s; /**< approximate lower bound of the time of a run in s */
};

/** The space owns its arrays.  Free with sweep_space_clear(). */
struct sweep_space {
  char **name; /**< names of all programs, including any that could not be opened */
  size_t names;
  struct sweep_program *program;
  size_t programs;
  char **skipped; /**< reasons why programs were skipped, each with the name of the program */
  size_t skips;
  struct sweep_choice *choice;
  size_t room, choices;
};

/** Opens the programs and places each of them in every way.  Skips programs that cannot be
 *  opened or do not fit on the platform; if no program is left, fails with the reason of the last
 *  one.  @p spec must outlive *out.  The caller calls sweep_space_clear() in any case. */
enum status sweep_space_make(struct sweep_space *out, const struct sweep_spec *spec, struct err *e);

void sweep_space_clear(struct sweep_space *s);
