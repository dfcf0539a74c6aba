/** @file profile.h
 *  Profiles: values of a platform that change with simulated time, in the format of SimGrid 3.32
 *  (LegacyUpdateCb in src/kernel/resource/profile/ProfileBuilder.cpp).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/err.h"

enum profile_kind {
  PROFILE_SPEED,     /**< factor of the speed of a host */
  PROFILE_BANDWIDTH, /**< bandwidth of a link in byte/s */
  PROFILE_LATENCY    /**< latency of a link in s */
};

/** Names of enum profile_kind: speed, bandwidth, latency; then NULL. */
extern const char *const profile_kinds[];

/** A list of events.  Each event sets a new value. */
struct profile {
  enum profile_kind kind;
  uint32_t target; /**< number of the host or link in the platform */
  double *after;   /**< s between the previous event (date 0 for the first) and this one; owned */
  double *value;   /**< new value, >= 0; a bandwidth > 0; owned */
  size_t events, after_room, value_room;
  double repeat_s; /**< s between the last event and the restart of the list; < 0: no restart */
};

/** Frees the lists. */
void profile_clear(struct profile *p);

/** Appends an event. */
enum status profile_add_event(struct profile *p, double after_s, double value, struct err *e);

/** Parses "DATE VALUE" lines; lines that begin with # or % are comments.  "PERIODICITY S", or @p
 *  period > 0, restarts the list S after its beginning; "LOOPAFTER S" restarts it S after its end.
 *  A round lasts at least 1e-9 s.  If the list contains random values or dates, which only SimGrid
 *  simulates, sets *random and stops.  Errors name @p path and the line, counted from @p line. */
enum status profile_parse(struct profile *p, const char *text, double period, const char *path,
                          uint64_t line, bool *random, struct err *e);
