#include "mappers/general/recognise/structure.h"

#include <stdlib.h>
#include <string.h>

#include "common/containers/union_find.h"
#include "common/numeric/rising.h"
#include "mappers/general/recognise/edge_classes.h"
#include "mappers/general/recognise/lattice.h"

enum {
  MOST_CLASSES = 1024, /* limit of the classes before they are joined */
  MOST_AXES = 8,       /* limit of the directions before one is left out */
  MOST_CUTS = 4,       /* limit of the subsets of edges that are tried */
  SPARSE = 2           /* limit of the cells of the coordinates, per task */
};

/* Two classes have the same direction if this share of the edges of the smaller class continues
 * straight on into an edge of the other. */
#define STRAIGHT 0.4

/* A subset of the strongest edges ends where the sorted strengths fall by this factor: JUMP for
 * weights, SIMILAR for shares of common neighbours. */
#define JUMP    1.9
#define SIMILAR 1.25

#define NONE UINT32_MAX

struct finder {
  const struct graph *g;
  struct edge_classes p;
  struct lattice lattice; /* for structures with faults; zeroed while structures without faults are
                             searched for */
  float *strength;        /* by edge: weight or similarity, by which subsets are chosen */
  float *sorted;          /* scratch */
  uint32_t *class;  /* by edge: its direction, which joins several classes; UINT32_MAX: none */
  uint32_t classes; /* number of directions */
  uint32_t *parent, *layer, *place; /* by task */
  uint32_t (*next)[2];              /* by layer: two neighbours + 1; 0: none */
  uint32_t *cells;                  /* by cell of a grid of coordinates */
  uint32_t *votes;                  /* by pair of classes; only the entries in use are cleared */
};

static bool are_adjacent(const struct edge_classes *p, uint32_t v, uint32_t w)
{
  const bool shorter = p->first[v + 1] - p->first[v] < p->first[w + 1] - p->first[w];
  const uint32_t from = shorter ? v : w, to = shorter ? w : v;
  for (uint32_t a = p->first[from]; a < p->first[from + 1]; a++)
    if (p->to[a] == to)
      return true;
  return false;
}

/* Counts, for each pair of classes, the paths of an edge of one class and an edge of the other.
 * Only straight paths count: their ends have no other path of one or two edges between them. */
static void count_votes(struct finder *f)
{
  for (uint32_t v = 0; v < f->g->n; v++) {
    const uint32_t n = edge_classes_count(&f->p, v);
    for (uint32_t i = 0; i < n; i++) {
      const uint32_t w = f->p.touched[i], *path = f->p.path[w][0];
      if (f->p.count[w] != 1)
        continue;
      const uint32_t a = f->p.class[path[0]], b = f->p.class[path[1]];
      if (a == b || a == UINT32_MAX || b == UINT32_MAX || are_adjacent(&f->p, v, w))
        continue;
      f->votes[(a < b ? a : b) * f->p.classes + (a < b ? b : a)]++;
    }
    edge_classes_forget(&f->p, n);
  }
}

/* --- directions ------------------------------------------------------------------------------ */

/* Joins classes of the same direction.  False if there are more than MOST_AXES directions. */
static bool join_straight(struct finder *f)
{
  uint32_t joined[MOST_CLASSES], number[MOST_CLASSES], left = 0;
  const uint32_t n = f->p.classes;
  memset(f->votes, 0, (size_t)n * n * sizeof *f->votes);
  count_votes(f);
  union_find_reset(joined, n);
  for (uint32_t a = 0; a < n; a++)
    for (uint32_t b = a + 1; b < n; b++) {
      const uint32_t smaller = f->p.size[a] < f->p.size[b] ? f->p.size[a] : f->p.size[b];
      if (f->votes[a * n + b] >= STRAIGHT * smaller)
        union_find_unite(joined, a, b);
    }
  for (uint32_t c = 0; c < n; c++)
    number[c] = joined[c] == c ? left++ : number[union_find_root(joined, c)];
  for (uint32_t i = 0; i < f->p.edges; i++)
    f->class[i] = f->p.class[i] == UINT32_MAX ? UINT32_MAX : number[f->p.class[i]];
  f->classes = left;
  return left <= MOST_AXES;
}

/* --- layers ----------------------------------------------------------------------------------- */

/* Finds the layers of direction @p c.  A layer is a set of tasks that edges of other directions,
 * except @p out, connect.  Returns the number of layers. */
static uint32_t find_layers(struct finder *f, uint32_t c, uint32_t out)
{
  const struct graph *g = f->g;
  uint32_t layers = 0;
  union_find_reset(f->parent, g->n);
  for (uint32_t v = 0; v < g->n; v++)
    for (uint32_t a = g->first[v]; a < g->first[v + 1]; a++) {
      const uint32_t k = f->class[f->p.edge[a]];
      if (g->to[a] > v && k != UINT32_MAX && k != c && k != out)
        union_find_unite(f->parent, v, g->to[a]);
    }
  for (uint32_t v = 0; v < g->n; v++) /* roots are the lowest */
    f->layer[v] = f->parent[v] == v ? layers++ : f->layer[union_find_root(f->parent, v)];
  return layers;
}

/* Sorts the layers of a direction along a path or cycle.  Writes the place of each task's layer to
 * at[], FOLD_MOST_AXES entries apart.  False if the layers form neither. */
static bool order_layers(struct finder *f, uint32_t c, uint32_t layers, uint32_t *at, bool *ring)
{
  const struct graph *g = f->g;
  uint32_t(*next)[2] = f->next;
  uint32_t ends = 0, here = 0, before = UINT32_MAX;
  uint32_t *place = f->place;
  if (layers < 2 || 2 * layers > g->n)
    return false;
  bool fits = true;
  memset(next, 0, layers * sizeof *next);
  for (uint32_t v = 0; v < g->n && fits; v++)
    for (uint32_t a = g->first[v]; a < g->first[v + 1] && fits; a++) {
      const uint32_t x = f->layer[v], y = f->layer[g->to[a]];
      if (f->class[f->p.edge[a]] != c || next[x][0] == y + 1 || next[x][1] == y + 1)
        continue;
      fits = x != y && next[x][1] == 0;
      next[x][next[x][0] != 0] = y + 1;
    }
  for (uint32_t l = layers; l-- > 0;)
    if (next[l][1] == 0) {
      ends++;
      here = l;
    }
  *ring = ends == 0;
  fits = fits && (ends == 0 || ends == 2);
  uint32_t visited = 0;
  for (; fits && visited < layers && here != UINT32_MAX; visited++) {
    const uint32_t a = next[here][0], b = next[here][1];
    const uint32_t to = a != 0 && a - 1 != before   ? a - 1
                        : b != 0 && b - 1 != before ? b - 1
                                                    : UINT32_MAX;
    place[here] = visited;
    before = here;
    here = *ring && to == 0 ? UINT32_MAX : to;
  }
  for (uint32_t v = 0; v < g->n && fits && visited == layers; v++)
    at[(size_t)v * FOLD_MOST_AXES] = place[f->layer[v]];
  return fits && visited == layers;
}

/* True if no two tasks have equal coordinates. */
static bool are_unique(const struct finder *f, const struct structure *s)
{
  const uint32_t n = f->g->n, k = s->shape.naxes;
  uint64_t cells = 1;
  for (uint32_t a = 0; a < k; a++)
    cells *= s->shape.side[a];
  if (k == 0 || cells < n || cells > SPARSE * (uint64_t)n)
    return false;
  bool unique = true;
  memset(f->cells, 0, cells * sizeof *f->cells);
  for (uint32_t v = 0; v < n; v++) {
    uint32_t cell = 0;
    for (uint32_t a = k; a-- > 0;)
      cell = cell * s->shape.side[a] + s->at[(size_t)v * FOLD_MOST_AXES + a];
    unique = unique && f->cells[cell]++ == 0;
  }
  return unique;
}

/* Finds coordinates by all directions except @p out, which may be UINT32_MAX. */
static bool find_axes(struct finder *f, uint32_t out, struct structure *s)
{
  s->shape.naxes = 0;
  for (uint32_t c = 0; c < f->classes; c++) {
    const uint32_t axis = s->shape.naxes;
    if (c == out)
      continue;
    if (axis == FOLD_MOST_AXES)
      return false;
    const uint32_t layers = find_layers(f, c, out);
    if (!order_layers(f, c, layers, s->at + axis, &s->shape.ring[axis]))
      return false;
    s->shape.side[s->shape.naxes++] = layers;
  }
  return are_unique(f, s);
}

/* Searches for a structure of the selected edges, or for a lattice if f->lattice is allocated. */
static bool find_in_subset(struct finder *f, struct structure *s)
{
  if (f->lattice.p != NULL) {
    edge_classes_list(&f->p);
    lattice_find(&f->lattice, SPARSE * (uint64_t)f->g->n, f->cells, &s->shape, s->at);
    return s->shape.naxes > 0;
  }
  edge_classes_find(&f->p);
  if (f->p.classes == 0 || f->p.classes > MOST_CLASSES || !join_straight(f))
    return false;
  if (find_axes(f, UINT32_MAX, s))
    return true;
  for (uint32_t c = 0; c < f->classes && f->classes > 2; c++)
    if (find_axes(f, c, s))
      return true;
  return false;
}

/* --- subsets of the edges --------------------------------------------------------------------- */

static int falling(const void *a, const void *b)
{
  const float x = *(const float *)a, y = *(const float *)b;
  return RISING(y, x);
}

/* Lists the strengths just above the first jumps, strongest first.  Returns their number. */
static uint32_t find_jumps(const struct finder *f, double jump, float *threshold)
{
  uint32_t n = 0;
  memcpy(f->sorted, f->strength, f->p.edges * sizeof *f->sorted);
  qsort(f->sorted, f->p.edges, sizeof *f->sorted, falling);
  for (uint32_t i = 1; i < f->p.edges && n < MOST_CUTS; i++)
    if (f->sorted[i - 1] >= jump * f->sorted[i])
      threshold[n++] = f->sorted[i - 1];
  return n;
}

/* The selected edge between two tasks, or NONE. */
static uint32_t edge_between(const struct edge_classes *p, uint32_t v, uint32_t w)
{
  for (uint32_t a = p->first[v]; a < p->first[v + 1]; a++)
    if (p->to[a] == w)
      return p->of[a];
  return NONE;
}

/* True if edge @p a of task @p v is in more triangles than both other edges of one of its
 * triangles.
 */
static bool is_diagonal(const struct edge_classes *p, uint32_t v, uint32_t a,
                        const uint32_t *triangles)
{
  const uint32_t mine = triangles[p->of[a]];
  for (uint32_t b = p->first[v]; b < p->first[v + 1] && mine > 0; b++) {
    const uint32_t other = edge_between(p, p->to[a], p->to[b]);
    if (other != NONE && mine > triangles[p->of[b]] && mine > triangles[other])
      return true;
  }
  return false;
}

/* Deselects diagonals: along the rims of a stencil, some are as strong as edges of the grid.
 * Without diagonals there are no triangles; a diagonal is in two triangles where the edges beside
 * it are in one. */
static void drop_diagonals(struct finder *f)
{
  struct edge_classes *p = &f->p;
  uint32_t *triangles = p->size; /* by edge */
  edge_classes_list(p);
  for (uint32_t v = 0; v < f->g->n; v++) {
    const uint32_t n = edge_classes_count(p, v);
    for (uint32_t a = p->first[v]; a < p->first[v + 1]; a++)
      if (p->to[a] > v)
        triangles[p->of[a]] = p->count[p->to[a]];
    edge_classes_forget(p, n);
  }
  for (uint32_t v = 0; v < f->g->n; v++)
    for (uint32_t a = p->first[v]; a < p->first[v + 1]; a++)
      if (p->to[a] > v && is_diagonal(p, v, a, triangles))
        p->in[p->of[a]] = 0;
}

/* Searches for a structure of the strongest edges, in several subsets. */
static bool try_subsets(struct finder *f, double jump, bool diagonals, struct structure *s)
{
  float threshold[MOST_CUTS];
  const uint32_t n = find_jumps(f, jump, threshold);
  for (uint32_t t = 0; t < n; t++) {
    for (uint32_t i = 0; i < f->p.edges; i++)
      f->p.in[i] = f->strength[i] >= threshold[t];
    if (diagonals)
      drop_diagonals(f);
    if (find_in_subset(f, s))
      return true;
  }
  return false;
}

/* Sets the strength of an edge to the share of the neighbours that its ends have in common.  In
 * stencils with diagonals, the share is largest between tasks that differ in one coordinate. */
static void measure_similarity(struct finder *f)
{
  const struct graph *g = f->g;
  memset(f->p.in, 1, f->p.edges);
  edge_classes_list(&f->p);
  for (uint32_t v = 0; v < g->n; v++) {
    const uint32_t n = edge_classes_count(&f->p, v), degree = graph_degree(g, v);
    for (uint32_t a = g->first[v]; a < g->first[v + 1]; a++) {
      const uint32_t w = g->to[a], other = graph_degree(g, w);
      if (w > v)
        f->strength[f->p.edge[a]] =
            (float)f->p.count[w] / (float)(degree > other ? degree : other) + 1e-3f;
    }
    edge_classes_forget(&f->p, n);
  }
}

/* Searches in all edges, then in subsets by weight, then by similarity. */
static bool find_any(struct finder *f, struct structure *s)
{
  memset(f->p.in, 1, f->p.edges);
  if (find_in_subset(f, s))
    return true;
  for (uint32_t v = 0; v < f->g->n; v++)
    for (uint32_t a = f->g->first[v]; a < f->g->first[v + 1]; a++)
      f->strength[f->p.edge[a]] = (float)f->g->weight[a];
  if (try_subsets(f, JUMP, false, s))
    return true;
  measure_similarity(f);
  return try_subsets(f, SIMILAR, true, s);
}

/* Searches for a structure without faults, then for one with faults. */
static enum status find_structure(struct finder *f, struct structure *s, struct arena *mem)
{
  if (find_any(f, s))
    return OK;
  if (lattice_new(&f->lattice, &f->p, mem) != OK)
    return FAIL;
  if (!find_any(f, s))
    s->shape.naxes = 0;
  return OK;
}

/* --- all -------------------------------------------------------------------------------------- */

enum status structure_find(struct structure *s, const struct graph *g, struct arena *mem)
{
  ARENA(room, mem->e);
  const size_t n = g->n, edges = g->first[n] / 2;
  struct finder f = {.g = g,
                     .strength = arena_array(&room, edges, sizeof *f.strength),
                     .sorted = arena_array(&room, edges, sizeof *f.sorted),
                     .class = arena_array(&room, edges, sizeof *f.class),
                     .parent = arena_array(&room, n, sizeof *f.parent),
                     .layer = arena_array(&room, n, sizeof *f.layer),
                     .place = arena_array(&room, n, sizeof *f.place),
                     .next = arena_array(&room, n, sizeof *f.next),
                     .cells = arena_array(&room, n * SPARSE, sizeof *f.cells),
                     .votes =
                         arena_array(&room, (size_t)MOST_CLASSES * MOST_CLASSES, sizeof *f.votes)};
  *s = (struct structure){.at = arena_array(mem, n * FOLD_MOST_AXES, sizeof *s->at)};
  if (edge_classes_new(&f.p, g, &room) != OK || arena_status(mem) != OK)
    return FAIL;
  return find_structure(&f, s, &room);
}
