#include "platforms/platform.h"
#include "predict/sweep/pattern.h"
#include "predict/sweep/shape.h"
#include "predict/sweep/subsets.h"
#include "tests/unit/opened.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const struct {
  const char *text, *want; /* names separated by blanks, or the error */
  enum status status;
} PATTERNS[] = {
    {"npb:cg.A.8", "npb:cg.A.8", OK},
    {"npb:cg.A.{8}", "npb:cg.A.8", OK},
    {"npb:cg.A.{1,2,4..6}@3", "npb:cg.A.1@3 npb:cg.A.2@3 npb:cg.A.4@3 npb:cg.A.5@3 npb:cg.A.6@3",
     OK},
    {"a{2", "a{2: expected one list of numbers in braces, as {1,2,4..8}", FAIL},
    {"a{2}{3}", "a{2}{3}: expected one list of numbers in braces, as {1,2,4..8}", FAIL},
    {"a{}", "a{}: in braces: '' is not a whole number", FAIL},
    {"a{4..2}", "a{4..2}: in braces: 4..2 ends before it begins", FAIL},
    {"a{-1}", "a{-1}: in braces: '-1' is not a whole number", FAIL},
    {"a{1..5000}", "a{1..5000}: in braces: more than 4096 numbers", FAIL},
};

static void patterns_expand_or_are_refused(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(PATTERNS); i++) {
    char **name, text[512];
    size_t count, n = 0;
    struct err e = {{0}};
    *text = '\0';
    assert_int_equal(pattern_expand(PATTERNS[i].text, &name, &count, &e), PATTERNS[i].status);
    if (PATTERNS[i].status == OK) {
      for (size_t k = 0; k < count; k++)
        n += (size_t)snprintf(text + n, sizeof text - n, "%s%s", k == 0 ? "" : " ", name[k]);
      pattern_free(name, count);
    }
    assert_string_equal(PATTERNS[i].status == OK ? text : e.text, PATTERNS[i].want);
  }
}

static const struct {
  const char *speeds;
  uint32_t hosts;
  const char *want; /* NAME=HOST... for each set */
} SUBSETS[] = {
    {"1Gf", 3, "haichi@1Gf=0,1,2"},
    {"1Gf:4,2Gf:4", 2, "haichi@2Gf=4,5 haichi@1Gf=0,1 haichi@2Gf+haichi@1Gf,even=0,4"},
    {"1Gf:4,2Gf:4", 6, "haichi@2Gf+haichi@1Gf=0,1,4,5,6,7 haichi@2Gf+haichi@1Gf,even=0,1,2,4,5,6"},
    {"1Gf:4,2Gf:4", 8, "haichi@2Gf+haichi@1Gf=0,1,2,3,4,5,6,7"},
    {"1Gf:4,2Gf:4", 9, ""},
};

static void sets_of_hosts(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(SUBSETS); i++) {
    struct subsets s;
    struct err e;
    char text[512] = "";
    size_t n = 0;
    const struct platform_params params = {.speeds = SUBSETS[i].speeds};
    struct platform *p = opened_platform_with("torus:8", &params);
    assert_int_equal(subsets_find(&s, p, SUBSETS[i].hosts, &e), OK);
    for (size_t k = 0; k < s.count; k++) {
      n += (size_t)snprintf(text + n, sizeof text - n, "%s%s", k == 0 ? "" : " ", s.set[k].name);
      for (uint32_t h = 0; h < s.set[k].hosts; h++)
        n += (size_t)snprintf(text + n, sizeof text - n, "%c%u", h == 0 ? '=' : ',',
                              s.set[k].host[h]);
    }
    assert_string_equal(text, SUBSETS[i].want);
    subsets_clear(&s);
    platform_free(p);
  }
}

static const struct {
  const char *platform, *speeds;
  uint32_t a[4], b[4];
  bool same;
} SHAPES[] = {
    {"star:8", "1Gf", {0, 1, 2, 3}, {7, 2, 5, 4}, true},
    {"star:8", "1Gf", {0, 1, 2, 3}, {7, 2, 2, 4}, false}, /* two ranks on one host */
    {"star:8", "1Gf", {0, 0, 1, 1}, {5, 5, 3, 3}, true},
    {"star:8", "1Gf:4,2Gf:4", {0, 1, 2, 3}, {3, 2, 1, 0}, true},
    {"star:8", "1Gf:4,2Gf:4", {0, 1, 2, 3}, {0, 1, 2, 4}, false},
    {"torus:8", "1Gf", {0, 1, 2, 3}, {4, 5, 6, 7}, true},
    {"torus:8", "1Gf", {0, 1, 2, 3}, {3, 2, 1, 0}, true},
    {"torus:8", "1Gf", {0, 1, 2, 3}, {0, 2, 1, 3}, false},
    {"torus:8", "1Gf", {0, 1, 2, 3}, {0, 1, 2, 4}, false},
    {"torus:8", "1Gf", {0, 1, 4, 5}, {0, 7, 4, 3}, false},  /* 0 to 4 and 0 to 1 share links */
    {"mesh:3x3", "1Gf", {0, 1, 3, 4}, {8, 7, 5, 4}, true},  /* rotated by 180 degrees */
    {"mesh:3x3", "1Gf", {0, 1, 3, 4}, {0, 3, 1, 4}, false}, /* routes go along X first */
};

static uint64_t shape(const struct platform *p, const uint32_t *host)
{
  uint32_t at[4];
  uint64_t out;
  struct err e;
  memcpy(at, host, sizeof at);
  const struct mapping m = {.ranks = COUNT(at), .host = at};
  assert_int_equal(shape_of(p, &m, &out, &e), OK);
  return out;
}

static void mappings_that_differ_in_names(void **state)
{
  (void)state;
  for (size_t i = 0; i < COUNT(SHAPES); i++) {
    const struct platform_params params = {.speeds = SHAPES[i].speeds};
    struct platform *p = opened_platform_with(SHAPES[i].platform, &params);
    if ((shape(p, SHAPES[i].a) == shape(p, SHAPES[i].b)) != SHAPES[i].same)
      fail_msg("case %zu: the shapes are %s", i, SHAPES[i].same ? "different" : "equal");
    platform_free(p);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(patterns_expand_or_are_refused),
      cmocka_unit_test(sets_of_hosts),
      cmocka_unit_test(mappings_that_differ_in_names),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
