/** @file mapper.h
 *  The registry of mapping algorithms.  A mapper is a struct mapper in the file of its algorithm,
 *  listed in mapper.c.  Mappers know the platform and the traffic.  They get simulated times only
 *  if the caller passes a simulator.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "common/err.h"
#include "common/numeric/rng.h"
#include "common/registry.h"
#include "common/spec.h"
#include "platforms/factors.h"
#include "platforms/mapping/mapping.h"
#include "platforms/platform.h"
#include "traces/matrix/matrix.h"
#include "traces/matrix/phases.h"

#define MAPPER_MAX_OPTIONS 8
#define MAPPER_RECORD      128

struct mapper;
struct mapper_simulator;
struct bounding_method;

/** How the processes of the mapped run are connected; see wan/bounding.h. */
struct mapper_overlay {
  const struct bounding_method *method;
  uint32_t density;
  uint64_t seed;
  bool direct; /**< connected processes send directly, even if a route through other processes is
                    shorter */
};

/** The cost of a message in the network model, for estimates of time. */
struct mapper_model {
  const struct factor_step *latency,
      *bandwidth;        /**< factors by message size (factors.h); NULL: 1 */
  double envelope_bytes; /**< bytes that each message has besides its payload */
  double weight_bytes;  /**< each link adds weight_bytes / bandwidth, in s, to the penalty of a flow
                             (fluid.h): SimGrid's network/weight-S */
  double window_bytes;  /**< TCP window: rate <= window_bytes / (2 * latency); 0: no limit */
  double back_share;    /**< cross-traffic: share of a message's bytes that also load the opposite
                             route */
  double compute_scale; /**< factor of computations */
};

/** Gives the phases of the mapped program on first use. */
struct mapper_phases {
  void *data;
  enum status (*get)(void *data, const struct phases **out, struct err *e);
};

/** The input of a mapper.  A host has ranks_per_host or capacity[] slots; a slot takes one rank. */
struct mapper_input {
  const struct platform *platform;
  const struct matrix *traffic; /**< may be NULL if neither the mapper's row nor refine= needs it */
  uint32_t ranks;
  uint32_t ranks_per_host; /**< at least 1 */
  const uint32_t *order;   /**< by slot: its host, in the order in which mapper xyz fills the slots;
                                NULL: the hosts by number */
  uint32_t slots;          /**< entries of `order` */
  const uint32_t *capacity;    /**< by host: its number of slots; above ranks_per_host, it counts as
                                    ranks_per_host.  NULL: all hosts have ranks_per_host.  If a
                                    mapper ignores it, mapper_run() moves ranks away from full
                                    hosts */
  uint32_t threads;            /**< 0: the default of OpenMP; does not change the result */
  const struct inside *inside; /**< the inside of each node; nodes are hosts; NULL: no inside */
  uint32_t *core;  /**< with `inside`: mapper_run() sets the core of each rank within its node */
  uint32_t *moved; /**< NULL, or receives the number of ranks that the mapper had to move to other
                        hosts: 0 unless the mapper `overfills` or there is a capacity */
  const struct mapper_simulator *simulator; /**< simulator.h; NULL: there is no trace, or the
                                                 mapper's row does not simulate */
  const struct mapper_overlay *overlay;     /**< NULL: unknown, or all pairs are connected */
  const struct mapper_phases *phases;       /**< NULL: unknown; see mapper_phases() */
  struct mapper_model model;
  /* Set by mapper_run(): */
  const struct mapper *mapper;
  const void *options; /**< the record that the mapper's options have set */
};

/** The platforms that a mapper accepts. */
enum mapper_needs {
  MAPPER_ANY,
  MAPPER_ROUTES, /**< platforms that are not opaque, because the mapper uses distances */
  MAPPER_GRID    /**< torus, mesh or hypercube */
};

/** Whether a mapper needs simulated times. */
enum mapper_simulates {
  MAPPER_STATIC,
  MAPPER_MAY_SIMULATE, /**< if there is a simulator */
  MAPPER_SIMULATES     /**< always */
};

struct qap;

struct mapper {
  const char *name;
  const char *help; /**< one line */
  /** At most MAPPER_MAX_OPTIONS options; seed= has type SPEC_U64.  They set the fields of a record
   *  of at most MAPPER_RECORD bytes, which is zeroed before.  NULL: no options. */
  const struct spec_option *options;
  int variant; /**< distinguishes rows with the same function */
  enum mapper_needs needs;
  bool needs_traffic;
  enum mapper_simulates simulates;
  const char *library; /**< NULL, or name and version of a library that the mappings depend on */
  bool in_order;       /**< without an option cores=, the ranks of a node take its cores in order */
  /** True if the mapper chooses among mappings by simulated time; NULL: never. */
  bool (*by_time)(const void *options);
  bool sets_cores;   /**< map() may set in->core; it has done so if in->core[0] is not UINT32_MAX */
  bool one_per_host; /**< assigns one rank to a host, even if hosts may take several */
  bool overfills;    /**< may assign too many ranks to a host and then has to move some of them */
  /** Returns the file that the mappings depend on; "": none.  NULL: the mapper reads no file. */
  const char *(*file)(const void *options);
  /** Fills *out, which the caller frees with mapping_clear().  *out is untouched on failure. */
  enum status (*map)(const struct mapper_input *in, struct mapping *out, struct err *e);
  /** Writes a location for each facility of @p q to @p at.  NULL: the mapper needs a platform.
   *  @p threads is as in struct mapper_input. */
  enum status (*assign)(const struct qap *q, const void *options, uint32_t threads, uint32_t *at,
                        struct err *e);
};

/** All mappers; rows are struct mapper. */
extern const struct registry mappers;

/** The options that every mapper has besides its own.  Their record is private to mapper.c. */
extern const struct spec_option mapper_common[];

/** True if @p spec, for example "random:seed=3", starts with the name of a mapper. */
bool mapper_is_spec(const char *spec);

/** True if the mapper of @p spec may assign too many ranks to a host and then move some of them. */
bool mapper_overfills(const char *spec);

/** True if the caller may choose the cores of a mapping by simulated time: the mapper of @p spec
 *  chooses among mappings by time, and neither cores= nor refine= is given. */
bool mapper_leaves_cores(const char *spec);

/** Sets *out to the row that @p spec names.  Sets *needs_traffic, unless @p needs_traffic is NULL,
 *  to true if the mapper with its options needs the traffic.  Fails if there is no such row, or if
 *  an option is invalid. */
enum status mapper_find(const char *spec, const struct mapper **out, bool *needs_traffic,
                        struct err *e);

/** Sets *out to the file that the mappings of @p spec depend on, or to NULL if there is none.  The
 *  caller frees it with free().  Fails as mapper_find(). */
enum status mapper_file(const char *spec, char **out, struct err *e);

/** Returns a copy of @p spec with option seed set to @p seed: as the last option, or as the first
 *  one if the last option takes the rest of the spec.  Copies @p spec unchanged if it has a seed
 *  already or if the mapper has no such option.  The caller frees the copy with free().
 *  Returns NULL and fills @p e on failure. */
char *mapper_with_seed(const char *spec, const char *seed, struct err *e);

/** Runs the mapper of @p spec.  The caller frees the mapping with mapping_clear(). */
enum status mapper_run(const char *spec, const struct mapper_input *in, struct mapping *out,
                       struct err *e);

/** Sets @p host to the host of each rank, for rank r in slot @p slot[r]: host h has the slots h *
 *  ranks_per_host to h * ranks_per_host + ranks_per_host - 1. */
void mapper_hosts(const struct mapper_input *in, const uint32_t *slot, uint32_t *host);

/** Returns a uniformly random permutation of all slots, so that all assignments of ranks to slots
 *  are equally likely, also with several slots per host.  The caller frees it with free().  Returns
 *  NULL and fills @p e, naming mapper @p name, on failure. */
uint32_t *mapper_shuffled_slots(const struct mapper_input *in, const char *name, struct rng r,
                                struct err *e);

/** Sets *out to the phases of the program; NULL: unknown. */
enum status mapper_phases(const struct mapper_input *in, const struct phases **out, struct err *e);

/** Solves @p q (mappers/qap/instance.h) by the mapper of @p spec.  @p q must have passed
 *  qap_check().  Fails if the mapper needs a platform.  @p at has room for all facilities. */
enum status mapper_assign(const char *spec, const struct qap *q, uint32_t threads, uint32_t *at,
                          struct err *e);
