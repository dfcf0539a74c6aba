/** @file print.h
 *  Writes platforms that are fabrics (fabric.h) as SimGrid's XML.  For platforms/ only.
 */
#ifndef PLATFORMS_FABRIC_PRINT_H
#define PLATFORMS_FABRIC_PRINT_H

#include <stdio.h>

#include "common/err.h"
#include "platforms/platform.h"

/** Refuses a fabric that would need too many routes in the file. */
enum status fabric_check_print(const struct topology *t, struct err *e);

/** The routing of the zone that has the elements of fabric_print(). */
const char *fabric_routing(const struct topology *t);

/** Writes the elements of the zone of @p p, which must be a fabric: hosts, links, and routes. */
enum status fabric_print(const struct platform *p, FILE *f, struct err *e);

#endif
