/** @file nodes.h
 *  Writes nodes with an inside (platforms/inside/) as SimGrid's XML: a zone per node with its
 *  cores, links and the route of each pair of cores, and a route between each pair of zones.  A
 *  router joins the cores of a zone with the other zones, by a link that has no latency and
 *  limits no message, since SimGrid has no empty routes.  For platforms/xml/ only.
 */
#ifndef PLATFORMS_XML_NODES_H
#define PLATFORMS_XML_NODES_H

#include <stdio.h>

#include "common/err.h"
#include "platforms/platform.h"

/** Fails if the file would have too many routes.  @p p has one cluster. */
enum status nodes_check_print(const struct platform *p, struct err *e);

/** Writes the contents of the outermost zone, whose routing is Full. */
enum status nodes_print(const struct platform *p, FILE *f, struct err *e);

#endif
