/** @file counter.h
 *  Computations as counts of a perf event (perf_event_open(2)), for haichi record --counter.
 *
 *  The event is counted per thread, in user space, by a pinned counter: the kernel never estimates
 *  the count from a part of the time.  A reading is a system call.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/** Chooses the event of HAICHI_RECORD_COUNTER, TYPE:CONFIG:CONFIG1:CONFIG2 in hexadecimal (fields
 *  of struct perf_event_attr), and begins to count it in the calling thread.  Returns false if the
 *  variable names no event.  Ends the program if the event cannot be counted. */
bool counter_begin(void);

/** As clock_enter() and clock_leave(), but the number of events in place of ns. */
uint64_t counter_enter(void);
void counter_leave(void);
