/** @file settings.h
 *  Options that many commands share: how a run reads its inputs and simulates.
 */
#pragma once

#include <stdint.h>
#include <stdio.h>

#include "platforms/mapping/allocation.h"
#include "setup/inputs.h"
#include "setup/jobs.h"
#include "sim/sim.h"

struct settings {
  /** reading.collectives.ranks_per_host is also the maximum that mappers put on a host. */
  struct reading reading;
  struct sim_options options;
  const struct allocation_list *hosts; /**< the hosts that the program may use; NULL: all */
  uint32_t cores;        /**< cores per host of a platform that is a spec; 0 means 1 */
  const char *names;     /**< file with the names of the hosts; NULL: not given */
  const char *node;      /**< inside of the hosts (platforms/inside/inside.h); NULL: none */
  struct job_specs jobs; /**< background jobs besides the program of the run */
};

/** Default values. */
struct settings settings_defaults(void);

/** Opens the platform @p text as inputs_platform() does, with the cores, names and inside of its
 *  hosts that @p s gives. */
enum status settings_platform(struct platform **out, const char *text, const struct settings *s,
                              const char *whole, struct err *e);

/** True if there is background load or a background job. */
bool settings_have_load(const struct settings *s);

/** Text of the settings that affect results, as "model=smpi engine=simgrid ..."; equal settings
 *  give equal texts.  NULL if out of memory, or if an input file cannot be read.  Free with free().
 */
char *settings_text(const struct settings *s, struct err *e);

/* Parts of this text, also for task networks; each part begins with a space. */

/** Prints the version of SimGrid; prints nothing if SimGrid is not installed, since runs that need
 *  it fail then. */
void settings_print_simgrid(FILE *f);

/** Prints each load; fails if a file named by a load cannot be read. */
enum status settings_print_loads(const struct load_specs *l, FILE *f, struct err *e);
