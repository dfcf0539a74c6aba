/* Reads and writes of statements, and classes of variables that pointers may confuse. */
#define _GNU_SOURCE
#include "predict/instrument/effects.h"

#include "tests/unit/predict/parsed.h"

struct seen {
  const struct effects *x;
  uint32_t class;
  bool reads, writes, mpi;
  uint32_t calls, unknown;
};

static void see(void *context, enum effect effect, uint32_t what)
{
  struct seen *s = context;
  const bool mine = (effect == EFFECT_READ || effect == EFFECT_WRITE) &&
                    effects_class(s->x, what) == effects_class(s->x, s->class);
  s->reads = s->reads || (mine && effect == EFFECT_READ);
  s->writes = s->writes || (mine && effect == EFFECT_WRITE);
  s->mpi = s->mpi || effect == EFFECT_MPI;
  s->calls += effect == EFFECT_CALL;
  s->unknown += effect == EFFECT_UNKNOWN;
}

/* Effects of statement @p number (from 0) of main() on the variable @p name. */
static struct seen effects_on(struct parsed *p, struct effects *x, uint32_t number,
                              const char *name)
{
  const struct symbol *main_symbol = &p->tree.symbol[parsed_symbol(p, "main")];
  const uint32_t body = p->tree.node[main_symbol->body].last;
  struct seen s = {.x = x, .class = effects_variable(x, parsed_symbol(p, name))};
  const struct effects_visitor v = {.see = see, .context = &s};
  effects_visit(x, tree_child(&p->tree, body, number), &v);
  return s;
}

#define BEGIN                                                                                      \
  "int a, b, c, v[9]; struct r { int f, g; } r; void outside(int *);\n"                            \
  "static void set(int *where) { *where = 1; }\nint main(void)\n{\n"

static const struct {
  const char *body, *name;
  uint32_t statement;
  bool reads, writes;
} ROWS[] = {
    {"a = b;", "a", 0, false, true},
    {"a = b;", "b", 0, true, false},
    {"a = b; c = 1;", "c", 0, false, false},
    {"a += b;", "a", 0, true, true},
    {"a++;", "a", 0, true, true},
    {"v[a] = b;", "v", 0, false, true},
    {"v[a] = b;", "a", 0, true, false},
    {"r.f = r.g;", "r", 0, true, true},
    {"int *p = &a; *p = 1;", "a", 1, false, true},
    {"int *p = &a; *p = 1; b = 2;", "b", 1, false, false},
    {"int *p = c ? &a : &b; *p = 1;", "b", 1, false, true},
    {"printf(\"%d\", a);", "a", 0, true, false},
    {"printf(\"%d\", a); b = 2;", "b", 0, false, false},
    {"outside(&a);", "a", 0, true, true},
};

static void reads_and_writes(void **state)
{
  (void)state;
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    char text[1024];
    struct parsed p;
    struct effects x;
    struct err e;
    snprintf(text, sizeof text, BEGIN "%s}\n", ROWS[i].body);
    parsed_open(&p, text);
    assert_int_equal(effects_new(&x, &p.tree, &e), OK);
    const struct seen s = effects_on(&p, &x, ROWS[i].statement, ROWS[i].name);
    if (s.writes != ROWS[i].writes || s.reads != ROWS[i].reads)
      fail_msg("row %zu, %s: %s: reads %d, writes %d", i, ROWS[i].body, ROWS[i].name, s.reads,
               s.writes);
    effects_clear(&x);
    parsed_close(&p);
  }
}

static void calls_are_named(void **state)
{
  (void)state;
  struct parsed p;
  struct effects x;
  struct err e;
  parsed_open(&p, BEGIN "set(&a); MPI_Send(&b, 1);}\n");
  assert_int_equal(effects_new(&x, &p.tree, &e), OK);
  struct seen s = effects_on(&p, &x, 0, "a");
  assert_true(s.calls == 1 && !s.mpi && s.unknown == 0);
  s = effects_on(&p, &x, 1, "b");
  assert_true(s.mpi && s.calls == 0);
  effects_clear(&x);
  parsed_close(&p);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(reads_and_writes),
      cmocka_unit_test(calls_are_named),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
