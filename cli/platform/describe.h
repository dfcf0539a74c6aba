/** @file describe.h
 *  Descriptions of a platform for `haichi platform`.
 */
#pragma once

#include <stdio.h>

#include "common/err.h"
#include "common/report.h"
#include "platforms/platform.h"

/** Prints a report: topology, hosts, links, speeds. */
enum status describe_platform(const struct platform *p, FILE *f, const struct report_format *format,
                              struct err *e);

/** Prints a table with a row for each cluster: its hosts, and the round-trip time and bandwidth to
 *  each other cluster, between their first hosts.  Refuses opaque platforms. */
enum status describe_clusters(const struct platform *p, FILE *f, struct err *e);
