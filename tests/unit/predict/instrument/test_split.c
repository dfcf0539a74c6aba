/* Positions and kinds of blocks. */
#include "predict/instrument/split.h"

#include "tests/unit/predict/parsed.h"

#define MAIN(BODY) "int x, y;\nint main(void)\n{\n" BODY "  return 0;\n}\n"

/* "c4" is a block of computation that begins in line 4; "m5" is a block with an MPI call. */
static const struct {
  const char *text, *blocks;
} ROWS[] = {
    {MAIN("  x = 1;\n  y = 2;\n  MPI_Barrier(0);\n  x = 3;\n"), "c5 m7 c8"},
    {MAIN("  MPI_Barrier(0);\n  MPI_Send(&x, 1);\n"), "m5 m6 c7"},
    {MAIN("  x = 1;\n  if (x)\n    MPI_Barrier(0);\n  y = 2;\n"), "c5 m7 c8"},
    {MAIN("  if (x)\n    MPI_Barrier(0);\n  else\n    y = 1;\n"), "m6 c8 c9"},
    {MAIN("  for (x = 0; x < 9; x++) {\n    y += x;\n    MPI_Barrier(0);\n  }\n"), "c6 m7 c9"},
    /* a loop without communication is a single block of computation */
    {MAIN("  for (x = 0; x < 9; x++)\n    y += x;\n  MPI_Barrier(0);\n"), "c5 m7 c8"},
    /* a function that communicates has its own blocks; the blocks of the caller resume after the
     * call */
    {"int x;\nstatic void f(void)\n{\n  x = 1;\n  MPI_Barrier(0);\n}\nint main(void)\n{\n"
     "  f();\n  x = 2;\n  return 0;\n}\n",
     "c5 m6 c10 c11"},
};

static void print_blocks(const struct split *s, char *text, size_t size)
{
  size_t n = 0;
  text[0] = '\0';
  for (uint32_t i = 0; i < s->count; i++)
    n += (size_t)snprintf(text + n, size - n, "%s%c%u", i > 0 ? " " : "",
                          s->block[i].communication ? 'm' : 'c', s->block[i].line);
}

static void blocks_begin_at_calls(void **state)
{
  (void)state;
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    struct parsed p;
    struct split s = {.count = 0};
    struct err e;
    char text[200];
    parsed_open(&p, ROWS[i].text);
    assert_int_equal(split_blocks(&s, &p.tree, &p.comm, &e), OK);
    print_blocks(&s, text, sizeof text);
    if (strcmp(text, ROWS[i].blocks) != 0)
      fail_msg("row %zu: %s, expected %s", i, text, ROWS[i].blocks);
    assert_true(s.marks.count >= s.count);
    split_clear(&s);
    parsed_close(&p);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(blocks_begin_at_calls)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
