/** @file grid_case.h
 *  Processes for the tests of wan/: four clusters with the RTTs of platforms/intrigger4.
 */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "wan/processes.h"

enum { CASE_CLUSTERS = 4 };

/** Bit masks of clusters without inbound connections: none; D; B, C and D. */
enum { CASE_OPEN = 0, CASE_1FW = 8, CASE_3FW = 14 };

/** Makes @p n processes, a multiple of 4; cluster c is closed if bit c of @p closed is set. */
static inline struct processes case_grid(uint32_t n, unsigned closed)
{
  static const uint64_t us[CASE_CLUSTERS][CASE_CLUSTERS] = {{100, 4000, 6400, 11000},
                                                            {4000, 100, 8000, 12000},
                                                            {6400, 8000, 100, 9000},
                                                            {11000, 12000, 9000, 100}};
  struct processes p = {.n = n, .clusters = CASE_CLUSTERS};
  p.rtt_ps = calloc((size_t)n * n, sizeof *p.rtt_ps);
  p.cluster = calloc(n, sizeof *p.cluster);
  p.closed = calloc(n, sizeof *p.closed);
  assert_true(p.rtt_ps != NULL && p.cluster != NULL && p.closed != NULL);
  for (uint32_t i = 0; i < n; i++) {
    p.cluster[i] = i / (n / CASE_CLUSTERS);
    p.closed[i] = (closed >> p.cluster[i] & 1) != 0;
  }
  for (uint32_t a = 0; a < n; a++)
    for (uint32_t b = 0; b < n; b++)
      p.rtt_ps[(size_t)a * n + b] = a == b ? 0 : us[p.cluster[a]][p.cluster[b]] * 1000000;
  return p;
}
