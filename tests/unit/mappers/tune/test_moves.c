/* Moves of pairs of ranks: which pairs are drawn, and where their ranks go. */
#include <string.h>

#include "common/arena.h"
#include "mappers/tune/moves.h"
#include "tests/unit/mappers/merge.h"

enum { RANKS = 60, HOSTS = 64, DRAWS = 6000, MOST = DRAWS / 12 };

static const struct mapper_blame BLAME[] = {
    {3, 40, 2}, {7, 7, 100}, {5, 21, 1}, {9, 11, 0}, {50, 20, 3}};

struct bench {
  struct arena mem;
  struct platform *platform;
  struct matrix traffic;
  struct mapper_input in;
  struct moves *moves;
  struct rng rng;
  uint32_t at[HOSTS];
};

static void set_up(struct bench *b, const char *platform, uint32_t each, struct err *e)
{
  *b = (struct bench){.mem = {.e = e},
                      .platform = opened_platform(platform),
                      .traffic = {.ranks = RANKS},
                      .rng = rng_new(11, 0)};
  b->traffic.entry = calloc(1, sizeof *b->traffic.entry);
  assert_non_null(b->traffic.entry);
  b->traffic.entry[b->traffic.count++] = (struct matrix_entry){12, 13, 1, 1};
  b->in = (struct mapper_input){
      .platform = b->platform, .traffic = &b->traffic, .ranks = RANKS, .ranks_per_host = each};
  assert_int_equal(moves_new(&b->moves, &b->in, &b->mem), OK);
  for (uint32_t i = 0; i < HOSTS; i++)
    b->at[i] = i;
}

static void tear_down(struct bench *b)
{
  arena_clear(&b->mem);
  matrix_clear(&b->traffic);
  platform_free(b->platform);
}

/* At most two entries are exchanged.  Returns whether rank @p src or @p dst is one of them. */
static bool moves_one_of(const struct bench *b, const uint32_t *to, uint32_t src, uint32_t dst)
{
  uint32_t changed = 0;
  for (uint32_t i = 0; i < HOSTS; i++) {
    changed += to[i] != b->at[i];
    if (to[i] != b->at[i])
      assert_true(to[to[i]] == i);
  }
  assert_true(changed == 0 || changed == 2);
  return to[src] != b->at[src] || to[dst] != b->at[dst];
}

/* Pairs are drawn in proportion to their times; pairs of one rank or without time never. */
static void pairs_are_drawn_by_their_times(void **state)
{
  (void)state;
  struct err e;
  struct bench b;
  uint32_t to[HOSTS], count[COUNT(BLAME)] = {0}, none = 0;
  set_up(&b, "torus:4x4x4", 1, &e);
  assert_int_equal(moves_blame(b.moves, BLAME, COUNT(BLAME), &e), OK);
  for (uint32_t i = 0; i < DRAWS; i++) {
    bool found = false;
    moves_make(b.moves, MOVE_BLAMED, &b.rng, b.at, to);
    for (size_t k = 0; k < COUNT(BLAME) && !found; k++) {
      found = BLAME[k].seconds > 0 && BLAME[k].src != BLAME[k].dst &&
              moves_one_of(&b, to, BLAME[k].src, BLAME[k].dst);
      count[k] += found;
    }
    none += !found;
  }
  /* A rank may be drawn to the place that it has, and a rank of a pair may be moved out of the way
   * of another one. */
  assert_true(none < DRAWS / 20);
  assert_in_range(count[0], DRAWS / 3 - MOST, DRAWS / 3 + MOST);
  assert_in_range(count[2], DRAWS / 6 - MOST, DRAWS / 6 + MOST);
  assert_in_range(count[4], DRAWS / 2 - MOST, DRAWS / 2 + MOST);
  tear_down(&b);
}

/* Without blame, partners are drawn from the traffic. */
static void without_blame_partners_are_joined(void **state)
{
  (void)state;
  struct err e;
  struct bench b;
  uint32_t to[HOSTS], other[HOSTS];
  set_up(&b, "torus:4x4x4", 1, &e);
  for (int pass = 0; pass < 2; pass++) {
    struct rng r = rng_new(3, 0);
    for (uint32_t i = 0; i < 100; i++) {
      moves_make(b.moves, MOVE_BLAMED, &b.rng, b.at, to);
      moves_make(b.moves, MOVE_JOIN, &r, b.at, other);
      assert_true(moves_one_of(&b, to, 12, 13) || memcmp(to, b.at, sizeof to) == 0);
      assert_true(moves_one_of(&b, other, 12, 13) || memcmp(other, b.at, sizeof other) == 0);
    }
    assert_int_equal(moves_blame(b.moves, BLAME, COUNT(BLAME), &e), OK);
    assert_int_equal(moves_blame(b.moves, NULL, 0, &e), OK);
  }
  tear_down(&b);
}

/* With two ranks per host, a rank moves to the host of its partner in half of the draws. */
static void partners_may_share_a_host(void **state)
{
  (void)state;
  struct err e;
  struct bench b;
  uint32_t to[HOSTS], together = 0;
  set_up(&b, "torus:4x4x2", 2, &e);
  b.at[13] = 50;
  b.at[50] = 13;
  for (uint32_t i = 0; i < DRAWS; i++) {
    moves_make(b.moves, MOVE_JOIN, &b.rng, b.at, to);
    together += to[12] / 2 == to[13] / 2;
  }
  /* half of these draws choose the slot of the partner itself, and exchange both ranks */
  assert_in_range(together, DRAWS / 4 - MOST, DRAWS / 4 + MOST);
  tear_down(&b);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pairs_are_drawn_by_their_times),
      cmocka_unit_test(without_blame_partners_are_joined),
      cmocka_unit_test(partners_may_share_a_host),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
