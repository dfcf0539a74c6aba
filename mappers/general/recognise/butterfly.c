#include "mappers/general/recognise/butterfly.h"

#include <stdlib.h>
#include <string.h>

#include "common/numeric/rising.h"
#include "mappers/general/recognise/edge_classes.h"
#include "mappers/general/recognise/linear.h"

/* The share of the traffic that differences and transposes of addresses must have. */
#define EXPLAINED 0.9

#define NONE UINT32_MAX

struct cubes {
  const struct graph *g;
  struct edge_classes p;
  uint8_t *kept;   /* by class: its edges belong to cubes */
  uint32_t *cube;  /* by task: its hypercube */
  uint32_t *local; /* by task: its address in its cube */
  uint32_t *queue;
  uint32_t *partner;            /* by task: its partner in another cube; itself if there is none */
  uint32_t *name;               /* by cube: `width` bits */
  uint32_t *flip;               /* by cube: mask that aligns its spare bit */
  uint32_t *address;            /* by task: address of 2 * width bits and the spare bit */
  uint32_t cubes, bits, width;  /* number of cubes; bits of local addresses, and of names */
  uint32_t *bit_of;             /* by class: its bit in the current cube, plus 1; 0: none yet */
  uint32_t side[GRID_MAX_DIMS]; /* of the box of hosts */
  uint64_t seed;
};

/* --- addresses -------------------------------------------------------------------------------- */

/* Keeps the classes that have at least half the size of the median edge's class. */
static void choose_classes(struct cubes *c)
{
  const uint32_t n = c->p.classes;
  uint32_t all = 0, sum = 0, middle = 0;
  memcpy(c->queue, c->p.size, n * sizeof *c->queue);
  qsort(c->queue, n, sizeof *c->queue, rising_u32);
  for (uint32_t i = 0; i < n; i++)
    all += c->queue[i];
  for (uint32_t i = 0; i < n && 2 * sum < all; i++) {
    sum += c->queue[i];
    middle = c->queue[i];
  }
  for (uint32_t i = 0; i < n; i++)
    c->kept[i] = 2 * c->p.size[i] >= middle;
}

static bool is_kept(const struct cubes *c, uint32_t arc)
{
  const uint32_t class = c->p.class[c->p.edge[arc]];
  return class != NONE && c->kept[class];
}

/* Gives addresses to the tasks of the cube of @p root.  False if it is not a cube of c->bits bits.
 * The first cube sets c->bits. */
static bool walk(struct cubes *c, uint32_t root, uint32_t number)
{
  const struct graph *g = c->g;
  uint32_t count = 1, bits = 0;
  uint32_t used[LINEAR_MOST_BITS];
  bool fits = true;
  c->queue[0] = root;
  c->cube[root] = number;
  c->local[root] = 0;
  for (uint32_t i = 0; i < count && fits; i++) {
    const uint32_t v = c->queue[i];
    uint32_t seen = 0;
    for (uint32_t a = g->first[v]; a < g->first[v + 1] && fits; a++) {
      if (!is_kept(c, a))
        continue;
      const uint32_t class = c->p.class[c->p.edge[a]], u = g->to[a];
      if (c->bit_of[class] == 0 && (fits = bits < LINEAR_MOST_BITS)) {
        used[bits] = class;
        c->bit_of[class] = ++bits;
      }
      const uint32_t mask = fits ? 1u << (c->bit_of[class] - 1) : 0;
      fits = fits && (seen & mask) == 0;
      seen |= mask;
      if (c->cube[u] == NONE && fits) {
        c->cube[u] = number;
        c->local[u] = c->local[v] ^ mask;
        c->queue[count++] = u;
      }
      fits = fits && c->cube[u] == number && c->local[u] == (c->local[v] ^ mask);
    }
  }
  for (uint32_t i = 0; i < bits; i++)
    c->bit_of[used[i]] = 0;
  if (number == 0)
    c->bits = bits;
  return fits && bits == c->bits && count == 1u << bits;
}

/* In a butterfly, each task has one edge per bit of its cube, and possibly one to its partner. */
static bool have_alike_degrees(const struct cubes *c)
{
  uint32_t least = UINT32_MAX, most = 0;
  for (uint32_t v = 0; v < c->g->n; v++) {
    uint32_t degree = 0;
    for (uint32_t a = c->g->first[v]; a < c->g->first[v + 1]; a++)
      degree += c->p.in[c->p.edge[a]];
    least = degree < least ? degree : least;
    most = degree > most ? degree : most;
  }
  return most - least <= 1;
}

/* Divides the tasks among cubes.  False if the graph does not consist of equal cubes. */
static bool find_cubes(struct cubes *c)
{
  const double threshold = graph_threshold(c->g);
  for (uint32_t a = 0; a < c->g->first[c->g->n]; a++)
    c->p.in[c->p.edge[a]] = c->g->weight[a] >= threshold;
  if (!have_alike_degrees(c))
    return false;
  edge_classes_find(&c->p);
  choose_classes(c);
  memset(c->cube, 0xff, c->g->n * sizeof *c->cube);
  for (uint32_t v = 0; v < c->g->n; v++)
    if (c->cube[v] == NONE && !walk(c, v, c->cubes++))
      return false;
  return c->bits > 0;
}

/* Finds the partner of each task outside its own cube.  False if a task has several. */
static bool find_partners(struct cubes *c)
{
  const struct graph *g = c->g;
  for (uint32_t v = 0; v < g->n; v++) {
    c->partner[v] = v;
    for (uint32_t a = g->first[v]; a < g->first[v + 1]; a++) {
      if (!c->p.in[c->p.edge[a]] || c->cube[g->to[a]] == c->cube[v])
        continue;
      if (c->partner[v] != v)
        return false;
      c->partner[v] = g->to[a];
    }
  }
  return true;
}

/* The spare bit of a cube: two tasks whose local addresses differ in this bit alone have their
 * partners in the same cube.  task[]: by local address.  Returns c->bits if there is no such
 * bit. */
static uint32_t spare_bit(const struct cubes *c, const uint32_t *task)
{
  for (uint32_t b = 0; b < c->bits; b++) {
    uint32_t same = 0;
    for (uint32_t a = 0; a < 1u << c->bits; a++)
      same += c->cube[c->partner[task[a]]] == c->cube[c->partner[task[a ^ 1u << b]]];
    if (same == 1u << c->bits)
      return b;
  }
  return c->bits;
}

static uint32_t without_bit(uint32_t address, uint32_t bit)
{
  const uint32_t low = address & ((1u << bit) - 1);
  return low | (address >> 1 & ~((1u << bit) - 1));
}

/* Names each cube by the local address, without the spare bit, of its partner in the first cube.
 * False if a cube has no partner, or partners with different names. */
static bool name_cubes(struct cubes *c, const uint32_t *task, uint32_t spare)
{
  memset(c->name, 0xff, c->cubes * sizeof *c->name);
  for (uint32_t a = 0; a < 1u << c->bits; a++) {
    const uint32_t name = spare < c->bits ? without_bit(a, spare) : a;
    uint32_t *old = &c->name[c->cube[c->partner[task[a]]]];
    if (*old != NONE && *old != name)
      return false;
    *old = name;
  }
  for (uint32_t k = 0; k < c->cubes; k++)
    if (c->name[k] == NONE)
      return false;
  return true;
}

/* Flips the spare bits of each cube whose spare bits differ from the spare bits of its partners in
 * the first cube. */
static void align_spare_bits(struct cubes *c)
{
  const uint32_t spare = 1u << 2 * c->width;
  memset(c->flip, 0, c->cubes * sizeof *c->flip);
  for (uint32_t v = 0; v < c->g->n; v++)
    if (c->cube[v] == 0)
      c->flip[c->cube[c->partner[v]]] = (c->address[v] ^ c->address[c->partner[v]]) & spare;
  for (uint32_t v = 0; v < c->g->n; v++)
    c->address[v] ^= c->flip[c->cube[v]];
}

/* Builds addresses from the name of the partner's cube, the name of the task's own cube, and the
 * spare bit.  False if the cubes do not fit together. */
static bool join_cubes(struct cubes *c)
{
  const uint32_t size = 1u << c->bits;
  while (1u << c->width < c->cubes)
    c->width++;
  if (1u << c->width != c->cubes || (c->width != c->bits && c->width + 1 != c->bits) ||
      !find_partners(c))
    return false;
  for (uint32_t v = 0; v < c->g->n; v++)
    c->queue[c->cube[v] << c->bits | c->local[v]] = v;
  for (uint32_t k = 0; k < c->cubes; k++) {
    const uint32_t *task = c->queue + ((size_t)k << c->bits);
    const uint32_t spare = c->width < c->bits ? spare_bit(c, task) : c->bits;
    if ((c->width < c->bits && spare == c->bits) || (k == 0 && !name_cubes(c, task, spare)))
      return false;
    for (uint32_t a = 0; a < size; a++)
      c->address[task[a]] = c->name[c->cube[c->partner[task[a]]]] | c->name[k] << c->width |
                            (spare < c->bits ? (a >> spare & 1) << 2 * c->width : 0);
  }
  if (c->width < c->bits)
    align_spare_bits(c);
  return size > 1;
}

/* True if each number below n is the address of one task. */
static bool are_unique(struct cubes *c)
{
  memset(c->queue, 0, c->g->n * sizeof *c->queue);
  for (uint32_t v = 0; v < c->g->n; v++)
    if (c->address[v] >= c->g->n || c->queue[c->address[v]]++ > 0)
      return false;
  return true;
}

static bool find_addresses(struct cubes *c)
{
  if (!find_cubes(c))
    return false;
  if (c->cubes == 1)
    memcpy(c->address, c->local, c->g->n * sizeof *c->address);
  else if (!join_cubes(c))
    return false;
  return are_unique(c);
}

/* --- traffic ---------------------------------------------------------------------------------- */

/* Finds the differences of addresses at which every task has a partner.  count[]: scratch, by
 * difference. */
static void find_differences(const struct cubes *c, uint32_t *count, struct linear_traffic *t)
{
  const struct graph *g = c->g;
  memset(count, 0, g->n * sizeof *count);
  for (uint32_t v = 0; v < g->n; v++)
    for (uint32_t a = g->first[v]; a < g->first[v + 1]; a++)
      count[c->address[v] ^ c->address[g->to[a]]] += c->p.in[c->p.edge[a]];
  for (uint32_t d = 0; d < g->n && t->count < LINEAR_MOST_BITS; d++)
    if (count[d] == g->n)
      t->difference[t->count++] = d;
}

/* Computes the shares of the traffic.  True if differences and transposes have enough of it. */
static bool find_weights(const struct cubes *c, struct linear_traffic *t)
{
  const struct graph *g = c->g;
  double all = 0, other = 0;
  for (uint32_t v = 0; v < g->n; v++)
    for (uint32_t a = g->first[v]; a < g->first[v + 1]; a++) {
      const uint32_t from = c->address[v], to = c->address[g->to[a]];
      uint32_t i = 0;
      all += g->weight[a];
      while (i < t->count && t->difference[i] != (from ^ to))
        i++;
      if (i < t->count)
        t->weight[i] += g->weight[a];
      else if (c->width > 0 && linear_transpose(from, c->width) == to)
        t->transposed += g->weight[a];
      else
        other += g->weight[a];
    }
  for (uint32_t i = 0; i < t->count; i++)
    t->weight[i] /= all;
  if (c->width > 0) /* as if addresses that are their own transposes had an edge, too */
    t->transposed *= 1 / all / (1 - 1.0 / (1u << c->width));
  return all - other >= EXPLAINED * all;
}

/* --- all -------------------------------------------------------------------------------------- */

/* Chooses a box of hosts with one slot per task.  Its sides are powers of two, as even as possible.
 * False if there is none. */
static bool choose_box(const struct target *m, uint32_t tasks, uint32_t *side)
{
  uint64_t slots = m->per_host;
  for (uint32_t d = 0; d < m->ndims; d++) {
    side[d] = 1u << (31 - __builtin_clz(m->side[d]));
    slots *= side[d];
  }
  while (slots > tasks) {
    uint32_t longest = 0;
    for (uint32_t d = 1; d < m->ndims; d++)
      longest = side[d] > side[longest] ? d : longest;
    if (side[longest] == 1)
      return false;
    side[longest] /= 2;
    slots /= 2;
  }
  return slots == tasks && tasks >= 4;
}

static enum status map_addresses(const struct cubes *c, const struct linear_traffic *t,
                                 const struct target *box, struct placement *p, struct err *e)
{
  const uint32_t low[GRID_MAX_DIMS] = {0}, k = p->m->per_host;
  uint32_t row[LINEAR_MOST_BITS], *slot = c->queue;
  if (linear_find(t, box, c->seed, row, e) != OK)
    return FAIL;
  for (uint32_t v = 0; v < p->g->n; v++) {
    const uint32_t at = linear_slot(row, t->bits, c->address[v]);
    slot[v] = target_box_host(p->m, low, c->side, at / k) * k + at % k;
  }
  placement_improve(p, slot);
  p->settled = true;
  return OK;
}

enum status butterfly_map(struct placement *p, uint64_t seed, struct err *e)
{
  ARENA(mem, e);
  const struct graph *g = p->g;
  const size_t n = g->n, arcs = g->first[n];
  struct cubes c = {.g = g, .seed = seed};
  struct target box;
  if (p->m->ndims == 0 || !choose_box(p->m, g->n, c.side))
    return OK;
  target_box(&box, p->m, c.side);
  if (!linear_fits(&box))
    return OK;
  c.kept = arena_array(&mem, arcs, 1);
  c.bit_of = arena_array(&mem, arcs, sizeof *c.bit_of);
  c.queue = arena_array(&mem, n > arcs ? n : arcs, sizeof *c.queue);
  c.cube = arena_array(&mem, n, sizeof *c.cube);
  c.local = arena_array(&mem, n, sizeof *c.local);
  c.partner = arena_array(&mem, n, sizeof *c.partner);
  c.name = arena_array(&mem, n, sizeof *c.name);
  c.flip = arena_array(&mem, n, sizeof *c.flip);
  c.address = arena_array(&mem, n, sizeof *c.address);
  if (edge_classes_new(&c.p, g, &mem) != OK)
    return FAIL;
  if (!find_addresses(&c))
    return OK;
  struct linear_traffic t = {.bits = (uint32_t)__builtin_ctz(g->n), .width = c.width};
  find_differences(&c, c.queue, &t);
  return find_weights(&c, &t) ? map_addresses(&c, &t, &box, p, e) : OK;
}
