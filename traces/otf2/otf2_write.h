/** @file otf2_write.h
 *  Writes a trace as an OTF2 archive with Score-P's conventions, which Vampir, Scalasca and other
 *  tools read.
 */
#pragma once

#include "common/err.h"
#include "traces/trace.h"

/** Writes @p t into the folder @p dir (missing or empty): traces.otf2, traces.def and traces/.  A
 *  second is 1e9 flops of computation; messages take no time.  Fails for actions that OTF2 cannot
 *  express: receives from any source or of any tag or size, waits for any request, neighbourhood
 *  collectives. */
enum status otf2_write(struct trace *t, const char *dir, struct err *e);
