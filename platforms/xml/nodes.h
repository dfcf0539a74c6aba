/** @file nodes.h
 *  Writes nodes with an inside (platforms/inside/) as SimGrid's XML: a zone per node with its
 *  cores, links and the route of each pair of cores, and a route between each pair of zones.  Each
 *  zone has a router, the gateway to other zones.  Since SimGrid has no empty routes, a link
 *  without latency and practically without limit joins the cores to it.  For platforms/xml/ only.
 */
#pragma once

#include <stdio.h>

#include "common/err.h"
#include "platforms/platform.h"

/** Fails if the file would have too many routes.  @p p has one cluster. */
enum status nodes_check_print(const struct platform *p, struct err *e);

/** Writes the contents of the outermost zone, whose routing is Full. */
enum status nodes_print(const struct platform *p, FILE *f, struct err *e);
