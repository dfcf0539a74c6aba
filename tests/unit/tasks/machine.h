/** @file machine.h
 *  Small machines for tests: groups of equal hosts, connected by slower links.
 */
#pragma once

#include <math.h>
#include <stdlib.h>

#include "tasks/hosts.h"
#include "tasks/timing/farm.h"
#include "tests/unit/tasks/build.h"

enum { TEST_GROUPS = 8, TEST_HOSTS = 256 };

/** Equal hosts; a group of 0 hosts terminates a table. */
struct test_group {
  uint32_t hosts;
  double speed, bandwidth; /**< within the group */
};

/** A machine and its hierarchy: a root with a child per group, or a single group without
 *  children. */
struct test_machine {
  struct farm m;
  struct hosts hosts;
  struct hosts_group group[TEST_GROUPS + 1];
  uint32_t host[TEST_HOSTS], leaf[TEST_HOSTS];
};

/** @p t must not be moved; ended by farm_clear(&t->m). */
static inline void test_machine(struct test_machine *t, const struct test_group *g, double between)
{
  uint32_t groups = 0, hosts = 0;
  struct err e = {""};
  while (g[groups].hosts > 0)
    hosts += g[groups++].hosts;
  assert_true(groups <= TEST_GROUPS && hosts <= TEST_HOSTS);
  if (farm_new(&t->m, hosts, groups, &e) != OK)
    fail_msg("%s", e.text);
  const uint32_t leaf = groups > 1;
  t->group[0] = (struct hosts_group){.parent = HOSTS_NONE, .child = 1, .hosts = hosts};
  hosts = 0;
  for (uint32_t c = 0; c < groups; c++) {
    t->m.speed[c] = g[c].speed;
    t->group[0].speed += g[c].speed * g[c].hosts;
    t->group[0].children = leaf * groups;
    for (uint32_t d = 0; d < groups; d++)
      t->m.bandwidth[c * groups + d] = c == d ? g[c].bandwidth : between;
    if (leaf)
      t->group[c + 1] = (struct hosts_group){
          .first = hosts, .hosts = g[c].hosts, .depth = 1, .speed = g[c].speed * g[c].hosts};
    for (uint32_t i = 0; i < g[c].hosts; i++, hosts++) {
      farm_put(&t->m, hosts, c);
      t->host[hosts] = hosts;
      t->leaf[hosts] = c + leaf;
    }
  }
  t->hosts = (struct hosts){.group = t->group,
                            .groups = 1 + leaf * groups,
                            .count = hosts,
                            .host = t->host,
                            .leaf = t->leaf};
}
