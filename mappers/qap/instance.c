#include "mappers/qap/instance.h"

#include <inttypes.h>
#include <stdlib.h>

#include "common/mem.h"

enum status qap_new(struct qap *q, uint64_t n, struct err *e)
{
  if (n == 0 || n > QAP_MOST)
    return err_set(e, "%" PRIu64 " facilities are outside 1..%d", n, QAP_MOST);
  const size_t entries = (size_t)n * n;
  struct qap made = {.n = (uint32_t)n};
  if (mem_fits(entries, 2 * sizeof *made.flow, e) != OK ||
      (made.flow = mem_array(entries, sizeof *made.flow, e)) == NULL ||
      (made.distance = mem_array(entries, sizeof *made.distance, e)) == NULL) {
    qap_clear(&made);
    return FAIL;
  }
  *q = made;
  return OK;
}

void qap_clear(struct qap *q)
{
  free(q->flow);
  free(q->distance);
  *q = (struct qap){.n = 0};
}

static uint64_t magnitude(int64_t value)
{
  return value < 0 ? -(uint64_t)value : (uint64_t)value;
}

enum status qap_check(const struct qap *q, struct err *e)
{
  const size_t entries = (size_t)q->n * q->n;
  uint64_t flows = 0, longest = 0, most;
  for (size_t i = 0; i < entries; i++) {
    const uint64_t distance = magnitude(q->distance[i]);
    longest = distance > longest ? distance : longest;
    if (__builtin_add_overflow(flows, magnitude(q->flow[i]), &flows))
      return err_set(e, "the sum of the flows reaches 2^64");
  }
  if (__builtin_mul_overflow(flows, longest, &most) || (most | flows | longest) >> 58 != 0)
    return err_set(e,
                   "the sum of the flows, %" PRIu64 ", the largest distance, %" PRIu64
                   ", or their product reaches 2^58",
                   flows, longest);
  return OK;
}

int64_t qap_value(const struct qap *q, const uint32_t *at)
{
  int64_t value = 0;
  for (uint32_t i = 0; i < q->n; i++)
    for (uint32_t j = 0; j < q->n; j++)
      value += q->flow[(size_t)i * q->n + j] * q->distance[(size_t)at[i] * q->n + at[j]];
  return value;
}
