#include "traces/generators/patterns/pattern.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/count.h"
#include "tests/unit/traces/generated_case.h"
#include "traces/matrix/matrix.h"

#define COMMON "iterations, size, compute, collective, collective_size"
#define CHOICES                                                                                    \
  "none, barrier, bcast, reduce, allreduce, allgather, alltoall, ibarrier, ibcast, ireduce, "      \
  "iallreduce, iallgather, ialltoall"

static const struct {
  const char *spec, *why;
} REFUSED[] = {
    {"ring:", "ring:: 'ranks' is missing"},
    {"ring:0", "ring:0: ranks: 0 is below the minimum of 1"},
    {"ring:1048577", "ring:1048577: ranks: 1048577 is above the maximum of 1048576"},
    {"ring:4:", "ring:4:: no option ''; options: " COMMON ", halo"},
    {"ring:4:sizes=1", "ring:4:sizes=1: no option 'sizes'; options: " COMMON ", halo"},
    {"collective:4:call=sum",
     "collective:4:call=sum: call: 'sum' is not a collective; see 'haichi list collectives'"},
    {"ring:4:seed=1", "ring:4:seed=1: no option 'seed'; options: " COMMON ", halo"},
    {"ring:4:ranks=1", "ring:4:ranks=1: no option 'ranks'; options: " COMMON ", halo"},
    {"ring:4:size", "ring:4:size: option 'size' has no value"},
    {"ring:4:size=", "ring:4:size=: option 'size' has no value"},
    {"ring:4:size=1,size=1", "ring:4:size=1,size=1: option 'size' is given twice"},
    {"ring:4:size=2147483648", "ring:4:size=2147483648: size: 2147483648 is outside 0..2147483647"},
    {"ring:4:compute=-1", "ring:4:compute=-1: compute: -1 is outside 0..1e+30"},
    {"pingpong:4:halo=neighbor",
     "pingpong:4:halo=neighbor: no option 'halo'; options: iterations, size, compute"},
    {"alltoall:4:halo=neighbor",
     "alltoall:4:halo=neighbor: no option 'halo'; options: " COMMON ", seed, weights"},
    {"ring:4:halo=all", "ring:4:halo=all: halo: 'all' is none of messages, neighbor, ineighbor"},
    {"ring:4:collective_size=-1",
     "ring:4:collective_size=-1: collective_size: -1 is outside 0..2147483647"},
    {"ring:4:collective=scan", "ring:4:collective=scan: collective: 'scan' is none of " CHOICES},
    {"ring:4:collective=iiallreduce",
     "ring:4:collective=iiallreduce: collective: 'iiallreduce' is none of " CHOICES},
    {"ring:4:size=1:2", "ring:4:size=1:2: size: '1:2' is not a whole number"},
    {"butterfly:6", "butterfly:6: 6 ranks are not a power of two"},
    {"alltoall:4:weights=odd", "alltoall:4:weights=odd: weights: 'odd' is none of equal, random"},
    {"random:7", "random:7: degree 4 among 7 ranks: at most half of the ranks, and at most 256"},
    {"random:1024:degree=257", "random:1024:degree=257: degree 257 among 1024 ranks: at most "
                               "half of the ranks, and at most 256"},
    {"random:131072:degree=129", "random:131072:degree=129: 131072 ranks of degree 129: more than "
                                 "16777216 edges"},
    {"geometric:15:degree=8",
     "geometric:15:degree=8: degree 8 among 15 ranks: at most half of the ranks, and at most 256"},
    {"geometric:64:weights=random",
     "geometric:64:weights=random: no option 'weights'; options: " COMMON
     ", degree, dimensions, halo, seed"},
    {"geometric:64:dimensions=4",
     "geometric:64:dimensions=4: dimensions: 4 is above the maximum of 3"},
    {"geometric:64:dimensions=1",
     "geometric:64:dimensions=1: dimensions: 1 is below the minimum of 2"},
    {"stencil:4", "stencil:4: expected 2 to 4 sides, as in 8x8x4"},
    {"stencil:4x", "stencil:4x: sides: '' is not a whole number"},
    {"stencil:4x0", "stencil:4x0: sides: 0 is below the minimum of 1"},
    {"stencil:1048576x2", "stencil:1048576x2: more than 1048576 ranks"},
    {"stencil:2x2x2x2x2", "stencil:2x2x2x2x2: expected 2 to 4 sides, as in 8x8x4"},
    {"stencil:4x4:points=7", "stencil:4x4:points=7: there is no 7-point stencil in 2-D"},
    {"stencil:4x4:periodic=1", "stencil:4x4:periodic=1: option 'periodic' takes no value"},
};

static void bad_specs_are_refused(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(REFUSED); i++) {
    struct generator *g;
    struct err e;
    assert_int_equal(generator_open(&g, REFUSED[i].spec, &e), FAIL);
    assert_string_equal(e.text, REFUSED[i].why);
  }
}

static struct matrix matrix_of(const char *spec)
{
  return generated_matrix(spec, &(struct collectives){.host = NULL}, false);
}

static void numbers_of_messages_follow_from_the_shape(void **state)
{
  (void)state;
  static const struct {
    const char *spec;
    size_t pairs;
    uint64_t messages, bytes;
  } CASES[] = {
      {"ring:1", 0, 0, 0},
      {"ring:2:size=10", 2, 2, 20},
      {"ring:5:size=10,iterations=3", 5, 15, 150},
      {"butterfly:8:size=1", 24, 24, 24},
      {"alltoall:40:size=0", 1560, 1560, 0},
      {"random:20:degree=10,size=2,iterations=2", 200, 400, 800},
      {"pingpong:1", 0, 0, 0},
      {"pingpong:5:size=10,iterations=3", 4, 12, 120},
      {"collective:5:size=10,iterations=3", 8, 24, 240},
      {"collective:5:call=alltoall,size=10", 20, 20, 200},
      {"collective:5:call=alltoallv,size=10", 20, 20, 200},
      {"collective:5:call=gatherv,size=10", 4, 4, 40},
      {"collective:5:call=scatterv,size=10", 4, 4, 40},
      {"collective:5:call=allgatherv,size=10", 20, 20, 200},
      {"collective:5:call=reducescatter,size=10", 8, 8, 4 * 50 + 4 * 10},
      {"collective:5:call=exscan,size=10", 10, 10, 100},
      {"collective:5:call=barrier,size=10", 8, 8, 0},
      {"stencil:3x3:size=1", 24, 24, 24},
      {"stencil:3x3:size=1,points=9", 40, 40, 40},
      {"stencil:3x3:size=1,periodic", 36, 36, 36},
      {"stencil:2x2:size=1,periodic", 8, 16, 16}, /* both directions lead to the same rank */
      {"stencil:1x4:size=1,periodic", 8, 8, 8},
      {"stencil:3x3x3:size=1", 108, 108, 108},
      {"stencil:3x3x3:size=1,points=19,periodic", 27 * 18, 27 * 18, 27 * 18},
      {"stencil:3x3x3:size=1,points=27,periodic", 27 * 26, 27 * 26, 27 * 26},
      {"stencil:3x3x3x3:size=1,points=33,periodic", 81 * 32, 81 * 32, 81 * 32},
      {"stencil:3x3x3x3:size=1,points=81,periodic", 81 * 80, 81 * 80, 81 * 80},
  };
  for (size_t i = 0; i < COUNT(CASES); i++) {
    struct matrix m = matrix_of(CASES[i].spec);
    uint64_t messages = 0, bytes = 0;
    for (size_t k = 0; k < m.count; k++) {
      messages += m.entry[k].messages;
      bytes += m.entry[k].bytes;
      assert_int_not_equal(m.entry[k].src, m.entry[k].dst);
    }
    if (m.count != CASES[i].pairs || messages != CASES[i].messages || bytes != CASES[i].bytes)
      fail_msg("%s: %zu pairs, %ju messages, %ju bytes", CASES[i].spec, m.count,
               (uintmax_t)messages, (uintmax_t)bytes);
    matrix_clear(&m);
  }
}

static void assert_partners(const char *spec, uint32_t rank, const uint32_t *want, size_t count)
{
  struct matrix m = matrix_of(spec);
  size_t n = 0;
  for (size_t k = 0; k < m.count; k++)
    if (m.entry[k].src == rank && n < count)
      assert_int_equal(m.entry[k].dst, want[n++]);
    else
      assert_int_not_equal(m.entry[k].src, rank);
  assert_int_equal(n, count);
  matrix_clear(&m);
}

static void partners_are_neighbours(void **state)
{
  (void)state;
  assert_partners("ring:5", 4, (uint32_t[]){0}, 1);
  assert_partners("butterfly:16", 5, (uint32_t[]){1, 4, 7, 13}, 4);
  assert_partners("pingpong:5", 2, (uint32_t[]){3}, 1);
  assert_partners("pingpong:5", 4, NULL, 0);
  assert_partners("stencil:4x3", 5, (uint32_t[]){1, 4, 6, 9}, 4);
  assert_partners("stencil:4x3", 3, (uint32_t[]){2, 7}, 2);
  assert_partners("stencil:4x3:periodic", 3, (uint32_t[]){0, 2, 7, 11}, 4);
  assert_partners("stencil:4x3:points=9", 3, (uint32_t[]){2, 6, 7}, 3);
  assert_partners("stencil:4x3x2", 0, (uint32_t[]){1, 4, 12}, 3);
}

/* Each rank has the same number of partners in each direction, which the seed selects. */
static void random_graphs_are_regular(void **state)
{
  (void)state;
  for (uint32_t degree = 1; degree <= 6; degree++) {
    char spec[64];
    uint32_t from[12] = {0}, to[12] = {0};
    snprintf(spec, sizeof spec, "random:12:degree=%u", degree);
    struct matrix m = matrix_of(spec);
    assert_int_equal(m.count, 12 * degree);
    for (size_t k = 0; k < m.count; k++) {
      from[m.entry[k].src]++;
      to[m.entry[k].dst]++;
    }
    for (uint32_t r = 0; r < 12; r++)
      assert_true(from[r] == degree && to[r] == degree);
    matrix_clear(&m);
  }
}

/* Six times the number of triangles in a graph with messages in both directions of each pair. */
static size_t count_triangles(const struct matrix *m)
{
  size_t n = 0;
  for (size_t k = 0; k < m->count; k++) {
    const struct matrix_entry x = m->entry[k];
    const size_t back = matrix_search(m->entry, 0, m->count, x.dst, x.src);
    assert_true(back < m->count && m->entry[back].src == x.dst && m->entry[back].dst == x.src);
    for (size_t i = matrix_search(m->entry, 0, m->count, x.dst, 0);
         i < m->count && m->entry[i].src == x.dst; i++) {
      const size_t at = matrix_search(m->entry, 0, m->count, x.src, m->entry[i].dst);
      n += at < m->count && m->entry[at].src == x.src && m->entry[at].dst == m->entry[i].dst;
    }
  }
  return n;
}

/* Ranks have the requested number of partners, except for partners beyond the border.  Two partners
 * of a rank are within the radius of each other with a probability of 59 % in the plane and 47 % in
 * space: without borders this gives 12,500 and 10,000 triangles.  A random graph has 85. */
static void geometric_graphs_are_local(void **state)
{
  (void)state;
  static const struct {
    const char *spec;
    size_t pairs, triangles;
  } rows[] = {{"geometric:2000:degree=8", 7700, 12000},
              {"geometric:2000:degree=8,dimensions=3", 7000, 7500}};
  for (size_t i = 0; i < COUNT(rows); i++) {
    struct matrix m = matrix_of(rows[i].spec);
    const size_t triangles = count_triangles(&m) / 6;
    assert_in_range(m.count / 2, rows[i].pairs * 9 / 10, rows[i].pairs * 11 / 10);
    assert_in_range(triangles, rows[i].triangles * 8 / 10, rows[i].triangles * 12 / 10);
    matrix_clear(&m);
  }
  struct matrix m = matrix_of("geometric:9:degree=0");
  assert_int_equal(m.count, 0);
  matrix_clear(&m);
}

static bool same(const char *a, const char *b)
{
  struct matrix m = matrix_of(a), n = matrix_of(b);
  const bool result =
      m.count == n.count && memcmp(m.entry, n.entry, m.count * sizeof *m.entry) == 0;
  matrix_clear(&m);
  matrix_clear(&n);
  return result;
}

static void the_seed_decides(void **state)
{
  (void)state;
  assert_true(same("random:30", "random:30:seed=1,weights=equal"));
  assert_false(same("random:30", "random:30:seed=2"));
  assert_true(same("alltoall:9:weights=random", "alltoall:9:seed=1,weights=random"));
  assert_false(same("alltoall:9:weights=random", "alltoall:9:weights=random,seed=2"));
  assert_true(same("alltoall:9", "alltoall:9:seed=2"));
  assert_true(same("geometric:30", "geometric:30:seed=1,degree=4"));
  assert_false(same("geometric:30", "geometric:30:seed=2"));
}

static void random_sizes_fill_their_range(void **state)
{
  (void)state;
  struct matrix m = matrix_of("alltoall:60:weights=random,size=10");
  uint32_t seen[11] = {0};
  for (size_t k = 0; k < m.count; k++) {
    assert_in_range(m.entry[k].bytes, 1, 10);
    seen[m.entry[k].bytes]++;
  }
  for (int size = 1; size <= 10; size++)
    assert_in_range(seen[size], 354 * 7 / 10, 354 * 13 / 10);
  matrix_clear(&m);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bad_specs_are_refused),
      cmocka_unit_test(numbers_of_messages_follow_from_the_shape),
      cmocka_unit_test(partners_are_neighbours),
      cmocka_unit_test(random_graphs_are_regular),
      cmocka_unit_test(geometric_graphs_are_local),
      cmocka_unit_test(the_seed_decides),
      cmocka_unit_test(random_sizes_fill_their_range),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
