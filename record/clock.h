/** @file clock.h
 *  CPU time of the calling thread, read twice per recorded call.
 *
 *  CLOCK_THREAD_CPUTIME_ID is a system call of about 0.5 us.  Reading the processor's counter takes
 *  25 ns, and gives the CPU time between two readings if the thread ran without interruption.  The
 *  kernel tells whether it did: it clears the field rseq_cs of a thread (restartable sequences,
 *  registered by glibc 2.35 and later) when it preempts, migrates or signals the thread outside of
 *  the sequence that the field names.  The clock therefore points the field to a sequence that is
 *  never executed, and uses the counter as long as the field keeps this value.  It makes the system
 *  call if the field has changed, 100 million ticks after the last one, and on processors other
 *  than x86-64.
 *
 *  The system call also costs processes that share a core: Linux then updates the time slice of the
 *  thread, and preempts a thread whose slice has ended at once, in place of at the next timer
 *  interrupt.  A rank that has computed would lose the core before it sends, while others poll.
 */
#pragma once

#include <stdint.h>

/** Nanoseconds of CPU time that the thread has used since its last reading; 0 on the first one. */
__attribute__((hot)) uint64_t clock_lap(void);
