/** @file files.h
 *  Task networks in files: haichi's own XML, and the formats of others that are read only.
 */
#ifndef TASKS_FILES_FILES_H
#define TASKS_FILES_FILES_H

#include <stdio.h>

#include "common/err.h"
#include "common/registry.h"
#include "tasks/tasknet.h"

/** Of struct tasknet_format: the formats that are read. */
extern const struct registry tasknet_formats;

/** What there is to say about format @p i of the registry, in a line. */
const char *tasknet_format_help(size_t i);

/** Reads a file of any of the formats, which is told from how it begins, and seals the network.  On
 *  success *out is the caller's: tasknet_clear(). */
enum status tasknet_load(struct tasknet *out, const char *path, struct err *e);

/** The same of a spec (generate.h) or a file. */
enum status tasknet_open(struct tasknet *out, const char *network, struct err *e);

/** Writes a sealed network as XML.  Meta programs become the costs that they gave.  The caller
 *  checks @p f for write errors. */
void tasknet_print(const struct tasknet *n, FILE *f);

/** Writes a picture of a sealed network for Graphviz: an array is one node, a stream is one
 *  edge or, if it has several ends on a side, a point.  Refuses one of more than a thousand
 *  arrays. */
enum status tasknet_print_dot(const struct tasknet *n, FILE *f, struct err *e);

/** The schema of the XML (W3C XML Schema 1.0), which all that is read has been validated by. */
extern const char tasknet_schema[];

#endif
