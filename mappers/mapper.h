/** @file mapper.h
 *  The registry of mapping algorithms: each is one file and one row of the table in mapper.c.
 *  Knows platforms and traffic; simulated times only where the caller hands over a simulator.
 */
#ifndef MAPPERS_MAPPER_H
#define MAPPERS_MAPPER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/err.h"
#include "common/registry.h"
#include "platforms/mapping/mapping.h"
#include "platforms/platform.h"
#include "traces/matrix/matrix.h"

#define MAPPER_MAX_OPTIONS 8

struct mapper_simulator;
struct bounding_method;

struct mapper_option {
  const char *name;          /**< "seed"; NULL ends the list */
  const char *default_value; /**< as text */
  const char *help;          /**< one line */
  bool takes_rest;           /**< the value is the rest of the spec, commas included */
};

/** How the processes of the run that the mapping is for are connected, see wan/bounding.h. */
struct mapper_overlay {
  const struct bounding_method *method;
  uint32_t density;
  uint64_t seed;
  bool direct; /**< who is connected sends directly, even where a route through others is shorter */
};

/** The input of a mapper.  Each host has ranks_per_host slots, one for a rank. */
struct mapper_input {
  const struct platform *platform;
  const struct matrix *traffic; /**< NULL unless the mapper's row needs it */
  uint32_t ranks;
  uint32_t ranks_per_host; /**< at least 1 */
  uint32_t threads;        /**< 0: OpenMP's choice; changes no result */
  uint32_t *moved; /**< NULL, or where mapper_run() leaves how many ranks a mapper that overfills
                        hosts had to move from them; 0 of any other */
  const struct mapper_simulator *simulator; /**< simulator.h; NULL unless the mapper's row needs it
                                                 and there is a trace to simulate */
  const struct mapper_overlay *overlay;     /**< NULL: not known, or all pairs are connected */
};

/** The value, as text, of each option of the row, in the row's order. */
struct mapper_values {
  const char *value[MAPPER_MAX_OPTIONS];
};

/** The platforms that a mapper takes. */
enum mapper_needs {
  MAPPER_ANY,
  MAPPER_ROUTES, /**< those that are not opaque: it uses distances */
  MAPPER_GRID    /**< torus, mesh, hypercube */
};

struct qap;

struct mapper {
  const char *name;
  const char *help; /**< one line */
  const struct mapper_option *options;
  enum mapper_needs needs;
  bool needs_traffic;
  bool simulates;      /**< it needs simulated times */
  const char *library; /**< name and version of what else its mappings depend on; NULL: nothing */
  bool overfills;      /**< it may have to move ranks from hosts that it gave too many */
  /** The file that the mappings depend on; NULL, or returns it or "": none. */
  const char *(*file)(const struct mapper_values *values);
  /** Fills *out, then the caller's, or fails and leaves it untouched. */
  enum status (*map)(const struct mapper_input *in, const struct mapper_values *values,
                     struct mapping *out, struct err *e);
  /** Writes a location for each facility of @p q to @p at; NULL: the mapper needs a platform.
   *  @p threads is as in the input. */
  enum status (*assign)(const struct qap *q, const struct mapper_values *values, uint32_t threads,
                        uint32_t *at, struct err *e);
};

/** Of struct mapper. */
extern const struct registry mappers;

/** The options that every mapper has beside its own. */
extern const struct mapper_option mapper_common[];

/** Does @p spec ("random:seed=3") start with the name of a mapper? */
bool mapper_is_spec(const char *spec);

/** Does @p spec name a mapper that may put more ranks on a host than it takes, and then move them?
 */
bool mapper_overfills(const char *spec);

/** The row that @p spec names; fails if there is none, or on an option that is unknown, repeated or
 *  without value.  Values are not checked. */
enum status mapper_find(const char *spec, const struct mapper **out, struct err *e);

/** Does the mapper of @p spec, with its options, need the traffic? */
enum status mapper_needs_traffic(const char *spec, bool *out, struct err *e);

/** The file that the mappings of @p spec depend on, the caller's: free(); *out is NULL if there is
 *  none. */
enum status mapper_file(const char *spec, char **out, struct err *e);

/** A copy of @p spec, with option @p name set to @p value unless the spec sets it already or the
 *  mapper has no such option.  The caller's: free(); NULL with @p e filled on failure. */
char *mapper_with_option(const char *spec, const char *name, const char *value, struct err *e);

/** Runs the mapper of @p spec.  On success the mapping is the caller's: mapping_clear(). */
enum status mapper_run(const char *spec, const struct mapper_input *in, struct mapping *out,
                       struct err *e);

/** Solves @p q (mappers/qap/instance.h), which has passed qap_check(), by the mapper of @p spec;
 *  refuses those that cannot.  @p at has room for all facilities. */
enum status mapper_assign(const char *spec, const struct qap *q, uint32_t threads, uint32_t *at,
                          struct err *e);

#endif
