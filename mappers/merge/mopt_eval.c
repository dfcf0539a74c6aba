#include "mappers/merge/mopt_eval.h"

#include <string.h>

static uint64_t bytes_between(const struct mopt_box *b, uint32_t i, uint32_t j)
{
  return i == j ? 0 : b->traffic[(size_t)b->place[i].task * b->tasks + b->place[j].task];
}

static uint32_t hops_along(const struct mopt_box *b, uint32_t d, uint32_t from, uint32_t to)
{
  const uint32_t direct = from < to ? to - from : from - to;
  return b->ring[d] && b->length[d] - direct < direct ? b->length[d] - direct : direct;
}

static uint32_t hops(const struct mopt_box *b, const uint32_t *from, const uint32_t *to)
{
  uint32_t sum = 0;
  for (uint32_t d = 0; d < b->ndims; d++)
    sum += hops_along(b, d, from[d], to[d]);
  return sum;
}

uint64_t mopt_eval_cost(const struct mopt_box *b)
{
  uint64_t sum = 0;
  for (uint32_t i = 0; i < b->size; i++)
    for (uint32_t j = 0; j < b->size; j++)
      if (bytes_between(b, i, j) > 0)
        sum += bytes_between(b, i, j) * hops(b, b->place[i].at, b->place[j].at);
  return sum;
}

static size_t link_up(const struct mopt_box *b, const uint32_t *at, uint32_t d)
{
  size_t host = 0;
  for (uint32_t k = b->ndims; k-- > 0;)
    host = host * b->length[k] + at[k];
  return (host * b->ndims + d) * 2;
}

/* Adds @p load to the links along axis @p d, going up or down to coordinate @p to. */
static void walk_along(const struct mopt_box *b, const uint32_t *start, uint32_t d, uint32_t to,
                       bool up, uint64_t load)
{
  uint32_t at[MERGE_PLAN_MAX_DIMS];
  const uint32_t k = b->length[d];
  memcpy(at, start, sizeof at);
  while (at[d] != to) {
    b->load[link_up(b, at, d) + !up] += load;
    at[d] = (up ? at[d] + 1 : at[d] + k - 1) % k;
  }
}

/* Adds the bytes of one pair to the links of its route in dimension order. */
static void walk(const struct mopt_box *b, const uint32_t *from, const uint32_t *to, uint64_t bytes)
{
  uint32_t at[MERGE_PLAN_MAX_DIMS];
  memcpy(at, from, sizeof at);
  for (uint32_t d = 0; d < b->ndims; at[d] = to[d], d++) {
    const uint32_t k = b->length[d], rise = (to[d] + k - at[d]) % k;
    if (b->ring[d] && 2 * rise == k) {
      walk_along(b, at, d, to[d], true, bytes);
      walk_along(b, at, d, to[d], false, bytes);
    } else {
      const bool up = b->ring[d] ? 2 * rise < k : to[d] > at[d];
      walk_along(b, at, d, to[d], up, 2 * bytes);
    }
  }
}

uint64_t mopt_eval_link(const struct mopt_box *b)
{
  const size_t links = (size_t)b->size * b->ndims * 2;
  memset(b->load, 0, links * sizeof *b->load);
  for (uint32_t i = 0; i < b->size; i++)
    for (uint32_t j = 0; j < b->size; j++)
      if (bytes_between(b, i, j) > 0)
        walk(b, b->place[i].at, b->place[j].at, bytes_between(b, i, j));
  uint64_t most = 0;
  for (size_t i = 0; i < links; i++)
    most = b->load[i] > most ? b->load[i] : most;
  return most;
}
