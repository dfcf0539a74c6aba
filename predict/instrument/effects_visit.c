#include <string.h>

#include "common/text_list.h"
#include "predict/instrument/comm.h"
#include "predict/instrument/effects_internal.h"

static const struct {
  const char *name;
  enum effects_hidden hidden;
} HIDDEN[] = {
    {"rand", HIDDEN_RANDOM},    {"srand", HIDDEN_RANDOM},    {"random", HIDDEN_RANDOM},
    {"srandom", HIDDEN_RANDOM}, {"drand48", HIDDEN_RANDOM},  {"lrand48", HIDDEN_RANDOM},
    {"mrand48", HIDDEN_RANDOM}, {"srand48", HIDDEN_RANDOM},  {"seed48", HIDDEN_RANDOM},
    {"scanf", HIDDEN_INPUT},    {"vscanf", HIDDEN_INPUT},    {"getchar", HIDDEN_INPUT},
    {"gets", HIDDEN_INPUT},     {"getopt", HIDDEN_OPTIONS},  {"getopt_long", HIDDEN_OPTIONS},
    {"strtok", HIDDEN_OTHER},   {"setlocale", HIDDEN_OTHER}, {"getopt_long_only", HIDDEN_OPTIONS},
    {"read", HIDDEN_OTHER},     {"lseek", HIDDEN_OTHER},     {"chdir", HIDDEN_OTHER},
    {"setenv", HIDDEN_OTHER},   {"putenv", HIDDEN_OTHER},    {"getenv", HIDDEN_OTHER},
};

/* Functions that end the program.  Assertions are assumed not to fail. */
static const char *const EXITS[] = {"exit",      "_exit", "_Exit",    "quick_exit",
                                    "MPI_Abort", "abort", "smpi_exit"};

static const char *const CLOCKS[] = {"MPI_Wtime",  "PMPI_Wtime",        "clock",
                                     "time",       "gettimeofday",      "clock_gettime",
                                     "smpi_wtime", "smpi_gettimeofday", "smpi_clock_gettime",
                                     "times",      "getrusage",         "omp_get_wtime"};

/* Functions of the library that wait for, or start, functions of the program given earlier. */
static const char *const RUNS[] = {
    "pthread_join", "thrd_join", "pthread_barrier_wait", "pthread_cond_wait", "pause",
    "raise",        "kill",      "pthread_kill"};

/* Functions that neither read nor write anything relevant. */
static const char *const IDLE[] = {"free",   "smpi_shared_free", "printf",  "puts",
                                   "fflush", "putchar",          "vprintf", "perror"};

static void see(struct effects *x, const struct effects_visitor *v, enum effect effect,
                uint32_t class)
{
  if (class != TREE_NONE)
    v->see(v->context, effect, effects_class(x, class));
}

/* Visits the expressions that are evaluated to locate an lvalue. */
static void visit_place(struct effects *x, uint32_t node, const struct effects_visitor *v)
{
  node = tree_strip(x->t, node);
  const struct node *n = &x->t->node[node];
  if (n->kind == NODE_NAME || n->kind == NODE_LITERAL || n->child == TREE_NONE)
    return;
  if (n->kind == NODE_MEMBER && x->t->node[n->child].type == TYPE_RECORD)
    visit_place(x, n->child, v);
  else if (n->kind == NODE_SUBSCRIPT || n->kind == NODE_MEMBER)
    for (uint32_t i = n->child; i != TREE_NONE; i = x->t->node[i].next)
      effects_visit(x, i, v);
  else if (n->kind == NODE_UNARY && n->op == '*')
    effects_visit(x, n->child, v);
  else
    effects_visit(x, node, v);
}

/* Visits the arguments of a function without a body.  The function reads the objects that its
 * arguments point to, and writes them unless they are const. */
static void visit_arguments(struct effects *x, uint32_t call, bool contents,
                            const struct effects_visitor *v)
{
  const uint32_t callee = tree_callee(x->t, call);
  const struct symbol *s = callee == TREE_NONE ? NULL : &x->t->symbol[callee];
  uint32_t i = 0;
  for (uint32_t a = tree_child(x->t, call, 1); a != TREE_NONE; a = x->t->node[a].next, i++) {
    const uint64_t bit = i < 64 ? UINT64_C(1) << i : 0;
    /* va_start() takes the variable that it sets by reference. */
    const bool constant = s != NULL && i < s->arguments && (s->constant & bit) != 0 &&
                          strncmp(s->name, "__builtin_va_", 13) != 0;
    const bool handle = s != NULL && (s->handle & bit) != 0;
    const uint32_t to = handle ? TREE_NONE : effects_value(x, a);
    effects_visit(x, a, v);
    if (contents || s == NULL || (s->data & bit) == 0)
      see(x, v, EFFECT_READ, to);
    if (!constant)
      see(x, v, EFFECT_WRITE, to);
  }
}

static void visit_hidden(struct effects *x, const char *name, const struct effects_visitor *v)
{
  for (size_t i = 0; i < sizeof HIDDEN / sizeof *HIDDEN; i++)
    if (strcmp(HIDDEN[i].name, name) == 0) {
      see(x, v, EFFECT_READ, x->hidden[HIDDEN[i].hidden]);
      see(x, v, EFFECT_WRITE, x->hidden[HIDDEN[i].hidden]);
    }
}

/* Visits a call of a function of the program by another function, or through a pointer. */
static void visit_indirect(struct effects *x, uint32_t callee, const struct effects_visitor *v)
{
  v->see(v->context, EFFECT_CALL, callee);
  see(x, v, EFFECT_READ, x->of[callee]);
  for (uint32_t p = x->t->node[x->t->symbol[callee].body].child;
       p != TREE_NONE && x->t->node[p].kind == NODE_PARAMETER; p = x->t->node[p].next)
    see(x, v, EFFECT_WRITE, effects_location(x, p));
}

/* Visits all functions whose address is used. */
static void visit_taken(struct effects *x, const struct effects_visitor *v)
{
  for (uint32_t s = 0; s < x->t->symbols; s++)
    if (x->taken[s])
      visit_indirect(x, s, v);
}

/* Visits the functions of the program among the arguments of a function without a body. */
static void visit_callbacks(struct effects *x, uint32_t call, const struct effects_visitor *v)
{
  for (uint32_t a = tree_child(x->t, call, 1); a != TREE_NONE; a = x->t->node[a].next) {
    const uint32_t f = effects_function(x, a);
    if (f != TREE_NONE)
      visit_indirect(x, f, v);
  }
}

/* Visits a call of a function with a body, which writes the parameters. */
static void visit_own_call(struct effects *x, uint32_t call, uint32_t callee,
                           const struct effects_visitor *v)
{
  uint32_t p = x->t->node[x->t->symbol[callee].body].child, i = 0;
  v->see(v->context, EFFECT_CALL, callee);
  if (v->value_of == NULL || v->value_of(v->context, call))
    see(x, v, EFFECT_READ, x->of[callee]);
  for (uint32_t a = tree_child(x->t, call, 1); a != TREE_NONE; a = x->t->node[a].next, i++) {
    const bool plain = x->t->node[tree_strip(x->t, a)].kind == NODE_NAME;
    if (!plain || v->wants == NULL || v->wants(v->context, callee, i))
      effects_visit(x, a, v);
    if (p != TREE_NONE && x->t->node[p].kind == NODE_PARAMETER) {
      see(x, v, EFFECT_WRITE, effects_location(x, p));
      p = x->t->node[p].next;
    }
  }
}

static void visit_call(struct effects *x, uint32_t call, const struct effects_visitor *v)
{
  const uint32_t callee = tree_callee(x->t, call);
  if (callee == TREE_NONE) {
    effects_visit(x, x->t->node[call].child, v);
    visit_arguments(x, call, true, v);
    visit_taken(x, v);
    v->see(v->context, EFFECT_UNKNOWN, TREE_NONE);
    return;
  }
  const struct symbol *s = &x->t->symbol[callee];
  if (s->body != TREE_NONE) {
    visit_own_call(x, call, callee, v);
    return;
  }
  if (TEXT_LIST_HAS(CLOCKS, s->name))
    v->see(v->context, EFFECT_CLOCK, callee);
  if (TEXT_LIST_HAS(EXITS, s->name))
    v->see(v->context, EFFECT_EXIT, callee);
  if (comm_family_of(s->name) != COMM_NOT) {
    v->see(v->context, EFFECT_MPI, call);
    return;
  }
  if (TEXT_LIST_HAS(IDLE, s->name)) {
    for (uint32_t a = tree_child(x->t, call, 1); a != TREE_NONE; a = x->t->node[a].next)
      effects_visit(x, a, v);
    return;
  }
  visit_arguments(x, call, true, v);
  visit_callbacks(x, call, v);
  if (TEXT_LIST_HAS(RUNS, s->name))
    visit_taken(x, v);
  visit_hidden(x, s->name, v);
  if (!s->system && strncmp(s->name, "__builtin", 9) != 0 && strncmp(s->name, "MPI_", 4) != 0)
    v->see(v->context, EFFECT_UNKNOWN, callee);
}

void effects_visit_mpi(struct effects *x, uint32_t call, bool contents,
                       const struct effects_visitor *v)
{
  visit_arguments(x, call, contents, v);
}

static void visit_children(struct effects *x, uint32_t node, const struct effects_visitor *v)
{
  for (uint32_t i = x->t->node[node].child; i != TREE_NONE; i = x->t->node[i].next)
    effects_visit(x, i, v);
}

/* Visits an assignment, certain or possible. */
static void visit_assignment(struct effects *x, uint32_t node, const struct effects_visitor *v)
{
  const struct node *n = &x->t->node[node];
  visit_place(x, n->child, v);
  if (n->kind == NODE_COMPUTE || n->op == '?')
    see(x, v, EFFECT_READ, effects_location(x, n->child));
  see(x, v, EFFECT_WRITE, effects_location(x, n->child));
  effects_visit(x, n->last, v);
}

/* Visits a name, member, element or pointer target whose value is used. */
static void visit_value(struct effects *x, uint32_t node, const struct effects_visitor *v)
{
  visit_place(x, node, v);
  const enum node_type type = x->t->node[node].type;
  if (type != TYPE_ARRAY && type != TYPE_FUNCTION)
    see(x, v, EFFECT_READ, effects_location(x, node));
}

static void visit_unary(struct effects *x, uint32_t node, const struct effects_visitor *v)
{
  const struct node *n = &x->t->node[node];
  if (n->op == '&') {
    visit_place(x, n->child, v);
  } else if (n->op == '*') {
    visit_value(x, node, v);
  } else {
    effects_visit(x, n->child, v);
    if (n->op == '+')
      see(x, v, EFFECT_WRITE, effects_location(x, n->child));
  }
}

/* Visits a conversion.  If a pointer or array becomes a number or a record, by a cast or by
 * va_arg(), which libclang does not identify, its object counts as read, and in a macro also as
 * written. */
static void visit_conversion(struct effects *x, uint32_t node, const struct effects_visitor *v)
{
  const struct node *n = &x->t->node[node];
  const enum node_type from = n->last == TREE_NONE ? TYPE_VALUE : x->t->node[n->last].type;
  visit_children(x, node, v);
  if ((n->type != TYPE_VALUE && n->type != TYPE_RECORD) ||
      (from != TYPE_POINTER && from != TYPE_ARRAY))
    return;
  see(x, v, EFFECT_READ, effects_value(x, n->last));
  if (n->macro)
    see(x, v, EFFECT_WRITE, effects_value(x, n->last));
}

static void visit_atomic(struct effects *x, uint32_t node, const struct effects_visitor *v)
{
  visit_children(x, node, v);
  for (uint32_t i = x->t->node[node].child; i != TREE_NONE; i = x->t->node[i].next) {
    see(x, v, EFFECT_READ, effects_value(x, i));
    see(x, v, EFFECT_WRITE, effects_value(x, i));
  }
}

void effects_visit(struct effects *x, uint32_t node, const struct effects_visitor *v)
{
  const struct node *n = &x->t->node[node];
  switch (n->kind) {
  case NODE_CALL:
    visit_call(x, node, v);
    return;
  case NODE_BINARY:
  case NODE_COMPUTE:
    if (n->kind == NODE_COMPUTE || n->op != 0)
      visit_assignment(x, node, v);
    else
      visit_children(x, node, v);
    return;
  case NODE_UNARY:
    visit_unary(x, node, v);
    return;
  case NODE_NAME:
  case NODE_MEMBER:
  case NODE_SUBSCRIPT:
    visit_value(x, node, v);
    return;
  case NODE_VARIABLE:
    if (n->child != TREE_NONE)
      see(x, v, EFFECT_WRITE, effects_location(x, node));
    visit_children(x, node, v);
    return;
  case NODE_ATOMIC:
    visit_atomic(x, node, v);
    return;
  case NODE_PASS:
    visit_conversion(x, node, v);
    return;
  case NODE_SIZEOF:
    return;
  default:
    visit_children(x, node, v);
  }
}
