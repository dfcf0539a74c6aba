/** @file load.h
 *  Background load: work on hosts and links besides the simulated program.  A load is given by a
 *  spec, for example "tasks:10,seed=3".  Each kind is one file KIND.c, which defines a row of the
 *  registry.  A load with actors is a driver (sim/driver.h), so it runs on every engine.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/err.h"
#include "common/registry.h"
#include "platforms/platform.h"
#include "platforms/profiles.h"
#include "sim/crew.h"
#include "tasks/timing/farm.h"

/** Upper limit of the loads of a run. */
enum { LOADS_MOST = 16 };

/** The specs of a run's loads.  The caller owns the texts. */
struct load_specs {
  const char *spec[LOADS_MOST];
  size_t count;
};

/** Checks the form of a spec and appends it; its text must outlive @p s. */
enum status load_specs_add(struct load_specs *s, const char *spec, struct err *e);

/** True if any load changes with time, so that a part of a run does not represent the rest. */
bool load_specs_vary(const struct load_specs *s);

/** Sets *out to the file that a spec names, NULL if it names none.  The caller frees it with
 *  free(). */
enum status load_spec_file(const char *spec, char **out, struct err *e);

/** Work done by a load. */
struct load_figures {
  double flops;      /**< computed flops */
  uint64_t messages; /**< arrived messages */
  uint64_t bytes;    /**< their payload */
};

/** Where a load acts. */
struct load_site {
  const struct platform *platform;
  const uint32_t *host; /**< host of each rank of the program; ranks may share a host */
  uint32_t ranks;
  uint64_t seed; /**< added to the seed of each spec; it differs between repeated runs */
};

struct loads;

/** Draws hosts and messages.  The texts of @p s and the objects that @p site points to must outlive
 *  the result.  The caller frees *out with loads_free(). */
enum status loads_new(struct loads **out, const struct load_specs *s, const struct load_site *site,
                      struct err *e);

/** Accepts NULL. */
void loads_free(struct loads *l);

/** Writes a crew member for each load with actors to @p member, which has LOADS_MOST entries, and
 *  returns their number. */
size_t loads_members(struct loads *l, struct crew_member *member);

/** Adds the loads that every run applies as profiles of its platform.  With @p all it adds the
 *  other loads too, as one busy rank per host would see them, and fails if profiles cannot express
 *  a load. */
enum status loads_add_profiles(const struct loads *l, bool all, struct profiles *out,
                               struct err *e);

/** loads_slow_messages(): true if any load adds bytes to messages. loads_extra_bytes(): the bytes
 *  added to one message; see struct replay_options. */
bool loads_slow_messages(const struct loads *l);
uint64_t loads_extra_bytes(void *loads, uint32_t src, uint32_t dst, uint64_t bytes, uint64_t nth);

/** The loads in the abstract model of task networks (tasks/timing/farm.h). */
struct load_abstract {
  const uint32_t *tasks; /**< by host: competing tasks; owned by the loads */
  struct farm_losses losses;
};

/** Fails if the model does not cover a load. */
enum status loads_abstract(const struct loads *l, struct load_abstract *out, struct err *e);

/** Work done by all loads, to be read once the run has ended. */
struct load_figures loads_figures(const struct loads *l);

/** Registry of struct load_kind (kind.h). */
extern const struct registry load_kinds;

/** A sample spec of kind @p i, and a line of help; i is below the number of kinds. */
const char *load_example(size_t i);
const char *load_help(size_t i);
