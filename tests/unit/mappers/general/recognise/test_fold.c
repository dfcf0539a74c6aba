#include <math.h>
#include <string.h>

#include "mappers/general/cut/median_cut.h"
#include "mappers/general/recognise/fold.h"
#include "mappers/general/recognise/mds.h"
#include "tests/unit/mappers/general/graphs.h"

enum { MOST_CELLS = 4096, MOST_FOLDS = 8 };

/* Mean over the axes of the mean hops per step. */
static double mean_hops(const struct target *m, const struct fold_shape *s, const uint32_t *host)
{
  double sum = 0;
  uint32_t stride = 1, cells = 1, axes = 0;
  for (uint32_t a = 0; a < s->naxes; a++)
    cells *= s->side[a];
  for (uint32_t a = 0; a < s->naxes; stride *= s->side[a++]) {
    uint64_t hops = 0, steps = 0;
    for (uint32_t c = 0; c < cells && s->side[a] > 1; c++) {
      const uint32_t at = c / stride % s->side[a];
      if (at + 1 == s->side[a] && !s->ring[a])
        continue;
      hops += target_hops(m, host[c], host[at + 1 < s->side[a] ? c + stride : c - at * stride]);
      steps++;
    }
    sum += steps == 0 ? 0 : (double)hops / (double)steps;
    axes += steps > 0;
  }
  return axes == 0 ? 0 : sum / axes;
}

static void folds_have_their_predicted_cost(void **state)
{
  static const struct {
    const char *platform;
    struct fold_shape shape;
    double best;
  } rows[] = {
      {"torus:8x8", {2, {8, 8}, {true, true}}, 1},
      {"torus:4x6", {2, {6, 4}, {true, true}}, 1},
      {"mesh:16", {1, {16}, {true}}, 1.875},
      {"mesh:4x4", {1, {16}, {true}}, 1.125},
      {"torus:4x4x4", {2, {8, 8}, {false, false}}, NAN},
      {"torus:16x16x16", {2, {64, 64}, {true, true}}, NAN},
      {"hypercube:6", {3, {4, 4, 4}, {true, true, true}}, 1},
      {"torus:6x6x6", {2, {12, 18}, {true, false}}, NAN},
      {"torus:8x8", {2, {3, 5}, {false, false}}, 1},
      {"torus:9x5", {3, {3, 3, 5}, {true, true, true}}, NAN},
  };
  (void)state;
  for (size_t i = 0; i < COUNT(rows); i++) {
    struct platform *p = opened_platform(rows[i].platform);
    struct target m;
    struct fold fold[MOST_FOLDS];
    struct err e;
    ARENA(mem, &e);
    uint32_t count, cells = 1;
    for (uint32_t a = 0; a < rows[i].shape.naxes; a++)
      cells *= rows[i].shape.side[a];
    assert_int_equal(target_new(&m, p, 1, &e), OK);
    assert_int_equal(fold_find(&m, &rows[i].shape, fold, MOST_FOLDS, &count, &mem), OK);
    if (count == 0)
      fail_msg("row %zu: no fold", i);
    for (uint32_t k = 0; k < count; k++) {
      uint8_t seen[MOST_CELLS] = {0};
      for (uint32_t c = 0; c < cells; c++)
        if (fold[k].host[c] >= m.hosts || seen[fold[k].host[c]]++ > 0)
          fail_msg("row %zu, fold %u: cell %u on host %u", i, k, c, fold[k].host[c]);
      const double mean = mean_hops(&m, &rows[i].shape, fold[k].host);
      if (fabs(mean - fold[k].hops) > 1e-9 || (k > 0 && fold[k].hops < fold[k - 1].hops))
        fail_msg("row %zu, fold %u: %g hops, predicted %g", i, k, mean, fold[k].hops);
    }
    if (rows[i].best > 0 && fabs(fold[0].hops - rows[i].best) > 1e-9)
      fail_msg("row %zu: %g hops instead of %g", i, fold[0].hops, rows[i].best);
    target_clear(&m);
    platform_free(p);
  }
}

static void shapes_that_do_not_divide_have_no_fold(void **state)
{
  const struct fold_shape shape = {2, {22, 22}, {true, true}};
  struct platform *p = opened_platform("torus:8x8x8");
  struct target m;
  struct fold fold[1];
  struct err e;
  ARENA(mem, &e);
  uint32_t count;
  (void)state;
  assert_int_equal(target_new(&m, p, 1, &e), OK);
  assert_int_equal(fold_find(&m, &shape, fold, 1, &count, &mem), OK);
  assert_int_equal(count, 0);
  target_clear(&m);
  platform_free(p);
}

/* Each cell gets an equal number of tasks, and the cells follow the order of the coordinates. */
static void cuts_fill_cells_in_order(void **state)
{
  static const uint8_t COLUMN[] = {0, 1};
  const struct median_cut_grid grid = {.naxes = 2, .side = {5, 4}, .room = 3};
  double x[2][60];
  uint32_t list[60], cell[60], count[20] = {0};
  struct rng r = rng_new(1, 0);
  (void)state;
  for (uint32_t i = 0; i < 60; i++) {
    x[0][i] = (double)rng_below(&r, 7);
    x[1][i] = 1;
  }
  median_cut(&grid, x[0], COLUMN, list, 60, cell);
  for (uint32_t i = 0; i < 60; i++) {
    count[cell[i]]++;
    for (uint32_t k = 0; k < 60; k++)
      if (x[0][i] < x[0][k] && cell[i] % 5 > cell[k] % 5)
        fail_msg("%g is in column %u, %g in %u", x[0][i], cell[i] % 5, x[0][k], cell[k] % 5);
  }
  for (uint32_t c = 0; c < 20; c++)
    assert_int_equal(count[c], 3);
}

/* The path is too long for distances of 16 bits, so the far end saturates. */
static void long_paths_are_measured(void **state)
{
  enum { TASKS = 70000, PIVOTS = 8 };
  static uint8_t drop[2 * TASKS];
  struct edges x = edges_grid((const uint32_t[]){TASKS, 1, 1}, false);
  x.m.ranks = TASKS;
  const struct graph g = edges_graph(&x.m);
  struct err e;
  (void)state;
  double *at = calloc((size_t)TASKS * MDS_COMPONENTS, sizeof *at);
  assert_non_null(at);
  assert_int_equal(mds_compute(&g, drop, PIVOTS, 0, at, &e), OK);
  for (uint32_t v = 0; v + 1000 < 65000; v += 1000)
    if ((at[v * MDS_COMPONENTS] < at[(v + 1000) * MDS_COMPONENTS]) !=
        (at[0] < at[1000 * MDS_COMPONENTS]))
      fail_msg("task %u is not between %u and %u", v, v - 1000, v + 1000);
  free(at);
  graph_clear(&g);
  matrix_clear(&x.m);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(folds_have_their_predicted_cost),
      cmocka_unit_test(shapes_that_do_not_divide_have_no_fold),
      cmocka_unit_test(cuts_fill_cells_in_order),
      cmocka_unit_test(long_paths_are_measured),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
