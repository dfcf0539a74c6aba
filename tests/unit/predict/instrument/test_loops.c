/* The loops that --loops selects, and refused options. */
#include "predict/instrument/loops.h"

#include "tests/unit/predict/parsed.h"

static const char TEXT[] = "int x, y, steps = 50;\n"
                           "int main(void)\n{\n"
                           "  for (int it = 0; it < steps; it++) {\n"
                           "    for (y = 0; y < 9; y++)\n"
                           "      x += y;\n"
                           "    for (int k = 0; k < 3; k++)\n"
                           "      MPI_Barrier(0);\n"
                           "  }\n"
                           "  return 0;\n}\n";

static void loops_around_communication(void **state)
{
  (void)state;
  static const struct {
    const char *spec;
    uint64_t count, real;
    uint32_t line;     /* of the loop that is reduced; 0: none, or refused */
    const char *error; /* NULL: none */
  } ROWS[] = {
      {"steps=5", 5, 0, 5, NULL},
      {"it=5/40", 5, 40, 5, NULL},
      {"k=1", 1, 0, 8, NULL},
      {"y=2", 2, 0, 0,
       "--loops y: no loop around communication has 'y'"}, /* the loop does not communicate */
      {"nothing=2", 2, 0, 0, "--loops nothing: no loop around communication has 'nothing'"},
  };
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    struct parsed p;
    struct loop_specs specs = {.count = 0};
    struct loops l = {.count = 0};
    struct err e = {.text = ""};
    char text[64];
    uint32_t line = 0;
    snprintf(text, sizeof text, "%s", ROWS[i].spec);
    assert_int_equal(loop_specs_add(&specs, text, &e), OK);
    assert_true(specs.spec[0].count == ROWS[i].count && specs.spec[0].real == ROWS[i].real);
    parsed_open(&p, TEXT);
    const enum status s = loops_find(&l, &p.tree, &p.comm, &specs, &e);
    assert_int_equal(s == OK, ROWS[i].error == NULL);
    assert_true(s == OK || strstr(e.text, ROWS[i].error) != NULL);
    for (uint32_t k = 0; k < l.count; k++)
      line = l.loop[k].spec == NULL ? line : p.tree.node[l.loop[k].node].line;
    if (s == OK && (line != ROWS[i].line || l.count != 2))
      fail_msg("%s: %u loops, the reduced one in line %u", ROWS[i].spec, l.count, line);
    loops_clear(&l);
    loop_specs_clear(&specs);
    parsed_close(&p);
  }
}

static void specs_are_checked(void **state)
{
  (void)state;
  static const char *const BAD[] = {
      "",      "it",    "=3",     "it=",    "it=0",
      "it=-1", "it=3/", "it=3/0", "it=3/x", "it=99999999999999999999"};
  for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++) {
    struct loop_specs specs = {.count = 0};
    struct err e = {.text = ""};
    char text[64];
    snprintf(text, sizeof text, "%s", BAD[i]);
    if (loop_specs_add(&specs, text, &e) == OK)
      fail_msg("'%s' is accepted", BAD[i]);
    assert_true(e.text[0] != '\0');
    loop_specs_clear(&specs);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(loops_around_communication),
      cmocka_unit_test(specs_are_checked),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
