/** @file haichi_blocks.h
 *  Marks that `haichi instrument` puts into a program: haichi_block(N) ends the running block and
 *  begins block N.  Included before everything else, so it includes no header and defines its own
 *  names only.
 */
#ifndef HAICHI_BLOCKS_H
#define HAICHI_BLOCKS_H

#ifdef __cplusplus
#error "the marks are for C"
#endif

/* Marks are inline, and their rarely executed part is cold: near a call that is likely, a compiler
 * keeps fewer values in registers. */
#ifdef __GNUC__
#pragma GCC system_header
#define HAICHI_INLINE static __inline__ __attribute__((always_inline))
#define HAICHI_COLD   __attribute__((noinline, cold))
#else
#define HAICHI_INLINE static inline
#define HAICHI_COLD
#endif

/* Defined if the processor has a counter of ticks.  Without it each mark reads the system clock. */
#if defined __GNUC__ && (defined __x86_64__ || defined __aarch64__)
#define HAICHI_TICKS
#endif

HAICHI_INLINE unsigned long long haichi_ticks(void)
{
#if !defined HAICHI_TICKS
  return 0;
#elif defined __x86_64__
  return __builtin_ia32_rdtsc();
#else
  unsigned long long ticks;
  __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
  return ticks;
#endif
}

/** The next free mark, and the last one for which there is room.  After the last one haichi_drain()
 *  converts the ticks to times. */
struct haichi_mark {
  unsigned long long ticks;
  unsigned block;
};
extern struct haichi_mark *haichi_next, *haichi_last;
HAICHI_COLD void haichi_drain(void);

HAICHI_INLINE void haichi_block(unsigned block)
{
  struct haichi_mark *const m = haichi_next;
  m->ticks = haichi_ticks();
  m->block = block;
  haichi_next = m + 1;
  if (m == haichi_last)
    haichi_drain();
}

/** haichi_loop(): a new run of loop @p loop begins. haichi_exactly(): true for the first @p count
 *  rounds of the loop. haichi_more(): the same, but always true in a full run
 *  (HAICHI_BLOCKS_FULL). */
extern unsigned long long *haichi_round; /* by loop: rounds of its current run */
void haichi_loop(unsigned loop);
HAICHI_COLD int haichi_is_full(void);

HAICHI_INLINE int haichi_exactly(unsigned loop, unsigned long long count)
{
  return haichi_round[loop]++ < count;
}

HAICHI_INLINE int haichi_more(unsigned loop, unsigned long long count)
{
  return haichi_exactly(loop, count) || haichi_is_full();
}

#ifndef HAICHI_BLOCKS_RUNTIME
/* The clock starts after MPI_Init() and stops before MPI_Finalize().  Calls of these functions, and
 * their declarations in mpi.h, which is included later, get the names of the runtime. */
#define MPI_Init        haichi_mpi_init
#define MPI_Init_thread haichi_mpi_init_thread
#define MPI_Finalize    haichi_mpi_finalize
#endif

#endif
