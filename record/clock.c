#define _GNU_SOURCE
#include "record/clock.h"

#include <stdbool.h>
#include <stddef.h>
#include <time.h>

static uint64_t thread_ns(void)
{
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

#if defined __x86_64__ && __has_include(<sys/rseq.h>)
#include <sys/rseq.h>
#include <x86intrin.h>

/* Largest number of ticks between two system calls: 20 ms at 5 GHz. */
enum { TICKS_MOST = 100000000 };

/* Length in ns of the first interval that calibrates the counter, and of the last one. */
enum { CALIBRATION_NS = 1000000, CALIBRATED_NS = 100000000 };

/* A sequence that is never executed.  The kernel demands the signature before its abort handler. */
static const struct {
  uint32_t signature;
  char abort[28];
} code = {RSEQ_SIG, {0}};

static const struct rseq_cs sequence = {.start_ip = (uintptr_t)&code.abort[8],
                                        .post_commit_offset = 1,
                                        .abort_ip = (uintptr_t)code.abort};

struct lap {
  uint64_t ticks, ns;   /* of the last reading */
  uint64_t asked_ticks; /* of the last system call */
  uint64_t rate;        /* 2^-32 ns per tick; 0: not known yet */
  uint64_t first_ticks, first_ns;
  bool calibrated;
};

static __thread struct lap lap __attribute__((tls_model("initial-exec")));

static struct rseq *registered(void)
{
  return __rseq_size == 0 ? NULL
                          : (struct rseq *)((char *)__builtin_thread_pointer() + __rseq_offset);
}

static uint64_t wall_ns(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* Sets the rate to the ratio of the wall clock and the counter since the first reading. */
static void calibrate(uint64_t ticks)
{
  const uint64_t ns = wall_ns(), passed = ns - lap.first_ns;
  if (lap.first_ns == 0) {
    lap.first_ns = ns;
    lap.first_ticks = ticks;
  } else if (passed > CALIBRATION_NS) {
    lap.rate = (uint64_t)(0x1p32 * (double)passed / (double)(ticks - lap.first_ticks));
    lap.calibrated = passed > CALIBRATED_NS;
  }
}

/* On a virtual machine, the counter also runs while another machine has the processor.  The
 * intervals of the next system calls are shorter by this time, so that the sum of all intervals
 * equals the CPU time of the kernel. */
static uint64_t ask_kernel(void)
{
  const bool first = lap.ns == 0;
  const uint64_t ns = thread_ns(), passed = ns > lap.ns ? ns - lap.ns : 0;
  lap.ns += passed;
  lap.ticks = lap.asked_ticks = __rdtsc();
  if (!lap.calibrated)
    calibrate(lap.ticks);
  return first ? 0 : passed;
}

uint64_t clock_lap(void)
{
  struct rseq *own = registered();
  const uint64_t now = __rdtsc();
  if (own == NULL)
    return ask_kernel();
  const bool undisturbed = own->rseq_cs == (uintptr_t)&sequence;
  if (undisturbed && now - lap.asked_ticks < TICKS_MOST && lap.rate > 0) {
    const uint64_t passed = (now - lap.ticks) * lap.rate >> 32;
    lap.ticks = now;
    lap.ns += passed;
    return passed;
  }
  own->rseq_cs = (uintptr_t)&sequence;
  return ask_kernel();
}

#else

static __thread uint64_t last;

uint64_t clock_lap(void)
{
  const uint64_t ns = thread_ns(), passed = last == 0 ? 0 : ns - last;
  last = ns;
  return passed;
}

#endif
