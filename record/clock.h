/** @file clock.h
 *  CPU time of the computations between calls of MPI.
 *
 *  CLOCK_THREAD_CPUTIME_ID is a system call of about 0.5 us.  Reading the processor's counter takes
 *  25 ns, and gives the CPU time of a computation if the thread ran without interruption.  The
 *  kernel tells whether it did: it clears the field rseq_cs of a thread (restartable sequences,
 *  registered by glibc 2.35 and later) when it preempts, migrates or signals the thread outside of
 *  the sequence that the field names.  At the beginning of a computation, the clock points the
 *  field to a sequence that is never executed; at its end, it uses the counter if the field still
 *  has this value.  It makes the system call if the field has changed, 100 million ticks after the
 *  last system call, and on processors other than x86-64.
 *
 *  In calls of MPI the field is 0: ranks that share a core lose it in nearly each call that waits,
 *  and the kernel would take 0.1 us to read the sequence.  If the computations after a call site
 *  take 100 us or more on average, the clock makes the system call at the end of the call of MPI.
 *  If they take less, the CPU time of the call is unknown.  If the thread keeps the core in the
 *  computation that follows, the counter gives the time of the computation.  If not, the next
 *  system call gives the sum of this computation and of the calls with unknown times.  None of
 *  these times exceeds its wall-clock time.  The calls take no more than 10 million ticks together,
 *  as the clock makes a system call again after this time.  The computation counts as the mean of
 *  its call site, or as the nearest value within these limits.
 *
 *  A system call after each long computation would slow ranks that share a core: in this call,
 *  Linux updates the time slice of the thread, and preempts the thread if the slice has ended,
 *  without waiting for the next timer interrupt.  The rank would lose the core before it sends its
 *  results, and ranks that poll for them would use the core.
 */
#pragma once

#include <stdint.h>

/** Ends a computation: ns of CPU time of the thread since its last clock_leave().  If the thread
 *  has not called clock_leave() yet: all its CPU time, at most the wall-clock time since another
 *  thread called it first; 0 if no thread has. */
__attribute__((hot)) uint64_t clock_enter(void);

/** Corrects the result @p passed of the last clock_enter() by a system call: the counter also runs
 *  while another virtual machine has the processor. */
uint64_t clock_check(uint64_t passed);

/** Begins the computation after the call of MPI at the address @p site of the program. */
__attribute__((hot)) void clock_leave(const void *site);
