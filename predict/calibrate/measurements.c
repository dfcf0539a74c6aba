#include "predict/calibrate/measurements.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "common/files/table.h"
#include "common/mem.h"
#include "common/numeric/rising.h"

/* Limits of a sample in s. */
#define LEAST_S 1e-15
#define MOST_S  1e9

/* An MPI call counts bytes in an int, and SMPI adds its envelope. */
const struct measurements_test test_pingpong = {"pingpong", "a message, one way, by its bytes",
                                                INT32_MAX - 16, 0};
const struct measurements_test test_arithmetic = {
    "arithmetic", "multiplications and additions on registers, by their flops", 1e18, 1};
const struct measurements_test test_triad = {"triad", "a vector operation in memory, by its flops",
                                             1e18, 1};

#define OF_BYTES (double)(INT32_MAX - 16), 0
const struct measurements_test
    test_stream = {"stream", "one of several messages in a row, by its bytes", OF_BYTES},
    test_exchange = {"exchange",
                     "messages both ways at once between two hosts, by the bytes of one", OF_BYTES},
    test_first_exchange = {"first-exchange",
                           "test exchange, the first time after exchanges with another host",
                           OF_BYTES},
    test_ring = {"ring", "each host sends to the next one and receives from the one before",
                 OF_BYTES},
    test_pairs = {"pairs", "test stream on all pairs of hosts at once", OF_BYTES},
    test_pingpong_within = {"pingpong-within", "test pingpong between two ranks of a host",
                            OF_BYTES},
    test_all_within = {"all-within",
                       "test stream on all pairs of ranks of a host at once, seconds "
                       "divided by the number of pairs",
                       OF_BYTES},
    test_stream_busy = {"stream-busy", "test stream while the other ranks of the hosts compute",
                        OF_BYTES};

#define KERNELS(ROW) ROW(test_arithmetic) ROW(test_triad)
#define LOADS(ROW)                                                                                 \
  ROW(test_stream)                                                                                 \
  ROW(test_exchange)                                                                               \
  ROW(test_first_exchange)                                                                         \
  ROW(test_ring)                                                                                   \
  ROW(test_pairs)                                                                                  \
  ROW(test_pingpong_within)                                                                        \
  ROW(test_all_within)                                                                             \
  ROW(test_stream_busy)
#define LIST(ROW) ROW(test_pingpong) KERNELS(ROW) LOADS(ROW)

const struct registry measurements_tests = REGISTRY("test", LIST);
const struct registry measurements_kernels = REGISTRY("kernel", KERNELS);

enum { TEST, SIZE, SECONDS };

static enum status add_row(void *measurements, const struct table *t, const size_t *column,
                           struct err *e)
{
  struct measurements *m = measurements;
  struct measurements_sample x;
  uint64_t size;
  if ((x.test = registry_get(&measurements_tests, t->field[column[TEST]], e)) == NULL)
    return err_place(e, t->path, t->line);
  if (table_u64(t, column[SIZE], (uint64_t)x.test->most, &size, e) != OK ||
      table_double(t, column[SECONDS], LEAST_S, MOST_S, &x.seconds, e) != OK)
    return FAIL;
  x.size = (double)size;
  if (x.size < x.test->least)
    return err_at(e, t->path, t->line, "size: 0 is no number of flops");
  if (MEM_GROW(m->sample, m->room, m->samples + 1, e) != OK)
    return FAIL;
  m->sample[m->samples++] = x;
  return OK;
}

enum status measurements_load(struct measurements *m, const char *path, struct err *e)
{
  static const char *const NAME[] = {"test", "size", "seconds", NULL};
  const size_t before = m->samples;
  const enum status s = table_read(path, '\t', NAME, add_row, m, e);
  if (s != OK)
    m->samples = before;
  return s;
}

void measurements_clear(struct measurements *m)
{
  free(m->sample);
  *m = (struct measurements){0};
}

/* --- by size ---------------------------------------------------------------------------------- */

static int by_test_and_size(const void *a, const void *b)
{
  const struct measurements_sample *x = a, *y = b;
  return strcmp(x->test->name, y->test->name) ?: RISING(x->size, y->size)
         ?: RISING(x->seconds, y->seconds);
}

double measurements_quantile(const double *rising, size_t n, double q)
{
  const double at = q * (double)(n - 1);
  const size_t low = (size_t)at, high = low + 1 < n ? low + 1 : low;
  return rising[low] + (at - (double)low) * (rising[high] - rising[low]);
}

/* Combines @p n sorted samples of one size; @p seconds has room for them. */
static struct measured put_together(const struct measurements_sample *x, size_t n, double quantile,
                                    double *seconds)
{
  for (size_t i = 0; i < n; i++)
    seconds[i] = x[i].seconds;
  return (struct measured){.size = x->size,
                           .samples = n,
                           .seconds = measurements_quantile(seconds, n, quantile),
                           .low = measurements_quantile(seconds, n, 0.05),
                           .high = measurements_quantile(seconds, n, 0.95),
                           .lower_quartile = measurements_quantile(seconds, n, 0.25),
                           .upper_quartile = measurements_quantile(seconds, n, 0.75)};
}

double measurements_error(const struct measured *m)
{
  const double deviation = (m->upper_quartile - m->lower_quartile) / 1.349;
  return 1.2533 * deviation / m->seconds / sqrt((double)m->samples);
}

enum status measurements_by_size(struct measurements *m, const struct measurements_test *test,
                                 double quantile, struct measured **out, size_t *count,
                                 struct err *e)
{
  struct measured *made = mem_array(m->samples, sizeof *made, e);
  OWNED double *seconds = made == NULL ? NULL : mem_array(m->samples, sizeof *seconds, e);
  if (seconds == NULL) {
    free(made);
    return FAIL;
  }
  if (m->samples > 0)
    qsort(m->sample, m->samples, sizeof *m->sample, by_test_and_size);
  *count = 0;
  for (size_t i = 0, end; i < m->samples; i = end) {
    const struct measurements_sample *x = &m->sample[i];
    for (end = i;
         end < m->samples && m->sample[end].test == x->test && m->sample[end].size == x->size;)
      end++;
    if (x->test == test)
      made[(*count)++] = put_together(x, end - i, quantile, seconds);
  }
  *out = made;
  return OK;
}

/* End of the group of sizes that begins at sample @p first of the sorted samples of one test, which
 * end at @p last. */
static size_t group_end(const struct measurements *m, size_t first, size_t last, double within)
{
  size_t i = first, sizes = 0;
  while (i < last) {
    const double size = m->sample[i].size;
    if (sizes >= MEASUREMENTS_POOL && size > m->sample[first].size * (1 + within))
      break;
    sizes++;
    while (i < last && m->sample[i].size == size)
      i++;
  }
  return i;
}

/* Geometric mean of the sizes of the samples.  1 is added to each size before the logarithm, since
 * a size may be 0. */
static double mean_size(const struct measurements *m, size_t first, size_t end)
{
  double sum = 0;
  for (size_t i = first; i < end; i++)
    sum += log1p(m->sample[i].size);
  return round(expm1(sum / (double)(end - first)));
}

/* Number of different sizes of samples @p first to @p last - 1, which are sorted. */
static size_t count_sizes(const struct measurements *m, size_t first, size_t last)
{
  size_t n = 0;
  for (size_t i = first; i < last; i++)
    n += i == first || m->sample[i].size != m->sample[i - 1].size;
  return n;
}

void measurements_pool(struct measurements *m, const struct measurements_test *test, double within)
{
  size_t first = 0, last;
  if (m->samples == 0)
    return;
  qsort(m->sample, m->samples, sizeof *m->sample, by_test_and_size);
  while (first < m->samples && m->sample[first].test != test)
    first++;
  for (last = first; last < m->samples && m->sample[last].test == test;)
    last++;
  for (size_t end; first < last; first = end) {
    end = group_end(m, first, last, within);
    /* the last sizes may be too few for a group of their own */
    if (count_sizes(m, end, last) < MEASUREMENTS_POOL)
      end = last;
    const double size = mean_size(m, first, end);
    for (size_t i = first; i < end; i++)
      m->sample[i].size = size;
  }
}
