#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "sim/coverage.h"
#include "tests/unit/opened.h"

struct note {
  uint32_t src, dst;
  uint64_t bytes;
};

enum { MOST_NOTES = 3 };

/* Messages, the range of the platform, and the text; "" if all is inside. */
static const struct {
  struct note note[MOST_NOTES];
  size_t notes;
  struct calibrated range;
  const char *text;
} TABLE[] = {
    {{{0, 1, 1000}, {1, 0, 2000}}, 2, {1000, 2000, false, false}, ""},
    {{{0, 1, 9000}}, 1, {0, 0, false, false}, ""}, /* no range */
    {{{0, 0, 0}}, 0, {1, 2, false, false}, ""},    /* no messages */
    {{{0, 1, 0}, {0, 1, 4}}, 2, {1, 4, false, false}, ""},
    {{{0, 1, 5}}, 1, {1, 4, false, false}, "messages up to 5 bytes"},
    {{{0, 1, 492}, {0, 1, 2000}}, 2, {1000, 2000, false, false}, ""},
    {{{0, 1, 491}, {0, 1, 2000}}, 2, {1000, 2000, false, false}, "messages down to 491 bytes"},
    {{{3, 3, 5}}, 1, {1, 9, false, true}, "messages within a host"},
    {{{3, 3, 5}}, 1, {1, 9, true, false}, ""},
    {{{0, 1, 5}, {1, 2, 5}}, 2, {1, 9, true, false}, "messages of more than two hosts"},
    {{{0, 1, 5}, {2, 0, 5}}, 2, {1, 9, true, true}, ""},
    {{{0, 1, 12}, {2, 2, 5}, {0, 3, 5}},
     3,
     {1, 9, false, false},
     "messages up to 12 bytes, messages within a host, messages of more than two hosts"},
};

enum { CASES = sizeof TABLE / sizeof *TABLE };

static void note(struct coverage *c, const struct platform *p, const struct note *n)
{
  coverage_note(c, p, n->src, n->dst, n->bytes);
}

static void messages_outside_the_range_are_named(void **state)
{
  (void)state;
  struct platform *p = opened_platform("star:4");
  for (size_t i = 0; i < CASES; i++) {
    struct coverage c = {0};
    char text[COVERAGE_TEXT];
    for (size_t k = 0; k < TABLE[i].notes; k++)
      note(&c, p, &TABLE[i].note[k]);
    assert_int_equal(coverage_beyond(&c, &TABLE[i].range, text), *TABLE[i].text != '\0');
    assert_string_equal(text, TABLE[i].text);
  }
  platform_free(p);
}

/* Counts each message in a separate run and adds up the runs. */
static void runs_add_up(void **state)
{
  (void)state;
  struct platform *p = opened_platform("star:4");
  for (size_t i = 0; i < CASES; i++) {
    struct coverage sum = {0};
    char text[COVERAGE_TEXT];
    for (size_t k = 0; k < TABLE[i].notes; k++) {
      struct coverage one = {0};
      note(&one, p, &TABLE[i].note[k]);
      coverage_add(&sum, &one);
      coverage_add(&sum, &(struct coverage){0});
    }
    coverage_beyond(&sum, &TABLE[i].range, text);
    assert_string_equal(text, TABLE[i].text);
  }
  platform_free(p);
}

/* Cores of a node are one host. */
static void cores_are_one_host(void **state)
{
  (void)state;
  struct coverage c = {0};
  struct platform *p = opened_platform("star:3,node=pack:1 core:4");
  coverage_note(&c, p, 0, 5, 1);
  coverage_note(&c, p, 3, 4, 1);
  assert_true(!c.within && !c.several);
  coverage_note(&c, p, 4, 7, 1);
  assert_true(c.within && !c.several);
  coverage_note(&c, p, 8, 0, 1);
  assert_true(c.several);
  platform_free(p);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(messages_outside_the_range_are_named),
      cmocka_unit_test(runs_add_up),
      cmocka_unit_test(cores_are_one_host),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
