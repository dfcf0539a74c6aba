#include "mappers/schedule/hierarchical/global.h"

#include <stdlib.h>
#include <string.h>

#include "common/mem.h"
#include "common/numeric/rising.h"
#include "tasks/hierarchy.h"

/* Elements lo..hi - 1 of an array, numbered within it. */
struct piece {
  uint32_t array, lo, hi;
};

struct range {
  size_t first, count;
};

/* One side of a group of tasks: a heap of the units that are left, most work first. */
struct side {
  uint32_t *unit;
  uint32_t count;
  double total, left; /* work of all units, and of the units left */
};

/* The open hosts of a group of hosts. */
struct capacity {
  double speed; /* sum of their speeds */
  uint32_t hosts;
};

/* A group of tasks that is being divided. */
struct frame {
  uint32_t unit, side; /* side 2: done */
  double want[2], taken;
};

struct global {
  const struct tasknet *n;
  const struct hosts *h;
  struct hierarchy tree;
  uint32_t root; /* the last unit: an artificial group of all roots */
  struct global_rules rules;
  bool *on_output; /* by unit: it is on the output side of its group */

  struct capacity *capacity; /* by group of hosts */
  struct range *given;       /* by group of hosts: the pieces given to it */
  struct piece *piece;
  size_t pieces, piece_room;

  /* State of the group of hosts that distributes its work: */
  double share;       /* of the child that is served: P(Hi) / P(H) */
  double *left;       /* by unit: work left */
  struct piece *part; /* by array: the piece left */
  uint32_t *stamp;    /* by unit: the last group of hosts that had a part of it, plus 1 */
  uint32_t *touched;  /* units with a part, sorted by number */
  uint32_t touches;
  struct side *side; /* by (unit - arrays) * 2 + side */
  uint32_t *members; /* units of all sides */
  uint32_t *stack;   /* for units given as a whole */
  struct frame *frame;
  size_t frames, frame_room;
};

void global_clear(struct global *g)
{
  if (g == NULL)
    return;
  hierarchy_clear(&g->tree);
  free(g->piece);
  free(g->frame);
}

enum status global_new(struct global **out, const struct tasknet *n, const struct hosts *h,
                       const struct global_rules *rules, struct arena *mem)
{
  struct hierarchy tree;
  struct global *g = arena_array(mem, 1, sizeof *g);
  if (g == NULL || hierarchy_make(&tree, n, mem->e) != OK)
    return FAIL;
  const struct hierarchy *t = &g->tree;
  const size_t units = (size_t)tree.arrays + tree.groups + 1;
  *g = (struct global){
      .n = n,
      .h = h,
      .tree = tree,
      .root = tree.arrays + tree.groups,
      .rules = *rules,
      .on_output = arena_array(mem, units, sizeof *g->on_output),
      .capacity = arena_array(mem, h->groups, sizeof *g->capacity),
      .given = arena_array(mem, h->groups, sizeof *g->given),
      .left = arena_array(mem, units, sizeof *g->left),
      .part = arena_array(mem, tree.arrays, sizeof *g->part),
      .stamp = arena_array(mem, units, sizeof *g->stamp),
      .touched = arena_array(mem, units, sizeof *g->touched),
      .side = arena_array(mem, 2 * ((size_t)tree.groups + 1), sizeof *g->side),
      .members = arena_array(mem, units, sizeof *g->members),
      .stack = arena_array(mem, units, sizeof *g->stack),
  };
  *out = g;
  if (arena_status(mem) != OK)
    return FAIL;
  for (uint32_t i = 0; i < t->groups; i++)
    for (uint32_t k = 0; k < t->group[i].outs; k++)
      g->on_output[t->member[t->group[i].member + t->group[i].ins + k]] = true;
  return OK;
}

static struct side *side_of(const struct global *g, uint32_t unit, uint32_t side)
{
  return &g->side[2 * (size_t)(unit - g->tree.arrays) + side];
}

static uint32_t parent_of(const struct global *g, uint32_t unit)
{
  const uint32_t parent = g->tree.sum[unit].parent;
  return parent == TASKNET_NONE ? g->root : parent;
}

/* The side that holds a unit. */
static struct side *home_of(const struct global *g, uint32_t unit)
{
  return side_of(g, parent_of(g, unit), g->on_output[unit]);
}

/* --- heaps ------------------------------------------------------------------------------------ */

static bool is_before(const struct global *g, uint32_t a, uint32_t b)
{
  return g->left[a] != g->left[b] ? g->left[a] > g->left[b] : a < b;
}

static void sift_down(const struct global *g, struct side *s, uint32_t i)
{
  const uint32_t x = s->unit[i];
  for (uint32_t child; (child = 2 * i + 1) < s->count; i = child) {
    child += child + 1 < s->count && is_before(g, s->unit[child + 1], s->unit[child]);
    if (!is_before(g, s->unit[child], x))
      break;
    s->unit[i] = s->unit[child];
  }
  s->unit[i] = x;
}

static void drop_first(const struct global *g, struct side *s)
{
  s->unit[0] = s->unit[--s->count];
  if (s->count > 0)
    sift_down(g, s, 0);
}

/* --- work of a group of hosts ----------------------------------------------------------------- */

static double work_of(const struct global *g, const struct piece *p)
{
  const struct tasknet_array *a = &g->n->array[p->array];
  double sum = 0;
  if (!a->varied)
    return a->cost.compute * (p->hi - p->lo);
  for (uint32_t k = p->lo; k < p->hi; k++)
    sum += tasknet_cost_of(g->n, p->array, k)->compute;
  return sum;
}

static void touch(struct global *g, uint32_t unit, uint32_t mark)
{
  for (; g->stamp[unit] != mark; unit = parent_of(g, unit)) {
    g->stamp[unit] = mark;
    g->left[unit] = 0;
    g->touched[g->touches++] = unit;
    if (unit >= g->tree.arrays)
      *side_of(g, unit, 0) = *side_of(g, unit, 1) = (struct side){0};
    if (unit == g->root)
      return;
  }
}

/* Adds a piece to its array.  The pieces of an array that a group of hosts has are adjacent. */
static void take_in(struct global *g, const struct piece *p, uint32_t mark)
{
  struct piece *part = &g->part[p->array];
  if (g->stamp[p->array] != mark) {
    touch(g, p->array, mark);
    *part = *p;
  } else if (p->lo < part->lo)
    part->lo = p->lo;
  else
    part->hi = p->hi;
  g->left[p->array] += work_of(g, p);
}

/* Computes work and heaps of all units of which the group of hosts has a part, in the order of
 * their numbers: a unit has a higher number than its members. */
static void prepare(struct global *g, uint32_t host_group)
{
  const struct range *r = &g->given[host_group];
  uint32_t used = 0;
  g->touches = 0;
  for (size_t i = 0; i < r->count; i++)
    take_in(g, &g->piece[r->first + i], host_group + 1);
  qsort(g->touched, g->touches, sizeof *g->touched, rising_u32);
  for (uint32_t i = 0; i < g->touches; i++) {
    const uint32_t unit = g->touched[i];
    if (unit == g->root)
      continue;
    struct side *home = home_of(g, unit);
    g->left[parent_of(g, unit)] += g->left[unit];
    home->left += g->left[unit];
    home->count++;
  }
  for (uint32_t i = 0; i < g->touches; i++)
    for (uint32_t s = 0; g->touched[i] >= g->tree.arrays && s < 2; s++) {
      struct side *side = side_of(g, g->touched[i], s);
      side->unit = &g->members[used];
      side->total = side->left;
      used += side->count;
      side->count = 0;
    }
  for (uint32_t i = 0; i < g->touches; i++)
    if (g->touched[i] != g->root) {
      struct side *home = home_of(g, g->touched[i]);
      home->unit[home->count++] = g->touched[i];
    }
  for (uint32_t i = 0; i < g->touches; i++)
    for (uint32_t s = 0; g->touched[i] >= g->tree.arrays && s < 2; s++) {
      struct side *side = side_of(g, g->touched[i], s);
      for (uint32_t k = side->count / 2; k-- > 0;)
        sift_down(g, side, k);
    }
}

/* --- distribution ----------------------------------------------------------------------------- */

static enum status give(struct global *g, uint32_t child, const struct piece *p, struct err *e)
{
  if (MEM_GROW(g->piece, g->piece_room, g->pieces + 1, e) != OK)
    return FAIL;
  g->piece[g->pieces++] = *p;
  g->given[child].count++;
  return OK;
}

static enum status give_whole(struct global *g, uint32_t child, uint32_t unit, struct err *e)
{
  uint32_t depth = 0;
  g->stack[depth++] = unit;
  while (depth > 0) {
    const uint32_t u = g->stack[--depth];
    if (u < g->tree.arrays && give(g, child, &g->part[u], e) != OK)
      return FAIL;
    for (uint32_t s = 0; u >= g->tree.arrays && s < 2; s++) {
      const struct side *side = side_of(g, u, s);
      for (uint32_t i = 0; i < side->count; i++)
        g->stack[depth++] = side->unit[i];
    }
  }
  return OK;
}

/* The number of elements from the front with the sum closest to @p want. */
static uint32_t cut(const struct global *g, const struct piece *p, double want, double *sum)
{
  uint32_t k = 0;
  *sum = 0;
  while (p->lo + k < p->hi) {
    const double c = tasknet_cost_of(g->n, p->array, p->lo + k)->compute;
    if (*sum + c / 2 > want)
      break;
    *sum += c;
    k++;
  }
  return k;
}

/* Counts work that a side has given. */
static void take_work(struct frame *f, struct side *s, double work)
{
  f->want[f->side] -= work;
  f->taken += work;
  s->left -= work;
}

/* Gives elements of the first unit of a side, an array with more work than the child should get. */
static enum status give_part(struct global *g, uint32_t child, struct frame *f, struct side *s,
                             struct err *e)
{
  const uint32_t array = s->unit[0];
  struct piece *p = &g->part[array], front = *p;
  double sum;
  const uint32_t k = cut(g, p, f->want[f->side], &sum);
  if (k > 0) {
    p->lo += k;
    front.hi = p->lo;
    if (give(g, child, &front, e) != OK)
      return FAIL;
  }
  g->left[array] = p->lo == p->hi ? 0 : g->left[array] - sum;
  take_work(f, s, sum);
  if (p->lo == p->hi)
    drop_first(g, s);
  else
    sift_down(g, s, 0);
  return OK;
}

/* Begins to divide a group of tasks with more work than @p want.  Each side should give @p want /
 * (work left) of the work it has left or, with `every`, the child's share of all of its work. */
static enum status descend(struct global *g, uint32_t unit, double want, struct err *e)
{
  struct frame f = {.unit = unit};
  if (MEM_GROW(g->frame, g->frame_room, g->frames + 1, e) != OK)
    return FAIL;
  for (uint32_t s = 0; s < 2; s++) {
    const struct side *side = side_of(g, unit, s);
    f.want[s] = g->rules.every      ? g->share * side->total
                : g->left[unit] > 0 ? want / g->left[unit] * side->left
                                    : side->left;
  }
  g->frame[g->frames++] = f;
  return OK;
}

/* Ends the last frame and updates the frame around it. */
static void ascend(struct global *g)
{
  const struct frame done = g->frame[--g->frames];
  if (g->frames == 0)
    return;
  struct frame *f = &g->frame[g->frames - 1];
  struct side *s = side_of(g, f->unit, f->side);
  g->left[done.unit] -= done.taken;
  take_work(f, s, done.taken);
  if (side_of(g, done.unit, 0)->count + side_of(g, done.unit, 1)->count == 0)
    drop_first(g, s);
  else
    sift_down(g, s, 0);
  f->side++;
}

/* Processes the first unit of the last frame's current side. */
static enum status step(struct global *g, uint32_t child, double tolerance, struct err *e)
{
  struct frame *f = &g->frame[g->frames - 1];
  struct side *s = side_of(g, f->unit, f->side);
  if (s->count == 0) {
    f->side++;
    return OK;
  }
  const uint32_t unit = s->unit[0];
  const double work = g->left[unit], want = f->want[f->side];
  const bool task = unit < g->tree.arrays && g->n->array[unit].count == 1;
  if (work <= want + tolerance || task) {
    drop_first(g, s);
    take_work(f, s, work);
    f->side += work >= want - tolerance;
    return give_whole(g, child, unit, e);
  }
  if (unit >= g->tree.arrays)
    return descend(g, unit, want, e);
  if (give_part(g, child, f, s, e) != OK)
    return FAIL;
  f->side++;
  return OK;
}

/* Gives the child its share of all work of its parent. */
static enum status serve(struct global *g, uint32_t child, double share, struct err *e)
{
  const struct side *all = side_of(g, g->root, 0);
  const double want = share * all->total;
  g->given[child].first = g->pieces;
  g->share = share;
  g->left[g->root] = all->left;
  enum status s = descend(g, g->root, want, e);
  while (s == OK && g->frames > 0)
    if (g->frame[g->frames - 1].side == 2)
      ascend(g);
    else
      s = step(g, child, g->rules.tolerance * want, e);
  return s;
}

/* --- the hierarchy of hosts ------------------------------------------------------------------- */

/* Lists the open children of a group in the order of service; returns their number. */
static uint32_t list_children(const struct global *g, const struct hosts_group *group,
                              struct hosts_mean *child)
{
  uint32_t count = 0;
  for (uint32_t i = group->child; i < group->child + group->children; i++) {
    const struct capacity *c = &g->capacity[i];
    if (c->hosts > 0)
      child[count++] = (struct hosts_mean){c->speed / c->hosts, i};
  }
  qsort(child, count, sizeof *child, hosts_by_falling_speed);
  return count;
}

/* Gives the rest to the last child. */
static enum status serve_last(struct global *g, uint32_t child, struct err *e)
{
  g->given[child].first = g->pieces;
  return give_whole(g, child, g->root, e);
}

static enum status hand_out(struct global *g, uint32_t host_group, struct err *e)
{
  const struct hosts_group *group = &g->h->group[host_group];
  const double speed = g->capacity[host_group].speed;
  OWNED struct hosts_mean *child = mem_array(group->children, sizeof *child, e);
  if (child == NULL)
    return FAIL;
  prepare(g, host_group);
  enum status s = OK;
  const uint32_t children = list_children(g, group, child);
  for (uint32_t i = 0; s == OK && g->touches > 0 && i < children; i++)
    s = i + 1 == children ? serve_last(g, child[i].group, e)
                          : serve(g, child[i].group, g->capacity[child[i].group].speed / speed, e);
  return s;
}

/* Sums up the open hosts.  Children have higher numbers than their parents. */
static void sum_capacities(struct global *g, const bool *open)
{
  const struct hosts *h = g->h;
  for (uint32_t i = h->groups; i-- > 0;) {
    const struct hosts_group *group = &h->group[i];
    struct capacity *c = &g->capacity[i];
    *c = (struct capacity){0};
    if (group->children == 0 && open[i])
      *c = (struct capacity){group->speed, group->hosts};
    for (uint32_t k = group->child; k < group->child + group->children; k++) {
      c->speed += g->capacity[k].speed;
      c->hosts += g->capacity[k].hosts;
    }
  }
}

/* Gives all tasks to the root. */
static enum status begin(struct global *g, struct err *e)
{
  const struct tasknet *n = g->n;
  g->pieces = 0;
  memset(g->given, 0, g->h->groups * sizeof *g->given);
  memset(g->stamp, 0, ((size_t)g->root + 1) * sizeof *g->stamp);
  for (uint32_t a = 0; a < n->arrays; a++) {
    const struct piece whole = {a, 0, n->array[a].count};
    if (give(g, 0, &whole, e) != OK)
      return FAIL;
  }
  return OK;
}

static void take_leaf(const struct global *g, uint32_t group, uint32_t *leaf)
{
  const struct range *r = &g->given[group];
  for (size_t k = 0; k < r->count; k++) {
    const struct piece *p = &g->piece[r->first + k];
    for (uint32_t element = p->lo; element < p->hi; element++)
      leaf[g->n->array[p->array].first + element] = group;
  }
}

enum status global_place(struct global *g, const bool *open, uint32_t *leaf, struct err *e)
{
  sum_capacities(g, open);
  if (begin(g, e) != OK)
    return FAIL;
  for (uint32_t i = 0; i < g->h->groups; i++)
    if (g->h->group[i].children == 0)
      take_leaf(g, i, leaf);
    else if (hand_out(g, i, e) != OK)
      return FAIL;
  return OK;
}
