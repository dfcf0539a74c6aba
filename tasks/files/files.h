/** @file files.h
 *  Reads and writes task networks: haichi's own XML, and read-only formats of other projects.
 */
#pragma once

#include <stdio.h>

#include "common/err.h"
#include "common/registry.h"
#include "tasks/tasknet.h"

/** The formats that can be read.  Rows are struct tasknet_format. */
extern const struct registry tasknet_formats;

/** One line of help about format @p i of the registry. */
const char *tasknet_format_help(size_t i);

/** Reads a file of any format, detected from its beginning, and seals the network.  On success the
 *  caller owns *out: tasknet_clear(). */
enum status tasknet_load(struct tasknet *out, const char *path, struct err *e);

/** Reads a network from a spec (generate.h) or a file, and seals it.  On success the caller owns
 *  *out: tasknet_clear(). */
enum status tasknet_open(struct tasknet *out, const char *network, struct err *e);

/** Writes a sealed network as XML.  Replaces meta programs by the costs that they computed.  The
 *  caller checks @p f for write errors. */
void tasknet_print(const struct tasknet *n, FILE *f);

/** Writes a sealed network for Graphviz.  An array is a node.  A stream is an edge, or a node if it
 *  has several ends on a side.  Fails for networks with more than 1000 arrays. */
enum status tasknet_print_dot(const struct tasknet *n, FILE *f, struct err *e);

/** The XML schema (W3C XML Schema 1.0), against which every XML file is validated. */
extern const char tasknet_schema[];
