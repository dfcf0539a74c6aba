/** @file links.h
 *  Payload bytes that cross each link, counted along the routes of the messages, because SimGrid's
 *  own counters include the envelope and the cross-traffic.  Messages within a host cross no link.
 */
#pragma once

#include <stdint.h>
#include <stdio.h>

#include "common/err.h"
#include "platforms/mapping/mapping.h"
#include "platforms/platform.h"

struct links;

/** Creates counters for ranks mapped by @p m, which must outlive them.  The caller frees *out with
 *  links_free(). */
enum status links_new(struct links **out, const struct mapping *m, struct err *e);

/** Accepts NULL. */
void links_free(struct links *l);

/** Counts a message between two ranks. */
enum status links_add(struct links *l, uint32_t src, uint32_t dst, uint64_t bytes, struct err *e);

/** Writes TSV with the header "link messages bytes utilisation".  Lists all links, also idle ones,
 *  in order of id; on an opaque platform only the links that messages use, in order of name.
 *  Utilisation is bytes / (bandwidth * @p time_s), 0 if the time is 0. */
enum status links_print(const struct links *l, FILE *f, const struct platform *p, double time_s,
                        struct err *e);
