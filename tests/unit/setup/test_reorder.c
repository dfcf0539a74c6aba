/* Ranks of running processes: permutations on small machines, and grids of 512 ranks on shuffled
 * hosts of larger ones. */
#include "setup/reorder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common/numeric/rng.h"
#include "platforms/inside/inside.h"
#include "tests/unit/opened.h"

enum { MOST = 4096 };

struct fixture {
  struct platform *p;
  struct matrix traffic;
  uint32_t host[MOST], process[MOST];
  struct reorder_result result;
  struct err e;
};

static void add(struct fixture *f, uint32_t from, uint32_t to)
{
  f->traffic.entry[f->traffic.count++] = (struct matrix_entry){from, to, 1, 65536};
}

/* A grid of side^axes ranks, the last axis fastest; entries are sorted as a matrix needs it. */
static void make_grid(struct fixture *f, uint32_t side, uint32_t axes)
{
  uint32_t ranks = 1;
  for (uint32_t d = 0; d < axes; d++)
    ranks *= side;
  f->traffic = (struct matrix){.ranks = ranks};
  f->traffic.entry = calloc((size_t)ranks * 2 * axes, sizeof *f->traffic.entry);
  assert_non_null(f->traffic.entry);
  for (uint32_t r = 0; r < ranks; r++) {
    for (uint32_t stride = ranks / side; stride > 0; stride /= side)
      if (r / stride % side > 0)
        add(f, r, r - stride);
    for (uint32_t stride = 1; stride < ranks; stride *= side)
      if (r / stride % side < side - 1)
        add(f, r, r + stride);
  }
}

static void shuffle(uint32_t *host, uint32_t n, uint64_t seed)
{
  struct rng r = rng_new(seed, 0);
  for (uint32_t i = 0; i < n; i++)
    host[i] = i;
  rng_shuffle(&r, host, n);
}

static enum status find(struct fixture *f, uint32_t processes, const char *mapper)
{
  const struct reorder_request q = {f->p, &f->traffic, f->host, processes, mapper, 1};
  return reorder_find(&q, f->process, &f->result, &f->e);
}

static void check_permutation(const struct fixture *f, uint32_t n)
{
  bool seen[MOST] = {false};
  for (uint32_t r = 0; r < n; r++) {
    assert_in_range(f->process[r], 0, n - 1);
    assert_false(seen[f->process[r]]);
    seen[f->process[r]] = true;
  }
}

static void clear(struct fixture *f)
{
  platform_free(f->p);
  free(f->traffic.entry);
}

static void shuffled_grids_become_faster(void **state)
{
  (void)state;
  static const struct {
    const char *platform;
    uint32_t side, axes;
    double most; /* of the estimated time before */
  } CASES[] = {
      {"torus:8x8x8", 8, 3, 0.1},
      {"torus:16x16", 16, 2, 0.1},
      {"mesh:8x8", 8, 2, 0.2},
      {"fattree:down=8x8,up=1x2,cables=1x1", 4, 3, 0.8},
      {"dragonfly:groups=8,chassis=4,routers=8,nodes=2", 8, 3, 0.8},
  };
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    struct fixture f = {0};
    f.p = opened_platform(CASES[i].platform);
    make_grid(&f, CASES[i].side, CASES[i].axes);
    const uint32_t n = f.traffic.ranks;
    shuffle(f.host, n, i);
    assert_int_equal(find(&f, n, NULL), OK);
    check_permutation(&f, n);
    assert_true(f.result.moved);
    if (f.result.after.estimated_time_s > CASES[i].most * f.result.before.estimated_time_s)
      fail_msg("%s: %g s after %g s", CASES[i].platform, f.result.after.estimated_time_s,
               f.result.before.estimated_time_s);
    assert_true(f.result.after.hop_bytes < f.result.before.hop_bytes);
    clear(&f);
  }
}

static void ranks_stay_without_gain(void **state)
{
  (void)state;
  struct fixture f = {0};
  f.p = opened_platform("torus:8x8");
  make_grid(&f, 8, 2);
  for (uint32_t i = 0; i < 64; i++)
    f.host[i] = i;
  assert_int_equal(find(&f, 64, NULL), OK);
  assert_false(f.result.moved);
  for (uint32_t i = 0; i < 64; i++)
    assert_int_equal(f.process[i], i);
  shuffle(f.host, 64, 3); /* random cannot improve a good mapping, so all ranks stay */
  assert_int_equal(find(&f, 64, NULL), OK);
  uint32_t better[MOST];
  for (uint32_t r = 0; r < 64; r++)
    better[r] = f.host[f.process[r]];
  memcpy(f.host, better, sizeof better);
  assert_int_equal(find(&f, 64, "random:seed=9"), OK);
  assert_false(f.result.moved);
  clear(&f);
}

/* With more than 1024 ranks, the default is auto:choose=quick. */
static void large_grids_are_mapped_quickly(void **state)
{
  (void)state;
  static const struct {
    const char *platform;
    uint32_t side, axes;
    double most_hops, most_time; /* links of a message in the mean; of the estimated time before */
  } CASES[] = {
      {"torus:16x16x16", 16, 3, 1, 0.05},
      {"torus:64x64", 64, 2, 1, 0.05},
      {"torus:64x64", 16, 3, 2.8, 0.3},
      {"fattree:down=16x16x16,up=1x8x8,cables=1x1x1", 16, 3, 3, 0.3},
      {"dragonfly:groups=16,chassis=4,routers=16,nodes=4", 16, 3, 3.5, 0.7},
  };
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    static struct fixture f;
    static uint32_t process[MOST];
    memset(&f, 0, sizeof f);
    f.p = opened_platform(CASES[i].platform);
    make_grid(&f, CASES[i].side, CASES[i].axes);
    const uint32_t n = f.traffic.ranks;
    shuffle(f.host, n, i);
    assert_int_equal(find(&f, n, NULL), OK);
    check_permutation(&f, n);
    assert_true(f.result.moved);
    const double bytes = 65536.0 * (double)f.traffic.count;
    if ((double)f.result.after.hop_bytes > CASES[i].most_hops * bytes ||
        f.result.after.estimated_time_s > CASES[i].most_time * f.result.before.estimated_time_s)
      fail_msg("%s: %g links, %g s after %g s", CASES[i].platform,
               (double)f.result.after.hop_bytes / bytes, f.result.after.estimated_time_s,
               f.result.before.estimated_time_s);
    memcpy(process, f.process, sizeof process);
    assert_int_equal(find(&f, n, "auto:choose=quick"), OK);
    assert_memory_equal(process, f.process, sizeof process);
    clear(&f);
  }
}

/* Fewer ranks than processes, and hosts with unequal numbers of processes. */
static void processes_without_ranks_follow(void **state)
{
  (void)state;
  static const uint32_t HOST[] = {0, 9, 3, 9, 12, 0, 5, 9, 15, 3, 10, 6};
  struct fixture f = {0};
  f.p = opened_platform("torus:4x4");
  make_grid(&f, 3, 2);
  memcpy(f.host, HOST, sizeof HOST);
  assert_int_equal(find(&f, 12, NULL), OK);
  check_permutation(&f, 12);
  assert_true(f.result.moved);
  for (uint32_t r = 9; r + 1 < 12; r++)
    assert_true(f.process[r] < f.process[r + 1]);
  clear(&f);
}

/* Two rings of four ranks, alternating over the packages: each gets a package. */
static void cores_are_exchanged(void **state)
{
  (void)state;
  struct fixture f = {0};
  f.p = opened_platform("star:1,node=pack:2 core:4");
  f.traffic = (struct matrix){.ranks = 8};
  f.traffic.entry = calloc(8, sizeof *f.traffic.entry);
  for (uint32_t r = 0; r < 8; r++) {
    f.host[r] = r;
    add(&f, r, (r + 2) % 8);
  }
  assert_int_equal(find(&f, 8, NULL), OK);
  check_permutation(&f, 8);
  assert_true(f.result.moved);
  for (uint32_t r = 0; r < 8; r++)
    assert_int_equal(f.process[r] / 4, f.process[(r + 2) % 8] / 4);
  for (uint32_t r = 0; r < 8; r++) /* several processes on each core: no inside, so no gain */
    f.host[r] = r / 2;
  assert_int_equal(find(&f, 8, NULL), OK);
  assert_false(f.result.moved);
  clear(&f);
}

static void swap(uint32_t *a, uint32_t *b)
{
  const uint32_t t = *a;
  *a = *b;
  *b = t;
}

/* Makes the next permutation in lexicographic order; false after the last one. */
static bool next_permutation(uint32_t *x, uint32_t n)
{
  uint32_t i = n - 1, k = n - 1;
  while (i > 0 && x[i - 1] > x[i])
    i--;
  if (i == 0)
    return false;
  while (x[k] < x[i - 1])
    k--;
  swap(&x[i - 1], &x[k]);
  for (uint32_t high = n - 1; i < high; i++, high--)
    swap(&x[i], &x[high]);
  return true;
}

/* Six processes on six of 32 cores, and a periodic grid of 2 x 3, with two messages along its
 * shorter side: no other of the 720 orders is faster, and free cores stay free. */
static void few_processes_take_their_best_cores(void **state)
{
  (void)state;
  static const uint32_t to[6][3] = {{1, 2, 3}, {0, 2, 4}, {0, 1, 5},
                                    {0, 4, 5}, {1, 3, 5}, {2, 3, 4}};
  struct fixture f = {0};
  uint32_t order[] = {0, 1, 2, 3, 4, 5};
  double least = 1;
  f.p = opened_platform("star:1,node=pack:2 numa:2 l3:2 core:4");
  f.traffic = (struct matrix){.ranks = 6};
  f.traffic.entry = calloc(18, sizeof *f.traffic.entry);
  assert_non_null(f.traffic.entry);
  for (uint32_t r = 0; r < 6; r++)
    for (uint32_t k = 0; k < 3; k++) {
      add(&f, r, to[r][k]);
      f.traffic.entry[f.traffic.count - 1].bytes *= (r + 3) % 6 == to[r][k] ? 2 : 1;
    }
  do {
    memcpy(f.host, order, sizeof order);
    assert_int_equal(find(&f, 6, "xyz"), OK);
    least = f.result.before.estimated_time_s < least ? f.result.before.estimated_time_s : least;
  } while (next_permutation(order, 6));
  for (uint32_t i = 0; i < 6; i++)
    f.host[i] = i;
  assert_int_equal(find(&f, 6, NULL), OK);
  check_permutation(&f, 6);
  assert_true(f.result.moved);
  assert_true(f.result.after.estimated_time_s <= least * 1.000001);
  clear(&f);
}

static void processes_are_located(void **state)
{
  (void)state;
  static const uint64_t U0 = 1, U1 = 2, U3 = 8, U77[2] = {0, 1 << 13};
  static const struct reorder_process PROCESS[] = {
      {"a.example.org", &U3, 1},
      {"b", &U0, 1},
      {"a", &U3, 1},
      {"a", NULL, 0},
      {"b", U77, 2},
      {"b", &U1, 1},
  };
  static const uint32_t WANT[] = {3, 4, 0, 1, 6, 5};
  uint32_t host[6];
  struct fixture f = {0};
  f.p = opened_platform("star:2,node=core:4,names=a,b");
  assert_int_equal(reorder_locate(host, f.p, PROCESS, 6, &f.e), OK);
  for (int i = 0; i < 6; i++)
    assert_int_equal(host[i], WANT[i]);
  assert_int_equal(reorder_locate(host, f.p, &(struct reorder_process){"c", &U0, 1}, 1, &f.e),
                   FAIL);
  assert_non_null(strstr(f.e.text, "no host 'c'"));
  clear(&f);
}

/* As mpirun does by default: processes alternate between two packages and are bound to all cores of
 * one.  One is bound to a core, and one to all. */
static void processes_stay_in_their_packages(void **state)
{
  (void)state;
  static const uint64_t BOTH[] = {0xf, 0xf0}, FIRST = 1, ALL = 0xff;
  static const uint32_t WANT[] = {1, 4, 2, 5, 0, 6, 3, 7};
  struct reorder_process process[8];
  uint32_t host[8];
  struct fixture f = {0};
  for (int i = 0; i < 8; i++)
    process[i] = (struct reorder_process){"node-0", &BOTH[i % 2], 1};
  process[4].unit = &FIRST;
  process[6].unit = &ALL;
  f.p = opened_platform("star:1,node=pack:2 core:4");
  assert_int_equal(reorder_locate(host, f.p, process, 8, &f.e), OK);
  for (int i = 0; i < 8; i++)
    assert_int_equal(host[i], WANT[i]);
  clear(&f);
}

static void wrong_requests_are_refused(void **state)
{
  (void)state;
  struct fixture f = {0};
  f.p = opened_platform("torus:2x2");
  make_grid(&f, 3, 2);
  assert_int_equal(find(&f, 4, NULL), FAIL);
  assert_string_equal(f.e.text, "traffic of 9 ranks, but 4 processes");
  f.host[7] = 4;
  assert_int_equal(find(&f, 9, NULL), FAIL);
  assert_string_equal(f.e.text, "process 7 is on host 4, but there are only 4 hosts");
  for (uint32_t i = 0; i < 9; i++)
    f.host[i] = i * 7 % 4;
  assert_int_equal(find(&f, 9, "nonsense"), FAIL);
  assert_int_equal(find(&f, 9, "tune"), FAIL);
  clear(&f);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(shuffled_grids_become_faster),
      cmocka_unit_test(ranks_stay_without_gain),
      cmocka_unit_test(large_grids_are_mapped_quickly),
      cmocka_unit_test(processes_without_ranks_follow),
      cmocka_unit_test(cores_are_exchanged),
      cmocka_unit_test(few_processes_take_their_best_cores),
      cmocka_unit_test(processes_are_located),
      cmocka_unit_test(processes_stay_in_their_packages),
      cmocka_unit_test(wrong_requests_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
