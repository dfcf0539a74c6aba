/* Coordinates of grids with faults: grids with few faults are found again. */
#include "tests/unit/mappers/general/graphs.h"

#include <string.h>

#include "mappers/general/recognise/structure.h"

/* Removes @p percent of the edges and redirects @p percent of the others. */
static void spoil(struct edges *x, uint32_t percent, uint64_t seed)
{
  struct rng r = rng_new(seed, 2);
  size_t n = 0;
  for (size_t i = 0; i < x->m.count; i++) {
    struct matrix_entry *entry = &x->m.entry[i];
    if (rng_below(&r, 100) < percent)
      continue;
    if (rng_below(&r, 100) < percent)
      entry->dst = (entry->src + 1 + rng_below(&r, x->n - 1)) % x->n;
    x->m.entry[n++] = *entry;
  }
  x->m.count = n;
}

/* Removes duplicate pairs, which a matrix must not have. */
static void drop_doubles(struct matrix *m)
{
  size_t n = 0;
  for (size_t i = 0; i < m->count; i++)
    if (n == 0 || edges_compare(&m->entry[n - 1], &m->entry[i]) != 0)
      m->entry[n++] = m->entry[i];
  m->count = n;
}

static uint32_t distance(const struct structure *s, const uint32_t *x, const uint32_t *y)
{
  uint32_t d = 0;
  for (uint32_t a = 0; a < s->shape.naxes; a++) {
    const uint32_t step = x[a] < y[a] ? y[a] - x[a] : x[a] - y[a];
    d += s->shape.ring[a] && s->shape.side[a] - step < step ? s->shape.side[a] - step : step;
  }
  return d;
}

/* Share of the edges of the complete grid that are steps in the structure. */
static double steps_of(const struct edges *grid, const struct structure *s)
{
  size_t steps = 0;
  for (size_t i = 0; i < grid->m.count; i++) {
    const struct matrix_entry *entry = &grid->m.entry[i];
    steps += distance(s, &s->at[(size_t)entry->src * FOLD_MOST_AXES],
                      &s->at[(size_t)entry->dst * FOLD_MOST_AXES]) == 1;
  }
  return (double)steps / (double)grid->m.count;
}

static void assert_all_apart(const struct structure *s, uint32_t n)
{
  uint64_t cells = 1;
  for (uint32_t a = 0; a < s->shape.naxes; a++)
    cells *= s->shape.side[a];
  uint8_t *taken = calloc(cells, 1);
  assert_non_null(taken);
  for (uint32_t v = 0; v < n; v++) {
    uint64_t cell = 0;
    for (uint32_t a = s->shape.naxes; a-- > 0;) {
      const uint32_t x = s->at[(size_t)v * FOLD_MOST_AXES + a];
      assert_true(x < s->shape.side[a]);
      cell = cell * s->shape.side[a] + x;
    }
    assert_int_equal(taken[cell]++, 0);
  }
  free(taken);
}

/* Finds the structure of a grid with faults.  Returns the share of the edges of the complete grid
 * that are steps in it; 0 if none is found. */
static double find(const uint32_t side[3], bool ring, uint32_t percent, uint64_t seed,
                   struct structure *s, struct arena *mem)
{
  struct edges whole = edges_grid(side, ring), spoilt = edges_grid(side, ring);
  spoil(&spoilt, percent, seed);
  edges_shuffle(&whole, seed);
  drop_doubles(edges_shuffle(&spoilt, seed));
  struct graph g = edges_graph(&spoilt.m);
  assert_int_equal(structure_find(s, &g, mem), OK);
  if (s->shape.naxes > 0)
    assert_all_apart(s, g.n);
  const double steps = s->shape.naxes > 0 ? steps_of(&whole, s) : 0;
  graph_clear(&g);
  free(whole.m.entry);
  free(spoilt.m.entry);
  return steps;
}

static bool has_sides(const struct fold_shape *shape, const uint32_t side[3], bool ring)
{
  uint64_t found = 0, built = 0;
  for (uint32_t a = 0; a < shape->naxes; a++) {
    found += (uint64_t)shape->side[a] * shape->side[a] * shape->side[a];
    if (shape->ring[a] != ring)
      return false;
  }
  for (int a = 0; a < 3; a++)
    built += side[a] > 1 ? (uint64_t)side[a] * side[a] * side[a] : 0;
  return found == built;
}

static const struct {
  uint32_t side[3];
  bool ring;
} GRIDS[] = {{{24, 20, 1}, false}, {{24, 20, 1}, true}, {{64, 7, 1}, false},
             {{11, 9, 8}, false},  {{10, 7, 6}, true},  {{40, 40, 1}, false},
             {{13, 13, 13}, true}, {{16, 14, 2}, false}};

/* The sides are found exactly, and at least 95 % of the edges are steps. */
static void grids_with_faults_are_found(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(GRIDS); i++)
    for (uint32_t percent = 0; percent <= 4; percent++) {
      struct structure s;
      struct err e;
      ARENA(mem, &e);
      const double steps = find(GRIDS[i].side, GRIDS[i].ring, percent, 10 + percent, &s, &mem);
      if (steps < 0.95 || !has_sides(&s.shape, GRIDS[i].side, GRIDS[i].ring))
        fail_msg("grid %zu, %u %% of faults: %g steps, %ux%u", i, percent, steps, s.shape.side[0],
                 s.shape.side[1]);
    }
}

/* With many faults, tasks still get different coordinates if a structure is found. */
static void many_faults_do_no_harm(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(GRIDS); i++)
    for (uint32_t percent = 8; percent <= 32; percent += 3) {
      struct structure s;
      struct err e;
      ARENA(mem, &e);
      find(GRIDS[i].side, GRIDS[i].ring, percent, 20 + percent, &s, &mem);
    }
}

static void random_graphs_are_no_grid(void **state)
{
  (void)state;
  for (uint32_t degree = 2; degree <= 8; degree++) {
    struct edges x = edges_random(400, degree, degree);
    struct graph g = edges_graph(edges_shuffle(&x, 1));
    struct structure s;
    struct err e;
    ARENA(mem, &e);
    assert_int_equal(structure_find(&s, &g, &mem), OK);
    assert_int_equal(s.shape.naxes, 0);
    graph_clear(&g);
    free(x.m.entry);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(grids_with_faults_are_found),
      cmocka_unit_test(many_faults_do_no_harm),
      cmocka_unit_test(random_graphs_are_no_grid),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
