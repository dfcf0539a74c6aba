/** @file qap_case.h
 *  Small random quadratic assignment problems of every kind.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "common/numeric/rng.h"
#include "mappers/qap/instance.h"

struct qap_case {
  const char *name;
  uint32_t n;
  int64_t low, high; /* range of flows and distances */
  unsigned percent;  /* share of nonzero flows */
  bool flow_symmetric, distance_symmetric, diagonals;
  uint32_t unused; /* number of last facilities without flow */
  uint32_t slots;  /* interchangeable locations per host; 0: one */
};

/* The kinds of problems to test, with @p n (at least 6) facilities. */
#define QAP_CASES(n)                                                                               \
  {                                                                                                \
    {"symmetric", n, 0, 99, 100, true, true, false, 0, 0},                                         \
        {"symmetric flows", n, 0, 99, 100, true, false, false, 0, 0},                              \
        {"symmetric distances", n, 0, 99, 100, false, true, false, 0, 0},                          \
        {"asymmetric", n, 0, 99, 100, false, false, false, 0, 0},                                  \
        {"asymmetric, sparse", n, 0, 99, 20, false, false, true, 0, 0},                            \
        {"diagonals", n, 0, 99, 100, true, true, true, 0, 0},                                      \
        {"negative", n, -50, 50, 100, false, true, true, 0, 0},                                    \
        {"sparse", n, 0, 9, 15, true, true, false, 0, 0},                                          \
        {"unused", n, 0, 99, 100, true, true, false, n / 2, 0},                                    \
        {"unused, asymmetric", n, 0, 99, 100, false, false, false, n / 2, 0},                      \
        {"slots", n, 0, 99, 100, false, true, false, 0, 2},                                        \
        {"slots and unused", n, 0, 99, 100, true, true, false, n / 3, 2},                          \
        {"wide", n, 0, 1 << 24, 100, true, true, false, 0, 0},                                     \
        {"wide, asymmetric", n, -(1 << 24), 1 << 24, 60, false, false, true, 0, 0},                \
    {                                                                                              \
      "nothing", n, 0, 0, 100, true, true, false, 0, 0                                             \
    }                                                                                              \
  }

static inline void qap_case_fill(int64_t *m, const struct qap_case *c, bool symmetric,
                                 unsigned percent, struct rng *rng)
{
  const uint32_t n = c->n;
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t j = 0; j < n; j++) {
      const int64_t v = c->low + (int64_t)rng_below(rng, (uint64_t)(c->high - c->low) + 1);
      const bool zero = rng_below(rng, 100) >= percent || (i == j && !c->diagonals);
      m[i * n + j] = symmetric && j < i ? m[j * n + i] : zero ? 0 : v;
    }
}

/** Makes the problem; fails the test if out of memory. */
static inline struct qap qap_case_make(const struct qap_case *c, uint64_t seed)
{
  struct qap q = {.n = 0};
  struct err e;
  struct rng rng = rng_new(seed, c->n);
  const uint32_t n = c->n;
  assert_int_equal(qap_new(&q, n, &e), OK);
  qap_case_fill(q.flow, c, c->flow_symmetric, c->percent, &rng);
  qap_case_fill(q.distance, c, c->distance_symmetric, 100, &rng);
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t j = 0; j < n; j++) {
      if (i >= n - c->unused || j >= n - c->unused)
        q.flow[i * n + j] = 0;
      if (c->slots > 0)
        q.distance[i * n + j] =
            i / c->slots == j / c->slots
                ? 0
                : q.distance[i / c->slots * c->slots * n + j / c->slots * c->slots];
    }
  assert_int_equal(qap_check(&q, &e), OK);
  return q;
}
