/** @file settings.h
 *  Values of the options that `sim` and `compare` share: how a run reads its inputs and simulates.
 */
#ifndef CAMPAIGN_SETTINGS_H
#define CAMPAIGN_SETTINGS_H

#include <stdint.h>
#include <stdio.h>

#include "campaign/inputs.h"
#include "campaign/jobs.h"
#include "sim/sim.h"

struct settings {
  /** What mappers give a host at most is reading.collectives.ranks_per_host. */
  struct reading reading;
  struct sim_options options;
  uint32_t cores;        /**< of the hosts of a platform that is a spec; 0: 1 */
  struct job_specs jobs; /**< background of the run's own program */
};

/** The values before any option is given. */
struct settings settings_defaults(void);

/** Is there load besides the program? */
bool settings_have_load(const struct settings *s);

/** What affects results, as "model=smpi engine=simgrid ..."; equal settings give the same text.
 *  The caller's: free(); NULL if out of memory, or a file of a background load
 *  cannot be read. */
char *settings_text(const struct settings *s, struct err *e);

/* For what is not simulated as traces are: parts of such a text, each after a space. */

/** Prints the version of SimGrid, if it is there: without it every run that needs it fails. */
void settings_print_simgrid(FILE *f);

/** Prints each load; fails if a file that one reads cannot be read. */
enum status settings_print_loads(const struct load_specs *l, FILE *f, struct err *e);

#endif
