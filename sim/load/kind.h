/** @file kind.h
 *  A kind of background load: one file KIND.c that defines one row.  For sim/load/ only.
 */
#ifndef SIM_LOAD_KIND_H
#define SIM_LOAD_KIND_H

#include "common/fields.h"
#include "sim/load/load.h"

/** What all loads have; a kind embeds it as the first member of a struct of its own. */
struct load {
  const struct load_kind *kind;
  const struct load_site *site; /**< NULL before it is placed */
  uint64_t seed;                /**< of the spec */
  bool varies;                  /**< set by parse(): this one does though its kind need not */
  uint32_t actors;
  uint32_t *host; /**< by actor; owned */
  const struct services *services;
  struct load_figures figures; /**< of steps that are over */
};

struct load_kind {
  const char *name;    /**< "tasks" */
  const char *example; /**< a spec */
  const char *help;    /**< one line */
  bool varies;         /**< it changes with time, perhaps more slowly than a program's iterations */
  bool of_platform;    /**< a run takes it from add_profiles() */
  bool competes;       /**< its actors are computations that `links` counts */
  bool shares_within;  /**< its profiles of speed reckon with competing computations already */
  /** Reads what follows the colon; files stay closed.  *out is the caller's, whose kind is set. */
  enum status (*parse)(struct load **out, const char *fields, struct err *e);
  /** Draws actors and their hosts; l->site is set. */
  enum status (*place)(struct load *l, struct err *e);
  /** The next step of an actor; NULL: the load has none. */
  struct step *(*step)(struct load *l, uint32_t actor);
  /** Adds to l->figures what has been done of steps that are not over; may be NULL. */
  void (*finish)(struct load *l);
  /** The file that the load reads when it is placed; NULL, or returns it: none. */
  const char *(*file)(const struct load *l);
  /** Frees what the kind has; may be NULL. */
  void (*clear)(struct load *l);
  /** Adds what it does to the platform, as profiles; else NULL: they cannot express it. */
  enum status (*add_profiles)(const struct load *l, const struct loads *all, struct profiles *out,
                              struct err *e);
  /** The share R < 1 of the bandwidth that is taken from a message; NULL: 0. */
  double (*taken)(struct load *l, const struct loads *all, uint32_t src, uint32_t dst,
                  uint64_t nth);
  /** Adds what a competing computation takes from communications on average; NULL: nothing. */
  void (*add_losses)(const struct load *l, struct farm_losses *out);
};

/** Number of competing computations on a host, of all loads. */
uint32_t loads_tasks_on(const struct loads *all, uint32_t host);

/** The share of a core that a busy rank has on a host beside the competing computations and
 *  @p more: as many as the cores have all of one. */
double loads_share(const struct loads *all, uint32_t host, uint32_t more);

/** A list of @p events events of a host's speed for struct profiles. */
enum status load_add_speed(const struct loads *all, uint32_t host, const double *after,
                           const double *value, size_t events, double repeat_s,
                           struct profiles *out, struct err *e);

/** Of "N,FIELD=VALUE...": N, 1 or more, and the fields, the last of which is "seed". */
enum status load_fields(const char *text, uint32_t *number, struct field *fields, size_t n,
                        uint64_t *seed, struct err *e);

/** Makes room for actors. */
enum status load_actors(struct load *l, uint32_t actors, struct err *e);

/** Flops that an actor has done of a step that is not over; 0 unless it is watched. */
static inline double load_done(const struct load *l, uint32_t actor, const struct step *s)
{
  return s->watched ? s->amount - l->services->left(l->services->engine, l->services->first + actor)
                    : 0;
}

/** Simulated seconds; within a step. */
static inline double load_now(const struct load *l)
{
  return l->services->now(l->services->engine);
}

#endif
