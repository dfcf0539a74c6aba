/* Files of schedules. */
#include "mappers/schedule/schedule.h"

#include <string.h>

#include "tests/unit/mappers/schedule/run.h"
#include "tests/unit/scratch.h"

static const struct build_array ARRAYS[] = {
    {"a", 1, TASKNET_A, {1e9, 0, 1, 1}}, {"b", 2, TASKNET_A, {2e9, 1, 0, 1}}, {.name = NULL}};
static const struct build_stream STREAMS[] = {{"s", 1, "a", "b", 1}, {.name = NULL}};

struct setting {
  struct tasknet n;
  struct platform *p;
  struct hosts h;
  struct farm f;
};

static struct setting set_up(void)
{
  struct setting s;
  struct err e = {""};
  const struct tasknet_units units = {1, 1};
  s.n = build(ARRAYS, STREAMS);
  if (platform_from_spec(&s.p, "star:3", NULL, &e) != OK || hosts_make(&s.h, s.p, &e) != OK ||
      farm_of(&s.f, s.p, &s.h, &units, &e) != OK)
    fail_msg("%s", e.text);
  return s;
}

static void tear_down(struct setting *s)
{
  farm_clear(&s->f);
  hosts_clear(&s->h);
  platform_free(s->p);
  tasknet_clear(&s->n);
}

static void written_schedules_are_read_back(void **state)
{
  (void)state;
  static const char expected[] = "task\thost\torder\tstart_s\n"
                                 "a\tnode-0\t0\t0\n"
                                 "b[0]\tnode-0\t1\t1\n"
                                 "b[1]\tnode-1\t0\t1.";
  struct setting x = set_up();
  const struct scheduler_input in = {.net = &x.n, .farm = &x.f, .hosts = &x.h};
  struct schedule s, back;
  struct err e = {""};
  char text[256] = "";
  assert_int_equal(scheduler_run("heft", &in, &s, &e), OK);
  if (schedule_save(&s, &x.n, x.p, "s.tsv", &e) != OK)
    fail_msg("%s", e.text);
  FILE *in_file = fopen("s.tsv", "r");
  assert_non_null(in_file);
  assert_true(fread(text, 1, sizeof text - 1, in_file) > 0);
  fclose(in_file);
  assert_memory_equal(text, expected, sizeof expected - 1);
  if (schedule_load(&back, &x.n, &x.f, x.p, "s.tsv", &e) != OK)
    fail_msg("%s", e.text);
  assert_memory_equal(s.host, back.host, 3 * sizeof *s.host);
  assert_memory_equal(s.place, back.place, 3 * sizeof *s.place);
  assert_memory_equal(s.start, back.start, 3 * sizeof *s.start);
  schedule_clear(&s);
  schedule_clear(&back);
  tear_down(&x);
}

#define HEAD "task\thost\torder\tstart_s\n"
#define A    "a\tnode-0\t0\t0\n"
#define B0   "b[0]\tnode-0\t1\t1\n"

static const struct {
  const char *text, *error; /* after the file name */
} REFUSALS[] = {
    {"", ":1: expected the header 'task host order start_s'"},
    {"task host\n", ":1: expected the header 'task host order start_s'"},
    {HEAD "a\tnode-0\t0\n", ":2: expected the columns 'task host order start_s'"},
    {HEAD "a\tnode-0\t0\t0\t0\n", ":2: expected the columns 'task host order start_s'"},
    {HEAD "c\tnode-0\t0\t0\n", ":2: 'c' is no task of the network"},
    {HEAD "c[0]\tnode-0\t0\t0\n", ":2: 'c' is no task of the network"},
    {HEAD "b\tnode-0\t0\t0\n",
     ":2: 'b' is no task of the network but an array, whose elements are NAME[K]"},
    {HEAD "b[2]\tnode-0\t0\t0\n", ":2: element of 'b': 2 is above the maximum of 1"},
    {HEAD "b[-1]\tnode-0\t0\t0\n", ":2: element of 'b': '-1' is not a whole number"},
    {HEAD A "a\tnode-1\t0\t0\n", ":3: a second line for task 'a'"},
    {HEAD "a\tnode-9\t0\t0\n", ":2: the platform has no host 'node-9'"},
    {HEAD "a\tnode-0\t3\t0\n", ":2: order: 3 is above the maximum of 2"},
    {HEAD "a\tnode-0\t0\t-1\n", ":2: start_s: "},
    {HEAD A B0, ": no line for task 'b', element 1"},
    {HEAD A B0 "b[1]\tnode-0\t1\t1\n", ": task 'b' (element 1 of 2) has place 1 on its host"},
    {HEAD "a\tnode-0\t1\t0\nb[0]\tnode-0\t0\t0\nb[1]\tnode-1\t0\t0\n",
     ": task 'a' (element 0 of 1) can never start"},
};

static void refusals(void **state)
{
  (void)state;
  struct setting x = set_up();
  for (size_t i = 0; i < sizeof REFUSALS / sizeof *REFUSALS; i++) {
    const struct scratch_file f = scratch_file(REFUSALS[i].text, strlen(REFUSALS[i].text));
    struct schedule s;
    struct err e = {""};
    assert_int_equal(schedule_load(&s, &x.n, &x.f, x.p, f.path, &e), FAIL);
    const size_t name = strlen(f.path);
    if (strncmp(e.text, f.path, name) != 0 ||
        strncmp(e.text + name, REFUSALS[i].error, strlen(REFUSALS[i].error)) != 0)
      fail_msg("case %zu: %s", i, e.text);
    scratch_close(&f);
  }
  tear_down(&x);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(written_schedules_are_read_back, scratch_enter,
                                      scratch_leave),
      cmocka_unit_test(refusals),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
