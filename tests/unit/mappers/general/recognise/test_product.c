#include <string.h>

#include "mappers/general/recognise/product.h"
#include "tests/unit/mappers/general/graphs.h"

/* A factor: a ring in which value v is joined with v + step for each step, or a complete graph
 * if there are no steps. */
struct factor {
  uint32_t size;
  uint32_t step[6];
  uint64_t bytes;
};

static bool are_joined(const struct factor *f, uint32_t a, uint32_t b)
{
  bool joined = f->step[0] == 0;
  for (uint32_t i = 0; i < COUNT(f->step) && f->step[i] != 0; i++)
    joined = joined || (a + f->step[i]) % f->size == b || (b + f->step[i]) % f->size == a;
  return joined && a != b;
}

/* The product of up to three factors, padded with factors of size 1.  The first one varies
 * fastest. */
static struct edges product(const struct factor f[3])
{
  struct edges x = {.n = f[0].size * f[1].size * f[2].size};
  uint32_t stride = 1;
  for (int k = 0; k < 3; stride *= f[k++].size)
    for (uint32_t v = 0; v < x.n; v++)
      for (uint32_t at = v / stride % f[k].size, to = at + 1; to < f[k].size; to++)
        if (are_joined(&f[k], at, to))
          edges_add(&x, v, v + (to - at) * stride, f[k].bytes);
  return x;
}

static int compare_sizes(const void *a, const void *b)
{
  const struct graph *x = a, *y = b;
  return (x->n > y->n) - (x->n < y->n);
}

/* Complete and circulant factors are found for any numbering of the tasks. */
static void factors_are_found(void **state)
{
  static const struct {
    struct factor factor[3]; /* in ascending order of size */
    uint32_t edges[3];       /* number in each factor */
  } rows[] = {
      {{{4, {0}, 100}, {5, {0}, 300}, {1, {0}, 0}}, {6, 10}},
      {{{8, {0}, 100}, {16, {0}, 100}, {1, {0}, 0}}, {28, 120}},
      {{{8, {0}, 3072}, {64, {1, 2, 4, 8, 16, 32}, 12288}, {1, {0}, 0}}, {28, 352}},
      {{{3, {0}, 10}, {4, {0}, 20}, {5, {0}, 30}}, {3, 6, 10}},
      {{{7, {1}, 10}, {9, {1, 2}, 20}, {1, {0}, 0}}, {7, 18}},
      {{{2, {0}, 10}, {16, {1, 2, 4, 8}, 20}, {1, {0}, 0}}, {1, 56}},
  };
  (void)state;
  for (size_t i = 0; i < COUNT(rows); i++)
    for (uint64_t seed = 1; seed <= 3; seed++) {
      struct edges x = product(rows[i].factor);
      struct graph g = edges_graph(edges_shuffle(&x, seed));
      struct product p;
      struct err e;
      ARENA(mem, &e);
      assert_int_equal(product_find(&p, &g, &mem), OK);
      assert_int_equal(p.count, 2 + (rows[i].edges[2] > 0));
      qsort(p.factor, p.count, sizeof *p.factor, compare_sizes);
      for (uint32_t k = 0; k < p.count; k++) {
        assert_int_equal(p.factor[k].n, rows[i].factor[k].size);
        assert_int_equal(p.factor[k].first[p.factor[k].n], 2 * rows[i].edges[k]);
        assert_int_equal(p.factor[k].weight[0], rows[i].factor[k].bytes);
      }
      graph_clear(&g);
      matrix_clear(&x.m);
    }
}

/* Redirects an edge to @p to, or removes it if @p to is its source. */
static void spoil(struct edges *x, size_t edge, uint32_t to)
{
  if (to == x->m.entry[edge].src)
    x->m.entry[edge] = x->m.entry[--x->m.count];
  else
    x->m.entry[edge].dst = to;
}

static uint32_t factors_of(struct edges *x, uint64_t seed)
{
  struct graph g = edges_graph(edges_shuffle(x, seed));
  struct product p;
  struct err e;
  ARENA(mem, &e);
  assert_int_equal(product_find(&p, &g, &mem), OK);
  const uint32_t count = p.count;
  graph_clear(&g);
  matrix_clear(&x->m);
  return count;
}

static void near_misses_are_refused(void **state)
{
  static const struct factor SQUARE[3] = {{6, {0}, 100}, {6, {0}, 100}, {1, {0}, 0}};
  (void)state;
  for (size_t edge = 0; edge < 180; edge += 7) {
    struct edges less = product(SQUARE), other = product(SQUARE);
    spoil(&less, edge, less.m.entry[edge].src);
    if (factors_of(&less, edge) != 0)
      fail_msg("a product is found, although edge %zu is missing", edge);
    const uint32_t v = other.m.entry[edge].src; /* moves the end to the next row and column */
    spoil(&other, edge, (v / 6 + 1) % 6 * 6 + (v + 1) % 6);
    if (factors_of(&other, edge) != 0)
      fail_msg("a product is found, although edge %zu is moved", edge);
  }
}

/* Products of paths and rings are left to structure.h, and a single factor is no product.  In an
 * axis that shifts the next axis by a step per round, squares look like the squares of a
 * product. */
static void other_graphs_are_refused(void **state)
{
  static const struct factor ROWS[][3] = {
      {{12, {0}, 10}, {1, {0}, 0}, {1, {0}, 0}},
      {{64, {1, 2, 4, 8, 16, 32}, 10}, {1, {0}, 0}, {1, {0}, 0}},
      {{64, {1, 8}, 10}, {1, {0}, 0}, {1, {0}, 0}},
      {{64, {1, 8}, 10}, {4, {0}, 10}, {1, {0}, 0}},
      {{8, {1}, 10}, {8, {1}, 10}, {8, {1}, 10}},
      {{2, {0}, 10}, {2, {0}, 10}, {2, {0}, 10}},
  };
  (void)state;
  for (size_t i = 0; i < COUNT(ROWS); i++) {
    struct edges x = product(ROWS[i]);
    if (factors_of(&x, i) != 0)
      fail_msg("row %zu: factors are found, but there are none", i);
  }
  struct edges random = edges_random(200, 12, 5);
  assert_int_equal(factors_of(&random, 1), 0);
}

/* Light additional edges are ignored, and weights are averaged. */
static void light_edges_do_not_count(void **state)
{
  static const struct factor SQUARE[3] = {{4, {0}, 1000}, {8, {0}, 500}, {1, {0}, 0}};
  struct edges x = product(SQUARE);
  (void)state;
  edges_add(&x, 0, 31, 20);
  x.m.entry[0].bytes += 80; /* in one of 8 copies of the edge */
  struct graph g = edges_graph(edges_shuffle(&x, 2));
  struct product p;
  struct err e;
  ARENA(mem, &e);
  assert_int_equal(product_find(&p, &g, &mem), OK);
  assert_int_equal(p.count, 2);
  const uint32_t four = p.factor[0].n == 4 ? 0 : 1;
  uint32_t heaviest = 0;
  for (uint32_t a = 0; a < p.factor[four].first[4]; a++)
    heaviest = p.factor[four].weight[a] > heaviest ? p.factor[four].weight[a] : heaviest;
  assert_int_equal(heaviest, 1010);
  graph_clear(&g);
  matrix_clear(&x.m);
}

static double dilation(const struct factor f[3], const char *platform, uint32_t per_host)
{
  struct edges x = product(f);
  struct graph g = edges_graph(edges_shuffle(&x, 9));
  struct platform *p = opened_platform(platform);
  struct target m;
  struct product found;
  struct err e;
  ARENA(mem, &e);
  uint32_t *slot = calloc(g.n, sizeof *slot);
  assert_non_null(slot);
  assert_int_equal(target_new(&m, p, per_host, &e), OK);
  struct placement place = {.g = &g, .m = &m, .slot = slot, .hops = UINT64_MAX};
  assert_int_equal(product_find(&found, &g, &mem), OK);
  assert_int_equal(product_map(&found, &place, 1, &e), OK);
  uint8_t *taken = calloc(m.slots, 1);
  assert_non_null(taken);
  for (uint32_t v = 0; v < g.n && place.hops != UINT64_MAX; v++)
    assert_int_equal(taken[slot[v]]++, 0);
  const double hops = (double)place.hops / (double)graphs_weight(&g) / (m.ndims > 0 ? 1 : 2);
  free(taken);
  free(slot);
  target_clear(&m);
  platform_free(p);
  graph_clear(&g);
  matrix_clear(&x.m);
  return place.hops == UINT64_MAX ? -1 : hops;
}

/* For complete factors, the hops follow from the shape of the boxes. */
static void boxes_are_the_best(void **state)
{
  static const struct {
    struct factor factor[3];
    const char *platform;
    uint32_t per_host;
    double hops; /* -1: no box fits */
  } rows[] = {
      {{{4, {0}, 1}, {8, {0}, 1}, {1, {0}, 0}}, "torus:8x4", 1, (3 * 4 / 3. + 7 * 16 / 7.) / 10},
      {{{4, {0}, 9}, {4, {0}, 9}, {1, {0}, 0}}, "mesh:4x4", 1, 5 / 3.},
      {{{4, {0}, 9}, {4, {0}, 9}, {1, {0}, 0}}, "hypercube:4", 1, 4 / 3.},
      {{{4, {0}, 1}, {8, {0}, 1}, {1, {0}, 0}}, "torus:8", 4, (4 * 1 + 3 * 8 / 3.) / 10},
      {{{4, {0}, 1}, {6, {0}, 1}, {1, {0}, 0}}, "torus:8x5", 1, (3 * 1.5 + 5 * 2.2) / 8},
      {{{4, {0}, 9}, {4, {0}, 9}, {1, {0}, 0}}, "fattree:down=4x4,up=1x4,cables=1x1", 1, 3},
      {{{7, {0}, 9}, {4, {0}, 9}, {1, {0}, 0}}, "torus:6x6", 1, -1},
  };
  (void)state;
  for (size_t i = 0; i < COUNT(rows); i++) {
    const double hops = dilation(rows[i].factor, rows[i].platform, rows[i].per_host);
    if (hops > rows[i].hops + 1e-9 || hops < rows[i].hops - 1e-9)
      fail_msg("row %zu: %.9g hops instead of %.9g", i, hops, rows[i].hops);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(factors_are_found),        cmocka_unit_test(near_misses_are_refused),
      cmocka_unit_test(other_graphs_are_refused), cmocka_unit_test(light_edges_do_not_count),
      cmocka_unit_test(boxes_are_the_best),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
