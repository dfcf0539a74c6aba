#include "traces/generators/hpl/kernels.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/files/table.h"
#include "common/mem.h"
#include "common/text_list.h"

enum { ANY = -1 };

static const char *const NAME[KERNELS] = {
    "dgemm",         "dtrsm",         "dtrsv",         "dgemv",         "dger",
    "daxpy",         "dcopy",         "dscal",         "idamax",        "HPL_dlacpy",
    "HPL_dlatcpy",   "HPL_dlaswp00N", "HPL_dlaswp01T", "HPL_dlaswp02N", "HPL_dlaswp03T",
    "HPL_dlaswp04T", "HPL_dlaswp05T", "HPL_dlaswp06T", "HPL_dlaswp10N"};

static const char *const COLUMN[] = {"mnk", "mn", "mk", "nk", "intercept"};

const char *kernel_name(enum kernel which)
{
  return NAME[which];
}

bool kernel_find(const char *name, enum kernel *out)
{
  const size_t i = text_list_find(NAME, KERNELS, name);
  if (i < KERNELS)
    *out = (enum kernel)i;
  return i < KERNELS;
}

struct row {
  int64_t host, cpu; /* or ANY */
  enum kernel kernel;
  struct kernel_cost cost;
};

struct kernels {
  uint32_t hosts, cpus; /* hosts 0: rows with ANY only; cpus at least 1 */
  struct row *row;      /* as read */
  size_t rows, room;
  struct kernel_cost (*cost)[KERNELS]; /* by host * cpus + cpu */
};

/* Columns of the table. */
struct columns {
  size_t kernel, host, cpu, mean[KERNEL_TERMS], sd[KERNEL_TERMS];
};

void kernels_free(struct kernels *k)
{
  if (k == NULL)
    return;
  free(k->row);
  free(k->cost);
  free(k);
}

static enum status find_columns(const struct table *t, struct columns *c, struct err *e)
{
  char sd[32];
  if (table_column(t, "kernel", &c->kernel, e) != OK ||
      table_column(t, "host", &c->host, e) != OK || table_column(t, "cpu", &c->cpu, e) != OK)
    return FAIL;
  for (int i = 0; i < KERNEL_TERMS; i++) {
    snprintf(sd, sizeof sd, "sd_%s", COLUMN[i]);
    c->sd[i] = table_find(t, sd);
    if (table_column(t, COLUMN[i], &c->mean[i], e) != OK)
      return FAIL;
  }
  return OK;
}

static enum status number_or_any(const struct table *t, size_t column, uint64_t most, int64_t *out,
                                 struct err *e)
{
  uint64_t n;
  *out = ANY;
  if (strcmp(table_text(t, column), "*") == 0)
    return OK;
  if (table_u64(t, column, most, &n, e) != OK)
    return FAIL;
  *out = (int64_t)n;
  return OK;
}

static enum status read_kernel(const struct table *t, size_t column, enum kernel *out,
                               struct err *e)
{
  const char *name = table_text(t, column);
  return kernel_find(name, out) ? OK
                                : err_at(e, t->path, t->line, "'%.40s' is no kernel of HPL", name);
}

static enum status read_row(struct kernels *k, const struct table *t, const struct columns *c,
                            struct err *e)
{
  struct row r = {.host = ANY};
  if (read_kernel(t, c->kernel, &r.kernel, e) != OK ||
      number_or_any(t, c->host, KERNELS_MOST_HOSTS - 1, &r.host, e) != OK ||
      number_or_any(t, c->cpu, KERNELS_MOST_CPUS - 1, &r.cpu, e) != OK)
    return FAIL;
  for (int i = 0; i < KERNEL_TERMS; i++) {
    if (table_double(t, c->mean[i], -1, 1, &r.cost.mean[i], e) != OK)
      return FAIL;
    if (c->sd[i] != TABLE_NONE && table_double(t, c->sd[i], -1, 1, &r.cost.sd[i], e) != OK)
      return FAIL;
  }
  if (r.host >= k->hosts)
    k->hosts = (uint32_t)r.host + 1;
  if (r.cpu >= k->cpus)
    k->cpus = (uint32_t)r.cpu + 1;
  if (MEM_GROW(k->row, k->room, k->rows + 1, e) != OK)
    return FAIL;
  k->row[k->rows++] = r;
  return OK;
}

static enum status read_rows(struct kernels *k, struct table *t, struct err *e)
{
  struct columns c;
  bool more = true;
  if (find_columns(t, &c, e) != OK)
    return FAIL;
  for (;;) {
    if (table_next(t, &more, e) != OK)
      return FAIL;
    if (!more)
      return OK;
    if (read_row(k, t, &c, e) != OK)
      return FAIL;
  }
}

/* Applies the rows that name neither host nor cpu (0), one of them (1) or both (2). */
static void apply(struct kernels *k, uint32_t hosts, int named)
{
  for (size_t i = 0; i < k->rows; i++) {
    const struct row *r = &k->row[i];
    if ((r->host != ANY) + (r->cpu != ANY) != named)
      continue;
    for (uint32_t h = 0; h < hosts; h++)
      for (uint32_t c = 0; c < k->cpus; c++)
        if ((r->host == ANY || r->host == h) && (r->cpu == ANY || r->cpu == c))
          k->cost[(size_t)h * k->cpus + c][r->kernel] = r->cost;
  }
}

static enum status check(const struct kernels *k, const char *path, struct err *e)
{
  if ((uint64_t)k->hosts * k->cpus > KERNELS_MOST)
    return err_at(e, path, 0, "%" PRIu32 " hosts of %" PRIu32 " processors are more than %d",
                  k->hosts, k->cpus, KERNELS_MOST);
  for (size_t i = 0; i < k->rows; i++)
    if (k->row[i].kernel == KERNEL_DGEMM)
      return OK;
  return err_at(e, path, 0, "no row has the kernel dgemm");
}

enum status kernels_load(struct kernels **out, const char *path, struct err *e)
{
  struct table t;
  struct kernels *k = mem_array(1, sizeof *k, e);
  if (k == NULL)
    return FAIL;
  k->cpus = 1;
  enum status s = table_open(&t, path, '\t', e);
  if (s == OK) {
    s = read_rows(k, &t, e);
    table_close(&t);
  }
  if (s == OK)
    s = check(k, path, e);
  const uint32_t hosts = k->hosts > 0 ? k->hosts : 1;
  if (s == OK) {
    k->cost = mem_array((size_t)hosts * k->cpus, sizeof *k->cost, e);
    s = k->cost == NULL ? FAIL : OK;
  }
  if (s != OK) {
    kernels_free(k);
    return FAIL;
  }
  for (int named = 0; named <= 2; named++)
    apply(k, hosts, named);
  *out = k;
  return OK;
}

uint32_t kernels_hosts(const struct kernels *k)
{
  return k->hosts;
}

const struct kernel_cost *kernels_of(const struct kernels *k, uint32_t host, uint32_t core)
{
  const size_t h = k->hosts > 0 ? host : 0;
  return k->cost[h * k->cpus + core % k->cpus];
}

/* --- the time of a call ----------------------------------------------------------------------- */

static double polynomial(const double *c, const struct kernel_size *s)
{
  return ((c[0] * s->k + c[1]) * s->n + c[2] * s->k) * s->m + c[3] * s->n * s->k + c[4];
}

double kernel_time(const struct kernel_cost *c, const struct kernel_size *s, double deviate)
{
  double t = polynomial(c->mean, s);
  if (deviate != 0)
    t += polynomial(c->sd, s) * deviate;
  return t > 0 ? t : 0;
}

double kernel_sd(const struct kernel_cost *c, const struct kernel_size *s)
{
  return fmax(polynomial(c->sd, s), 0);
}

double kernel_flops(enum kernel which, const struct kernel_size *s)
{
  switch (which) {
  case KERNEL_DGEMM:
    return 2 * s->m * s->n * s->k;
  case KERNEL_DTRSM:
    return s->m * s->n * s->k;
  case KERNEL_DTRSV:
    return s->m * s->n;
  case KERNEL_DGEMV:
  case KERNEL_DGER:
  case KERNEL_DAXPY:
    return 2 * s->m * s->n;
  case KERNEL_DSCAL:
    return s->m;
  default:
    return 0;
  }
}
