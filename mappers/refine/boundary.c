#include "mappers/refine/boundary.h"

#include <math.h>
#include <string.h>

#include "common/numeric/rng.h"
#include "mappers/anneal.h"
#include "mappers/graph.h"
#include "mappers/spread.h"

/* Limits of the tests: per rank, and of all ranks. */
enum { TESTS = 1024, ALL_TESTS = 1 << 22 };

/* First heat, in mean changes of a test, and last heat as a share of the first. */
#define FIRST_HEAT 0.1
#define LAST_HEAT  0.01

/* Of ten tests, this number move a rank to the host of one of its partners. */
enum { NEAR = 8 };

/* Changes of the norm below this one are rounding errors: its unit is the mean boundary. */
#define LEAST_CHANGE 1e-9

#define NONE UINT32_MAX

/* The bytes that leave a host and the bytes that enter it: a link has both directions. */
struct boundary {
  double out, in;
};

struct state {
  const struct mapper_input *in;
  struct graph g;  /* with bytes */
  uint64_t *out;   /* by arc: bytes that its task sends along it; the rest of its bytes return */
  uint32_t *host;  /* by rank */
  uint32_t *used;  /* hosts of the mapping */
  uint32_t *first; /* by host: index of its first slot in rank[] */
  uint32_t *slots; /* by host: slots, 0 if the mapping does not use it */
  uint32_t *ranks; /* by host: number of ranks */
  uint32_t *rank;  /* by slot; the ranks of a host are in its first slots */
  uint32_t *slot;  /* by rank */
  uint32_t hosts;  /* number of used[] */
  double sum;      /* of all boundaries to the power 8 */
  struct boundary *boundary; /* by host, in units */
  double unit;               /* the mean boundary of a host and direction, in bytes */
  struct rng rng;
};

/* A move of a rank to another host, and of a rank of that host back, or NONE. */
struct step {
  uint32_t rank, back, from, to;
  struct boundary boundary[2]; /* of both hosts after it */
};

static double power(double x)
{
  const double y = x * x, z = y * y;
  return z * z;
}

static double cost(struct boundary b)
{
  return power(b.out) + power(b.in);
}

/* Adds the changes of both boundaries if @p rank moves to host @p to.  @p other: the rank that
 * moves back; the edge between both changes its direction, half of which each of them adds. */
static void add_change(const struct state *s, uint32_t rank, uint32_t other, uint32_t to,
                       struct boundary *left, struct boundary *entered)
{
  const struct graph *g = &s->g;
  const uint32_t from = s->host[rank];
  for (uint32_t a = g->first[rank]; a < g->first[rank + 1]; a++) {
    const uint32_t u = g->to[a];
    const double out = (double)s->out[a] / s->unit;
    const double in = (double)(g->bytes[a] - s->out[a]) / s->unit;
    if (u == other) {
      left->out += (in - out) / 2;
      left->in += (out - in) / 2;
      entered->out += (out - in) / 2;
      entered->in += (in - out) / 2;
      continue;
    }
    left->out += s->host[u] == from ? in : -out;
    left->in += s->host[u] == from ? out : -in;
    entered->out += s->host[u] == to ? -in : out;
    entered->in += s->host[u] == to ? -out : in;
  }
}

/* The norm of all boundaries, given the sum of their powers. */
static double norm(double sum)
{
  return sqrt(sqrt(sqrt(fmax(sum, 0))));
}

/* Sums up anew, as differences of powers would leave rounding errors. */
static void sum_up(struct state *s)
{
  s->sum = 0;
  for (uint32_t i = 0; i < s->hosts; i++)
    s->sum += cost(s->boundary[s->used[i]]);
}

/* Sets the boundaries after the step, and returns the change of the norm. */
static double try_step(const struct state *s, struct step *x)
{
  const struct boundary *b = s->boundary;
  x->boundary[0] = b[x->from];
  x->boundary[1] = b[x->to];
  add_change(s, x->rank, x->back, x->to, &x->boundary[0], &x->boundary[1]);
  if (x->back != NONE)
    add_change(s, x->back, x->rank, x->from, &x->boundary[1], &x->boundary[0]);
  const double sum =
      s->sum + cost(x->boundary[0]) + cost(x->boundary[1]) - cost(b[x->from]) - cost(b[x->to]);
  return norm(sum) - norm(s->sum);
}

static void put(struct state *s, uint32_t rank, uint32_t host, uint32_t slot)
{
  s->host[rank] = host;
  s->slot[rank] = slot;
  s->rank[slot] = rank;
}

static void make_step(struct state *s, const struct step *x)
{
  const uint32_t slot = s->slot[x->rank];
  s->boundary[x->from] = x->boundary[0];
  s->boundary[x->to] = x->boundary[1];
  if (x->back != NONE) {
    const uint32_t other = s->slot[x->back];
    put(s, x->rank, x->to, other);
    put(s, x->back, x->from, slot);
  } else {
    put(s, s->rank[s->first[x->from] + --s->ranks[x->from]], x->from, slot);
    put(s, x->rank, x->to, s->first[x->to] + s->ranks[x->to]++);
  }
}

/* Draws a step; false if the rank would stay. */
static bool draw(struct state *s, struct step *x)
{
  const struct graph *g = &s->g;
  x->rank = (uint32_t)rng_below(&s->rng, s->in->ranks);
  x->from = s->host[x->rank];
  const uint32_t degree = graph_degree(g, x->rank);
  if (degree > 0 && rng_below(&s->rng, 10) < NEAR)
    x->to = s->host[g->to[g->first[x->rank] + rng_below(&s->rng, degree)]];
  else
    x->to = s->used[rng_below(&s->rng, s->hosts)];
  const uint32_t i = (uint32_t)rng_below(&s->rng, s->slots[x->to]);
  x->back = i < s->ranks[x->to] ? s->rank[s->first[x->to] + i] : NONE;
  return x->to != x->from;
}

/* Sets used[], slots[] and first[] by the mapping. */
static void find_slots(struct state *s)
{
  const struct mapper_input *in = s->in;
  const uint32_t most = in->ranks_per_host < in->ranks ? in->ranks_per_host : in->ranks;
  for (uint32_t r = 0; r < in->ranks; r++) {
    const uint32_t h = s->host[r];
    if (s->slots[h] > 0)
      continue;
    s->slots[h] = spread_slots(in, h, most);
    s->used[s->hosts++] = h;
  }
  for (uint32_t i = 1; i < s->hosts; i++)
    s->first[s->used[i]] = s->first[s->used[i - 1]] + s->slots[s->used[i - 1]];
}

static void fill_slots(struct state *s)
{
  for (uint32_t r = 0; r < s->in->ranks; r++)
    put(s, r, s->host[r], s->first[s->host[r]] + s->ranks[s->host[r]]++);
}

/* The arc from @p v to @p u. */
static uint32_t arc_between(const struct graph *g, uint32_t v, uint32_t u)
{
  uint32_t low = g->first[v], high = g->first[v + 1] - 1;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (g->to[middle] < u)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* Sets `out`, `unit` and the boundaries. */
static void measure(struct state *s)
{
  const struct matrix *m = s->in->traffic;
  double sum = 0;
  for (size_t i = 0; i < m->count; i++) {
    const struct matrix_entry x = matrix_at(m, i);
    if (!graph_counts(&x))
      continue;
    s->out[arc_between(&s->g, x.src, x.dst)] += x.bytes;
    sum += s->host[x.src] == s->host[x.dst] ? 0 : (double)x.bytes;
  }
  s->unit = sum / s->hosts;
  for (size_t i = 0; i < m->count && sum > 0; i++) {
    const struct matrix_entry x = matrix_at(m, i);
    if (s->host[x.src] == s->host[x.dst])
      continue;
    s->boundary[s->host[x.src]].out += (double)x.bytes / s->unit;
    s->boundary[s->host[x.dst]].in += (double)x.bytes / s->unit;
  }
}

static enum status set_up(struct state *s, struct arena *mem)
{
  const struct mapper_input *in = s->in;
  const uint32_t hosts = platform_hosts(in->platform);
  s->used = arena_array(mem, in->ranks, sizeof *s->used);
  s->first = arena_array(mem, hosts, sizeof *s->first);
  s->slots = arena_array(mem, hosts, sizeof *s->slots);
  s->ranks = arena_array(mem, hosts, sizeof *s->ranks);
  s->slot = arena_array(mem, in->ranks, sizeof *s->slot);
  s->boundary = arena_array(mem, hosts, sizeof *s->boundary);
  if (arena_status(mem) != OK || graph_new(&s->g, in->traffic, in->ranks, in->ranks, mem) != OK)
    return FAIL;
  find_slots(s);
  const uint32_t last = s->used[s->hosts - 1];
  s->rank = arena_array(mem, s->first[last] + s->slots[last], sizeof *s->rank);
  s->out = arena_array(mem, s->g.first[s->g.n], sizeof *s->out);
  if (arena_status(mem) != OK)
    return FAIL;
  fill_slots(s);
  measure(s);
  sum_up(s);
  return OK;
}

static double mean_change(struct state *s)
{
  struct step x;
  double sum = 0;
  for (int i = 0; i < 256; i++)
    sum += draw(s, &x) ? fabs(try_step(s, &x)) : 0;
  return sum / 256;
}

/* Writes the best mapping to @p best. */
static void anneal(struct state *s, uint32_t *best)
{
  const size_t size = s->in->ranks * sizeof *best;
  const uint64_t usual = (uint64_t)TESTS * s->in->ranks;
  const uint64_t tests = usual < ALL_TESTS ? usual : ALL_TESTS;
  const double first = FIRST_HEAT * mean_change(s);
  double least = norm(s->sum), heat = first;
  struct step x;
  memcpy(best, s->host, size);
  for (uint64_t i = 0; i < tests && first > 0; i++) {
    if (i % 64 == 0)
      heat = anneal_heat(first, LAST_HEAT, (double)i / (double)tests);
    if (!draw(s, &x))
      continue;
    const double d = try_step(s, &x);
    if (d > 0 && d > anneal_draw(heat, &s->rng))
      continue;
    make_step(s, &x);
    sum_up(s);
    if (norm(s->sum) < least - LEAST_CHANGE) {
      least = norm(s->sum);
      memcpy(best, s->host, size);
    }
  }
}

enum status boundary_even(uint32_t *host, const struct mapper_input *in, uint64_t seed,
                          struct err *e)
{
  ARENA(mem, e);
  struct state s = {.in = in, .host = host, .rng = rng_new(seed, 0)};
  uint32_t *best = arena_array(&mem, in->ranks, sizeof *best);
  if (best == NULL || set_up(&s, &mem) != OK)
    return FAIL;
  if (s.unit > 0) {
    anneal(&s, best);
    memcpy(host, best, in->ranks * sizeof *best);
  }
  return OK;
}
