/** @file kind.h
 *  A kind of background load: one file KIND.c that defines one row of the registry.  For sim/load/
 *  only.
 */
#pragma once

#include "common/spec.h"
#include "sim/load/load.h"

/** Members of every load; a kind embeds it as the first member of its own struct. */
struct load {
  const struct load_kind *kind;
  struct spec spec;             /**< owns the texts of the options */
  const struct load_site *site; /**< NULL until the load is placed */
  uint64_t seed;                /**< seed of the spec */
  bool varies;                  /**< set by check() if this load varies, unlike its kind */
  uint32_t actors;
  uint32_t *host; /**< by actor; owned */
  const struct services *services;
  struct load_figures figures; /**< sums over the steps that are over */
};

struct load_kind {
  const char *name;    /**< "tasks" */
  const char *example; /**< a spec */
  const char *help;    /**< one line */
  bool varies;         /**< the load changes with time, possibly more slowly than the iterations of
                            a program */
  bool of_platform;    /**< every run applies it through add_profiles() */
  bool competes;       /**< its actors are computations, which the load `links` counts per host */
  bool shares_within;  /**< its profiles of speeds include the competing computations */
  size_t bytes;        /**< size of the kind's own struct, the record of its options */
  const struct spec_option *options;
  /** Checks the options together, without opening files; may be NULL. */
  enum status (*check)(struct load *l, struct err *e);
  /** Draws the actors and their hosts; l->site is set. */
  enum status (*place)(struct load *l, struct err *e);
  /** Returns the next step of an actor; NULL: the load has no actors. */
  struct step *(*step)(struct load *l, uint32_t actor);
  /** Adds the finished share of unfinished steps to l->figures; may be NULL. */
  void (*finish)(struct load *l);
  /** The file that the load reads when it is placed.  No file: NULL, or a function that returns
   *  NULL. */
  const char *(*file)(const struct load *l);
  /** Frees the members of the kind's own struct; may be NULL. */
  void (*clear)(struct load *l);
  /** Adds the effect of the load on the platform as profiles; NULL: profiles cannot express it. */
  enum status (*add_profiles)(const struct load *l, const struct loads *all, struct profiles *out,
                              struct err *e);
  /** The share R < 1 of its bandwidth that message @p nth of rank @p src loses; NULL: 0. */
  double (*taken)(struct load *l, const struct loads *all, uint32_t src, uint32_t dst,
                  uint64_t nth);
  /** Adds the average loss of communications per competing computation; NULL: no loss. */
  void (*add_losses)(const struct load *l, struct farm_losses *out);
};

/** Number of competing computations on a host, over all loads. */
uint32_t loads_tasks_on(const struct loads *all, uint32_t host);

/** The share of a core that a busy rank gets on a host beside the competing computations and
 *  @p more further ones: 1 as long as each has a core of its own. */
double loads_share(const struct loads *all, uint32_t host, uint32_t more);

/** Adds a profile of a host's speed with @p events events; the arguments are as in struct
 *  profile. */
enum status load_add_speed(const struct loads *all, uint32_t host, const double *after,
                           const double *value, size_t events, double repeat_s,
                           struct profiles *out, struct err *e);

/** Options of several kinds: the number of computations or streams, at offset @p FIELD, and the
 *  seed. */
#define LOAD_NUMBER(FIELD, HELP)                                                                   \
  {                                                                                                \
    "N", SPEC_U32, FIELD, NULL, .help = HELP, .least = 1, .most = 1 << 20, .ends = ','             \
  }
#define LOAD_SEED                                                                                  \
  {                                                                                                \
    "seed", SPEC_U64, offsetof(struct load, seed), "1", .help = "of the random numbers",           \
                                                        .most = 0x1p63                             \
  }

/** Allocates the hosts of @p actors actors. */
enum status load_actors(struct load *l, uint32_t actors, struct err *e);

/** Flops of an actor's current step done so far; 0 unless the step is watched. */
static inline double load_done(const struct load *l, uint32_t actor, const struct step *s)
{
  return s->watched ? s->amount - l->services->left(l->services->engine, l->services->first + actor)
                    : 0;
}

/** Simulated seconds; to be called within a step. */
static inline double load_now(const struct load *l)
{
  return l->services->now(l->services->engine);
}
