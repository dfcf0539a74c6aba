/** @file settings.h
 *  Values of the options that `sim` and `compare` share: how a run reads its inputs and simulates.
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

/** Prints what affects results, "model=smpi engine=simgrid ..."; equal settings print the same. */
void settings_print(const struct settings *s, FILE *f);

/** The same as a string.  The caller's: free(); NULL if out of memory. */
char *settings_text(const struct settings *s, struct err *e);

#endif
