#include "traces/generators/hpl/hpl.h"

#include <inttypes.h>
#include <stdlib.h>

#include "common/mem.h"
#include "traces/generators/hpl/charge.h"

/* Limits: N fits an int of HPL; with pivots=matrix, the matrix has at most 512 MB. */
enum { MOST_N = INT32_MAX - 65536, MOST_NB = 8192, MOST_MATRIX = 8192, PANEL_TAGS = 1000 };

#define AT(FIELD) offsetof(struct hpl_options, FIELD)

static const char *const FACTORS[] = {"left", "crout", "right", NULL};
static const char *const ORDERS[] = {"row", "column", NULL};
static const char *const PIVOTS[] = {"random", "matrix", NULL};

static const struct spec_option OPTIONS[] = {
    {"N", SPEC_U32, AT(n), NULL, .help = "rows of the matrix", .least = 1, .most = MOST_N},
    {"NB", SPEC_U32, AT(nb), "128", .help = "columns of a panel", .least = 1, .most = MOST_NB},
    {"P", SPEC_U32, AT(p), NULL, .help = "rows of the grid of ranks", .least = 1,
     .most = GENERATOR_RANKS_MAX},
    {"Q", SPEC_U32, AT(q), NULL, .help = "columns of the grid", .least = 1,
     .most = GENERATOR_RANKS_MAX},
    {"bcast", SPEC_U32, AT(bcast), "0",
     .help = "broadcast of panels: 0 ring, 1 modified ring, 2 two rings, "
             "3 two modified rings, 4 long, 5 modified long",
     .most = HPL_LONG_M},
    {"depth", SPEC_U32, AT(depth), "1", .help = "panels of look-ahead, 0 to 9", .most = 9},
    {"kernels", SPEC_TEXT, AT(kernels), "", .help = "table of the times of kernels"},
    {"nbmin", SPEC_U32, AT(nbmin), "2", .help = "columns at which the recursion ends", .least = 1,
     .most = MOST_NB},
    {"ndiv", SPEC_U32, AT(ndiv), "2", .help = "parts of a step of the recursion", .least = 2,
     .most = MOST_NB},
    {"no-equil", SPEC_FLAG, AT(no_equil), NULL, .help = "without equilibration in the long swap"},
    {"noise", SPEC_DOUBLE, AT(noise), "1", .help = "factor of the noise of kernels", .most = 100,
     .needs = "kernels"},
    {"per-host", SPEC_U32, AT(per_host), "1", .help = "ranks on each host of the table of kernels",
     .least = 1, .most = GENERATOR_RANKS_MAX, .needs = "kernels"},
    {"pfact", SPEC_CHOICE, AT(pfact), "crout", .help = "columns: left, crout or right",
     .names = FACTORS},
    {"pivots", SPEC_CHOICE, AT(pivots), "random",
     .help = "random, or matrix: of HPL's own matrix, which is factored at opening",
     .names = PIVOTS},
    {"pmap", SPEC_CHOICE, AT(pmap), "row", .help = "order of ranks in the grid: row or column",
     .names = ORDERS},
    {"rfact", SPEC_CHOICE, AT(rfact), "right", .help = "recursion: left, crout or right",
     .names = FACTORS},
    {"seed", SPEC_U64, AT(seed), "1", .help = "seed of pivots and noise"},
    {"speed", SPEC_SPEED, AT(speed), "1Gf",
     .help = "flops that a second of the table of kernels stands for", .needs = "kernels"},
    {"swap", SPEC_U32, AT(swap), "0", .help = "swap of rows: 0 binary exchange, 1 long, 2 mix",
     .most = HPL_SWAP_MIX},
    {"threshold", SPEC_U32, AT(threshold), "64",
     .help = "columns up to which mix is the binary exchange", .most = MOST_N},
    {.name = NULL},
};

/* --- numbering -------------------------------------------------------------------------------- */

uint32_t hpl_rank(const struct hpl *h, uint32_t row, uint32_t col)
{
  return h->o.pmap == HPL_BY_ROW ? row * h->o.q + col : col * h->o.p + row;
}

/* Number of indices below @p end that row or column @p at has. */
static uint64_t local_below(const struct hpl *h, uint64_t end, uint32_t at, uint32_t of)
{
  const uint64_t blocks = end / h->o.nb, turn = blocks % of;
  const uint64_t rest = at < turn ? h->o.nb : at == turn ? end % h->o.nb : 0;
  return blocks / of * h->o.nb + rest;
}

uint64_t hpl_local(const struct hpl *h, uint64_t from, uint64_t to, uint32_t at, uint32_t of)
{
  return local_below(h, to, at, of) - local_below(h, from, at, of);
}

static uint64_t columns(const struct hpl_at *a, uint64_t from, uint64_t to)
{
  return hpl_local(a->h, from, to, a->col, a->h->o.q);
}

static struct hpl_panel panel_at(const struct hpl_at *a, uint32_t index)
{
  const struct hpl_options *o = &a->h->o;
  const uint32_t first = index * o->nb, left = o->n - first, ahead = a->h->ahead;
  const uint32_t tag = index + (ahead > 0 && index >= ahead); /* HPL_pdgesvK2 skips a tag */
  struct hpl_panel x = {.index = index,
                        .first = first,
                        .width = left < o->nb ? left : o->nb,
                        .prow = index % o->p,
                        .pcol = index % o->q,
                        .tag = HPL_TAG_PANEL + (int32_t)(tag % PANEL_TAGS)};
  x.dist = (a->row + o->p - x.prow) % o->p;
  x.rows = hpl_local(a->h, first, o->n, a->row, o->p);
  x.below = x.rows - (x.dist == 0 ? x.width : 0);
  x.length = (x.below + x.width + 1) * x.width + 1;
  return x;
}

/* --- updates ---------------------------------------------------------------------------------- */

/* Adds a kernel of an update: to *c if the update may be divided into calls. */
static void charge(struct hpl_at *a, struct hpl_columns *c, enum kernel which, double m, double n,
                   double k)
{
  if (a->relay)
    hpl_charge_columns(a, c, which, m, n, k);
  else
    hpl_charge(a, which, m, n, k);
}

/* Emits an update of @p n columns that the arrival of a panel may divide into calls.  Each call has
 * the relative standard deviation of the whole update. */
static void relay_compute(struct hpl_at *a, const struct hpl_columns *c, uint64_t n)
{
  const double flops = a->cost == NULL ? 1 : a->h->o.speed;
  const double mean = c->call + c->column * (double)n;
  struct action compute = {.count = (int64_t)n,
                           .count2 = a->h->o.nb,
                           .amount = c->call * flops,
                           .amount2 = c->column * flops};
  if (c->sd > 0 && mean > 0) {
    compute.noise = c->sd / mean;
    compute.seed = rng_next(&a->noise) >> 1;
  }
  hpl_flush(a);
  emit_relay_compute(a->out, &compute);
  a->relay = false;
}

/* Solves for U and multiplies, in calls of NB columns as long as a panel is expected. */
static void multiply(struct hpl_at *a, const struct hpl_panel *x, uint64_t columns)
{
  struct hpl_columns c = {0};
  const bool one_row = a->h->o.p == 1;
  const double n = (double)columns;
  if (one_row)
    charge(a, &c, KERNEL_DLASWP00N, x->width, n, 1);
  charge(a, &c, KERNEL_DTRSM, x->width, n, x->width);
  charge(a, &c, KERNEL_DGEMM, (double)x->below, n, x->width);
  if (x->dist == 0 && !one_row)
    charge(a, &c, KERNEL_DLATCPY, x->width, n, 1);
  if (a->relay)
    relay_compute(a, &c, columns);
}

/* Updates n columns by panel @p x, and broadcasts panel @p next, which may be NULL (HPL_pdupdate).
 */
static void update(struct hpl_at *a, const struct hpl_panel *x, uint64_t n,
                   const struct hpl_panel *next)
{
  const struct hpl_options *o = &a->h->o;
  if (n == 0) {
    if (next != NULL)
      hpl_bcast(a, next);
    return;
  }
  if (next != NULL)
    hpl_bcast_begin(a, next);
  if (o->p > 1) {
    if (o->swap == HPL_SWAP_LONG || (o->swap == HPL_SWAP_MIX && n > o->threshold))
      hpl_swap_long(a, x, n);
    else
      hpl_swap_exchange(a, x, n);
  }
  multiply(a, x, n);
}

/* --- the stream ------------------------------------------------------------------------------- */

static void copy_panel(struct hpl_at *a, const struct hpl_panel *x)
{
  if (a->h->o.q > 1 && a->col == x->pcol)
    hpl_charge(a, KERNEL_DLACPY, (double)x->below, x->width, 1);
}

/* Before panel @p index is factored, the last `ahead` panels before it update its columns. */
static void update_panel(struct hpl_at *a, uint32_t index)
{
  const uint32_t ahead = a->h->ahead;
  const struct hpl_panel x = panel_at(a, index);
  if (index < ahead || a->col != x.pcol)
    return;
  for (uint32_t i = index - ahead; i < index; i++) {
    const struct hpl_panel before = panel_at(a, i);
    update(a, &before, x.width, NULL);
  }
}

/* After panel @p index is factored, broadcasts it and updates the columns after it: with
 * look-ahead, by the panel that is `ahead` panels earlier. */
static void finish_panel(struct hpl_at *a, uint32_t index)
{
  const struct hpl_options *o = &a->h->o;
  const uint32_t ahead = a->h->ahead;
  const uint64_t all = (uint64_t)o->n + 1;
  const struct hpl_panel x = panel_at(a, index);
  const uint64_t end = x.first + x.width;
  copy_panel(a, &x);
  if (index >= ahead && ahead > 0) {
    const struct hpl_panel first = panel_at(a, index - ahead);
    update(a, &first, columns(a, a->col == x.pcol ? end : x.first, all), &x);
    return;
  }
  hpl_bcast(a, &x);
  if (ahead == 0)
    update(a, &x, columns(a, end, all), NULL);
  else if (index + 1 < ahead)
    update(a, &x, columns(a, end, (uint64_t)ahead * o->nb), NULL);
}

static void fill_loop(struct hpl_at *a, const struct generator_place *at)
{
  const uint32_t index = at->iteration - 1;
  if (at->step == 0)
    update_panel(a, index);
  else if (at->step > a->h->chunks)
    finish_panel(a, index);
  else if (index % a->h->o.q == a->col) {
    const struct hpl_panel x = panel_at(a, index);
    hpl_factor(a, &x, (at->step - 1) * HPL_CHUNK, at->step * HPL_CHUNK);
  }
}

/* The last updates, of the right-hand side alone, and the solution. */
static void fill_tail(struct hpl_at *a, uint32_t step)
{
  const struct hpl *h = a->h;
  for (uint32_t i = h->panels - h->ahead; step == 0 && i < h->panels; i++) {
    const struct hpl_panel x = panel_at(a, i);
    update(a, &x, columns(a, h->o.n, (uint64_t)h->o.n + 1), NULL);
  }
  hpl_solve(a, step);
}

static void fill(const struct generator *g, const struct generator_place *at, struct emit *out)
{
  const struct hpl *h = (const struct hpl *)g;
  const uint32_t rank = out->rank, major = h->o.pmap == HPL_BY_ROW ? h->o.q : h->o.p;
  const uint64_t place = ((uint64_t)at->iteration << 32) + ((uint64_t)at->part << 28) + at->step;
  struct hpl_at a = {.h = h,
                     .out = out,
                     .row = h->o.pmap == HPL_BY_ROW ? rank / major : rank % major,
                     .col = h->o.pmap == HPL_BY_ROW ? rank % major : rank / major};
  if (h->kernels != NULL) {
    a.cost = kernels_of(h->kernels, rank / h->o.per_host, rank % h->o.per_host);
    a.noise = rng_new(h->o.seed + rank * UINT64_C(0x9e3779b97f4a7c15), place);
  }
  if (at->part == GENERATOR_LOOP)
    fill_loop(&a, at);
  if (at->part == GENERATOR_TAIL)
    fill_tail(&a, at->step);
  hpl_flush(&a);
}

/* --- opening ---------------------------------------------------------------------------------- */

static void close_hpl(struct generator *g)
{
  struct hpl *h = (struct hpl *)g;
  hpl_plan_free(h->plan[0]);
  hpl_plan_free(h->plan[1]);
  hpl_pivots_free(h->pivots);
  kernels_free(h->kernels);
  free(h->cut);
  spec_clear(&h->spec);
}

static enum status check(const struct hpl_options *o, struct err *e)
{
  if ((uint64_t)o->p * o->q > GENERATOR_RANKS_MAX)
    return err_set(e, "%" PRIu32 " x %" PRIu32 " ranks: more than %d", o->p, o->q,
                   GENERATOR_RANKS_MAX);
  if (o->depth > 0 && o->q > 1 && o->n <= (uint64_t)o->depth * o->nb)
    return err_set(e, "N=%" PRIu32 " is not above depth x NB = %" PRIu32, o->n, o->depth * o->nb);
  if (o->pivots == HPL_MATRIX && o->n > MOST_MATRIX)
    return err_set(e, "pivots=matrix: N=%" PRIu32 " is above %d", o->n, MOST_MATRIX);
  return OK;
}

static enum status load_kernels(struct hpl *h, struct err *e)
{
  const uint32_t ranks = h->o.p * h->o.q, hosts = (ranks - 1) / h->o.per_host + 1;
  if (*h->o.kernels == '\0')
    return OK;
  if (kernels_load(&h->kernels, h->o.kernels, e) != OK)
    return FAIL;
  const uint32_t named = kernels_hosts(h->kernels);
  if (named > 0 && named < hosts)
    return err_set(e,
                   "%s: costs of %" PRIu32 " hosts; %" PRIu32 " ranks with per-host=%" PRIu32
                   " need %" PRIu32,
                   h->o.kernels, named, ranks, h->o.per_host, hosts);
  return OK;
}

static enum status set_up(struct hpl *h, struct err *e)
{
  const struct hpl_options *o = &h->o;
  if (check(o, e) != OK || load_kernels(h, e) != OK)
    return FAIL;
  h->panels = (o->n - 1) / o->nb + 1;
  h->chunks = (o->nb - 1) / HPL_CHUNK + 1;
  h->ahead = o->q == 1 ? 0 : o->depth;
  h->cut = mem_array((size_t)o->p + 1, sizeof *h->cut, e);
  if (h->cut == NULL || hpl_plan_new(&h->plan[0], o, o->nb, e) != OK ||
      hpl_plan_new(&h->plan[1], o, o->n - (h->panels - 1) * o->nb, e) != OK)
    return FAIL;
  h->base.ranks = o->p * o->q;
  h->base.head = 1;
  h->base.loop = h->chunks + 2;
  h->base.tail = hpl_solve_steps(h);
  h->base.iterations = h->panels;
  h->base.likeness = GENERATOR_TREND;
  h->base.turn = o->q;
  h->base.fill = fill;
  return hpl_pivots_new(&h->pivots, h, e);
}

static enum status open_hpl(struct generator **out, const struct generator_kind *kind,
                            const char *text, struct err *e)
{
  struct hpl *h = mem_array(1, sizeof *h, e);
  if (h == NULL)
    return FAIL;
  h->base.close = close_hpl;
  if (spec_parse(&h->spec, kind->options, text, &h->o, e) != OK || set_up(h, e) != OK) {
    generator_close(&h->base);
    return FAIL;
  }
  *out = &h->base;
  return OK;
}

const struct generator_kind hpl_generator = {
    .name = "hpl",
    .example = "hpl:N=4096,NB=64,P=4,Q=4",
    .help = "High-Performance Linpack, HPL 2.3",
    .options = OPTIONS,
    .open = open_hpl,
};
