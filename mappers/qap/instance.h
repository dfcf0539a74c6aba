/** @file instance.h
 *  An instance of the quadratic assignment problem: n facilities, n locations, a flow for each
 *  ordered pair of facilities and a distance for each ordered pair of locations, all integers.
 *  solve.h solves it, form.h converts it for the searches.
 */
#pragma once

#include <stdint.h>

#include "common/err.h"

/** Maximum number of facilities.  A search takes about 30 bytes for each pair. */
enum { QAP_MOST = 4096 };

struct qap {
  uint32_t n;
  int64_t *flow;     /**< [i * n + j], from facility i to facility j; owned */
  int64_t *distance; /**< [k * n + l], from location k to location l; owned */
};

/** Allocates zeroed matrices for @p n facilities; fails if n is 0 or above QAP_MOST.  The caller
 *  frees them with qap_clear(). */
enum status qap_new(struct qap *q, uint64_t n, struct err *e);

/** Accepts a zeroed struct. */
void qap_clear(struct qap *q);

/** Fails if a sum of absolute flows times distances may reach 2^58; qap_value() and all searches
 *  rely on this limit. */
enum status qap_check(const struct qap *q, struct err *e);

/** The sum over i, j of flow[i][j] * distance[at[i]][at[j]]; @p at is a permutation.  O(n^2). */
int64_t qap_value(const struct qap *q, const uint32_t *at);
