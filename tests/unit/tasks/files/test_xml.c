#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tasks/files/files.h"
#include "tasks/generate.h"
#include "tests/unit/scratch.h"

static enum status load(struct tasknet *n, const char *text, struct err *e)
{
  const struct scratch_file f = scratch_file(text, strlen(text));
  const enum status s = tasknet_load(n, f.path, e);
  scratch_close(&f);
  return s;
}

static struct tasknet must_load(const char *text)
{
  struct tasknet n;
  struct err e = {""};
  if (load(&n, text, &e) != OK)
    fail_msg("%s", e.text);
  return n;
}

/* The output of tasknet_print(), to be freed by the caller. */
static char *print(const struct tasknet *n)
{
  char *text = NULL;
  size_t size;
  FILE *f = open_memstream(&text, &size);
  assert_non_null(f);
  tasknet_print(n, f);
  assert_int_equal(fclose(f), 0);
  return text;
}

static const char SURVEY[] = "<?xml version='1.0'?>\n"
                             "<tasknet version='1'>\n"
                             "  <program id='sim'>input(1)\n"
                             "    FOR @arg[0]\n"
                             "      compute(100)\n"
                             "    END\n"
                             "    output(10)</program>\n"
                             "  <task id='gen' compute='5' output='1'/>\n"
                             "  <array id='sim' count='3' program='sim' args='1..3'/>\n"
                             "  <array id='plot' count='3' compute='1 2 3' output='4' pattern='B'\n"
                             "         loops='7'/>\n"
                             "  <task id='a&amp;b' compute='1'/>\n"
                             "  <stream id='s1' from='gen' to='sim'/>\n"
                             "  <stream id='s2' from='sim' to='plot' width='each'/>\n"
                             "  <stream id='s3' from='plot gen' to='a&amp;b' volume='output 8'/>\n"
                             "</tasknet>\n";

static void all_elements_and_attributes_are_read(void **state)
{
  (void)state;
  struct tasknet n = must_load(SURVEY);
  assert_int_equal(n.elements, 8);
  assert_true(tasknet_cost_of(&n, 1, 1)->compute == 200 && tasknet_cost_of(&n, 1, 2)->out == 10);
  assert_true(tasknet_cost_of(&n, 1, 1)->in == 1);
  assert_true(tasknet_cost_of(&n, 2, 2)->compute == 3 && tasknet_cost_of(&n, 2, 2)->in == 10);
  assert_true(tasknet_cost_of(&n, 2, 0)->loops == 7);
  assert_int_equal(n.array[2].pattern, TASKNET_B);
  assert_int_equal(n.stream[1].width, 3);
  assert_string_equal(tasknet_name(&n, 3), "a&b");
  assert_true(n.volume[n.stream[2].first_lane] == 3 * 4 + 8);
  tasknet_clear(&n);
}

/* A written network is read back unchanged, and written again identically. */
static void written_networks_are_read_back(void **state)
{
  (void)state;
  static const char *const specs[] = {"random:tasks=200,seed=1",
                                      "random:tasks=300,seed=2,behind=array,patterns=drawn",
                                      "random:tasks=50,seed=3,inputs=drawn,arrays=no", NULL};
  for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
    struct tasknet n;
    struct err e = {""};
    if (specs[i] == NULL)
      n = must_load(SURVEY);
    else if (tasknet_generate(&n, specs[i], &e) != OK)
      fail_msg("%s", e.text);
    char *text = print(&n);
    struct tasknet again = must_load(text);
    char *twice = print(&again);
    assert_string_equal(text, twice);
    assert_int_equal(n.lanes, again.lanes);
    assert_memory_equal(n.volume, again.volume, n.lanes * sizeof *n.volume);
    for (uint32_t k = 0; k < n.elements; k++)
      assert_memory_equal(tasknet_element_cost(&n, k), tasknet_element_cost(&again, k),
                          sizeof(struct tasknet_cost));
    free(text);
    free(twice);
    tasknet_clear(&n);
    tasknet_clear(&again);
  }
}

#define DOC(BODY) "<tasknet version='1'>\n" BODY "\n</tasknet>"
#define TWO       "<task id='a' compute='1' output='1'/>\n<task id='b' compute='1'/>\n"

/* Each error has the line and a part of the message. */
static void bad_files_are_refused_with_the_line(void **state)
{
  (void)state;
  static const struct {
    const char *text, *error;
  } cases[] = {
      {"", ":1: begins like no format"},
      {"<other/>", ":1: begins like no format"},
      {"<tasknet/>", ":1: Element 'tasknet': The attribute 'version' is required"},
      {"<tasknet version='2'/>", ":1: Element 'tasknet', attribute 'version'"},
      {"<tasknet version='1'/>", ":1: a network without tasks"},
      {DOC("<task id='a'"), ":3: "},
      {DOC("<task id='a' compute='1'/><work/>"),
       ":2: Element 'work': This element is not expected"},
      {DOC("<task id='a' colour='1'/>"), ":2: Element 'task', attribute 'colour'"},
      {DOC("<array id='a' compute='1'/>"),
       ":2: Element 'array': The attribute 'count' is required"},
      {DOC("<array id='a' count='0'/>"), ":2: Element 'array', attribute 'count'"},
      {DOC("<array id='a' count='99999999999'/>"), ":2: "},
      {DOC("<task id='a' compute='x'/>"), ":2: Element 'task', attribute 'compute'"},
      {DOC("<task id='a' compute='NaN'/>"), ":2: compute: 'NaN'"},
      {DOC("<task id='a' compute='-1'/>"), ":2: task 'a': computation cost -1"},
      {DOC("<task id='a' input='-1'/>"), ":2: input: an input cost of -1"},
      {DOC("<array id='a' count='3' compute='1 2'/>"), ":2: compute: 2 numbers for 3 elements"},
      {DOC("<task id='a' args='1'/>"), ":2: args of a task without a program: 'a'"},
      {DOC("<task id='a' program='p'/>"), ":2: there is no program 'p'"},
      {DOC("<program id='p'>compute(1)</program><task id='a' program='p' compute='1'/>"),
       ":2: the program already defines the attribute 'compute'"},
      {DOC("<program id='p'>compute(@arg[1])</program><task id='a' program='p' args='3'/>"),
       ":2: task 'a': 1 argument, but its program needs 2"},
      {DOC("<program id='p'>compute(1)</program>\n<array id='a' count='2' program='p' args='3'/>"),
       ":3: args: 1 number for 2 elements"},
      {DOC("<program id='p'>\n\n compute(1</program>"), ":4: column 11: expected ')'"},
      {DOC("<program id='p'>\ncompute(@arg[0]-9)</program><task id='a' program='p' args='3'/>"),
       ":3: column 1: a value of -6 is not in [0, 1e+200], at element 0 of task 'a'"},
      {DOC("<program id='p' file='no-such-file'/>"), "no-such-file: cannot"},
      {DOC("<program id='p'/><program id='p'/>"), ":2: there are two programs 'p'"},
      {DOC("<task id='a'/>\n<task id='a'/>"), ":3: there are two tasks 'a'"},
      {DOC(TWO "<stream id='s' from='a' to='c'/>"), ":4: there is no task 'c'"},
      {DOC(TWO "<stream id='s' from='a' to=''/>"), ":4: stream 's' has no task on its output side"},
      {DOC(TWO "<stream id='s' from='a'/>"),
       ":4: Element 'stream': The attribute 'to' is required"},
      {DOC(TWO "<stream id='s' from='a' to='b' volume='1 2'/>"),
       ":4: volume: 2 numbers for 1 producer"},
      {DOC(TWO "<stream id='s' from='a' to='b' width='2'/>"), ":4: stream 's': a width of 2"},
      {DOC(TWO "<stream id='s' from='a' to='b'/>\n<stream id='t' from='b' to='a'/>"),
       "in a cycle: "},
      {DOC(TWO "<stream id='s' from='a' to='b'/>\n<task id='c'/>"),
       ":5: Element 'task': This element is not expected"},
      {"<!DOCTYPE tasknet [<!ENTITY x 'y'>]>" DOC(TWO), ":1: document types"},
      {DOC("&x;"), ":2: "},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct tasknet n;
    struct err e = {""};
    assert_int_equal(load(&n, cases[i].text, &e), FAIL);
    if (strstr(e.text, cases[i].error) == NULL)
      fail_msg("case %zu: '%s' lacks '%s'", i, e.text, cases[i].error);
  }
}

/* The file of a program is in the folder of the network file. */
static void programs_in_files(void **state)
{
  (void)state;
  struct err e = {""};
  struct tasknet n;
  scratch_write("p.meta", "compute(7)\noutput(@arg[0])\n");
  scratch_write("net.xml",
                DOC("<program id='p' file='p.meta'/><task id='a' program='p' args='2'/>"));
  char *path = realpath("net.xml", NULL);
  assert_non_null(path);
  assert_int_equal(tasknet_load(&n, path, &e), OK);
  assert_true(n.array[0].varied && tasknet_cost_of(&n, 0, 0)->compute == 7);
  free(path);
  tasknet_clear(&n);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_elements_and_attributes_are_read),
      cmocka_unit_test(written_networks_are_read_back),
      cmocka_unit_test(bad_files_are_refused_with_the_line),
      IN_FOLDER(programs_in_files),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
