/** @file threads.h
 *  The number of threads of OpenMP.
 */
#pragma once

#include <omp.h>
#include <stdint.h>

/** The largest number of threads. */
#define THREADS_MOST 1024

/** @p wanted threads, or OpenMP's default if it is 0; at most THREADS_MOST. */
static inline int threads_of(uint32_t wanted)
{
  const uint32_t n = wanted > 0 ? wanted : (uint32_t)omp_get_max_threads();
  return (int)(n < THREADS_MOST ? n : THREADS_MOST);
}
