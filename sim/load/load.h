/** @file load.h
 *  Background load: what keeps hosts and links busy besides the program that is simulated.  A load
 *  is a spec, as "tasks:10,seed=3"; each kind is one file KIND.c, which defines a row.  What acts
 *  is a driver (sim/driver.h), so that it runs on every engine.
 */
#ifndef SIM_LOAD_LOAD_H
#define SIM_LOAD_LOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/err.h"
#include "common/registry.h"
#include "platforms/platform.h"
#include "platforms/profiles.h"
#include "sim/crew.h"
#include "tasks/timing/farm.h"

/** Most loads of a run. */
enum { LOADS_MOST = 16 };

/** The specs of a run's loads; the texts are the caller's. */
struct load_specs {
  const char *spec[LOADS_MOST];
  size_t count;
};

/** Appends a spec, whose text must outlive @p s, after a check of its form. */
enum status load_specs_add(struct load_specs *s, const char *spec, struct err *e);

/** Does any of them change with time, so that a part of a run does not tell of the rest? */
bool load_specs_vary(const struct load_specs *s);

/** The file that a spec names, the caller's: free(); *out is NULL if it names none. */
enum status load_spec_file(const char *spec, char **out, struct err *e);

/** What a load has taken. */
struct load_figures {
  double flops;      /**< computed */
  uint64_t messages; /**< that have arrived */
  uint64_t bytes;    /**< their payload */
};

/** Where a load acts. */
struct load_site {
  const struct platform *platform;
  const uint32_t *host; /**< of each rank of the program; they may share hosts */
  uint32_t ranks;
  uint64_t seed; /**< added to that of each spec: runs that are repeated differ in it */
};

struct loads;

/** Draws hosts and messages.  On success *out is the caller's: loads_free(); the texts of @p s and
 *  what @p site points to outlive it. */
enum status loads_new(struct loads **out, const struct load_specs *s, const struct load_site *site,
                      struct err *e);

/** Accepts NULL. */
void loads_free(struct loads *l);

/** Writes a member for each load that acts to @p member, LOADS_MOST entries, and returns their
 *  number. */
size_t loads_members(struct loads *l, struct crew_member *member);

/** Adds the loads that a run takes as profiles of its platform; @p all: those that others would
 *  compute too, as they are for one busy rank a host, and refuses what profiles cannot express. */
enum status loads_add_profiles(const struct loads *l, bool all, struct profiles *out,
                               struct err *e);

/** The extra bytes of a message for struct replay_options; is there any load that makes some? */
bool loads_slow_messages(const struct loads *l);
uint64_t loads_extra_bytes(void *loads, uint32_t src, uint32_t dst, uint64_t bytes, uint64_t nth);

/** What the loads are in the abstract model of task networks (tasks/timing/farm.h). */
struct load_abstract {
  const uint32_t *tasks; /**< by host: competing tasks; the loads' */
  struct farm_losses losses;
};

/** Refuses loads that the model does not know. */
enum status loads_abstract(const struct loads *l, struct load_abstract *out, struct err *e);

/** What all loads have taken, once the run has ended. */
struct load_figures loads_figures(const struct loads *l);

/** Of struct load_kind (kind.h). */
extern const struct registry load_kinds;

/** An example of a spec of kind @p i, and one line about it; i is below the number of kinds. */
const char *load_example(size_t i);
const char *load_help(size_t i);

#endif
