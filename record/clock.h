/** @file clock.h
 *  CPU time of the calling thread, read twice per recorded call.
 *
 *  CLOCK_THREAD_CPUTIME_ID is a system call of about 0.5 us.  Reading the processor's counter takes
 *  25 ns, and gives the CPU time between two readings if the thread ran without interruption.  The
 *  kernel tells whether it did: it clears the field rseq_cs of a thread (restartable sequences,
 *  registered by glibc 2.35 and later) when it preempts, migrates or signals the thread outside of
 *  the sequence that the field names.  The clock therefore points the field to a sequence that is
 *  never executed, and uses the counter as long as the field keeps this value.  It makes the system
 *  call if the field has changed, 100 million ticks after the last system call, and on processors
 *  other than x86-64.
 *
 *  A system call after each long computation would slow ranks that share a core: in this call,
 *  Linux updates the time slice of the thread, and preempts the thread if the slice has ended,
 *  without waiting for the next timer interrupt.  The rank would lose the core before it sends its
 *  results, and ranks that poll for them would use the core.
 */
#pragma once

#include <stdint.h>

/** Nanoseconds of CPU time that the thread has used since its last reading; 0 on the first one. */
__attribute__((hot)) uint64_t clock_lap(void);
