#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>

#include "platforms/topology/grid.h"
#include "plots/links/layout.h"
#include "tests/unit/count.h"

static struct topology *make(const char *spec)
{
  struct topology *t;
  struct err e;
  assert_int_equal(topology_new(&t, spec, &e), OK);
  return t;
}

static void panels_of_topologies(void **state)
{
  (void)state;
  static const struct {
    const char *spec;
    enum layout_kind kind;
    uint32_t panels, columns, rows;
    const char *last; /* name of the last panel */
  } ROWS[] = {
      {"mesh:16x8", LAYOUT_PLANES, 1, 16, 8, ""},
      {"torus:4x4x3", LAYOUT_PLANES, 3, 4, 4, "z = 2"},
      {"torus:5x1x4", LAYOUT_PLANES, 1, 5, 4, ""},
      {"torus:5x4x1x3", LAYOUT_PLANES, 3, 5, 4, "dim 3 = 2"},
      {"mesh:64x64x16", LAYOUT_PLANES, 16, 64, 64, "z = 15"},
      {"mesh:65x2", LAYOUT_CELLS, 3, 12, 11, "dim 1"},
      {"mesh:2x2x17", LAYOUT_CELLS, 4, 9, 8, "dim 2 -"},
      {"torus:9", LAYOUT_CELLS, 2, 3, 3, "dim 0 -"},
      {"torus:3x3x3x3", LAYOUT_CELLS, 8, 9, 9, "dim 3 -"},
      {"torus:2x3x2x3", LAYOUT_CELLS, 6, 6, 6, "dim 3 -"},
      {"hypercube:2", LAYOUT_CELLS, 2, 2, 2, "dim 1"},
      {"hypercube:5", LAYOUT_CELLS, 5, 8, 4, "dim 4"},
      {"torus:1x1", LAYOUT_CELLS, 0, 1, 1, NULL},
  };
  for (size_t i = 0; i < COUNT(ROWS); i++) {
    struct topology *t = make(ROWS[i].spec);
    const struct layout l = layout_of(t);
    char name[64];
    assert_int_equal(l.kind, ROWS[i].kind);
    assert_int_equal(l.panels, ROWS[i].panels);
    assert_int_equal(l.columns, ROWS[i].columns);
    assert_int_equal(l.rows, ROWS[i].rows);
    if (l.panels > 0) {
      layout_panel_name(&l, l.panels - 1, name, sizeof name);
      assert_string_equal(name, ROWS[i].last);
    }
    topology_free(t);
  }
}

/* Link id: (host * dimensions + dimension) * 2 + (1 if down). */
static void places_of_links(void **state)
{
  (void)state;
  static const struct {
    const char *spec;
    uint32_t host, dim, down, boxes, panel;
    double x[2], y[2], width, height;
    enum layout_thin thin;
  } ROWS[] = {
      {"mesh:3x3", 4, 0, 0, 1, 0, {1.5}, {0.88}, 0.52, 0.2, LAYOUT_THIN_HEIGHT},
      {"mesh:3x3", 4, 0, 1, 1, 0, {0.5}, {1.12}, 0.52, 0.2, LAYOUT_THIN_HEIGHT},
      {"mesh:3x3", 4, 1, 0, 1, 0, {1.12}, {1.5}, 0.2, 0.52, LAYOUT_THIN_WIDTH},
      {"mesh:3x3", 4, 1, 1, 1, 0, {0.88}, {0.5}, 0.2, 0.52, LAYOUT_THIN_WIDTH},
      {"torus:3x3", 5, 0, 0, 2, 0, {2.37, -0.37}, {0.88, 0.88}, 0.26, 0.2, LAYOUT_THIN_HEIGHT},
      {"torus:3x3", 3, 0, 1, 2, 0, {-0.37, 2.37}, {1.12, 1.12}, 0.26, 0.2, LAYOUT_THIN_HEIGHT},
      {"torus:3x3", 7, 1, 0, 2, 0, {1.12, 1.12}, {2.37, -0.37}, 0.2, 0.26, LAYOUT_THIN_WIDTH},
      {"torus:3x3", 1, 1, 1, 2, 0, {0.88, 0.88}, {-0.37, 2.37}, 0.2, 0.26, LAYOUT_THIN_WIDTH},
      {"torus:2x2x3", 5, 2, 0, 1, 1, {1.37}, {0.37}, 0.22, 0.22, LAYOUT_THIN_BOTH},
      {"torus:2x2x3", 5, 2, 1, 1, 1, {0.63}, {-0.37}, 0.22, 0.22, LAYOUT_THIN_BOTH},
      {"hypercube:4", 6, 2, 1, 1, 2, {2}, {1}, 1, 1, LAYOUT_THIN_NONE},
      {"torus:3x3x3x3", 80, 1, 1, 1, 3, {8}, {8}, 1, 1, LAYOUT_THIN_NONE},
      {"torus:3x3x3x3", 80, 3, 0, 1, 6, {8}, {8}, 1, 1, LAYOUT_THIN_NONE},
  };
  for (size_t i = 0; i < COUNT(ROWS); i++) {
    struct topology *t = make(ROWS[i].spec);
    const struct layout l = layout_of(t);
    struct layout_box box[2];
    uint32_t ndims;
    grid_sides(t, &ndims);
    const uint32_t link = (ROWS[i].host * ndims + ROWS[i].dim) * 2 + ROWS[i].down;
    assert_true(topology_has_link(t, link));
    assert_int_equal(layout_link(&l, link, box), ROWS[i].boxes);
    for (uint32_t k = 0; k < ROWS[i].boxes; k++) {
      assert_int_equal(box[k].panel, ROWS[i].panel);
      assert_int_equal(box[k].thin, ROWS[i].thin);
      assert_true(fabs(box[k].x - ROWS[i].x[k]) < 1e-12);
      assert_true(fabs(box[k].y - ROWS[i].y[k]) < 1e-12);
      assert_true(fabs(box[k].width - ROWS[i].width) < 1e-12);
      assert_true(fabs(box[k].height - ROWS[i].height) < 1e-12);
    }
    topology_free(t);
  }
}

static int overlap(const struct layout_box *a, const struct layout_box *b)
{
  return a->panel == b->panel && fabs(a->x - b->x) < (a->width + b->width) / 2 - 1e-9 &&
         fabs(a->y - b->y) < (a->height + b->height) / 2 - 1e-9;
}

static void no_two_links_overlap(void **state)
{
  (void)state;
  static const char *const SPECS[] = {"torus:4x3",   "mesh:3x4",      "torus:3x3x3", "torus:2x2x2",
                                      "hypercube:5", "torus:3x2x3x2", "torus:7"};
  for (size_t i = 0; i < COUNT(SPECS); i++) {
    struct topology *t = make(SPECS[i]);
    const struct layout l = layout_of(t);
    struct layout_box *box = calloc((size_t)topology_links(t) * 2, sizeof *box);
    uint32_t n = 0;
    assert_non_null(box);
    for (uint32_t link = 0; link < topology_link_ids(t); link++)
      if (topology_has_link(t, link))
        n += layout_link(&l, link, &box[n]);
    for (uint32_t a = 0; a < n; a++) {
      assert_true(box[a].panel < l.panels);
      assert_true(fabs(box[a].x - (l.columns - 1) / 2.0) <= l.columns / 2.0);
      assert_true(fabs(box[a].y - (l.rows - 1) / 2.0) <= l.rows / 2.0);
      for (uint32_t b = 0; b < a; b++)
        assert_false(overlap(&box[a], &box[b]));
    }
    free(box);
    topology_free(t);
  }
}

static void places_of_hosts(void **state)
{
  (void)state;
  struct topology *t = make("torus:4x3x2");
  const struct layout l = layout_of(t);
  uint32_t panel;
  double x, y;
  layout_host(&l, 12 + 4 + 3, &panel, &x, &y);
  assert_int_equal(panel, 1);
  assert_true(x == 3 && y == 1);
  topology_free(t);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(panels_of_topologies),
      cmocka_unit_test(places_of_links),
      cmocka_unit_test(no_two_links_overlap),
      cmocka_unit_test(places_of_hosts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
