/** @file path.h
 *  The critical path of a recorded run: walks back from the end of the last rank, from each event
 *  to the event that caused it, and attributes each stretch of time to its cause.  The stretches
 *  follow each other without gaps from the end of the run to time 0.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/containers/pairs.h"
#include "common/err.h"
#include "sim/explain/rewind.h"
#include "sim/flow/causes.h"

enum path_cause {
  PATH_COMPUTE,  /**< computation at the full speed of the host */
  PATH_CROWDED,  /**< excess time of a computation, because other actors compute on the host or its
                    speed is reduced */
  PATH_SLEEP,    /**< sleep of the program */
  PATH_POLL,     /**< the time that tests and probes take */
  PATH_LATENCY,  /**< latency of a message */
  PATH_TRANSFER, /**< transfer of a message, at the speed that it would have alone */
  PATH_CONTENTION, /**< excess time of a transfer, because messages share a link */
  PATH_OVERLAY,    /**< work of an overlay */
  PATH_START,      /**< before the start of the job */
  PATH_CAUSES
};

/** Whether the next rank of the path was blocked during the time.  PATH_LATE_SENDER: a receiver
 *  waited for the post of the send.  PATH_LATE_RECEIVER: a sender waited for the post of the
 *  receive. */
enum path_late { PATH_ON_TIME, PATH_LATE_SENDER, PATH_LATE_RECEIVER, PATH_LATES };

/** A sum of times in s, more exact than a double. */
typedef long double path_time;

/** A pair of actors that exchange messages on the path, or whose messages compete with messages on
 * the path. */
struct path_pair {
  uint64_t messages; /**< on the path */
  path_time latency_s, transfer_s, contention_s;
};

/** Contention on one link, for one pair of actors: the time that it loses, and the time that its
 *  messages take from others. */
struct path_share {
  path_time slowed_s; /**< time that the messages of the pair lose there */
  path_time rival_s;  /**< time that other pairs lose there because of the messages of this pair: a
                         loss is divided among the competitors by the capacity that each takes */
};

struct path {
  path_time time_s; /**< end of the last rank: the length of the path */
  path_time cause_s[PATH_CAUSES][PATH_LATES];
  path_time *link_s; /**< contention by link, numbered as in the max-min solver */
  uint32_t links;
  struct pairs pairs; /**< (source actor, destination actor): numbers the next array */
  struct path_pair *pair;
  struct pairs shares; /**< (link, number of the pair): numbers the next array */
  struct path_share *share;
  path_time *actor_s;   /**< time of the path by the actor that acts or waits */
  path_time *compute_s; /**< computation on the path, by actor */
  path_time *action_s;  /**< by number of the action, CAUSES_ACTIONS entries */
  path_time
      *iteration_s; /**< by iteration of the main loop, from 1; entry 0: time outside of the loop */
  uint32_t iterations; /**< length of iteration_s */
  struct pairs lines;  /**< (actor, line of its trace): numbers the next array */
  path_time *line_s;
  uint64_t stretches;
  size_t pair_room, share_room, iteration_room, line_room;
};

/** One stretch of the path. */
struct path_stretch {
  double begin, end;     /**< s */
  double slowed_s;       /**< part of a transfer, or of another stretch, beyond its time alone:
                            contention,       or a crowded host */
  enum path_cause cause; /**< PATH_TRANSFER also if a part is contention */
  uint32_t actor;        /**< actor that acts or waits */
  uint32_t src, dst;     /**< actors of a message; CAUSES_NONE: no message */
  uint32_t link;         /**< bottleneck; MAXMIN_NONE: none */
  uint32_t line, iteration;
  uint8_t action;
};

struct path_options {
  const bool *background; /**< by job: the end of the run does not wait for it */
  /** Called for each stretch, from the last to the first; may be NULL. */
  enum status (*stretch)(void *data, const struct path_stretch *s, struct err *e);
  void *data;
};

struct walk;

/** Begins a walk back through the run that @p r reads, at its end.  *result, @p r and the options
 *  must outlive the walk.  The caller frees *out with path_free() and *result with path_clear(),
 *  both also after a failure. */
enum status path_begin(struct walk **out, struct path *result, const struct rewind *r,
                       const struct path_options *o, struct err *e);

/** Takes an event that rewind_next() has read, before rewind_undo(). */
enum status path_event(struct walk *w, struct err *e);

/** True if the walk looks for the start of flow @p flow next. */
bool path_starts_with(const struct walk *w, uint32_t flow);

/** Call it at the start of the tape.  Fails if the path does not reach time 0. */
enum status path_end(const struct walk *w, struct err *e);

/** Accepts NULL. */
void path_free(struct walk *w);

void path_clear(struct path *p);

/** Name of a cause, as "contention". */
const char *path_cause_name(enum path_cause c);
