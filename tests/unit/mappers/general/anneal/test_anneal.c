#include "mappers/general/anneal/anneal_grid.h"
#include "mappers/general/anneal/anneal_groups.h"
#include "mappers/general/anneal/grid_gains.h"
#include "tests/unit/mappers/general/graphs.h"

enum { MOST_SLOTS = 512 };

/* Random tasks on a machine, placed in the order of its slots. */
struct fixture {
  struct edges x;
  struct graph g;
  struct platform *on;
  struct target m;
  uint32_t slot[MOST_SLOTS];
  struct placement p;
};

static void fixture_set(struct fixture *f, const char *platform, uint32_t per_host, uint32_t tasks,
                        uint64_t seed)
{
  struct err e;
  f->x = edges_random(tasks, 5, seed);
  f->g = edges_graph(edges_shuffle(&f->x, seed));
  f->on = opened_platform(platform);
  assert_int_equal(target_new(&f->m, f->on, per_host, &e), OK);
  assert_in_range(f->m.slots, tasks, MOST_SLOTS);
  for (uint32_t v = 0; v < tasks; v++)
    f->slot[v] = v;
  f->p = (struct placement){.g = &f->g, .m = &f->m, .slot = f->slot};
  f->p.hops = placement_hops(&f->p, f->slot);
}

static void fixture_clear(struct fixture *f)
{
  target_clear(&f->m);
  platform_free(f->on);
  graph_clear(&f->g);
  matrix_clear(&f->x.m);
}

/* The hops must match a recount and be fewer than @p before, and tasks must be in different
 * slots. */
static void check_placement(const struct fixture *f, uint64_t before)
{
  uint32_t seen[MOST_SLOTS] = {0};
  if (f->p.hops != placement_hops(&f->p, f->slot) || f->p.hops >= before)
    fail_msg("%lu, counted %lu, before %lu", (unsigned long)placement_hops(&f->p, f->slot),
             (unsigned long)f->p.hops, (unsigned long)before);
  for (uint32_t v = 0; v < f->g.n; v++)
    if (f->slot[v] >= f->m.slots || seen[f->slot[v]]++ > 0)
      fail_msg("task %u in slot %u", v, f->slot[v]);
}

/* --- steps ------------------------------------------------------------------------------------ */

/* Change of the hops of the task in @p slot if it moves to @p host, computed with target_hops(). */
static int64_t change_of(const struct gains *s, uint32_t slot, uint32_t host)
{
  int64_t sum = 0;
  const uint32_t v = s->at[slot];
  if (v == GAINS_NOBODY)
    return 0;
  for (uint32_t a = s->g.first[v]; a < s->g.first[v + 1]; a++) {
    const uint32_t other = gains_host(s, s->slot[s->g.to[a]]);
    sum += (int64_t)s->g.weight[a] * ((int64_t)target_hops(s->m, host, other) -
                                      (int64_t)target_hops(s->m, gains_host(s, slot), other));
  }
  return sum;
}

static void check_steps(const struct gains *s)
{
  for (uint32_t slot = 0; slot < s->m->slots; slot++)
    for (uint32_t j = 0; j < s->moves; j++) {
      const uint32_t host = gains_host(s, slot), d = s->axis[j];
      const struct gains_leap leap = s->leap[j][host / s->stride[d] % s->m->side[d]];
      const uint32_t to = host + (uint32_t)leap.hosts;
      if (leap.hosts != 0 && s->by[j][slot] != change_of(s, slot, to))
        fail_msg("slot %u, move %u: %d", slot, j, s->by[j][slot]);
      if (leap.hosts != 0)
        assert_int_equal(target_hops(s->m, host, to), 1);
    }
}

static void steps_are_known_after_any_exchanges(void **state)
{
  static const struct {
    const char *platform;
    uint32_t per_host, tasks;
  } rows[] = {{"torus:4x3x5", 1, 50}, {"mesh:6x7", 1, 42},    {"hypercube:6", 1, 60},
              {"torus:2x3", 3, 17},   {"torus:13x14", 1, 60}, {"mesh:3x2x3x2x3", 1, 108},
              {"mesh:30", 2, 60},     {"torus:1", 4, 4}};
  (void)state;
  for (size_t i = 0; i < COUNT(rows); i++) {
    struct fixture f;
    struct gains s;
    struct err e;
    ARENA(mem, &e);
    struct rng r = rng_new(i, 2);
    fixture_set(&f, rows[i].platform, rows[i].per_host, rows[i].tasks, i);
    assert_int_equal(gains_new(&s, &f.m, &f.g, f.slot, &mem), OK);
    for (int k = 0; k < 200; k++)
      gains_exchange(&s, (uint32_t)rng_below(&r, f.g.n), (uint32_t)rng_below(&r, f.m.slots));
    check_steps(&s);
    for (uint32_t v = 0; v < f.g.n; v++)
      assert_int_equal(s.at[s.slot[v]], v);
    fixture_clear(&f);
  }
}

/* --- annealing -------------------------------------------------------------------------------- */

static void annealing_keeps_hops_and_slots_consistent(void **state)
{
  static const struct {
    const char *platform;
    uint32_t per_host, tasks;
  } rows[] = {
      {"torus:4x4x4", 1, 64},
      {"torus:4x3x5", 1, 50},
      {"mesh:6x7", 1, 42},
      {"hypercube:6", 1, 60},
      {"torus:2x3", 2, 11},
      {"fattree:k=4", 2, 30},
      {"fattree:k=6", 1, 50},
      {"torus:2x2x2", 1, 8},
      {"mesh:30", 1, 30},
      {"torus:7x1x5", 3, 100},
      {"dragonfly:groups=4,chassis=2,routers=2,nodes=2", 1, 30},
      {"torus:13x14", 1, 180},
      {"mesh:3x2x3x2x3", 1, 100},
      {"torus:8x8x8", 1, 40},
      {"torus:4x4x4", 3, 60},
      {"mesh:5x5x5", 4, 90},
      {"torus:3x3x3", 8, 200},
  };
  (void)state;
  for (size_t i = 0; i < COUNT(rows); i++) {
    struct fixture f;
    struct err e;
    const struct anneal_plan plan = {.work = 400, .start = 0.2, .end = 0.05, .seed = i};
    fixture_set(&f, rows[i].platform, rows[i].per_host, rows[i].tasks, i);
    const uint64_t before = f.p.hops;
    assert_int_equal(f.m.ndims > 0 ? anneal_grid(&f.p, &plan, &e) : anneal_groups(&f.p, &plan, &e),
                     OK);
    check_placement(&f, before);
    fixture_clear(&f);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(steps_are_known_after_any_exchanges),
      cmocka_unit_test(annealing_keeps_hops_and_slots_consistent),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
