/* Hypercubes, alone and joined by transposes, get few hops for any numbering of their tasks. */
#include "mappers/general/recognise/butterfly.h"
#include "tests/unit/mappers/general/graphs.h"

/* 2^(bits - width) hypercubes of 2^width tasks.  An edge of bit b has 1000 * (b + 1) bytes.
 * @p transposes: edges of 1000 bytes between each task and its transpose; needs bits == 2 * width.
 */
static struct edges cubes(uint32_t bits, uint32_t width, bool transposes)
{
  struct edges x = {.n = 1u << bits};
  for (uint32_t v = 0; v < x.n; v++) {
    const uint32_t transpose = v >> width | (v & ((1u << width) - 1)) << width;
    for (uint32_t b = 0; b < width; b++)
      if ((v >> b & 1) == 0)
        edges_add(&x, v, v ^ 1u << b, 1000 * (b + 1));
    if (transposes && transpose > v)
      edges_add(&x, v, transpose, 1000);
  }
  return x;
}

/* Maps a graph.  Returns the sum of hops times weight; UINT64_MAX: the graph is refused. */
static uint64_t map(struct edges *x, const char *platform, uint32_t per_host, uint64_t seed)
{
  struct platform *p = opened_platform(platform);
  const struct graph g = edges_graph(edges_shuffle(x, seed));
  uint32_t *slot = malloc(g.n * sizeof *slot);
  struct target m;
  struct err e;
  assert_non_null(slot);
  assert_int_equal(target_new(&m, p, per_host, &e), OK);
  struct placement placement = {.g = &g, .m = &m, .slot = slot, .hops = UINT64_MAX};
  assert_int_equal(butterfly_map(&placement, 1, &e), OK);
  assert_int_equal(placement.settled, placement.hops != UINT64_MAX);
  if (placement.settled)
    assert_int_equal(placement_hops(&placement, slot), placement.hops);
  target_clear(&m);
  free(slot);
  graph_clear(&g);
  free(x->m.entry);
  platform_free(p);
  return placement.hops;
}

static void cubes_have_few_hops(void **state)
{
  static const struct {
    const char *platform;
    uint32_t per_host, bits, width;
    bool transposes;
    uint64_t most;
  } rows[] = {
      {"hypercube:6", 1, 6, 6, false, 672000}, {"torus:8x8", 1, 6, 6, false, 992000},
      {"mesh:8x8", 1, 6, 6, false, 1184000},   {"torus:16x4", 1, 6, 6, false, 1056000},
      {"torus:4x4", 4, 6, 6, false, 320000},   {"torus:16x16", 1, 8, 8, false, 9856000},
      {"torus:8x8", 1, 6, 3, true, 288000},
  };
  (void)state;
  for (size_t i = 0; i < COUNT(rows); i++)
    for (uint64_t seed = 1; seed <= 3; seed++) {
      struct edges x = cubes(rows[i].bits, rows[i].width, rows[i].transposes);
      const uint64_t hops = map(&x, rows[i].platform, rows[i].per_host, seed);
      if (hops > rows[i].most)
        fail_msg("%s, seed %ju: %ju hops, above %ju", rows[i].platform, (uintmax_t)seed,
                 (uintmax_t)hops, (uintmax_t)rows[i].most);
    }
}

static void other_graphs_are_refused(void **state)
{
  static const struct {
    const char *platform;
    uint32_t side[3];
    bool ring;
  } rows[] = {{"torus:4x4", {4, 4, 1}, false},
              {"torus:8x8", {8, 8, 1}, true},
              {"torus:6x6", {6, 6, 1}, true}};
  (void)state;
  for (size_t i = 0; i < COUNT(rows); i++) {
    struct edges x = edges_grid(rows[i].side, rows[i].ring);
    assert_int_equal(map(&x, rows[i].platform, 1, 1), UINT64_MAX);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(cubes_have_few_hops),
      cmocka_unit_test(other_graphs_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
