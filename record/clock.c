#define _GNU_SOURCE
#include "record/clock.h"

#include <stdbool.h>
#include <stddef.h>
#include <time.h>

/* Wall-clock time at the first clock_leave(), which is in MPI_Init; 0: not called yet. */
static uint64_t begin_ns;

static uint64_t wall_ns(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static void begin(void)
{
  if (begin_ns == 0)
    begin_ns = wall_ns();
}

/* The computation of a thread before its first call of MPI, after MPI_Init, if the thread has used
 * @p ns of CPU time. */
static uint64_t before_first(uint64_t ns)
{
  const uint64_t passed = begin_ns == 0 ? 0 : wall_ns() - begin_ns;
  return ns < passed ? ns : passed;
}

static uint64_t thread_ns(void)
{
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

#if defined __x86_64__ && __has_include(<sys/rseq.h>)
#include <sys/rseq.h>
#include <x86intrin.h>

/* Largest numbers of ticks between two system calls, 20 ms at 5 GHz; and between a system call and
 * the end of a call of MPI whose CPU time is unknown, 2 ms. */
enum { TICKS_MOST = 100000000, TICKS_UNKNOWN = 10000000 };

/* Computations are short below this time. */
enum { SHORT_NS = 100000 };

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
  uint64_t ticks, ns;             /* of the last reading */
  uint64_t asked_ticks, asked_ns; /* of the last system call */
  uint64_t rate;                  /* 2^-32 ns per tick; 0: not known yet */
  uint64_t first_ticks, first_ns;
  bool calibrated;
  uint64_t unknown_ns; /* wall-clock time of the calls of MPI since the last system call: their CPU
                          time is unknown, and not in ns */
  uint32_t *typical;   /* element of typical[] for the last call site */
};

static __thread struct lap lap __attribute__((tls_model("initial-exec")));

enum { SITES = 256 };

/* By hash of the call site: mean of the undisturbed computations after it in ns; 0: none yet.  Call
 * sites with equal hashes share a mean. */
static uint32_t typical[SITES];

static struct rseq *registered(void)
{
  return __rseq_size == 0 ? NULL
                          : (struct rseq *)((char *)__builtin_thread_pointer() + __rseq_offset);
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
  lap.asked_ns = lap.ns += passed;
  lap.ticks = lap.asked_ticks = __rdtsc();
  if (!lap.calibrated)
    calibrate(lap.ticks);
  return first ? before_first(ns) : passed;
}

static uint64_t ns_of(uint64_t ticks)
{
  return ticks * lap.rate >> 32;
}

/* True if the counter gives the CPU time since the last reading. */
static bool is_undisturbed(const struct rseq *own, uint64_t now)
{
  return own->rseq_cs == (uintptr_t)&sequence && now - lap.asked_ticks < TICKS_MOST && lap.rate > 0;
}

/* Adds a computation to the mean of its call site, with weight 1/8. */
static void learn(uint64_t passed)
{
  const int64_t x = passed < UINT32_MAX ? (int64_t)passed : UINT32_MAX, mean = *lap.typical;
  *lap.typical = (uint32_t)(mean == 0 ? x + (x == 0) : mean + (x - mean) / 8);
}

/* The mean of the call site, or the nearest possible value in ns, for a computation that took no
 * more than @p ticks ticks of wall-clock time.  The computation and calls of MPI, which took no
 * more than @p unknown ns, took @p all ns of CPU time together. */
static uint64_t likely(uint64_t all, uint64_t unknown, uint64_t ticks)
{
  const uint64_t wall = ticks < TICKS_MOST ? ns_of(ticks) : UINT64_MAX;
  const uint64_t least = all > unknown ? all - unknown : 0, most = all < wall ? all : wall;
  return *lap.typical < least ? least : *lap.typical > most ? most : *lap.typical;
}

uint64_t clock_enter(void)
{
  struct rseq *own = registered();
  const uint64_t now = __rdtsc();
  if (own == NULL)
    return ask_kernel();
  const bool undisturbed = is_undisturbed(own, now);
  own->rseq_cs = 0;
  if (undisturbed) {
    const uint64_t passed = ns_of(now - lap.ticks);
    lap.ticks = now;
    lap.ns += passed;
    learn(passed);
    return passed;
  }
  const uint64_t ticks = now - lap.ticks, unknown = lap.unknown_ns, all = ask_kernel();
  lap.unknown_ns = 0;
  return unknown == 0 ? all : likely(all, unknown, ticks);
}

uint64_t clock_check(uint64_t passed)
{
  if (lap.asked_ns == lap.ns)
    return passed;
  const uint64_t before = lap.ns - passed + lap.unknown_ns, ns = thread_ns();
  const uint64_t left = ns > before ? ns - before : 0;
  lap.ns = lap.asked_ns = ns;
  lap.ticks = lap.asked_ticks = __rdtsc();
  lap.unknown_ns = 0;
  return left < passed ? left : passed;
}

void clock_leave(const void *site)
{
  struct rseq *own = registered();
  const uint64_t now = __rdtsc();
  lap.typical = &typical[((uintptr_t)site ^ (uintptr_t)site >> 8) % SITES];
  begin();
  if (own == NULL) {
    ask_kernel();
    return;
  }
  own->rseq_cs = (uintptr_t)&sequence;
  if (lap.calibrated && *lap.typical > 0 && *lap.typical < SHORT_NS &&
      now - lap.asked_ticks < TICKS_UNKNOWN) {
    lap.unknown_ns += ns_of(now - lap.ticks);
    lap.ticks = now;
    return;
  }
  ask_kernel();
  lap.unknown_ns = 0;
}

#else

static __thread uint64_t last;

uint64_t clock_enter(void)
{
  return last == 0 ? before_first(thread_ns()) : thread_ns() - last;
}

uint64_t clock_check(uint64_t passed)
{
  return passed;
}

void clock_leave(const void *site)
{
  (void)site;
  begin();
  last = thread_ns();
}

#endif
