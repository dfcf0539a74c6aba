/* Key i is the sum of numbers 4i to 4i+3 of x' = a x mod 2^46.  Only the first 2^28 keys are
 * computed by this formula.  Since a^(2^30) is 1 + 2^32 c (mod 2^46), the numbers of keys i and i +
 * 2^28 differ only in their highest 14 bits, by an amount that is constant along the series i,
 * i + 2^28, i + 2 * 2^28, ...  A key of a series costs one 16-bit addition per number, which the
 * compiler can vectorize, instead of a 64-bit multiplication. */
#include "traces/generators/npb/is_keys.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "common/mem.h"
#include "common/process/machine.h"

/* x is kept in the upper 46 of 64 bits, so that a product overflows mod 2^46. */
enum { RANDOM_SHIFT = 64 - 46 };

static const uint64_t SEED = 314159265, FACTOR = 1220703125; /* 5^13 */

/* log2 of the distance between keys of a series; number of series advanced together; log2 of the
 * number of series that a thread takes at a time. */
enum { STRIDE_LOG = 28, BATCH = 1024, CHUNK_LOG = 20 };

/* Number of buckets in all classes with more than 2^STRIDE_LOG keys. */
enum { BUCKETS_LOG = 10, BUCKETS = 1 << BUCKETS_LOG };

static uint64_t power(uint64_t base, uint64_t exponent)
{
  uint64_t result = 1;
  for (; exponent > 0; exponent >>= 1, base *= base)
    if (exponent & 1)
      result *= base;
  return result;
}

struct is_keys is_keys_from(uint64_t index)
{
  struct is_keys k = {.step = power(FACTOR, 4)};
  k.x[0] = (SEED << RANDOM_SHIFT) * power(FACTOR, 4 * index + 1);
  for (int i = 1; i < 4; i++)
    k.x[i] = k.x[i - 1] * FACTOR;
  return k;
}

/* --- one key after another -------------------------------------------------------------------- */

static void count_plainly(uint32_t *count, uint64_t first, uint64_t keys, uint32_t buckets_log)
{
  const uint32_t shift = 64 - buckets_log;
  struct is_keys k = is_keys_from(first);
  for (uint64_t i = 0; i < keys; i++)
    count[is_keys_next(&k) >> shift]++;
}

/* --- in series -------------------------------------------------------------------------------- */

/* BATCH keys: the highest 14 bits of their numbers, in the upper bits of 16; the amounts added to
 * them at each step; and the carry of the lower bits, which never change. */
struct batch {
  uint16_t high[4][BATCH], step[4][BATCH], carry[BATCH], bucket[BATCH];
};

static void begin_batch(struct batch *b, struct is_keys *k, uint64_t factor)
{
  const uint64_t low = (UINT64_C(1) << 50) - 1;
  for (int i = 0; i < BATCH; i++) {
    uint64_t below = 0;
    for (int n = 0; n < 4; n++) {
      const uint64_t x = k->x[n];
      b->high[n][i] = (uint16_t)(x >> 48 & 0xfffc);
      b->step[n][i] = (uint16_t)(x * factor >> 48);
      below += (x & low) >> 2;
      k->x[n] = x * k->step;
    }
    b->carry[i] = (uint16_t)(below >> 48);
  }
}

/* Sets the buckets of the current keys and advances to the next keys of their series. */
static void next_buckets(struct batch *b)
{
  for (int i = 0; i < BATCH; i++) {
    uint16_t sum = b->carry[i];
    for (int n = 0; n < 4; n++) {
      sum = (uint16_t)(sum + (b->high[n][i] >> 2));
      b->high[n][i] = (uint16_t)(b->high[n][i] + b->step[n][i]);
    }
    b->bucket[i] = sum >> (16 - BUCKETS_LOG);
  }
}

/* State shared by the threads. */
struct job {
  uint32_t *count, stride, keys_log;
  uint64_t keys; /* number per rank */
  atomic_uint next_chunk;
  atomic_bool failed; /* a thread has no memory */
  pthread_mutex_t adding;
};

/* Two counters per bucket: reading a counter that has just been written would stall. */
static void count_batch(const struct batch *b, uint32_t count[2][BUCKETS])
{
  for (int i = 0; i < BATCH; i += 2) {
    count[0][b->bucket[i]]++;
    count[1][b->bucket[i + 1]]++;
  }
}

/* Counts the keys of the series that begin in a chunk, separately for each step. */
static void count_chunk(const struct job *j, uint64_t first, struct batch *b,
                        uint32_t (*count)[2][BUCKETS])
{
  const uint32_t steps = UINT32_C(1) << (j->keys_log - STRIDE_LOG);
  const uint64_t factor = power(FACTOR, UINT64_C(4) << STRIDE_LOG) - 1;
  struct is_keys k = is_keys_from(first);
  for (uint64_t done = 0; done < UINT64_C(1) << CHUNK_LOG; done += BATCH) {
    begin_batch(b, &k, factor);
    for (uint32_t s = 0; s < steps; s++) {
      next_buckets(b);
      count_batch(b, count[s]);
    }
  }
}

/* Adds the counts of a chunk; all its keys of one step belong to one rank. */
static void add_chunk(struct job *j, uint64_t first, uint32_t (*count)[2][BUCKETS])
{
  const uint32_t steps = UINT32_C(1) << (j->keys_log - STRIDE_LOG);
  pthread_mutex_lock(&j->adding);
  for (uint32_t s = 0; s < steps; s++) {
    const uint64_t rank = (((uint64_t)s << STRIDE_LOG) + first) / j->keys;
    for (uint32_t b = 0; b < BUCKETS; b++)
      j->count[rank * j->stride + b] += count[s][0][b] + count[s][1][b];
  }
  pthread_mutex_unlock(&j->adding);
}

static void *count_chunks(void *arg)
{
  struct job *j = arg;
  struct err ignored;
  const size_t steps = (size_t)1 << (j->keys_log - STRIDE_LOG);
  uint32_t(*count)[2][BUCKETS] = mem_array(steps, sizeof *count, &ignored);
  OWNED struct batch *b = mem_array(1, sizeof *b, &ignored);
  if (count == NULL || b == NULL)
    atomic_store(&j->failed, true);
  for (uint64_t chunk; !atomic_load(&j->failed) && (chunk = atomic_fetch_add(&j->next_chunk, 1)) <
                                                       UINT64_C(1) << (STRIDE_LOG - CHUNK_LOG);) {
    memset(count, 0, steps * sizeof *count);
    count_chunk(j, chunk << CHUNK_LOG, b, count);
    add_chunk(j, chunk << CHUNK_LOG, count);
  }
  free(count);
  return NULL;
}

/* Counts with this thread and, if they can be started, one further thread for each other core. */
static enum status count_in_series(struct job *j, struct err *e)
{
  enum { MOST = 256 };
  pthread_t thread[MOST];
  uint32_t started = 0;
  const uint32_t cores = machine_cores();
  while (started < MOST && started + 1 < cores &&
         pthread_create(&thread[started], NULL, count_chunks, j) == 0)
    started++;
  count_chunks(j);
  for (uint32_t i = 0; i < started; i++)
    pthread_join(thread[i], NULL);
  return j->failed ? err_set(e, "out of memory for counts of keys") : OK;
}

enum status is_keys_count(uint32_t *count, uint32_t stride, uint32_t keys_log, uint32_t buckets_log,
                          uint32_t ranks, struct err *e)
{
  struct job j = {.count = count,
                  .stride = stride,
                  .keys_log = keys_log,
                  .keys = (UINT64_C(1) << keys_log) / ranks,
                  .adding = PTHREAD_MUTEX_INITIALIZER};
  if (keys_log > STRIDE_LOG && buckets_log == BUCKETS_LOG && j.keys >= UINT64_C(1) << CHUNK_LOG)
    return count_in_series(&j, e);
  for (uint32_t r = 0; r < ranks; r++)
    count_plainly(count + (size_t)r * stride, r * j.keys, j.keys, buckets_log);
  return OK;
}
