#include "predict/blocks/estimate.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/mem.h"
#include "predict/settle.h"

static const struct estimate_method settled = {
    "settled", "joint, with the unsettled start of each series left out of the mean", false, true};
static const struct estimate_method joint = {
    "joint", "computation and communication timed in one run", false, false};
static const struct estimate_method separate = {
    "separate", "communication timed in a run without computation", true, false};

#define LIST(ROW) ROW(settled) ROW(joint) ROW(separate)

const struct registry estimate_methods = REGISTRY("method", LIST);

void estimate_clear(struct estimate *x)
{
  block_table_clear(&x->table);
  free(x->block);
  free(x->rank);
  *x = (struct estimate){.ranks = 0};
}

/* Number of values with the full number of executions: all but a shorter last one. */
static size_t whole_values(const struct block_series *s)
{
  return s->values > 1 && s->last != s->width ? s->values - 1 : s->values;
}

static void predict_block(struct block_estimate *b, const struct block_series *s,
                          const struct estimate_method *method)
{
  const size_t n = whole_values(s);
  b->executions = s->executions;
  if (n == 0)
    return;
  const struct settled all = method->settled ? settle_find(s->value, n) : settle_mean(s->value, n);
  double start = 0;
  for (size_t i = 0; i < all.start; i++)
    start += s->value[i] * (double)s->width;
  b->start = all.start * s->width;
  b->never = all.never;
  b->mean = all.start == 0 ? s->sum / (double)s->executions : all.mean;
  const uint64_t head = b->start < b->count ? b->start : b->count;
  const double rest = (double)(b->count - head);
  b->time = (head == b->start ? start : all.mean * (double)head) + b->mean * rest;
  /* Only the executions that were not timed add an error: the error of the mean, and their own
   * scatter. */
  const double untimed = b->count > b->executions ? (double)(b->count - b->executions) : 0;
  const double averaged = (double)((n - all.start) * s->width);
  b->error = untimed > 0 ? all.error * untimed * sqrt(1 + averaged / untimed) : 0;
  b->degree = all.degree;
  b->single = untimed > 0 && all.degree <= 0;
}

/* Adds up the blocks of a rank.  The degrees of freedom of the sum follow Welch and
 * Satterthwaite. */
static void sum_rank(struct estimate *x, uint32_t rank)
{
  struct rank_estimate *r = &x->rank[rank];
  const struct block_estimate *b = &x->block[(size_t)rank * x->table.count];
  double variance = 0, denominator = 0;
  for (uint32_t i = 0; i < x->table.count; i++) {
    const double square = b[i].error * b[i].error;
    *(x->table.row[i].communication ? &r->communication : &r->computation) += b[i].time;
    variance += square;
    denominator += b[i].degree > 0 ? square * square / b[i].degree : 0;
    x->counted += b[i].count;
    x->timed += b[i].executions;
    x->unsettled += b[i].never && b[i].count > 0;
    x->single += b[i].single;
    x->untimed += b[i].count > 0 && b[i].executions == 0;
  }
  r->total = r->computation + r->communication;
  r->half =
      variance > 0 ? settle_half_interval(sqrt(variance), variance * variance / denominator) : 0;
}

static enum status load_series(struct rank_series *s, const char *folder, const char *kind,
                               uint32_t rank, uint32_t blocks, struct err *e)
{
  char path[PATH_MAX];
  return tables_path(path, sizeof path, folder, kind, rank, e) == OK
             ? rank_series_load(s, path, blocks, e)
             : FAIL;
}

static enum status load_counts(struct estimate *x, const char *folder, uint32_t rank, struct err *e)
{
  char path[PATH_MAX];
  struct block_estimate *b = &x->block[(size_t)rank * x->table.count];
  OWNED uint64_t *count = mem_array(x->table.count, sizeof *count, e);
  if (count == NULL)
    return FAIL;
  enum status s = tables_path(path, sizeof path, folder, "counts", rank, e);
  if (s == OK)
    s = rank_counts_load(count, path, x->table.count, e);
  for (uint32_t i = 0; s == OK && i < x->table.count; i++)
    b[i].count = count[i];
  return s;
}

/* Sums the times of the full run. */
static enum status load_measured(struct estimate *x, const char *folder, uint32_t rank,
                                 struct err *e)
{
  struct rank_series s;
  if (load_series(&s, folder, "full", rank, x->table.count, e) != OK)
    return FAIL;
  x->rank[rank].measured = 0;
  for (uint32_t i = 0; i < s.blocks; i++)
    x->rank[rank].measured += s.block[i].sum;
  rank_series_clear(&s);
  return OK;
}

static enum status load_rank(struct estimate *x, const char *folder,
                             const struct estimate_method *method, uint32_t rank, struct err *e)
{
  struct rank_series timing, apart = {.blocks = 0};
  x->rank[rank].measured = NAN;
  if (load_counts(x, folder, rank, e) != OK ||
      load_series(&timing, folder, "timing", rank, x->table.count, e) != OK)
    return FAIL;
  if (method->apart && load_series(&apart, folder, "apart", rank, x->table.count, e) != OK) {
    rank_series_clear(&timing);
    return FAIL;
  }
  for (uint32_t i = 0; i < x->table.count; i++)
    predict_block(&x->block[(size_t)rank * x->table.count + i],
                  method->apart && x->table.row[i].communication ? &apart.block[i]
                                                                 : &timing.block[i],
                  method);
  rank_series_clear(&timing);
  rank_series_clear(&apart);
  sum_rank(x, rank);
  return x->measured ? load_measured(x, folder, rank, e) : OK;
}

/* All kinds of files must have the same number of ranks. */
static enum status check_ranks(struct estimate *x, const char *folder,
                               const struct estimate_method *method, struct err *e)
{
  static const char *const KINDS[] = {"counts", "apart", "full"};
  x->ranks = tables_ranks(folder, "timing");
  if (x->ranks == 0)
    return err_set(e, "%s: no timing.0.tsv: the timing program has not run", folder);
  x->measured = tables_ranks(folder, "full") > 0;
  const bool needed[] = {true, method->apart, x->measured};
  for (int i = 0; i < 3; i++) {
    const uint32_t ranks = tables_ranks(folder, KINDS[i]);
    if (needed[i] && ranks != x->ranks)
      return err_set(e,
                     "%s: files %s.RANK.tsv of %" PRIu32 " ranks, but timing.RANK.tsv of %" PRIu32,
                     folder, KINDS[i], ranks, x->ranks);
  }
  return OK;
}

static enum status load_all(struct estimate *x, const char *folder,
                            const struct estimate_method *method, struct err *e)
{
  char path[PATH_MAX];
  if (snprintf(path, sizeof path, "%s/blocks.tsv", folder) >= (int)sizeof path)
    return err_set(e, "%s: the path is too long", folder);
  if (block_table_load(&x->table, path, e) != OK || check_ranks(x, folder, method, e) != OK)
    return FAIL;
  x->block = mem_array((size_t)x->ranks * x->table.count, sizeof *x->block, e);
  x->rank = mem_array(x->ranks, sizeof *x->rank, e);
  if (x->block == NULL || x->rank == NULL)
    return FAIL;
  for (uint32_t r = 0; r < x->ranks; r++) {
    if (load_rank(x, folder, method, r, e) != OK)
      return FAIL;
    if (x->rank[r].total > x->rank[x->slowest].total)
      x->slowest = r;
  }
  return OK;
}

enum status estimate_load(struct estimate *out, const char *folder,
                          const struct estimate_method *method, struct err *e)
{
  struct estimate x = {.ranks = 0};
  if (load_all(&x, folder, method, e) != OK) {
    estimate_clear(&x);
    return FAIL;
  }
  *out = x;
  return OK;
}

double estimate_worst(const struct estimate *x)
{
  double worst = 0;
  for (uint32_t r = 0; r < x->ranks; r++)
    worst = fmax(worst, fabs(x->rank[r].total / x->rank[r].measured - 1));
  return worst;
}

double estimate_error(const struct estimate *x)
{
  double measured = 0;
  for (uint32_t r = 0; r < x->ranks; r++)
    measured = fmax(measured, x->rank[r].measured);
  return x->rank[x->slowest].total / measured - 1;
}
