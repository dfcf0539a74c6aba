/** @file model_args.h
 *  The options that say how a run is simulated, which `sim` and `compare` have in common: an argp
 *  child parser and what it fills in.
 */
#ifndef CLI_MODEL_ARGS_H
#define CLI_MODEL_ARGS_H

#include <argp.h>
#include <stdint.h>
#include <stdio.h>

#include "cli/cli.h"
#include "sim/sim.h"

struct model_args {
  uint32_t ranks_per_host; /**< 0: not given */
  struct cli_reading reading;
  struct sim_options options;
};

/** The values before any option is given. */
struct model_args model_args_defaults(void);

/** For the `children` of a command's argp; its input is a struct model_args. */
extern const struct argp model_args_argp;

/** Prints all that changes results as "model=smpi engine=simgrid ...", the same for the same. */
void model_args_print(const struct model_args *a, FILE *f);

#endif
