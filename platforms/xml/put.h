/** @file put.h
 *  Writes elements of SimGrid's XML.  The caller checks the stream for write errors.  For
 *  platforms/ only.
 */
#pragma once

#include <stdio.h>

#include "common/num.h"
#include "platforms/network/cluster.h"

/** Writes the XML declaration, the document type and the begin tag of <platform>. */
void put_begin(FILE *f);

/** Writes the end tag of <platform>. */
void put_end(FILE *f);

/** Writes an attribute. */
void put_text(FILE *f, const char *name, const char *value);

/** Writes a part of an attribute value, with special characters escaped. */
void put_escaped(FILE *f, const char *value);

/** Writes the begin tag of a zone.  SimGrid 4.0 crashes on a cluster outside any zone. */
void put_zone(FILE *f, const char *id, const char *routing);

/** Writes the end tag of a zone. */
void put_zone_end(FILE *f);

/** Write a host with @p speed in flop/s, and a link with @p bandwidth in byte/s. */
void put_host(FILE *f, const char *id, double speed, uint32_t cores);
void put_link(FILE *f, const char *id, double bandwidth, double latency_s, const char *sharing);

/** Writes the property of a zone or cluster that refuses connections from other clusters. */
void put_no_inbound(FILE *f);

/** Writes a <cluster> with its topology. */
void put_cluster(FILE *f, const struct cluster *c);

/** Writes a profile named @p id that multiplies the speed of a host by @p scale from simulated time
 *  0 on, for hosts slower than the single speed of their cluster.  A profile serves one host. */
void put_scale(FILE *f, const char *id, const char *host, double scale);
