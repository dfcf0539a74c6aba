#include "predict/instrument/effects.h"

#include <stdlib.h>
#include <string.h>

#include "common/mem.h"
#include "common/text_list.h"
#include "predict/instrument/comm.h"

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

/* Functions that neither read nor write anything relevant. */
static const char *const IDLE[] = {"free",   "smpi_shared_free", "printf",  "puts",
                                   "fflush", "putchar",          "vprintf", "perror"};

uint32_t effects_class(const struct effects *x, uint32_t class)
{
  while (x->same[class] != class)
    class = x->same[class] = x->same[x->same[class]];
  return class;
}

static uint32_t new_class(struct effects *x)
{
  struct err ignored;
  if (MEM_GROW(x->same, x->same_room, x->classes + 1, &ignored) != OK ||
      MEM_GROW(x->pointee, x->pointee_room, x->classes + 1, &ignored) != OK) {
    x->failed = true;
    return 0;
  }
  x->same[x->classes] = x->classes;
  x->pointee[x->classes] = TREE_NONE;
  return x->classes++;
}

static void unify(struct effects *x, uint32_t a, uint32_t b)
{
  while (a != TREE_NONE && b != TREE_NONE) {
    a = effects_class(x, a);
    b = effects_class(x, b);
    if (a == b)
      return;
    const uint32_t to_a = x->pointee[a], to_b = x->pointee[b];
    x->same[b] = a;
    x->pointee[a] = to_a != TREE_NONE ? to_a : to_b;
    a = to_a;
    b = to_b;
  }
}

/* The class to which the pointers of @p class point; made if there is none yet. */
static uint32_t pointee(struct effects *x, uint32_t class)
{
  class = effects_class(x, class);
  if (x->pointee[class] == TREE_NONE) {
    const uint32_t made = new_class(x);
    x->pointee[class] = made;
  }
  return effects_class(x, x->pointee[class]);
}

static uint32_t value(struct effects *x, uint32_t node);

/* The class of an lvalue; TREE_NONE if the node is none. */
static uint32_t location(struct effects *x, uint32_t node)
{
  const struct tree *t = x->t;
  node = tree_strip(t, node);
  const struct node *n = &t->node[node];
  switch (n->kind) {
  case NODE_NAME:
  case NODE_VARIABLE:
  case NODE_PARAMETER:
    return n->symbol == TREE_NONE ? TREE_NONE : x->of[n->symbol];
  case NODE_SUBSCRIPT:
    return value(x, n->child);
  case NODE_UNARY:
    return n->op == '*' ? value(x, n->child) : location(x, n->child);
  case NODE_MEMBER:
    if (n->child == TREE_NONE)
      return TREE_NONE;
    return t->node[n->child].type == TYPE_RECORD ? location(x, n->child) : value(x, n->child);
  case NODE_LIST:
    return value(x, node);
  default:
    return TREE_NONE;
  }
}

/* The class that all pointers among the children of a node point to. */
static uint32_t value_of_children(struct effects *x, uint32_t node)
{
  uint32_t all = TREE_NONE;
  for (uint32_t i = x->t->node[node].child; i != TREE_NONE; i = x->t->node[i].next) {
    const uint32_t one = value(x, i);
    unify(x, all, one);
    all = all == TREE_NONE ? one : all;
  }
  return all;
}

static uint32_t value_of_call(struct effects *x, uint32_t call)
{
  const uint32_t callee = tree_callee(x->t, call);
  if (callee != TREE_NONE && x->t->symbol[callee].body != TREE_NONE)
    return pointee(x, x->of[callee]);
  if (x->made[call] == TREE_NONE) {
    const uint32_t made = new_class(x);
    x->made[call] = made;
    for (uint32_t i = tree_child(x->t, call, 1); i != TREE_NONE; i = x->t->node[i].next)
      unify(x, made, value(x, i));
  }
  return x->made[call];
}

/* The class that the value of an expression points to; TREE_NONE if there is none. */
static uint32_t value(struct effects *x, uint32_t node)
{
  const struct node *n = &x->t->node[node];
  uint32_t at;
  switch (n->kind) {
  case NODE_NAME:
  case NODE_SUBSCRIPT:
  case NODE_MEMBER:
    at = location(x, node);
    if (at == TREE_NONE || n->type == TYPE_ARRAY || n->type == TYPE_FUNCTION)
      return at;
    return n->type == TYPE_VALUE ? TREE_NONE : pointee(x, at);
  case NODE_UNARY:
    if (n->op == '&')
      return location(x, n->child);
    at = location(x, node);
    if (n->op != '*')
      return value(x, n->child);
    return at == TREE_NONE || n->type == TYPE_ARRAY ? at : pointee(x, at);
  case NODE_CALL:
    return n->type == TYPE_VALUE ? TREE_NONE : value_of_call(x, node);
  case NODE_PASS:
  case NODE_BLOCK:
    return n->last == TREE_NONE ? TREE_NONE : value(x, n->last);
  case NODE_LITERAL:
  case NODE_SIZEOF:
    return TREE_NONE;
  default:
    return value_of_children(x, node);
  }
}

/* Records that the value of @p from is assigned to an object of class @p to. */
static void assign(struct effects *x, uint32_t to, uint32_t from)
{
  const uint32_t what = to == TREE_NONE ? TREE_NONE : value(x, from);
  if (what != TREE_NONE)
    unify(x, pointee(x, to), what);
}

/* Records that the arguments of a call are assigned to the parameters of the function. */
static void bind(struct effects *x, uint32_t body, uint32_t call)
{
  uint32_t p = x->t->node[body].child, a = tree_child(x->t, call, 1);
  for (; p != TREE_NONE && a != TREE_NONE; p = x->t->node[p].next, a = x->t->node[a].next) {
    if (x->t->node[p].kind != NODE_PARAMETER)
      return;
    if (x->t->node[p].symbol != TREE_NONE)
      assign(x, x->of[x->t->node[p].symbol], a);
  }
}

/* Records that a function without a body may copy pointers from the object of one argument to the
 * object of another argument. */
static void mix(struct effects *x, uint32_t call)
{
  uint32_t all = TREE_NONE;
  for (uint32_t i = tree_child(x->t, call, 1); i != TREE_NONE; i = x->t->node[i].next) {
    const uint32_t one = value(x, i);
    if (one == TREE_NONE || x->pointee[effects_class(x, one)] == TREE_NONE)
      continue;
    unify(x, all, pointee(x, one));
    all = pointee(x, one);
  }
}

static void constrain_call(struct effects *x, uint32_t call)
{
  const struct tree *t = x->t;
  const uint32_t callee = tree_callee(t, call);
  if (callee != TREE_NONE && t->symbol[callee].body != TREE_NONE)
    bind(x, t->symbol[callee].body, call);
  else if (callee != TREE_NONE)
    mix(x, call);
  else
    for (uint32_t s = 0; s < t->symbols; s++)
      if (t->symbol[s].kind == SYMBOL_FUNCTION && t->symbol[s].body != TREE_NONE)
        bind(x, t->symbol[s].body, call);
}

static void constrain(struct effects *x, uint32_t node)
{
  const struct tree *t = x->t;
  const struct node *n = &t->node[node];
  const uint32_t f = n->kind == NODE_RETURN ? tree_function(t, node) : TREE_NONE;
  if (n->kind == NODE_CALL)
    constrain_call(x, node);
  else if (((n->kind == NODE_BINARY && n->op != 0) || n->kind == NODE_COMPUTE) &&
           n->child != n->last)
    assign(x, location(x, n->child), n->last);
  else if (n->kind == NODE_VARIABLE && n->symbol != TREE_NONE)
    for (uint32_t i = n->child; i != TREE_NONE; i = t->node[i].next)
      assign(x, x->of[n->symbol], i);
  else if (f != TREE_NONE && n->child != TREE_NONE && t->node[f].symbol != TREE_NONE)
    assign(x, x->of[t->node[f].symbol], n->child);
}

/* Joins a variable of the library with the hidden state that it represents. */
static void join_hidden(struct effects *x, uint32_t symbol)
{
  const char *name = x->t->symbol[symbol].name;
  if (strcmp(name, "stdin") == 0)
    unify(x, pointee(x, x->of[symbol]), x->hidden[HIDDEN_INPUT]);
  else if (strcmp(name, "optarg") == 0 || strcmp(name, "optind") == 0)
    unify(x, x->of[symbol], x->hidden[HIDDEN_OPTIONS]);
}

enum status effects_new(struct effects *x, const struct tree *t, struct err *e)
{
  *x = (struct effects){.t = t,
                        .of = mem_array(t->symbols, sizeof *x->of, e),
                        .made = mem_array(t->nodes, sizeof *x->made, e)};
  if (x->of == NULL || x->made == NULL) {
    effects_clear(x);
    return FAIL;
  }
  for (int i = 0; i < HIDDEN_COUNT; i++)
    x->hidden[i] = new_class(x);
  for (uint32_t i = 0; i < t->symbols; i++)
    x->of[i] = new_class(x);
  for (uint32_t i = 0; i < t->nodes; i++)
    x->made[i] = TREE_NONE;
  for (uint32_t i = 0; i < t->symbols && !x->failed; i++)
    join_hidden(x, i);
  /* Two rounds, since pointers copied from a class count only once the class points to something.
   * Later visits find all classes made. */
  for (int round = 0; round < 2; round++) {
    for (uint32_t i = 0; i < t->nodes && !x->failed; i++)
      constrain(x, i);
    for (uint32_t i = 0; i < t->nodes && !x->failed; i++) {
      location(x, i);
      value(x, i);
    }
  }
  if (!x->failed)
    return OK;
  effects_clear(x);
  return err_set(e, "out of memory");
}

void effects_clear(struct effects *x)
{
  free(x->same);
  free(x->pointee);
  free(x->of);
  free(x->made);
  *x = (struct effects){0};
}

uint32_t effects_variable(const struct effects *x, uint32_t symbol)
{
  return effects_class(x, x->of[symbol]);
}

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
    const uint32_t to = handle ? TREE_NONE : value(x, a);
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
      see(x, v, EFFECT_WRITE, location(x, p));
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
    see(x, v, EFFECT_READ, location(x, n->child));
  see(x, v, EFFECT_WRITE, location(x, n->child));
  effects_visit(x, n->last, v);
}

/* Visits a name, member, element or pointer target whose value is used. */
static void visit_value(struct effects *x, uint32_t node, const struct effects_visitor *v)
{
  visit_place(x, node, v);
  const enum node_type type = x->t->node[node].type;
  if (type != TYPE_ARRAY && type != TYPE_FUNCTION)
    see(x, v, EFFECT_READ, location(x, node));
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
      see(x, v, EFFECT_WRITE, location(x, n->child));
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
  see(x, v, EFFECT_READ, value(x, n->last));
  if (n->macro)
    see(x, v, EFFECT_WRITE, value(x, n->last));
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
      see(x, v, EFFECT_WRITE, location(x, node));
    visit_children(x, node, v);
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
