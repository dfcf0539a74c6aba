/* Operators of expressions, which are found in the text because the syntax tree does not give them.
 */
#include "predict/instrument/source/parse.h"

#include "tests/unit/predict/parsed.h"
#include "tests/unit/scratch.h"

static void put(const char *folder, const char *name, const char *text)
{
  char path[256];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  scratch_write(path, text);
}

/* Parses a program of these files; t.h may be NULL. */
static void open_files(struct tree *t, const char *header, const char *first, const char *second)
{
  static const char *const NAMES[] = {"t.h", "first.c", "second.c"};
  const char *const text[] = {header, first, second};
  char folder[] = "/tmp/parse-XXXXXX", path[3][256];
  assert_non_null(mkdtemp(folder));
  const char *source[2] = {path[1], path[2]};
  const struct parse_job job = {.source = source, .sources = second == NULL ? 1 : 2};
  struct messages said = {0};
  struct err e = {.text = ""};
  for (int i = 0; i < 3; i++) {
    snprintf(path[i], sizeof path[i], "%s/%s", folder, NAMES[i]);
    put(folder, NAMES[i], text[i] == NULL ? "" : text[i]);
  }
  *t = (struct tree){.nodes = 0};
  const enum status s = parse_sources(t, &job, &said, &e);
  for (int i = 0; i < 3; i++)
    unlink(path[i]);
  rmdir(folder);
  if (s != OK)
    fail_msg("%s: %s", e.text, said.count > 0 ? said.text[0].text : "");
  messages_clear(&said);
}

/* The operator of the first binary or unary expression of main(); 'x' if there is none. */
static char first_operator(const struct tree *t)
{
  for (uint32_t i = 0; i < t->nodes; i++)
    if ((t->node[i].kind == NODE_BINARY || t->node[i].kind == NODE_UNARY) &&
        strcmp(t->symbol[t->node[tree_function(t, i)].symbol].name, "main") == 0)
      return t->node[i].op;
  return 'x';
}

#define MAIN "\nint a, b, v[9], *p, f(void);\nint main(void)\n{\n"

static const struct {
  const char *top, *statement;
  char op;
} ROWS[] = {
    {"", "a = b;", '='},
    {"", "a == b;", 0},
    {"", "a >= b;", 0},
    {"", "a < b;", 0},
    {"", "a, b;", 0},
    {"", "a=f();", '='},
    {"", "a = // note\n f();", '='},
    {"", "a = /* note */ f();", '='},
    {"", "a == // note\n f();", 0},
    {"", "a == /* = */ f();", 0},
    {"", "a // = note\n - /* = */ f();", 0},
    {"", "a /* - */ = \\\n  f();", '='},
    {"", "v[';'] = \"=\"[0];", '='},
    {"", "a =\n#ifdef NEVER\n b\n#else\n f()\n#endif\n ;", '?'},
    {"", "a\n#ifdef NEVER\n +=\n#else\n =\n#endif\n f();", '?'},
    {"#define ASSIGN =\n", "a ASSIGN b;", '?'},
    {"#define LEFT a =\n", "LEFT b;", '?'},
    {"#define RIGHT = b\n", "a RIGHT;", '?'},
    {"#define RIGHT - b\n", "a RIGHT;", 0},
    {"#define BOTH p = v\n", "*BOTH[0];", '?'},
    {"#define CELL v[0]\n", "CELL = b;", '='},
    {"#define CELL v[0]\n", "CELL = // note\n CELL;", '='},
    {"#define CELL v[0]\n", "CELL - b;", 0},
    {"#define CELL v[0]\n", "CELL++;", '+'},
    {"#define CELL v[0]\n", "-CELL;", 0},
    {"#define SAME(x) x\n", "SAME(a) = b;", '='},
    {"#define SAME(x) x\n", "SAME(a = // note\n b);", '='},
    {"#define SAME(x) x\n", "SAME(a - b);", 0},
    {"#define SET(x, y) x = y\n", "SET(a, b);", '?'},
    {"#define SET(y, x) x = y\n", "SET(a, b);", '?'},
    {"#define SET(x, y) x = 1 + y\n", "SET(a, b);", '?'},
    {"#define LESS(x, y) x < y\n", "LESS(a, b);", 0},
    {"#define LESS(x, y) x < 1 + y\n", "LESS(a, b);", 0},
    {"#define SET(x) /* long\n note */ x = 1\n", "SET(a);", '?'},
    {"#define LESS(x) x < '='\n", "LESS(a);", 0},
    {"#define SAY(x) \"http://\"[0] + (x)++\n", "SAY(a);", '?'},
    {"#ifdef NEVER\n#define SET(x) x - 1\n#else\n#define SET(x) x = 1\n#endif\n", "SET(a);", '?'},
    {"/* define SET(x) x */\n#define SET(x) x = 1\n", "SET(a);", '?'},
    {"#define APPLY(m, x) m(x)\n#define SET(x) x = 1\n", "APPLY(SET, a);", '?'},
    {"#define APPLY(m, x) m(x)\n#define LESS(x) x < 1\n", "APPLY(LESS, a);", 0},
    {"#define NEXT(x) ++x\n", "NEXT(p);", '+'},
    {"#define NEXT(x) ++x\n", "NEXT(a);", '+'},
    {"#define NOT(x) !x\n", "NOT(a);", 0},
    {"#define AT(x) &(x)\n", "AT(p);", '&'},
    {"#define AT(x) &(x)\n", "AT(v);", '&'},
    {"#define OF(x) *(x)\n", "OF(p);", '*'},
    {"#define OF(x) *(x)\n", "OF(v);", '*'},
    {"#define OF(x) *(x)\nchar **w;", "OF(w);", '*'},
    {"#define OF(x) *(x)\nint *const *w;", "OF(w);", '*'},
    {"#define NEXT(x) x++\nint *volatile w;", "NEXT(w);", '+'},
    {"#define NEXT(x) (x)++\nint *volatile w;", "NEXT(w);", '+'},
};

static void operators(void **state)
{
  (void)state;
  int bad = 0;
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    char text[1024];
    struct tree t;
    snprintf(text, sizeof text, "%s" MAIN "%s\n}\n", ROWS[i].top, ROWS[i].statement);
    open_files(&t, NULL, text, NULL);
    const char op = first_operator(&t);
    if (op != ROWS[i].op && ++bad)
      print_error("%s%s: '%c' instead of '%c'\n", ROWS[i].top, ROWS[i].statement,
                  op == 0 ? '0' : op, ROWS[i].op == 0 ? '0' : ROWS[i].op);
    tree_clear(&t);
  }
  assert_int_equal(bad, 0);
}

/* Macros of headers count, whichever source comes first. */
static void macros_of_headers(void **state)
{
  (void)state;
  const char header[] = "#define INC(x) ((x) = (x) + 1)\nint f(void);\n";
  const char uses[] =
      "#include \"t.h\"\n#define UP(x) INC(x)\nint main(void) { int a = 0; UP(a); }\n";
  const char other[] = "#include \"t.h\"\nint f(void) { return 1; }\n";
  struct tree t;
  open_files(&t, header, uses, NULL);
  assert_int_equal(first_operator(&t), '?');
  tree_clear(&t);
  open_files(&t, header, uses, other);
  assert_int_equal(first_operator(&t), '?');
  tree_clear(&t);
  open_files(&t, header, other, uses);
  assert_int_equal(first_operator(&t), '?');
  tree_clear(&t);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(operators),
      cmocka_unit_test(macros_of_headers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
