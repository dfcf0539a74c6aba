#include "tasks/meta/meta.h"

#include <math.h>
#include <stdlib.h>

#include "tests/unit/tasks/build.h"

static struct meta *must_parse(const char *text)
{
  struct meta *m;
  struct err e = {""};
  if (meta_parse(&m, text, "p", 1, &e) != OK)
    fail_msg("%s: %s", text, e.text);
  return m;
}

/* Figure 3 of the paper: C is the function 100 x @arg[0], O is 10. */
static void figure_3(void **state)
{
  (void)state;
  struct meta *m = must_parse("input(1)\nFOR @arg[0]\n  compute(100)\nEND\noutput(10)\n");
  assert_int_equal(meta_args(m), 1);
  assert_int_equal(meta_pattern(m), TASKNET_A);
  assert_false(meta_takes_arriving(m));
  static const double values[] = {0, 1, 7, 1000, 1e9};
  for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
    struct tasknet_cost c;
    struct err e;
    assert_int_equal(meta_costs(m, &values[i], 77, &c, &e), OK);
    assert_true(c.compute == 100 * values[i] && c.out == 10 && c.in == 1);
    assert_true(c.loops == fmax(1, values[i]));
  }
  meta_free(m);
}

/* The contents of outermost loops, at any depth, determine the pattern; several such loops count
 * as one. */
static void patterns(void **state)
{
  (void)state;
  static const struct {
    const char *text;
    enum tasknet_pattern pattern;
    double loops;
  } cases[] = {
      {"", TASKNET_A, 1},
      {"compute(1)", TASKNET_A, 1},
      {"input(1); output(1)", TASKNET_A, 1},
      {"input(9); FOR 5; compute(1); END; output(9)", TASKNET_A, 5},
      {"FOR 5; input(1); compute(1); output(1); END", TASKNET_B, 5},
      {"input(9); FOR 5; compute(1); output(1); END", TASKNET_C, 5},
      {"FOR 5; input(1); compute(1); END; output(9)", TASKNET_D, 5},
      {"FOR 5; FOR 7; output(1); END; END", TASKNET_C, 5},
      {"FOR 5; FOR 7; END; input(1); END; output(1)", TASKNET_D, 5},
      {"FOR 5; input(1); END; FOR 8; output(1); END", TASKNET_B, 8},
      {"FOR 8; input(1); END; FOR 5; compute(1); END", TASKNET_D, 8},
      {"FOR 0; output(1); END", TASKNET_C, 1},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct meta *m = must_parse(cases[i].text);
    struct tasknet_cost c;
    struct err e;
    assert_int_equal(meta_costs(m, NULL, 0, &c, &e), OK);
    if (meta_pattern(m) != cases[i].pattern || c.loops != cases[i].loops)
      fail_msg("%s: %d, %g", cases[i].text, (int)meta_pattern(m), c.loops);
    meta_free(m);
  }
}

static void expressions(void **state)
{
  (void)state;
  static const struct {
    const char *text;
    double value; /* with arguments 3 and 4, and input 10 */
  } cases[] = {
      {"1+2*3", 7},
      {"(1+2)*3", 9},
      {"10-4-3", 3},
      {"24/4/2", 3},
      {"-2+5", 3},
      {"--2", 2},
      {"2*-3+7", 1},
      {"1.5e1", 15},
      {".5", 0.5},
      {"1e+2-1", 99},
      {"@arg[0]*@arg[1]", 12},
      {" ( @arg[ 1 ] ) # four", 4},
      {"@input/2", 5},
      {"@input-@arg[0]*(@arg[1]-1)", 1},
  };
  const double arg[] = {3, 4};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[128];
    struct tasknet_cost c;
    struct err e;
    snprintf(text, sizeof text, "FOR %s\ncompute(1)\nEND", cases[i].text);
    struct meta *m = must_parse(text);
    assert_int_equal(meta_costs(m, arg, 10, &c, &e), OK);
    if (c.compute != cases[i].value)
      fail_msg("%s is %g", cases[i].text, c.compute);
    meta_free(m);
  }
}

/* The counts of nested loops multiply; loops themselves take no time. */
static void loops_multiply(void **state)
{
  (void)state;
  struct meta *m = must_parse("compute(1)\n"
                              "FOR 1000000\n"
                              "  compute(2)\n"
                              "  FOR 1000000; compute(3); FOR 10; output(1); END; END\n"
                              "  input(5)\n"
                              "END\n"
                              "FOR 4; FOR 5; compute(7); END; END\n");
  struct tasknet_cost c;
  struct err e;
  assert_int_equal(meta_costs(m, NULL, 0, &c, &e), OK);
  assert_true(c.compute == 1 + 1e6 * (2 + 1e6 * 3) + 4 * 5 * 7);
  assert_true(c.out == 1e13 && c.in == 5e6 && c.loops == 1e6);
  meta_free(m);
}

static void bad_programs_are_refused(void **state)
{
  (void)state;
  static const struct {
    const char *text, *error;
  } cases[] = {
      {"compute", "p:3: column 8: expected '(', found the end of the line"},
      {"compute(1", "p:3: column 10: expected ')'"},
      {"compute()", "p:3: column 9: expected a number, @arg[..], @input or '(', found ')'"},
      {"compute(1) output(2)", "p:3: column 12: expected the end of the line, found 'output'"},
      {"  work(1)", "p:3: column 3: expected compute, input, output, FOR or END, found 'work'"},
      {"for 3", "found 'for'"},
      {"FOR 3\ncompute(1)", "p:3: column 1: FOR without END"},
      {"\n;END", "p:4: column 2: END without FOR"},
      {"compute(@arg[0)", "expected ']'"},
      {"compute(@arg[256])", "256"},
      {"compute(@arg[-1])", "column 14"},
      {"compute(@args[0])", "column 13: expected '['"},
      {"compute(@inputs)", "a variable is"},
      {"compute(1.2.3)", "column 9: '1.2.3'"},
      {"compute(1e999)", "column 9"},
      {"compute(x)", "found 'x'"},
      {"compute(1)\nFOR 2 3\nEND", "p:4: column 7"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct meta *m;
    struct err e = {""};
    assert_int_equal(meta_parse(&m, cases[i].text, "p", 3, &e), FAIL);
    if (strstr(e.text, cases[i].error) == NULL)
      fail_msg("'%s' lacks '%s'", e.text, cases[i].error);
  }
}

/* Errors that depend on the arguments. */
static void bad_costs_are_refused(void **state)
{
  (void)state;
  static const struct {
    const char *text, *error;
  } cases[] = {
      {"output(1)\n compute(@arg[0]-5)", "p:2: column 2: a value of -3"},
      {"FOR @arg[0]-5\nEND", "p:1: column 1: a value of -3"},
      {"compute(1/(@arg[0]-2))", "a value of inf"},
      {"compute(0/(@arg[0]-2))", "a value of "},
      {"FOR 1e150; FOR 1e150; compute(1); END; END", "the sum of costs up to here is 1e+300"},
  };
  const double arg = 2;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct meta *m = must_parse(cases[i].text);
    struct tasknet_cost c;
    struct err e = {""};
    assert_int_equal(meta_costs(m, &arg, 0, &c, &e), FAIL);
    if (strstr(e.text, cases[i].error) == NULL)
      fail_msg("'%s' lacks '%s'", e.text, cases[i].error);
    meta_free(m);
  }
}

static void depth_has_a_limit(void **state)
{
  (void)state;
  enum { DEEP = 100000 };
  static const char *const part[] = {"(", "-", "1+(", "FOR 1\n"};
  char *text = malloc(DEEP * 8);
  assert_non_null(text);
  for (size_t i = 0; i < sizeof part / sizeof *part; i++) {
    struct meta *m;
    struct err e = {""};
    char *at = text + snprintf(text, 16, "%s", i < 3 ? "compute(" : "");
    for (int k = 0; k < DEEP; k++, at += strlen(part[i]))
      memcpy(at, part[i], strlen(part[i]) + 1);
    assert_int_equal(meta_parse(&m, text, "p", 1, &e), FAIL);
    assert_non_null(strstr(e.text, " too deep"));
  }
  free(text);
}

/* Output as a function of input: each of the two elements of b gets 6 and writes half of it, so
 * each element of c gets 3. */
static void costs_pass_along_a_network(void **state)
{
  (void)state;
  struct tasknet n = {0};
  struct err e = {""};
  uint32_t half, lines;
  assert_int_equal(tasknet_add_program(&n, must_parse("output(@input/2)"), &half, &e), OK);
  assert_int_equal(tasknet_add_program(
                       &n, must_parse("FOR @input; input(1); compute(@arg[1]); END"), &lines, &e),
                   OK);
  struct tasknet_new_array a = {.name = "a", .count = 1, .cost = {1, 0, 6, 1}};
  assert_int_equal(tasknet_add_array(&n, &a, &e), OK);
  a = (struct tasknet_new_array){.name = "b", .count = 2, .cost = {0, 0, 0, 1}};
  assert_int_equal(tasknet_add_array(&n, &a, &e), OK);
  assert_int_equal(tasknet_set_program(&n, half, 0, NULL, &e), OK);
  a.name = "c";
  assert_int_equal(tasknet_add_array(&n, &a, &e), OK);
  assert_int_equal(tasknet_set_program(&n, lines, 1, (double[]){5, 6}, &e), FAIL);
  assert_non_null(strstr(e.text, "'c': 1 argument, but its program needs 2"));
  assert_int_equal(tasknet_set_program(&n, lines, 2, (double[]){0, 10, 0, 20}, &e), OK);
  assert_int_equal(tasknet_add_stream(&n, "ab", 1, 0, &e), OK);
  assert_int_equal(tasknet_add_producer(&n, 0, TASKNET_OUTPUT, &e), OK);
  assert_int_equal(tasknet_add_consumer(&n, 1, &e), OK);
  assert_int_equal(tasknet_add_stream(&n, "bc", 2, 0, &e), OK);
  assert_int_equal(tasknet_add_producer(&n, 1, TASKNET_OUTPUT, &e), OK);
  assert_int_equal(tasknet_add_consumer(&n, 2, &e), OK);
  assert_int_equal(tasknet_seal(&n, &e), OK);
  assert_false(n.array[1].varied);
  assert_true(n.array[1].cost.in == 6 && n.array[1].cost.out == 3);
  assert_int_equal(n.array[2].pattern, TASKNET_D);
  assert_true(tasknet_cost_of(&n, 2, 0)->compute == 30 && tasknet_cost_of(&n, 2, 1)->compute == 60);
  assert_true(tasknet_cost_of(&n, 2, 1)->loops == 3 && tasknet_cost_of(&n, 2, 1)->in == 3);
  tasknet_clear(&n);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(figure_3),
      cmocka_unit_test(patterns),
      cmocka_unit_test(expressions),
      cmocka_unit_test(loops_multiply),
      cmocka_unit_test(bad_programs_are_refused),
      cmocka_unit_test(bad_costs_are_refused),
      cmocka_unit_test(depth_has_a_limit),
      cmocka_unit_test(costs_pass_along_a_network),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
