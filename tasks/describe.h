/** @file describe.h
 *  Prints a task network, its hierarchy and a host hierarchy as tab-separated tables with a header.
 *  The caller checks the file for write errors.
 */
#pragma once

#include <stdio.h>

#include "common/report.h"
#include "tasks/cost.h"
#include "tasks/hierarchy.h"
#include "tasks/hosts.h"

/** Prints a row for each array: its costs (the mean if elements differ), its pattern, and the
 *  lowest and highest dependence cost of its elements. */
void describe_tasks(const struct tasknet *n, const struct dependence *d, FILE *f);

/** Prints a row for each stream: its communication cost and its ends. */
void describe_streams(const struct tasknet *n, FILE *f);

/** Prints a row for each group, in the order of their creation. */
void describe_groups(const struct tasknet *n, const struct hierarchy *h, FILE *f);

/** Prints a row for each group of hosts, parents first. */
void describe_hosts(const struct platform *p, const struct hosts *h, FILE *f);

/** Adds the sums over a network to a report. */
enum status describe_network(const struct tasknet *n, struct report *r, struct err *e);
