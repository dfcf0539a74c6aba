/** @file profiles.h
 *  Profiles that a platform is given besides those of its file.
 */
#ifndef PLATFORMS_PROFILES_H
#define PLATFORMS_PROFILES_H

#include <stddef.h>
#include <stdint.h>

#include "common/err.h"
#include "common/pairs.h"
#include "platforms/platform.h"

/** Zeroed: none. */
struct profiles {
  struct profile *profile; /**< owned */
  size_t room;
  uint32_t count;
  size_t events;      /**< of all */
  struct pairs taken; /**< kind and target of each */
};

/** Frees the profiles; leaves none. */
void profiles_clear(struct profiles *s);

/** Adds a profile for a host or link of @p p, which is not opaque, and owns it then; on failure it
 *  stays the caller's.  Values of a speed are factors of platform_host_speed(), and become factors
 *  of platform_full_speed().  Refuses a second one of its kind for a target, the platform's own
 *  included. */
enum status profiles_add(struct profiles *s, const struct platform *p, struct profile *x,
                         struct err *e);

/** Reads a file: sections of a line "speed HOST...", "bandwidth LINK..." or "latency LINK..."
 *  (* is every host or link but loopbacks; the name of a split link is both ways) and the lines of
 *  a profile as profile_parse() takes them.  On failure @p s has some of them. */
enum status profiles_read(struct profiles *s, const struct platform *p, const char *path,
                          struct err *e);

/** Writes a platform as platform_print() does, or its file if it has one, with its profiles of
 *  speeds, as SimGrid XML.  Those of links are left out: SimGrid's clusters have no place for
 *  them.  A cluster that is in no zone gets one around it.  The caller checks @p f for write
 *  errors. */
enum status profiles_print(const struct profiles *s, const struct platform *p, FILE *f,
                           struct err *e);

#endif
