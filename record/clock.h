/** @file clock.h
 *  CPU time of the calling thread, read twice per recorded call.
 *
 *  CLOCK_THREAD_CPUTIME_ID is a system call of about 0.5 us.  Between two readings without a change
 *  of context, CPU time is the time of the processor's counter (25 ns a reading).  The kernel
 *  clears the field rseq_cs of a thread (restartable sequences, registered by glibc 2.35 and later)
 *  when it preempts, migrates or signals the thread outside of the sequence that the field names.
 *  The clock therefore points the field to a sequence that is never executed.  As long as the field
 *  keeps this value, the clock uses the counter.  It asks the kernel if the field has changed,
 *  after 200,000 ticks, and on processors other than x86-64.
 */
#pragma once

#include <stdint.h>

/** Nanoseconds of CPU time that the thread has used since its last reading; 0 on the first one. */
uint64_t clock_lap(void);
