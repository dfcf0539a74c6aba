/** @file profiles.h
 *  Additional profiles for a platform, besides the profiles in its file.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "common/containers/pairs.h"
#include "common/err.h"
#include "platforms/platform.h"

/** Zeroed: no profiles. */
struct profiles {
  struct profile *profile; /**< owned */
  size_t room;
  uint32_t count;
  size_t events;      /**< number of events in all profiles */
  struct pairs taken; /**< kind and target of each profile */
};

/** Frees the profiles.  Leaves an empty set. */
void profiles_clear(struct profiles *s);

/** Adds a profile for a host or link of @p p, which must not be opaque.  Takes ownership on
 *  success; on failure the caller keeps the profile.  Speed values are factors of
 *  platform_host_speed() and are converted to factors of platform_full_speed().  Refuses a second
 *  profile of the same kind for a target, including the profiles of the platform itself. */
enum status profiles_add(struct profiles *s, const struct platform *p, struct profile *x,
                         struct err *e);

/** Reads a file of sections.  The first line of a section is "speed HOST...", "bandwidth LINK..."
 *  or "latency LINK..."; * selects every host, or every link except loopbacks, and the name of a
 *  split link selects both directions.  The other lines are a profile for profile_parse().  On
 *  failure @p s may contain some of the profiles. */
enum status profiles_read(struct profiles *s, const struct platform *p, const char *path,
                          struct err *e);

/** Writes the platform as SimGrid XML with its speed profiles: the file of the platform, or the
 *  output of platform_print() if it was built from a spec.  Puts a zone around a cluster outside
 *  any zone.  Omits profiles of links, since SimGrid's clusters cannot have them.  The caller
 *  checks @p f for write errors. */
enum status profiles_print(const struct profiles *s, const struct platform *p, FILE *f,
                           struct err *e);
