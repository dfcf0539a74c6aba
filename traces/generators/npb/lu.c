/* LU: SSOR by wavefronts.  A grid of ranks divides the cube along X and Y. In each plane of Z, a
 * rank waits for its neighbours to the north (before it along X) and west (before it along Y) on
 * the way up, and for its neighbours to the south and east on the way down.  NPB 3.4: LU/lu.f,
 * ssor.f, exchange_1.f to exchange_6.f, pintgr.f, proc_grid.f. */
#include <math.h>
#include <stdbool.h>

#include "traces/generators/npb/npb.h"

enum { UNKNOWNS = 5, SUBDOMAIN_MIN = 3 };

/* NPB's tags: the direction a message comes from. */
enum { FROM_SOUTH = 1, FROM_NORTH, FROM_EAST, FROM_WEST };

/* Operations per point, counted in LU's code; SWEEP is for one plane on the way up or down. */
enum { SWEEP = 765, RHS = 440, UPDATE = 15, OPERATIONS = 2 * SWEEP + RHS + UPDATE };

static const uint32_t POINTS[NPB_CLASSES] = {12, 33, 64, 102, 162, 408, 1020, 2560};

struct lu {
  struct generator base;
  uint32_t n;          /* points along each axis */
  uint32_t xdim, ydim; /* of the grid of ranks */
  double operation;    /* flops of one operation at all inner points */
};

/* An axis of the grid as one rank sees it. */
struct axis {
  bool has_before, has_after; /* neighbour to the north or west; to the south or east */
  uint32_t before, after;     /* their ranks */
  int32_t tag_up, tag_down;   /* of messages from `before`; from `after` */
  int64_t first, size;        /* points of its sub-domain: NPB's ipt and nx, or jpt and ny */
  int64_t inner;              /* number of points not on the surface of the cube */
};

/* The sub-domain of a rank. */
struct domain {
  struct axis x, y;
};

/* The axis for rank number @p at of @p dim ranks along it, which divide @p n points. */
static struct axis axis_of(uint32_t n, uint32_t at, uint32_t dim)
{
  const uint32_t size = n / dim, longer = n % dim;
  struct axis a = {.has_before = at > 0,
                   .has_after = at + 1 < dim,
                   .first = (int64_t)at * size + (at < longer ? at : longer),
                   .size = size + (at < longer)};
  a.inner = a.size - !a.has_before - !a.has_after;
  return a;
}

static struct domain domain_of(const struct lu *lu, uint32_t rank)
{
  struct domain d = {.x = axis_of(lu->n, rank % lu->xdim, lu->xdim),
                     .y = axis_of(lu->n, rank / lu->xdim, lu->ydim)};
  d.x.before = rank - 1;
  d.x.after = rank + 1;
  d.x.tag_up = FROM_NORTH;
  d.x.tag_down = FROM_SOUTH;
  d.y.before = rank - lu->xdim;
  d.y.after = rank + lu->xdim;
  d.y.tag_up = FROM_WEST;
  d.y.tag_down = FROM_EAST;
  return d;
}

static void compute(const struct lu *lu, const struct domain *d, double operations,
                    struct emit *out)
{
  const double inner = lu->n - 2;
  emit_compute(out, lu->operation * operations * (double)d->x.inner / inner *
                        ((double)d->y.inner / inner));
}

/* exchange_3 along one axis: two layers on each side. */
static void exchange_layers(const struct axis *a, int64_t count, struct emit *out)
{
  if (a->has_before)
    emit_irecv(out, a->before, a->tag_up, count, EMIT_DOUBLE);
  if (a->has_after)
    emit_send(out, a->after, a->tag_up, count, EMIT_DOUBLE);
  if (a->has_before)
    emit_wait_recv(out, a->before, a->tag_up);
  if (a->has_after)
    emit_irecv(out, a->after, a->tag_down, count, EMIT_DOUBLE);
  if (a->has_before)
    emit_send(out, a->before, a->tag_down, count, EMIT_DOUBLE);
  if (a->has_after)
    emit_wait_recv(out, a->after, a->tag_down);
}

/* NPB's rhs; also erhs, which sets up the forcing term. */
static void right_hand_side(const struct lu *lu, const struct domain *d, struct emit *out)
{
  const int64_t layers = 2 * UNKNOWNS * (int64_t)lu->n;
  exchange_layers(&d->x, layers * d->y.size, out);
  exchange_layers(&d->y, layers * d->x.size, out);
  compute(lu, d, RHS, out);
}

/* exchange_1: receives the edge of a plane along an axis, on the way up or down. */
static void take(const struct axis *a, bool up, int64_t count, struct emit *out)
{
  if (up ? a->has_before : a->has_after)
    emit_recv(out, up ? a->before : a->after, up ? a->tag_up : a->tag_down, count, EMIT_DOUBLE);
}

static void give(const struct axis *a, bool up, int64_t count, struct emit *out)
{
  if (up ? a->has_after : a->has_before)
    emit_send(out, up ? a->after : a->before, up ? a->tag_up : a->tag_down, count, EMIT_DOUBLE);
}

/* One plane of blts (up) or buts. */
static void plane(const struct lu *lu, const struct domain *d, bool up, struct emit *out)
{
  const int64_t rows = UNKNOWNS * d->y.inner, columns = UNKNOWNS * d->x.inner;
  take(&d->x, up, rows, out);
  take(&d->y, up, columns, out);
  compute(lu, d, (double)SWEEP / (lu->n - 2), out);
  give(&d->x, up, rows, out);
  give(&d->y, up, columns, out);
}

static void norms(struct emit *out)
{
  emit_allreduce(out, UNKNOWNS, EMIT_DOUBLE);
}

/* One step of an iteration: the planes upwards, the planes downwards, then the update and the
 * right-hand side, with norms in the last iteration. */
static void iterate(const struct lu *lu, const struct generator_place *at, struct emit *out)
{
  const struct domain d = domain_of(lu, out->rank);
  const uint32_t planes = lu->n - 2;
  if (at->step < 2 * planes) {
    plane(lu, &d, at->step < planes, out);
    return;
  }
  const bool last = (at->part == GENERATOR_LOOP ? at->iteration : 1) == lu->base.iterations;
  compute(lu, &d, UPDATE, out);
  if (last)
    norms(out);
  right_hand_side(lu, &d, out);
  if (last)
    norms(out);
}

/* The part of ssor before its iterations. */
static void begin(const struct lu *lu, struct emit *out)
{
  const struct domain d = domain_of(lu, out->rank);
  right_hand_side(lu, &d, out);
  norms(out);
  emit_barrier(out);
}

/* The part of ssor after its iterations: the time. */
static void end(struct emit *out)
{
  emit_allreduce(out, 1, EMIT_DOUBLE);
}

/* ipr, inorm, itmax; dt, omega, tolrsd; nx0, ny0, nz0; timeron. */
static void input(struct emit *out)
{
  for (int i = 0; i < 3; i++)
    emit_bcast(out, 1, 0, EMIT_INT);
  emit_bcast(out, 1, 0, EMIT_DOUBLE);
  emit_bcast(out, 1, 0, EMIT_DOUBLE);
  emit_bcast(out, UNKNOWNS, 0, EMIT_DOUBLE);
  for (int i = 0; i < 3; i++)
    emit_bcast(out, 1, 0, EMIT_INT);
  emit_bcast(out, 1, 0, EMIT_LOGICAL);
}

/* --- pintgr: the integral over a surface ----------------------------------------------------- */

/* The points of a rank's sub-domain, numbered from 1, on a surface that spans the points @p from to
 * @p to of the axis: NPB's ibeg, ifin and ifin1. */
struct span {
  int64_t begin, end, end1;
};

static struct span span_of(const struct axis *a, int64_t from, int64_t to)
{
  const int64_t low = a->first + 1, high = a->first + a->size;
  struct span s = {a->size + 1, 0, 0};
  if (low >= from && high < to + a->size)
    s.begin = 1;
  if (low > from - a->size && high <= to)
    s.end = a->size;
  if (from >= low && from <= high)
    s.begin = from - a->first;
  if (to >= low && to <= high)
    s.end = to - a->first;
  s.end1 = s.end - (a->first + s.end == to);
  return s;
}

/* Ranks that share the surface receive a layer from the next rank and send a layer to the previous
 * one. */
static void pass_down(const struct axis *a, struct span s, int64_t count, struct emit *out)
{
  if (s.end1 == a->size) {
    emit_irecv(out, a->after, a->tag_down, count, EMIT_DOUBLE);
    emit_wait_recv(out, a->after, a->tag_down);
  }
  if (s.begin == 1)
    emit_send(out, a->before, a->tag_down, count, EMIT_DOUBLE);
}

static void integrate(const struct lu *lu, struct emit *out)
{
  const struct domain d = domain_of(lu, out->rank);
  const int64_t n = lu->n, x_low = 2, x_high = n - 1, y_low = 2, y_high = n - 2;
  const struct span x = span_of(&d.x, x_low, x_high), y = span_of(&d.y, y_low, y_high);
  pass_down(&d.y, y, 2 * d.x.size, out);
  pass_down(&d.x, x, 2 * (d.y.size + 2), out);
  emit_allreduce(out, 1, EMIT_DOUBLE);
  if (d.y.first + y.begin == y_low)
    pass_down(&d.x, x, n, out);
  if (d.y.first + y.end == y_high)
    pass_down(&d.x, x, n, out);
  emit_allreduce(out, 1, EMIT_DOUBLE);
  if (d.x.first + x.begin == x_low)
    pass_down(&d.y, y, n, out);
  if (d.x.first + x.end == x_high)
    pass_down(&d.y, y, n, out);
  emit_allreduce(out, 1, EMIT_DOUBLE);
}

/* --- the benchmark --------------------------------------------------------------------------- */

static void set_up(const struct lu *lu, struct emit *out)
{
  const struct domain d = domain_of(lu, out->rank);
  input(out);
  right_hand_side(lu, &d, out);
  begin(lu, out);
}

static void fill(const struct generator *g, const struct generator_place *at, struct emit *out)
{
  const struct lu *lu = (const struct lu *)g;
  switch (at->part) {
  case GENERATOR_HEAD:
    set_up(lu, out);
    break;
  case GENERATOR_MIDDLE:
    end(out);
    begin(lu, out);
    break;
  case GENERATOR_TAIL:
    end(out);
    norms(out); /* of the error */
    integrate(lu, out);
    break;
  default:
    iterate(lu, at, out);
  }
}

/* NPB's isqrt2: the smallest divisor x of @p ranks from the square root on; 0 if x is more than
 * twice ranks / x. */
static uint32_t rows_of(uint32_t ranks)
{
  uint32_t x = (uint32_t)sqrt((double)ranks) + 1;
  while (x * x > ranks)
    x--;
  if (x * x == ranks)
    return x;
  x++;
  uint32_t y = ranks / x;
  while (x * y != ranks && 2 * y >= x)
    y = ranks / ++x;
  return x * y != ranks || 2 * y < x ? 0 : x;
}

/* NPB's proc_grid; false if NPB fails. */
static bool grid_of(uint32_t ranks, uint32_t *xdim, uint32_t *ydim)
{
  const uint32_t x0 = rows_of(ranks);
  if (x0 == 0)
    return false;
  *xdim = x0;
  *ydim = ranks / x0;
  return true;
}

/* NPB aborts if there is no grid, or if a side of a sub-domain has fewer than 3 points. */
static uint32_t ranks_used(enum npb_class class, uint32_t ranks)
{
  uint32_t x, y;
  return grid_of(ranks, &x, &y) && POINTS[class] / x >= SUBDOMAIN_MIN ? ranks : 0;
}

static enum status init(struct generator *g, const struct npb_job *job, struct err *e)
{
  struct lu *lu = (struct lu *)g;
  (void)e;
  lu->n = POINTS[job->class];
  grid_of(job->ranks, &lu->xdim, &lu->ydim);
  const double n = lu->n;
  lu->operation = (1984.77 * n * n * n - 10923.3 * n * n + 27770.9 * n - 144010) / OPERATIONS;
  const uint32_t steps = 2 * (lu->n - 2) + 1;
  g->warmup = steps;
  g->middle = 1;
  g->loop = steps;
  g->likeness = GENERATOR_BUT_LAST; /* the last iteration has norms */
  g->fill = fill;
  return OK;
}

const struct npb_benchmark npb_lu = {.name = "lu",
                                     .help = "SSOR by wavefronts, two to four neighbours",
                                     .iterations = {50, 300, 250, 250, 250, 300, 300, 300},
                                     .ranks_used = ranks_used,
                                     .bytes = sizeof(struct lu),
                                     .init = init};
