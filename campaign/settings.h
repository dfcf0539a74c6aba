/** @file settings.h
 *  Values of the options that `sim` and `compare` share: how a run reads its inputs and simulates.
 */
#ifndef CAMPAIGN_SETTINGS_H
#define CAMPAIGN_SETTINGS_H

#include <stdint.h>

#include "campaign/inputs.h"
#include "campaign/jobs.h"
#include "sim/sim.h"

struct settings {
  /** What mappers give a host at most is reading.collectives.ranks_per_host. */
  struct reading reading;
  struct sim_options options;
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

#endif
