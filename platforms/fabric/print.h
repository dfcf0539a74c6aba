/** @file print.h
 *  Writes platforms that are fabrics (fabric.h) as SimGrid's XML.  For platforms/ only.
 */
#pragma once

#include <stdio.h>

#include "common/err.h"
#include "platforms/platform.h"

/** Refuses a fabric that would need too many routes in the file. */
enum status fabric_check_print(const struct topology *t, struct err *e);

/** The routing of the zone around the elements of fabric_print(). */
const char *fabric_routing(const struct topology *t);

/** Writes the hosts, links and routes of @p p, which must be a fabric. */
enum status fabric_print(const struct platform *p, FILE *f, struct err *e);
