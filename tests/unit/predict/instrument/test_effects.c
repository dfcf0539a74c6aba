/* Reads and writes of statements, and classes of variables that pointers may confuse. */
#include "predict/instrument/effects.h"

#include "tests/unit/predict/parsed.h"

struct seen {
  struct effects *x;
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
  const struct effects_visitor v = {.see = see, .context = s};
  if (effect == EFFECT_MPI)
    effects_visit_mpi(s->x, what, true, &v);
  else if (effect == EFFECT_CALL)
    effects_visit(s->x, s->x->t->node[s->x->t->symbol[what].body].last, &v);
}

/* Effects of statement @p number (from 0) of main(), and of the functions that it calls, on the
 * variable @p name. */
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

/* Text before main(), its first statements, and the effects of a statement on a variable. */
static const struct {
  const char *top, *body, *name;
  uint32_t statement;
  bool reads, writes;
} PROGRAMS[] = {
    /* Array parameters are pointers: of MPI, of other libraries, and of functions with a body. */
    {"int MPI_Dims_create(int, int, int d[]);", "MPI_Dims_create(b, 1, v);", "v", 0, true, true},
    {"int MPI_Dims_create(int, int, int d[3]);", "MPI_Dims_create(b, 1, v);", "v", 0, true, true},
    {"int MPI_Cart_create(const int d[], int *);", "MPI_Cart_create(v, &c);", "v", 0, true, false},
    {"int MPI_Range(int r[][3], int);", "int w[2][3]; MPI_Range(w, 1);", "w", 1, true, true},
    {"int MPI_Range(const int r[][3], int);", "int w[2][3]; MPI_Range(w, 1);", "w", 1, true, false},
    {"typedef int triple[3]; int MPI_Look(const triple);", "MPI_Look(v);", "v", 0, true, false},
    {"int fill(int n, int d[n]);", "fill(9, v);", "v", 0, true, true},
    {"int look(const int d[static 3]);", "look(v);", "v", 0, true, false},
    /* Handles of MPI point to no variable; other pointers do. */
    {"typedef struct comm *MPI_Comm; int MPI_Comm_rank(MPI_Comm, int *); MPI_Comm w;",
     "MPI_Comm_rank(w, &a);", "w", 0, true, false},
    {"typedef struct comm *MPI_Comm; int MPI_Comm_dup(MPI_Comm, MPI_Comm *); MPI_Comm w, u;",
     "MPI_Comm_dup(w, &u);", "u", 0, true, true},
    {"typedef int MPI_Comm; int MPI_Waitall(int, MPI_Comm s[]); MPI_Comm w[2];",
     "MPI_Waitall(2, w);", "w", 0, true, true},
    {"static void fill(int w[]) { w[0] = 1; }", "fill(v);", "v", 0, false, true},
    {"static int first(const int w[]) { return *w; }", "a = first(v);", "v", 0, true, false},
    {"struct s { int f; } w; static void fill(struct s q[1]) { q->f = 1; }", "fill(&w);", "w", 0,
     false, true},
    {"struct s { int f; } w; static void fill(struct s q[1], struct s *o) { (o ? q : o)->f = 1; }",
     "fill(&w, 0);", "w", 0, false, true},
    /* Operators in the bodies of macros.  An assignment there is uncertain, so the variable counts
     * as read, too. */
    {"#define NEXT(p) (++(p))\n", "int *p = v; NEXT(p);", "p", 1, true, true},
    {"#define NEXT(p) ((p)++)\n", "int *p = v; NEXT(p);", "p", 1, true, true},
    {"#define SET(p) (*(p) = 1)\n", "int *p = v; SET(p);", "v", 1, true, true},
    {"#define SET(p) (**(p) = 1)\n", "int *p = v, **q = &p; SET(q);", "v", 1, true, true},
    {"#define SET(p) (*(p) = &a)\nextern int a;", "int *p = v, **q = &p; SET(q);", "p", 1, true,
     true},
    {"#define SET(p) (*(p) = 1)\nstatic void fill(int w[]) { SET(w); }", "fill(v);", "v", 0, true,
     true},
    {"int MPI_Alloc_mem(int, void *);\n#define ALLOC(p) MPI_Alloc_mem(1, &(p))\n",
     "int *p = v; ALLOC(p);", "p", 1, true, true},
    {"#define X v[0]\n", "X++;", "v", 0, true, true},
    {"#define X v[0]\n", "++X;", "v", 0, true, true},
    {"#define X v[0]\n", "b = -X;", "v", 0, true, false},
};

static void programs(void **state)
{
  (void)state;
  for (size_t i = 0; i < sizeof PROGRAMS / sizeof *PROGRAMS; i++) {
    char text[2048];
    struct parsed p;
    struct effects x;
    struct err e;
    snprintf(text, sizeof text, "%s\n" BEGIN "%s}\n", PROGRAMS[i].top, PROGRAMS[i].body);
    parsed_open(&p, text);
    assert_int_equal(effects_new(&x, &p.tree, &e), OK);
    const struct seen s = effects_on(&p, &x, PROGRAMS[i].statement, PROGRAMS[i].name);
    if (s.writes != PROGRAMS[i].writes || s.reads != PROGRAMS[i].reads)
      fail_msg("program %zu, %s %s: %s: reads %d, writes %d", i, PROGRAMS[i].top, PROGRAMS[i].body,
               PROGRAMS[i].name, s.reads, s.writes);
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
      cmocka_unit_test(programs),
      cmocka_unit_test(calls_are_named),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
