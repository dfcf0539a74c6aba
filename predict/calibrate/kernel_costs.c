#include "predict/calibrate/kernel_costs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/files/table.h"
#include "common/mem.h"
#include "common/numeric/rising.h"

/* Limits of a sample. */
#define MOST_SIZE UINT64_C(2147483647)
#define LEAST_S   1e-12
#define MOST_S    1e6

/* Mean of the absolute value of shifted half-normal noise of standard deviation 1:
 * 4 (phi(z) - z (1 - Phi(z))) / sqrt(1 - z^2), where z is the mean of |Z| for a standard normal
 * Z. */
#define MEAN_ABSOLUTE 0.8006

/* A term whose column is this close to a combination of the columns before it is left out. */
#define COLLINEAR 1e-9

void kernel_samples_clear(struct kernel_samples *s)
{
  free(s->sample);
  *s = (struct kernel_samples){0};
}

void kernel_rows_clear(struct kernel_rows *r)
{
  free(r->row);
  *r = (struct kernel_rows){0};
}

/* --- samples ---------------------------------------------------------------------------------- */

enum { KERNEL, HOST, CPU, M, N, K, SECONDS };

static enum status read_size(const struct table *t, size_t column, double *out, struct err *e)
{
  uint64_t n;
  if (table_u64(t, column, MOST_SIZE, &n, e) != OK)
    return FAIL;
  *out = (double)n;
  return n > 0 ? OK : err_at(e, t->path, t->line, "a size of 0");
}

static enum status read_place(const struct table *t, size_t column, uint64_t most, uint32_t *out,
                              struct err *e)
{
  uint64_t n;
  if (table_u64(t, column, most, &n, e) != OK)
    return FAIL;
  *out = (uint32_t)n;
  return OK;
}

static enum status add_row(void *samples, const struct table *t, const size_t *column,
                           struct err *e)
{
  struct kernel_samples *s = samples;
  struct kernel_sample x;
  if (!kernel_find(table_text(t, column[KERNEL]), &x.kernel))
    return err_at(e, t->path, t->line, "'%.40s' is no kernel of HPL", t->field[column[KERNEL]]);
  if (read_place(t, column[HOST], KERNELS_MOST_HOSTS - 1, &x.host, e) != OK ||
      read_place(t, column[CPU], KERNELS_MOST_CPUS - 1, &x.cpu, e) != OK ||
      read_size(t, column[M], &x.size.m, e) != OK || read_size(t, column[N], &x.size.n, e) != OK ||
      read_size(t, column[K], &x.size.k, e) != OK ||
      table_double(t, column[SECONDS], LEAST_S, MOST_S, &x.seconds, e) != OK ||
      MEM_GROW(s->sample, s->room, s->count + 1, e) != OK)
    return FAIL;
  s->sample[s->count++] = x;
  return OK;
}

enum status kernel_samples_load(struct kernel_samples *s, const char *path, struct err *e)
{
  static const char *const NAME[] = {"kernel", "host", "cpu", "m", "n", "k", "seconds", NULL};
  const size_t before = s->count;
  const enum status status = table_read(path, '\t', NAME, add_row, s, e);
  if (status != OK)
    s->count = before;
  return status;
}

/* Orders by kernel, host, processor, sizes and seconds, so that sums do not depend on the order of
 * the files. */
static int by_place(const void *a, const void *b)
{
  const struct kernel_sample *x = a, *y = b;
  return RISING(x->kernel, y->kernel) ?: RISING(x->host, y->host) ?: RISING(x->cpu, y->cpu)
         ?: RISING(x->size.m, y->size.m) ?: RISING(x->size.n, y->size.n)
         ?: RISING(x->size.k, y->size.k) ?: RISING(x->seconds, y->seconds);
}

/* --- a fit ------------------------------------------------------------------------------------ */

/* Weighted least squares as normal equations, with unit diagonal once scaled. */
struct normal {
  double a[KERNEL_TERMS][KERNEL_TERMS], b[KERNEL_TERMS];
};

static void terms_of(const struct kernel_size *s, double *term)
{
  const double t[KERNEL_TERMS] = {s->m * s->n * s->k, s->m * s->n, s->m * s->k, s->n * s->k, 1};
  memcpy(term, t, sizeof t);
}

/* Adds the equation that the terms of the sample give @p value, with both sides divided by the
 * measured time. */
static void add_equation(struct normal *q, const struct kernel_sample *x, double value)
{
  double term[KERNEL_TERMS];
  terms_of(&x->size, term);
  for (int i = 0; i < KERNEL_TERMS; i++) {
    for (int j = 0; j < KERNEL_TERMS; j++)
      q->a[i][j] += term[i] / x->seconds * (term[j] / x->seconds);
    q->b[i] += term[i] / x->seconds * (value / x->seconds);
  }
}

/* Factors the scaled matrix (Cholesky), in the order of the terms.  Drops terms that are
 * combinations of earlier ones. */
static void factor(struct normal *q, bool *used)
{
  for (int i = 0; i < KERNEL_TERMS; i++) {
    double pivot = q->a[i][i];
    for (int k = 0; k < i; k++)
      pivot -= used[k] ? q->a[i][k] * q->a[i][k] : 0;
    used[i] = used[i] && pivot > COLLINEAR;
    if (!used[i])
      continue;
    q->a[i][i] = sqrt(pivot);
    for (int j = i + 1; j < KERNEL_TERMS; j++) {
      for (int k = 0; k < i; k++)
        q->a[j][i] -= used[k] ? q->a[j][k] * q->a[i][k] : 0;
      q->a[j][i] /= q->a[i][i];
    }
  }
}

/* Solves the factored equations. */
static void substitute(const struct normal *q, const bool *used, double *x)
{
  for (int i = 0; i < KERNEL_TERMS; i++) {
    x[i] = used[i] ? q->b[i] : 0;
    for (int k = 0; used[i] && k < i; k++)
      x[i] -= q->a[i][k] * x[k];
    x[i] /= used[i] ? q->a[i][i] : 1;
  }
  for (int i = KERNEL_TERMS - 1; i >= 0; i--) {
    for (int k = i + 1; used[i] && k < KERNEL_TERMS; k++)
      x[i] -= used[k] ? q->a[k][i] * x[k] : 0;
    x[i] /= used[i] ? q->a[i][i] : 1;
  }
}

/* The coefficients of the used terms.  Clears used[] of terms that are combinations of others. */
static void solve(const struct normal *given, bool *used, double *x)
{
  struct normal q = *given;
  double scale[KERNEL_TERMS];
  for (int i = 0; i < KERNEL_TERMS; i++)
    scale[i] = 1 / sqrt(given->a[i][i]);
  for (int i = 0; i < KERNEL_TERMS; i++) {
    for (int j = 0; j < KERNEL_TERMS; j++)
      q.a[i][j] *= scale[i] * scale[j];
    q.b[i] *= scale[i];
  }
  factor(&q, used);
  substitute(&q, used, x);
  for (int i = 0; i < KERNEL_TERMS; i++)
    x[i] *= scale[i];
}

/* Like solve(), but leaves out the terms whose coefficients would be negative. */
static void solve_positive(const struct normal *q, double *x)
{
  bool used[KERNEL_TERMS] = {true, true, true, true, true};
  for (int tries = 0; tries < KERNEL_TERMS; tries++) {
    int least = 0;
    solve(q, used, x);
    for (int i = 1; i < KERNEL_TERMS; i++)
      least = x[i] < x[least] ? i : least;
    if (x[least] >= 0)
      return;
    used[least] = false;
  }
}

static struct kernel_row fit_row(const struct kernel_sample *x, size_t n)
{
  struct kernel_row r = {.kernel = x->kernel, .host = -1, .cpu = -1, .samples = n};
  bool used[KERNEL_TERMS] = {true, true, true, true, true};
  struct normal mean = {.b = {0}}, noise = {.b = {0}};
  for (size_t i = 0; i < n; i++)
    add_equation(&mean, &x[i], x[i].seconds);
  solve(&mean, used, r.cost.mean);
  for (size_t i = 0; i < n; i++) {
    const double off = fabs(kernel_time(&r.cost, &x[i].size, 0) - x[i].seconds);
    r.error += off / x[i].seconds / (double)n;
    add_equation(&noise, &x[i], off / MEAN_ABSOLUTE);
  }
  solve_positive(&noise, r.cost.sd);
  return r;
}

/* --- all rows --------------------------------------------------------------------------------- */

static enum status add(struct kernel_rows *out, const struct kernel_row *r, struct err *e)
{
  if (MEM_GROW(out->row, out->room, out->count + 1, e) != OK)
    return FAIL;
  out->row[out->count++] = *r;
  return OK;
}

/* Adds a row for each processor with enough samples.  The samples first to end - 1 are of one
 * kernel. */
static enum status add_places(struct kernel_rows *out, const struct kernel_sample *x, size_t first,
                              size_t end, struct err *e)
{
  for (size_t i = first, next; i < end; i = next) {
    for (next = i; next < end && x[next].host == x[i].host && x[next].cpu == x[i].cpu;)
      next++;
    if (next - i < KERNEL_FEWEST)
      continue;
    struct kernel_row r = fit_row(&x[i], next - i);
    r.host = x[i].host;
    r.cpu = x[i].cpu;
    if (add(out, &r, e) != OK)
      return FAIL;
  }
  return OK;
}

static enum status add_kernel(struct kernel_rows *out, const struct kernel_sample *x, size_t first,
                              size_t end, struct err *e)
{
  if (end - first < KERNEL_FEWEST)
    return err_set(e, "kernel %s: %zu samples are too few for a fit, which needs %d",
                   kernel_name(x[first].kernel), end - first, KERNEL_FEWEST);
  const struct kernel_row r = fit_row(&x[first], end - first);
  return add(out, &r, e) == OK ? add_places(out, x, first, end, e) : FAIL;
}

enum status kernel_rows_fit(struct kernel_rows *out, struct kernel_samples *s, struct err *e)
{
  struct kernel_rows rows = {0};
  enum status status = OK;
  if (s->count > 0)
    qsort(s->sample, s->count, sizeof *s->sample, by_place);
  if (s->count == 0 || s->sample[0].kernel != KERNEL_DGEMM)
    return err_set(e, "no sample of kernel dgemm");
  for (size_t i = 0, end; i < s->count && status == OK; i = end) {
    for (end = i; end < s->count && s->sample[end].kernel == s->sample[i].kernel;)
      end++;
    status = add_kernel(&rows, s->sample, i, end, e);
  }
  if (status == OK)
    *out = rows;
  else
    kernel_rows_clear(&rows);
  return status;
}

static void print_place(int64_t place, FILE *f)
{
  if (place < 0)
    fputs("\t*", f);
  else
    fprintf(f, "\t%lld", (long long)place);
}

void kernel_rows_print(const struct kernel_rows *r, FILE *f)
{
  fputs(
      "kernel\thost\tcpu\tmnk\tmn\tmk\tnk\tintercept\tsd_mnk\tsd_mn\tsd_mk\tsd_nk\tsd_intercept\n",
      f);
  for (size_t i = 0; i < r->count; i++) {
    const struct kernel_row *x = &r->row[i];
    fputs(kernel_name(x->kernel), f);
    print_place(x->host, f);
    print_place(x->cpu, f);
    for (int k = 0; k < KERNEL_TERMS; k++)
      table_print_number(x->cost.mean[k], f);
    for (int k = 0; k < KERNEL_TERMS; k++)
      table_print_number(x->cost.sd[k], f);
    fputc('\n', f);
  }
}
