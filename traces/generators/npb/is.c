/* IS: integer sort by buckets.  Each rank makes its keys from NPB's random stream and counts them
 * by bucket.  The counts are summed over all ranks.  Whole buckets are assigned to the ranks in
 * order, so that all ranks get about the same number of keys, and an alltoallv sends them there.
 * Message sizes depend on the keys: opening makes all keys as NPB does and keeps each rank's counts
 * by bucket.  NPB 3.4: IS/is.c. */
#include <stdlib.h>
#include <string.h>

#include "common/mem.h"
#include "traces/generators/npb/is_keys.h"
#include "traces/generators/npb/npb.h"

enum { TESTED = 5 /* keys checked in each iteration */, VERIFY_TAG = 1000 };

struct size {
  uint32_t keys_log, max_log, buckets_log; /* log2 of the keys, of their range, of the buckets */
  uint32_t ranks_min, ranks_max;
};

static const struct size SIZE[NPB_CLASSES] = {
    {16, 11, 9, 1, 128},   {20, 16, 10, 1, 1024}, {23, 19, 10, 1, 1024}, {25, 21, 10, 1, 1024},
    {27, 23, 10, 1, 1024}, {31, 27, 10, 4, 1024}, {35, 31, 10, 64, 1024}};

struct is {
  struct generator base;
  struct size size;
  uint32_t buckets;
  uint64_t keys;   /* number per rank */
  uint32_t *below; /* [rank][bucket]: keys in lower buckets, before the first iteration */
  uint64_t *total; /* [bucket]: number of keys of all ranks */
};

/* Adds the keys in each bucket to total, and replaces them by the keys in lower buckets. */
static void sum_up(const struct is *is, uint32_t *below)
{
  for (uint32_t b = 0; b < is->buckets; b++) {
    is->total[b] += below[1 + b];
    below[1 + b] += below[b];
  }
}

static enum status count_keys(const struct is *is, struct err *e)
{
  const uint32_t stride = is->buckets + 1;
  if (is_keys_count(is->below + 1, stride, is->size.keys_log, is->size.buckets_log, is->base.ranks,
                    e) != OK)
    return FAIL;
  for (uint32_t r = 0; r < is->base.ranks; r++)
    sum_up(is, is->below + (size_t)r * stride);
  return OK;
}

/* --- iterations ------------------------------------------------------------------------------- */

/* Changes in the number of rank 0's keys by bucket.  Up to iteration i of N, NPB has set keys 1..i
 * to the values 1..i, and keys N+1..N+i to the highest values, from max-1 downwards. */
static void altered(const struct is *is, uint64_t iteration, int32_t *change)
{
  const uint32_t shift = 64 - is->size.buckets_log;
  const uint32_t key_shift = is->size.max_log - is->size.buckets_log;
  const uint64_t max = (uint64_t)1 << is->size.max_log;
  for (int high = 0; high < 2; high++) {
    const uint64_t first = 1 + (high ? is->base.iterations : 0);
    struct is_keys k = is_keys_from(first);
    for (uint64_t i = 1; i <= iteration && first + i - 1 < is->keys; i++) {
      change[is_keys_next(&k) >> shift]--;
      change[((high ? max - i : i) & (max - 1)) >> key_shift]++;
    }
  }
}

enum { RANKS_MAX = 1024, BUCKETS_MAX = 1024 };

/* The assignment of buckets to ranks in one iteration. */
struct deal {
  uint32_t first[RANKS_MAX + 1];   /* first bucket of each rank, and the end */
  int32_t change[BUCKETS_MAX + 1]; /* [bucket]: change in rank 0's keys in lower buckets */
};

static void deal_buckets(const struct is *is, uint64_t iteration, struct deal *d)
{
  memset(d, 0, sizeof *d);
  altered(is, iteration, d->change + 1);
  uint64_t sum = 0;
  uint32_t rank = 0;
  for (uint32_t b = 0; b < is->buckets; b++) {
    sum += is->total[b] + (uint64_t)(int64_t)d->change[1 + b];
    d->change[1 + b] += d->change[b];
    if (sum >= (rank + 1) * is->keys)
      d->first[++rank] = b + 1;
  }
  while (rank < is->base.ranks)
    d->first[++rank] = is->buckets;
}

/* Number of keys of rank @p src that belong to rank @p dst. */
static int32_t keys_between(const struct is *is, const struct deal *d, uint32_t src, uint32_t dst)
{
  const uint32_t *below = is->below + (size_t)src * (is->buckets + 1);
  const uint32_t low = d->first[dst], high = d->first[dst + 1];
  const uint32_t n = below[high] - below[low];
  return (int32_t)n + (src == 0 ? d->change[high] - d->change[low] : 0);
}

/* NPB's rank().  A key takes one operation: half on the rank that counts it by bucket, half on the
 * rank that receives it. */
static void rank_keys(const struct is *is, uint32_t iteration, struct emit *out)
{
  const uint32_t ranks = is->base.ranks;
  struct deal d;
  int32_t *counts = emit_counts(out, ranks);
  if (counts == NULL)
    return;
  double received = 0;
  deal_buckets(is, iteration, &d);
  for (uint32_t r = 0; r < ranks; r++) {
    counts[r] = keys_between(is, &d, out->rank, r);
    counts[ranks + r] = keys_between(is, &d, r, out->rank);
    received += counts[ranks + r];
  }
  emit_compute(out, (double)is->keys / 2);
  emit_allreduce(out, is->buckets + TESTED, EMIT_INT);
  emit_alltoall(out, 1, EMIT_INT);
  emit_alltoallv(out, counts, ranks, EMIT_INT);
  emit_compute(out, received / 2);
}

/* Reduces the time, then full_verify: compares each rank's largest key with the next rank's
 * smallest. */
static void verify(const struct is *is, struct emit *out)
{
  emit_reduce(out, 1, 0, EMIT_DOUBLE);
  if (out->rank > 0)
    emit_irecv(out, out->rank - 1, VERIFY_TAG, 1, EMIT_INT);
  if (out->rank + 1 < is->base.ranks)
    emit_send(out, out->rank + 1, VERIFY_TAG, 1, EMIT_INT);
  if (out->rank > 0)
    emit_wait_recv(out, out->rank - 1, VERIFY_TAG);
  emit_reduce(out, 1, 0, EMIT_INT);
}

static void fill(const struct generator *g, const struct generator_place *at, struct emit *out)
{
  const struct is *is = (const struct is *)g;
  switch (at->part) {
  case GENERATOR_HEAD: /* timeron, an int in C */
    emit_bcast(out, 1, 0, EMIT_INT);
    break;
  case GENERATOR_TAIL:
    verify(is, out);
    break;
  default: /* the warm-up is the same as iteration 1 */
    rank_keys(is, at->part == GENERATOR_LOOP ? at->iteration : 1, out);
  }
}

static void close_is(struct generator *g)
{
  struct is *is = (struct is *)g;
  free(is->below);
  free(is->total);
}

static uint32_t ranks_used(enum npb_class class, uint32_t ranks)
{
  const uint32_t used = 1u << npb_log2(ranks);
  return used < SIZE[class].ranks_min || used > SIZE[class].ranks_max ? 0 : used;
}

static enum status init(struct generator *g, const struct npb_job *job, struct err *e)
{
  struct is *is = (struct is *)g;
  is->size = SIZE[job->class];
  is->buckets = 1u << is->size.buckets_log;
  is->keys = ((uint64_t)1 << is->size.keys_log) / job->ranks;
  g->warmup = 1;
  g->likeness = GENERATOR_ALL_DIFFER; /* keys change */
  g->fill = fill;
  g->close = close_is;
  is->below = mem_array((size_t)job->ranks * (is->buckets + 1), sizeof *is->below, e);
  is->total = mem_array(is->buckets, sizeof *is->total, e);
  return is->below == NULL || is->total == NULL ? FAIL : count_keys(is, e);
}

const struct npb_benchmark npb_is = {.name = "is",
                                     .help = "integer sort, all-to-all-v",
                                     .iterations = {10, 10, 10, 10, 10, 10, 10, 0},
                                     .ranks_used = ranks_used,
                                     .bytes = sizeof(struct is),
                                     .init = init};
