/** @file instance.h
 *  An instance of the quadratic assignment problem: n facilities, n locations, a flow from each
 *  facility to each other and a distance from each location to each other, all integers.  Not how
 *  it is solved (solve.h), nor in which form (form.h).
 */
#ifndef MAPPERS_QAP_INSTANCE_H
#define MAPPERS_QAP_INSTANCE_H

#include <stdint.h>

#include "common/err.h"

/** The most facilities: what a search holds grows with their square (some 30 bytes each pair). */
enum { QAP_MOST = 4096 };

struct qap {
  uint32_t n;
  int64_t *flow;     /**< [i * n + j], from facility i to facility j; owned */
  int64_t *distance; /**< [k * n + l], from location k to location l; owned */
};

/** Zeroed matrices for @p n facilities; refuses 0 and more than QAP_MOST.  The caller's:
 *  qap_clear(). */
enum status qap_new(struct qap *q, uint64_t n, struct err *e);

/** Accepts a zeroed one. */
void qap_clear(struct qap *q);

/** Fails unless every sum of flows times distances stays below 2^58, whatever the assignment;
 *  qap_value() and all searches rely on it. */
enum status qap_check(const struct qap *q, struct err *e);

/** Sum over i, j of flow[i][j] * distance[at[i]][at[j]]; @p at is a permutation.  O(n^2). */
int64_t qap_value(const struct qap *q, const uint32_t *at);

#endif
