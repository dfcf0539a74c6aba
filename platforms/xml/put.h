/** @file put.h
 *  Elements of SimGrid's XML, written.  The caller checks the stream for write errors.  For
 *  platforms/ only.
 */
#ifndef PLATFORMS_XML_PUT_H
#define PLATFORMS_XML_PUT_H

#include <stdio.h>

#include "common/num.h"
#include "platforms/network/cluster.h"

/** The declarations and <platform>; and the end of it. */
void put_begin(FILE *f);
void put_end(FILE *f);

/** An attribute: text, or the shortest number with a unit that reads back as the same double. */
void put_text(FILE *f, const char *name, const char *value);
void put_quantity(FILE *f, const char *name, double value, enum num_unit kind);

/** A zone's begin and end.  SimGrid 4.0 crashes on a cluster that is in none. */
void put_zone(FILE *f, const char *id, const char *routing);
void put_zone_end(FILE *f);

/** The property of a zone or cluster that takes no connections from other clusters. */
void put_no_inbound(FILE *f);

void put_cluster(FILE *f, const struct cluster *c);

/** A cluster has one speed: a profile named @p id, which holds from simulated time 0 on, scales it
 *  on one host.  Each profile can be connected to one host only. */
void put_scale(FILE *f, const char *id, const char *host, double scale);

#endif
