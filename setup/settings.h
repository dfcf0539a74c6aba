/** @file settings.h
 *  Options that many commands share: how a run reads its inputs and simulates.
 */
#pragma once

#include <stdint.h>
#include <stdio.h>

#include "common/cli_option.h"
#include "platforms/mapping/allocation.h"
#include "setup/inputs.h"
#include "setup/jobs.h"
#include "sim/sim.h"

/** Maximum number of ranks in an option. */
#define SETTINGS_MOST_RANKS (1u << 20)

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
                              struct err *e);

/** How a program is placed with @p mapping, a file or a mapper spec. */
struct job_defaults settings_placement(const struct settings *s, const char *mapping);

/** True if there is background load or a background job. */
bool settings_have_load(const struct settings *s);

/** Text of the settings that affect results, as "model=smpi engine=simgrid ..."; equal settings
 *  give equal texts.  @p key is cli_option_key, or cli_option_whole_key if the platform is named
 *  without --node and --names.  NULL if out of memory, or if an input file cannot be read.  Free
 *  with free(). */
char *settings_text(const struct settings *s, const struct cli_option_style *key, struct err *e);

/** Prints " simgrid=VERSION"; prints nothing if SimGrid is not installed, since runs that need it
 *  fail then. */
void settings_print_simgrid(FILE *f);

/** Tables of options, and the type of the record that they set:
 *  - unpack_options: reading of traces, a struct reading
 *  - reading_options: unpack_options and the algorithms of collectives, a struct reading
 *  - simulation_options: the simulation, a struct settings
 *  - settings_options: simulation_options and reading_options, a struct settings
 *  - job_settings_options: settings_options and --job, a struct settings
 *  - load_options: --background, a struct load_specs
 *  - matrix_options: --matrix-format and --matrix-unit, a struct matrix_reading
 *
 *  Command lines, printed commands, keys of results and provenance read the tables: a setting is
 * one row. */
extern const struct cli_option unpack_options[], reading_options[], simulation_options[],
    settings_options[], job_settings_options[], load_options[], matrix_options[];

/** parse() of --background, for a struct load_specs, and of --job, for a struct job_specs. */
enum status settings_parse_load(void *specs, char *text, struct err *e);
enum status settings_parse_job(void *specs, char *text, struct err *e);
