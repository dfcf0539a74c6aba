/* MG: V-cycles of multigrid on a periodic cube with 2^lt points along each axis.  Level k has 2^k
 * points along each axis, divided among a grid of ranks; the sides of the grid are powers of two.
 * If an axis has more ranks than points, only every 2^s-th rank has a point.  Such ranks exchange
 * halos with ranks 2^s away, and send their values to the ranks between them for the next finer
 * level.  NPB 3.4: MG/mg.f. */

#include "traces/generators/npb/npb.h"

enum { AXES = 3, RANKS_LOG_MAX = 17 /* NPB's maxprocs */, EXTREMES = 10 /* of zran3 */ };

/* Operations per point, counted as in NPB's comments (a(1) and c(3) are 0); for restriction and
 * interpolation, per point of the coarser level. */
enum { RESIDUAL = 15, SMOOTH = 16, RESTRICT = 24, INTERPOLATE = 20 };

/* NPB counts 58 operations per iteration and point of the finest level. */
enum { OPERATIONS = 58 };

/* log2 of the points along each axis. */
static const uint32_t LEVELS[NPB_CLASSES] = {5, 7, 8, 8, 9, 10, 11, 12};

struct mg {
  struct generator base;
  uint32_t lt;        /* the finest level; the coarsest is 1 */
  uint32_t log[AXES]; /* log2 of the ranks along each axis, X first */
  int64_t buffer;     /* elements of each receive buffer: NPB's nm2 */
  double scale;       /* flops counted by NPB / operations counted here */
};

/* A rank's part of a level. */
struct level {
  uint32_t index[AXES], skip[AXES]; /* coordinates of the rank; distance to neighbours */
  int64_t n[AXES];                  /* number of points, including the halo; 2: none */
  bool takes[AXES], gives[AXES];    /* receives values of the next coarser level; sends them */
  bool dead;                        /* the rank has no points */
};

/* Returns s: every 2^s-th rank along an axis has a point of level k. 0: all have. */
static uint32_t skip_log(const struct mg *mg, uint32_t k, int axis)
{
  return mg->log[axis] > k ? mg->log[axis] - k : 0;
}

static struct level level_of(const struct mg *mg, uint32_t rank, uint32_t k)
{
  struct level l = {.dead = false};
  for (int a = 0; a < AXES; a++) {
    const uint32_t s = skip_log(mg, k, a), i = rank & ((1u << mg->log[a]) - 1);
    const bool has = (i + 1) % (1u << s) == 0;
    rank >>= mg->log[a];
    l.index[a] = i;
    l.skip[a] = 1u << s;
    l.n[a] = 2 + (s > 0 ? has : (int64_t)1 << (k - mg->log[a]));
    l.dead |= l.n[a] == 2;
    const uint32_t coarser = k > 1 ? skip_log(mg, k - 1, a) : 0;
    const uint32_t offset = (i + 1) % (1u << coarser);
    l.gives[a] = coarser > 0 && offset == 0;
    l.takes[a] = coarser > 0 && offset == 1u << (coarser - 1);
  }
  return l;
}

/* NPB's nbr(axis, direction). */
static uint32_t neighbour(const struct mg *mg, const struct level *l, int axis, int direction)
{
  uint32_t at[AXES] = {l->index[0], l->index[1], l->index[2]};
  const uint32_t size = 1u << mg->log[axis];
  at[axis] = (at[axis] + (direction > 0 ? l->skip[axis] : size - l->skip[axis])) % size;
  return at[0] + ((at[1] + (at[2] << mg->log[1])) << mg->log[0]);
}

static int32_t tag_of(int axis, int direction)
{
  return 100 * (direction + 2 + 10 * (axis + 1));
}

/* NPB's ready: posts the receive of the message that travels in @p direction. */
static void ready(const struct mg *mg, const struct level *l, int axis, int direction,
                  struct emit *out)
{
  emit_irecv(out, neighbour(mg, l, axis, -direction), tag_of(axis, direction), mg->buffer,
             EMIT_DOUBLE);
}

static void take(const struct mg *mg, const struct level *l, int axis, int direction,
                 struct emit *out)
{
  emit_wait_recv(out, neighbour(mg, l, axis, -direction), tag_of(axis, direction));
}

/* A message to the neighbour, of any size. */
struct face {
  int axis, direction;
  int64_t count;
};

static void give(const struct mg *mg, const struct level *l, struct face f, struct emit *out)
{
  emit_send(out, neighbour(mg, l, f.axis, f.direction), tag_of(f.axis, f.direction), f.count,
            EMIT_DOUBLE);
}

/* comm3: exchanges the halo one axis after another, so that edges and corners are included. */
static void halo(const struct mg *mg, const struct level *l, struct emit *out)
{
  const int64_t *n = l->n;
  const int64_t face[AXES] = {(n[1] - 2) * (n[2] - 2), n[0] * (n[2] - 2), n[0] * n[1]};
  for (int a = 0; a < AXES && !l->dead && mg->base.ranks > 1; a++) {
    ready(mg, l, a, -1, out);
    ready(mg, l, a, +1, out);
    give(mg, l, (struct face){a, +1, face[a]}, out);
    give(mg, l, (struct face){a, -1, face[a]}, out);
    take(mg, l, a, -1, out);
    take(mg, l, a, +1, out);
  }
}

/* comm3_ex: sends values from ranks with points at the coarser level to the ranks between them. */
static void spread(const struct mg *mg, const struct level *l, struct emit *out)
{
  const int64_t *n = l->n;
  const int64_t face[AXES] = {n[1] * n[2], n[0] * n[2], n[0] * n[1]};
  for (int a = 0; a < AXES && mg->base.ranks > 1; a++) {
    if (l->takes[a]) {
      ready(mg, l, a, -1, out);
      ready(mg, l, a, +1, out);
      take(mg, l, a, -1, out);
      take(mg, l, a, +1, out);
    }
    if (l->gives[a]) {
      give(mg, l, (struct face){a, +1, 2 * face[a]}, out);
      give(mg, l, (struct face){a, -1, face[a]}, out);
    }
  }
}

static void compute(const struct mg *mg, const struct level *l, double operations, struct emit *out)
{
  const double points = (double)((l->n[0] - 2) * (l->n[1] - 2) * (l->n[2] - 2));
  emit_compute(out, mg->scale * operations * points);
}

/* A stencil at level k, and the exchange of its halo. */
static void relax(const struct mg *mg, uint32_t k, double operations, struct emit *out)
{
  const struct level l = level_of(mg, out->rank, k);
  compute(mg, &l, operations, out);
  halo(mg, &l, out);
}

/* Interpolates from level k-1 to level k. */
static void interpolate(const struct mg *mg, uint32_t k, struct emit *out)
{
  const struct level coarse = level_of(mg, out->rank, k - 1), fine = level_of(mg, out->rank, k);
  compute(mg, &coarse, INTERPOLATE, out);
  spread(mg, &fine, out);
}

static uint32_t cycle_steps(const struct mg *mg)
{
  return 4 * (mg->lt - 1) + 2;
}

/* One step of mg3P and the residual after it: down, the coarsest level, up (three steps for each
 * level), the residual. */
static void cycle(const struct mg *mg, uint32_t step, struct emit *out)
{
  const uint32_t down = mg->lt - 1;
  if (step < down)
    relax(mg, down - step, RESTRICT, out);
  else if (step == down)
    relax(mg, 1, SMOOTH, out);
  else if (step + 1 == cycle_steps(mg))
    relax(mg, mg->lt, RESIDUAL, out);
  else {
    const uint32_t up = step - down - 1, k = 2 + up / 3;
    if (up % 3 == 0)
      interpolate(mg, k, out);
    else
      relax(mg, k, up % 3 == 1 ? RESIDUAL : SMOOTH, out);
  }
}

/* zran3, and the halo of the right-hand side.  In zran3 all ranks agree on the extreme values. */
static void right_hand_side(const struct mg *mg, struct emit *out)
{
  const struct level l = level_of(mg, out->rank, mg->lt);
  emit_barrier(out);
  for (int i = 0; i < 2 * EXTREMES; i++) {
    emit_allreduce(out, 1, EMIT_DOUBLE);
    emit_allreduce(out, 4, EMIT_INT);
  }
  emit_barrier(out);
  halo(mg, &l, out);
}

static void norms(struct emit *out)
{
  emit_allreduce(out, 1, EMIT_DOUBLE);
  emit_allreduce(out, 1, EMIT_DOUBLE);
}

/* The first residual and its norms.  NPB does not count its operations. */
static void first_residual(const struct mg *mg, struct emit *out)
{
  const struct level l = level_of(mg, out->rank, mg->lt);
  halo(mg, &l, out);
  norms(out);
}

/* lt, nit, nx, ny, nz; debug_vec; timeron. */
static void input(struct emit *out)
{
  emit_barrier(out);
  for (int i = 0; i < 5; i++)
    emit_bcast(out, 1, 0, EMIT_INT);
  emit_bcast(out, 8, 0, EMIT_INT);
  emit_bcast(out, 1, 0, EMIT_LOGICAL);
}

static void head(const struct mg *mg, uint32_t step, struct emit *out)
{
  if (step == 0)
    input(out);
  else if (step == 1)
    right_hand_side(mg, out);
  else {
    norms(out);
    first_residual(mg, out);
  }
}

static void fill(const struct generator *g, const struct generator_place *at, struct emit *out)
{
  const struct mg *mg = (const struct mg *)g;
  switch (at->part) {
  case GENERATOR_HEAD:
    head(mg, at->step, out);
    break;
  case GENERATOR_MIDDLE:
    if (at->step == 0)
      right_hand_side(mg, out);
    else {
      emit_barrier(out);
      first_residual(mg, out);
    }
    break;
  case GENERATOR_TAIL:
    norms(out);
    emit_reduce(out, 1, 0, EMIT_DOUBLE); /* the time */
    break;
  default:
    cycle(mg, at->step, out);
  }
}

static double cube(uint32_t log)
{
  return (double)((uint64_t)1 << (3 * log));
}

/* Operations of all steps of a cycle, over all ranks. */
static double cycle_operations(uint32_t lt)
{
  double sum = SMOOTH * cube(1) + RESIDUAL * cube(lt);
  for (uint32_t k = 2; k <= lt; k++)
    sum += (RESTRICT + INTERPOLATE) * cube(k - 1) + (RESIDUAL + SMOOTH) * cube(k);
  return sum;
}

/* NPB fails for more than 2^17 ranks, and does not provide for more ranks than points along an
 * axis. */
static uint32_t ranks_used(enum npb_class class, uint32_t ranks)
{
  const uint32_t log = npb_log2(ranks);
  return log > RANKS_LOG_MAX || log > AXES * LEVELS[class] ? 0 : 1u << log;
}

static enum status init(struct generator *g, const struct npb_job *job, struct err *e)
{
  struct mg *mg = (struct mg *)g;
  (void)e;
  const uint32_t log = npb_log2(job->ranks), x = log / 3, y = (log - x) / 2;
  mg->lt = LEVELS[job->class];
  mg->log[0] = x;
  mg->log[1] = y;
  mg->log[2] = log - x - y;
  const int64_t side = 2 + ((int64_t)1 << (mg->lt - x));
  mg->buffer = 2 * side * side;
  mg->scale = OPERATIONS * cube(mg->lt) / cycle_operations(mg->lt);
  g->head = 3;
  g->warmup = cycle_steps(mg);
  g->likeness = GENERATOR_ALIKE_WARM;
  g->middle = 2;
  g->loop = cycle_steps(mg);
  g->fill = fill;
  return OK;
}

const struct npb_benchmark npb_mg = {.name = "mg",
                                     .help = "multigrid, neighbours at distances of powers of two",
                                     .iterations = {4, 4, 4, 20, 20, 50, 50, 50},
                                     .ranks_used = ranks_used,
                                     .bytes = sizeof(struct mg),
                                     .init = init};
