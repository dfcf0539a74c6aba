#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/output/links.h"
#include "tests/unit/opened.h"
#include "tests/unit/scratch.h"

#define HEADER "link\tmessages\tbytes\tutilisation\n"

/* Ranks 0 and 1 share host 2; ranks 2 and 3 are on hosts 0 and 1. */
static uint32_t HOSTS[] = {2, 2, 0, 1};
static const struct mapping MAPPING = {.ranks = 4, .host = HOSTS};

static enum status save(const struct links *l, const struct platform *p, double time_s,
                        struct err *e)
{
  FILE *f = fopen("links.tsv", "w");
  assert_non_null(f);
  const enum status s = links_print(l, f, p, time_s, e);
  assert_int_equal(fclose(f), 0);
  return s;
}

static struct links *make(void)
{
  static const struct {
    uint32_t src, dst;
    uint64_t bytes;
  } SENT[] = {{0, 1, 1000}, {3, 3, 1000}, {0, 2, 100}, {1, 2, 20}, {2, 3, 3}, {2, 0, 0}};
  struct links *l;
  struct err e;
  assert_int_equal(links_new(&l, &MAPPING, &e), OK);
  for (size_t i = 0; i < sizeof SENT / sizeof *SENT; i++)
    assert_int_equal(links_add(l, SENT[i].src, SENT[i].dst, SENT[i].bytes, &e), OK);
  return l;
}

static void assert_file(const char *want)
{
  char text[4096];
  FILE *f = fopen("links.tsv", "r");
  assert_non_null(f);
  const size_t n = fread(text, 1, sizeof text - 1, f);
  text[n] = '\0';
  fclose(f);
  assert_string_equal(text, want);
}

/* Traffic up the ring of 3 from 2 to 0 and from 0 to 1, and down from 0 to 2; the other links
 * are idle. */
static void routes_of_a_topology_add_up(void **state)
{
  (void)state;
  const struct platform_params params = {.bandwidth = "60Bps"};
  struct links *l = make();
  struct err e;
  struct platform *p = opened_platform_with("torus:3", &params);
  assert_int_equal(save(l, p, 10, &e), OK);
  assert_file(HEADER "haichi_link_from_0_to_1_UP\t1\t3\t0.005\n"
                     "haichi_link_from_2_to_0_DOWN\t1\t0\t0\n"
                     "haichi_link_from_1_to_2_UP\t0\t0\t0\n"
                     "haichi_link_from_0_to_1_DOWN\t0\t0\t0\n"
                     "haichi_link_from_2_to_0_UP\t2\t120\t0.2\n"
                     "haichi_link_from_1_to_2_DOWN\t0\t0\t0\n");
  assert_int_equal(save(l, p, 0, &e), OK);
  assert_file(HEADER "haichi_link_from_0_to_1_UP\t1\t3\t0\n"
                     "haichi_link_from_2_to_0_DOWN\t1\t0\t0\n"
                     "haichi_link_from_1_to_2_UP\t0\t0\t0\n"
                     "haichi_link_from_0_to_1_DOWN\t0\t0\t0\n"
                     "haichi_link_from_2_to_0_UP\t2\t120\t0\n"
                     "haichi_link_from_1_to_2_DOWN\t0\t0\t0\n");
  platform_free(p);
  links_free(l);
}

static void carrier_links_outside_the_topology_are_left_out(void **state)
{
  (void)state;
  struct mapping m = {.ranks = 2, .host = (uint32_t[]){0, 1}};
  struct links *l;
  struct err e;
  const struct platform_params params = {.bandwidth = "1Bps"};
  assert_int_equal(links_new(&l, &m, &e), OK);
  assert_int_equal(links_add(l, 1, 0, 7, &e), OK);
  struct platform *p = opened_platform_with("mesh:2", &params);
  assert_int_equal(save(l, p, 1, &e), OK);
  assert_file(HEADER "haichi_link_from_0_to_1_UP\t0\t0\t0\n"
                     "haichi_link_from_0_to_1_DOWN\t1\t7\t7\n");
  platform_free(p);
  links_free(l);
}

/* Each route crosses a link of the source, the backbone (3) and a link of the destination. */
static enum status star_route(void *data, uint32_t src, uint32_t dst, struct platform_route *out,
                              struct err *e)
{
  uint32_t *link = data;
  (void)e;
  link[0] = src;
  link[1] = 3;
  link[2] = dst;
  *out = (struct platform_route){link, 3, 1e-6};
  return OK;
}

static const struct platform_link *star_link(const void *data, uint32_t link)
{
  (void)data;
  static const struct platform_link LINKS[] = {
      {"c", 10, 0, false}, {"a", 10, 0, false}, {"b", 10, 0, false}, {"backbone", 100, 0, false}};
  return &LINKS[link];
}

static void star_close(void *data)
{
  (void)data;
}

static void routes_of_an_opaque_platform_come_from_its_router(void **state)
{
  (void)state;
  static const struct platform_host STAR[] = {{"c", 1, 1}, {"a", 1, 1}, {"b", 1, 1}};
  static uint32_t route[3];
  struct links *l = make();
  struct platform *p;
  struct err e;
  p = opened_xml("<platform version='4.1'/>");
  assert_int_equal(platform_set_hosts(p, STAR, 3, &e), OK);
  platform_set_router(p, (struct platform_router){route, star_route, star_link, star_close});
  assert_int_equal(save(l, p, 2, &e), OK);
  assert_file(HEADER "a\t1\t3\t0.15\nb\t3\t120\t6\nbackbone\t4\t123\t0.615\nc\t4\t123\t6.15\n");
  platform_free(p);
  links_free(l);
}

/* More pairs than the initial size of the table. */
static void many_pairs(void **state)
{
  (void)state;
  enum { N = 40 };
  uint32_t host[N];
  struct mapping m = {.ranks = N, .host = host};
  struct links *l;
  struct err e;
  char want[8192], name[128];
  for (uint32_t r = 0; r < N; r++)
    host[r] = N - 1 - r;
  assert_int_equal(links_new(&l, &m, &e), OK);
  for (uint32_t r = 0; r < N * N * 2; r++)
    assert_int_equal(links_add(l, r % N, r / N % N, 1, &e), OK);
  const struct platform_params params = {.bandwidth = "1Bps"};
  struct platform *p = opened_platform_with("mesh:40", &params);
  assert_int_equal(save(l, p, 1, &e), OK);
  FILE *to = fmemopen(want, sizeof want, "w");
  assert_non_null(to);
  fputs(HEADER, to);
  for (uint32_t k = 0; k < 2 * N; k++) {
    const uint32_t low = (k % 2 == 0 ? k / 2 : k / 2 - 1) + 1, sent = 2 * low * (N - low);
    if (!topology_has_link(platform_topology(p), k))
      continue;
    platform_link_name(p, k, name, sizeof name);
    fprintf(to, "%s\t%u\t%u\t%u\n", name, sent, sent, sent);
  }
  fclose(to);
  assert_file(want);
  platform_free(p);
  links_free(l);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(routes_of_a_topology_add_up),
      cmocka_unit_test(carrier_links_outside_the_topology_are_left_out),
      cmocka_unit_test(routes_of_an_opaque_platform_come_from_its_router),
      cmocka_unit_test(many_pairs),
  };
  return cmocka_run_group_tests(tests, scratch_enter, scratch_leave);
}
