/** @file trace_pictures.h
 *  The pictures of single traces in the report of a campaign: traffic, link loads, timelines,
 *  tolerated latencies.
 */
#pragma once

#include "common/err.h"
#include "plots/report/parts/pictures.h"

/** Adds the pictures of the first p->most_traces traces, timelines and curves of latency, and
 *  notes on the pictures left out. */
enum status trace_pictures_add(const struct pictures *p, struct err *e);
