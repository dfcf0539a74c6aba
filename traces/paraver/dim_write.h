/** @file dim_write.h
 *  Writes a trace for Dimemas (.dim).  A second of the file is 10^9 flops.  Counts become bytes.
 *  Refuses actions that the format cannot hold; the error names the line of the trace.  Reading the
 *  file again gives the same messages and computations.
 */
#pragma once

#include "common/err.h"
#include "traces/trace.h"

/** Writes @p t, which is rewound, to @p path, "-" for standard output.  A failure leaves no partial
 *  file.  Memory: the pending requests of a rank. */
enum status dim_write(struct trace *t, const char *path, struct err *e);
