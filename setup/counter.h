/** @file counter.h
 *  Names of perf events, for haichi record --counter, by libpfm4.
 */
#pragma once

#include "common/err.h"

/** An event as the recorder reads it: TYPE:CONFIG:CONFIG1:CONFIG2 in hexadecimal, fields of struct
 *  perf_event_attr. */
struct counter_event {
  char text[72];
};

/** Finds the event @p name of the processor or of the kernel: `instructions`, `task-clock`,
 *  `FP_ARITH_INST_RETIRED:SCALAR_DOUBLE`, or `rN` for the event with the hexadecimal number N.
 *  Does not open the event, so the processor need not count it.  Fails if there is no event of this
 *  name, and if @p name asks for events outside user space. */
enum status counter_find(const char *name, struct counter_event *out, struct err *e);
