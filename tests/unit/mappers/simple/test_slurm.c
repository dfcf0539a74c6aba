#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "mappers/mapper.h"
#include "tests/unit/opened.h"

struct example {
  const char *spec, *platform;
  uint32_t ranks, per_host;
  uint32_t on[8]; /* by host: its ranks */
};

/* By rank: its host. */
struct dealt {
  const char *spec;
  uint32_t ranks, host[16];
};

/* The first layout was seen on a cluster of 8 nodes with 4 cores; the others are the three passes
 * of _task_layout_block() in Slurm's slurm_step_layout.c, done by hand. */
static const struct example EXAMPLES[] = {
    {"slurm-block", "torus:8", 16, 4, {4, 4, 3, 1, 1, 1, 1, 1}},
    {"slurm-block", "torus:8", 8, 4, {1, 1, 1, 1, 1, 1, 1, 1}},
    {"slurm-block", "torus:8", 3, 4, {1, 1, 1}},
    {"slurm-block", "torus:8", 9, 4, {2, 1, 1, 1, 1, 1, 1, 1}},
    {"slurm-block", "torus:8", 32, 4, {4, 4, 4, 4, 4, 4, 4, 4}},
    {"slurm-block", "torus:8", 31, 4, {4, 4, 4, 4, 4, 4, 4, 3}},
    {"slurm-block", "torus:8", 5, 1, {1, 1, 1, 1, 1}},
    {"slurm-block:pack=no", "torus:8", 16, 4, {2, 2, 2, 2, 2, 2, 2, 2}},
    {"slurm-block:pack=no", "torus:8", 11, 4, {2, 2, 2, 1, 1, 1, 1, 1}},
    {"slurm-block:pack=no", "torus:8", 3, 4, {1, 1, 1}},
};

/* Expected hosts on torus:4 with 4 slots per host, by the rules of _task_layout_cyclic() and
 * _task_layout_plane().  Each turn gives a host up to a plane of ranks, but every host gets a rank.
 */
static const struct dealt DEALT[] = {
    {"slurm-cyclic", 10, {0, 1, 2, 3, 0, 1, 2, 3, 0, 1}},
    {"slurm-cyclic:plane=1", 3, {0, 1, 2}},
    {"slurm-cyclic:plane=2", 10, {0, 0, 1, 1, 2, 2, 3, 3, 0, 0}},
    {"slurm-cyclic:plane=2", 6, {0, 0, 1, 1, 2, 3}},
    {"slurm-cyclic:plane=3", 16, {0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 0, 1, 2, 3}},
    {"slurm-cyclic:plane=4294967295", 9, {0, 0, 0, 0, 1, 1, 1, 2, 3}},
};

/* Fails unless the hosts @p host take @p on[i] consecutive ranks each. */
static void check_blocks(const char *what, const struct mapping *m, const uint32_t *host,
                         const uint32_t *on, size_t hosts)
{
  uint32_t rank = 0;
  for (size_t i = 0; i < hosts; i++)
    for (uint32_t k = 0; k < on[i]; k++, rank++)
      if (m->host[rank] != host[i])
        fail_msg("%s: rank %u is on host %u, not %u", what, rank, m->host[rank], host[i]);
  assert_int_equal(rank, m->ranks);
}

static void ranks_are_laid_out_as_slurm_does(void **state)
{
  (void)state;
  static const uint32_t HOSTS[] = {0, 1, 2, 3, 4, 5, 6, 7};
  struct mapping m;
  struct err e;
  for (size_t i = 0; i < COUNT(EXAMPLES); i++) {
    const struct example *x = &EXAMPLES[i];
    struct platform *p = opened_platform(x->platform);
    const struct mapper_input in = {
        .platform = p, .ranks = x->ranks, .ranks_per_host = x->per_host};
    assert_int_equal(mapper_run(x->spec, &in, &m, &e), OK);
    check_blocks(x->spec, &m, HOSTS, x->on, COUNT(HOSTS));
    mapping_clear(&m);
    platform_free(p);
  }
}

static void ranks_are_dealt_as_slurm_does(void **state)
{
  (void)state;
  struct mapping m;
  struct err e;
  struct platform *p = opened_platform("torus:4");
  for (size_t i = 0; i < COUNT(DEALT); i++) {
    const struct mapper_input in = {.platform = p, .ranks = DEALT[i].ranks, .ranks_per_host = 4};
    assert_int_equal(mapper_run(DEALT[i].spec, &in, &m, &e), OK);
    for (uint32_t r = 0; r < m.ranks; r++)
      if (m.host[r] != DEALT[i].host[r])
        fail_msg("%s: rank %u is on host %u, not %u", DEALT[i].spec, r, m.host[r],
                 DEALT[i].host[r]);
    mapping_clear(&m);
  }
  platform_free(p);
}

/* Hosts in the order of a list, with unequal slots; host 1 occurs twice. */
static void hosts_of_a_list_have_their_own_slots(void **state)
{
  (void)state;
  static const uint32_t ORDER[] = {3, 1, 0, 0, 0, 1}, HOSTS[] = {3, 1, 0};
  static const uint32_t PACK[] = {1, 2, 1}, NO_PACK[] = {1, 2, 2};
  struct mapping m;
  struct err e;
  struct platform *p = opened_platform("torus:4");
  struct mapper_input in = {
      .platform = p, .ranks = 4, .ranks_per_host = 3, .order = ORDER, .slots = COUNT(ORDER)};
  assert_int_equal(mapper_run("slurm-block", &in, &m, &e), OK);
  check_blocks("pack", &m, HOSTS, PACK, COUNT(HOSTS));
  mapping_clear(&m);
  in.ranks = 5;
  assert_int_equal(mapper_run("slurm-block:pack=no", &in, &m, &e), OK);
  check_blocks("no pack", &m, HOSTS, NO_PACK, COUNT(HOSTS));
  mapping_clear(&m);
  platform_free(p);
}

static void wrong_options_are_refused(void **state)
{
  (void)state;
  struct mapping m;
  struct err e = {""};
  struct platform *p = opened_platform("torus:4");
  const struct mapper_input in = {.platform = p, .ranks = 4, .ranks_per_host = 1};
  assert_int_equal(mapper_run("slurm-block:pack=maybe", &in, &m, &e), FAIL);
  assert_non_null(strstr(e.text, "'maybe'"));
  assert_int_equal(mapper_run("slurm-cyclic:plane=0", &in, &m, &e), FAIL);
  const struct mapper_input many = {.platform = p, .ranks = 5, .ranks_per_host = 1};
  assert_int_equal(mapper_run("slurm-block", &many, &m, &e), FAIL);
  platform_free(p);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ranks_are_laid_out_as_slurm_does),
      cmocka_unit_test(ranks_are_dealt_as_slurm_does),
      cmocka_unit_test(hosts_of_a_list_have_their_own_slots),
      cmocka_unit_test(wrong_options_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
