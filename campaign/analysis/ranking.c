#include "campaign/analysis/ranking.h"

#include <math.h>
#include <stdlib.h>

#include "common/mem.h"
#include "common/numeric/rising.h"
#include "common/numeric/stats.h"

struct input {
  const double *time;
  size_t blocks;
  uint32_t mappers;
};

static double time_of(const struct input *in, size_t block, uint32_t mapper)
{
  return in->time[block * in->mappers + mapper];
}

static bool is_whole(const struct input *in, uint32_t mapper)
{
  for (size_t b = 0; b < in->blocks; b++)
    if (!(time_of(in, b, mapper) > 0))
      return false;
  return in->blocks > 0;
}

/* Best time in a block among the ranked mappers. */
static double best_time(const struct input *in, const struct ranking *r, size_t block)
{
  double best = INFINITY;
  for (size_t i = 0; i < r->rows; i++)
    best = fmin(best, time_of(in, block, r->row[i].mapper));
  return best;
}

/* Rank of a mapper in a block among the ranked mappers; equal times share the mean rank. */
static double rank_of(const struct input *in, const struct ranking *r, size_t block,
                      uint32_t mapper)
{
  const double time = time_of(in, block, mapper);
  double rank = 0.5;
  for (size_t i = 0; i < r->rows; i++) {
    const double other = time_of(in, block, r->row[i].mapper);
    rank += other < time ? 1 : other == time ? 0.5 : 0;
  }
  return rank;
}

static void fill_row(const struct input *in, const struct ranking *r, struct ranking_row *row)
{
  double logs = 0, ranks = 0;
  for (size_t b = 0; b < in->blocks; b++) {
    logs += log(time_of(in, b, row->mapper) / best_time(in, r, b));
    ranks += rank_of(in, r, b, row->mapper);
  }
  row->relative = exp(logs / (double)in->blocks);
  row->mean_rank = ranks / (double)in->blocks;
}

static int by_relative(const void *a, const void *b)
{
  const struct ranking_row *x = a, *y = b;
  return RISING(x->relative, y->relative) ?: RISING(x->mapper, y->mapper);
}

/* p-value of two mappers.  @p room has space for one number per block. */
static double test_pair(const struct input *in, uint32_t a, uint32_t b, double *room)
{
  for (size_t i = 0; i < in->blocks; i++)
    room[i] = log(time_of(in, i, a) / time_of(in, i, b));
  return paired_test(room, in->blocks);
}

/* Tests the pairs above the diagonal, so that Holm's correction counts each pair once, then copies
 * the p-values below the diagonal. */
static enum status test_pairs(const struct input *in, struct ranking *r, struct err *e)
{
  const size_t n = r->rows;
  double *room = mem_array(in->blocks, sizeof *room, e);
  if (room == NULL)
    return FAIL;
  for (size_t i = 0; i < n * n; i++)
    r->p[i] = i % n > i / n ? test_pair(in, r->row[i / n].mapper, r->row[i % n].mapper, room) : NAN;
  free(room);
  if (holm_correct(r->p, n * n, sizeof *r->p, e) != OK)
    return FAIL;
  for (size_t i = 0; i < n * n; i++)
    if (i % n < i / n)
      r->p[i] = r->p[i % n * n + i / n];
  return OK;
}

enum status ranking_make(struct ranking *r, const double *time, size_t blocks, uint32_t mappers,
                         struct err *e)
{
  const struct input in = {time, blocks, mappers};
  struct ranking made = {.rows = 0};
  enum status s = FAIL;
  if ((made.row = mem_array(mappers, sizeof *made.row, e)) != NULL &&
      (made.p = mem_array((size_t)mappers * mappers, sizeof *made.p, e)) != NULL) {
    for (uint32_t m = 0; m < mappers; m++)
      if (is_whole(&in, m))
        made.row[made.rows++].mapper = m;
    for (size_t i = 0; i < made.rows; i++)
      fill_row(&in, &made, &made.row[i]);
    qsort(made.row, made.rows, sizeof *made.row, by_relative);
    s = test_pairs(&in, &made, e);
  }
  if (s == OK)
    *r = made;
  else
    ranking_clear(&made);
  return s;
}

void ranking_clear(struct ranking *r)
{
  free(r->row);
  free(r->p);
  *r = (struct ranking){.rows = 0};
}

bool ranking_is_insignificant(const struct ranking *r, size_t a, size_t b)
{
  return r->p[a * r->rows + b] >= STATS_LEVEL;
}
