/** @file settings.h
 *  How a run is simulated, which `sim` and `compare` have in common: the values of the options.
 */
#ifndef CAMPAIGN_SETTINGS_H
#define CAMPAIGN_SETTINGS_H

#include <stdint.h>
#include <stdio.h>

#include "campaign/inputs.h"
#include "sim/sim.h"

struct settings {
  uint32_t ranks_per_host; /**< 0: not given */
  struct reading reading;
  struct sim_options options;
};

/** The values before any option is given. */
struct settings settings_defaults(void);

/** Prints all that changes results as "model=smpi engine=simgrid ...", equal settings alike. */
void settings_print(const struct settings *s, FILE *f);

/** The same as a text.  The caller's: free(). */
char *settings_text(const struct settings *s, struct err *e);

#endif
