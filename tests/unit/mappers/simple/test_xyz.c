/* The orders of mapper xyz on an allocation: of its list, by number, and switch by switch. */
#include "mappers/mapper.h"
#include "platforms/part.h"
#include "tests/unit/mappers/merge.h"

static void check(const char *spec, const struct mapper_input *in, const uint32_t *want)
{
  struct mapping m = mapped(spec, in);
  for (uint32_t r = 0; r < in->ranks; r++)
    if (platform_whole_host(in->platform, m.host[r]) != want[r])
      fail_msg("%s: rank %u is on host %u, not %u", spec, r,
               platform_whole_host(in->platform, m.host[r]), want[r]);
  mapping_clear(&m);
}

/* Leaf switches of 4 hosts: 0 to 3, 4 to 7, ... */
static void hosts_of_a_switch_are_together(void **state)
{
  (void)state;
  static const uint32_t LIST[] = {9, 2, 13, 1, 8, 12}, BY_SWITCH[] = {1, 2, 8, 9, 12, 13};
  static const uint32_t TWICE[] = {1, 1, 2, 2, 8};
  struct platform *whole = opened_platform("fattree:down=4x4,up=1x2,cables=1x1"), *part;
  struct err e;
  assert_int_equal(platform_part_new(&part, whole, LIST, COUNT(LIST), &e), OK);
  struct mapper_input in = {.platform = part, .ranks = COUNT(LIST), .ranks_per_host = 1};
  check("xyz:order=switch", &in, BY_SWITCH);
  in.ranks = COUNT(TWICE);
  in.ranks_per_host = 2;
  check("xyz:order=switch", &in, TWICE);
  platform_free(part);
  platform_free(whole);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(hosts_of_a_switch_are_together),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
