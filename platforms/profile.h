/** @file profile.h
 *  Profiles: what changes with simulated time on a platform, as SimGrid 3.32 reads it
 *  (LegacyUpdateCb in src/kernel/resource/profile/ProfileBuilder.cpp).
 */
#ifndef PLATFORMS_PROFILE_H
#define PLATFORMS_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/err.h"

enum profile_kind {
  PROFILE_SPEED,     /**< of a host: a factor of its speed */
  PROFILE_BANDWIDTH, /**< of a link, in byte/s */
  PROFILE_LATENCY    /**< of a link, in s */
};

/** At each date the target has another value. */
struct profile {
  enum profile_kind kind;
  uint32_t target; /**< host or link of the platform */
  double *after;   /**< s after the event before, the first after date 0; owned */
  double *value;   /**< >= 0; of a bandwidth > 0; owned */
  size_t events, after_room, value_room;
  double repeat_s; /**< s after the last event that the list begins anew; < 0: never */
};

/** Frees the lists. */
void profile_clear(struct profile *p);

/** Adds an event. */
enum status profile_add_event(struct profile *p, double after_s, double value, struct err *e);

/** Reads "DATE VALUE" lines; those that begin with # or % are comments.  "PERIODICITY S" and
 *  "LOOPAFTER S" make the list begin anew, as @p period > 0 does, S after its beginning or its
 *  end.  *random is set, and nothing more read, if it has values or dates that are drawn, which
 *  only SimGrid simulates.  A round lasts at least 1e-9 s.  Errors name the line, counted from @p
 *  line, of @p path. */
enum status profile_parse(struct profile *p, const char *text, double period, const char *path,
                          uint64_t line, bool *random, struct err *e);

#endif
