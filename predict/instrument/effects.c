#include "predict/instrument/effects_internal.h"

#include <stdlib.h>
#include <string.h>

#include "common/mem.h"
#include "common/text_list.h"

/* Functions that store a pointer into the object of their first argument in the object of their
 * second. */
static const char *const ENDS[] = {"strtol",    "strtoll", "strtoul", "strtoull",
                                   "strtod",    "strtof",  "strtold", "strtoimax",
                                   "strtoumax", "wcstol",  "wcstod"};

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

uint32_t effects_location(struct effects *x, uint32_t node)
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
    return effects_value(x, n->child);
  case NODE_UNARY:
    return n->op == '*' ? effects_value(x, n->child) : effects_location(x, n->child);
  case NODE_MEMBER:
    if (n->child == TREE_NONE)
      return TREE_NONE;
    return t->node[n->child].type == TYPE_RECORD ? effects_location(x, n->child)
                                                 : effects_value(x, n->child);
  case NODE_LIST:
    return effects_value(x, node);
  default:
    return TREE_NONE;
  }
}

/* The class that all pointers among the children of a node point to. */
static uint32_t value_of_children(struct effects *x, uint32_t node)
{
  uint32_t all = TREE_NONE;
  for (uint32_t i = x->t->node[node].child; i != TREE_NONE; i = x->t->node[i].next) {
    const uint32_t one = effects_value(x, i);
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
      unify(x, made, effects_value(x, i));
    for (uint32_t s = 0; callee == TREE_NONE && s < x->t->symbols; s++)
      if (x->taken[s])
        unify(x, made, pointee(x, x->of[s]));
  }
  return x->made[call];
}

uint32_t effects_value(struct effects *x, uint32_t node)
{
  const struct node *n = &x->t->node[node];
  uint32_t at;
  switch (n->kind) {
  case NODE_NAME:
  case NODE_SUBSCRIPT:
  case NODE_MEMBER:
    at = effects_location(x, node);
    if (at == TREE_NONE || n->type == TYPE_ARRAY || n->type == TYPE_FUNCTION)
      return at;
    return n->type == TYPE_VALUE ? TREE_NONE : pointee(x, at);
  case NODE_UNARY:
    if (n->op == '&')
      return effects_location(x, n->child);
    at = effects_location(x, node);
    if (n->op != '*')
      return effects_value(x, n->child);
    return at == TREE_NONE || n->type == TYPE_ARRAY ? at : pointee(x, at);
  case NODE_CALL:
    return n->type == TYPE_VALUE ? TREE_NONE : value_of_call(x, node);
  case NODE_PASS:
    if (n->last == TREE_NONE)
      return TREE_NONE;
    /* a number that becomes a pointer holds an address */
    at = n->type == TYPE_POINTER && x->t->node[n->last].type == TYPE_VALUE
             ? effects_location(x, n->last)
             : TREE_NONE;
    return at == TREE_NONE ? effects_value(x, n->last) : pointee(x, at);
  case NODE_BLOCK:
    return n->last == TREE_NONE ? TREE_NONE : effects_value(x, n->last);
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
  const uint32_t what = to == TREE_NONE ? TREE_NONE : effects_value(x, from);
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

/* Records that a function without a body, or a built-in, may copy pointers from the object of one
 * operand to the object of another.  @p first is the first operand. */
static void mix(struct effects *x, uint32_t first)
{
  uint32_t all = TREE_NONE;
  for (uint32_t i = first; i != TREE_NONE; i = x->t->node[i].next) {
    const uint32_t one = effects_value(x, i);
    if (one == TREE_NONE || x->pointee[effects_class(x, one)] == TREE_NONE)
      continue;
    unify(x, all, pointee(x, one));
    all = pointee(x, one);
  }
}

/* Records that the second argument of a call points to a pointer into the object of the first. */
static void store_end(struct effects *x, uint32_t call)
{
  const uint32_t text = tree_child(x->t, call, 1), end = tree_child(x->t, call, 2);
  const uint32_t to = end == TREE_NONE ? TREE_NONE : effects_value(x, end);
  if (to != TREE_NONE)
    unify(x, pointee(x, to), effects_value(x, text));
}

uint32_t effects_function(const struct effects *x, uint32_t node)
{
  const struct tree *t = x->t;
  node = tree_strip(t, node);
  if (t->node[node].kind == NODE_UNARY && t->node[node].op == '&' &&
      t->node[node].child != TREE_NONE)
    node = tree_strip(t, t->node[node].child);
  const uint32_t symbol = t->node[node].kind == NODE_NAME ? t->node[node].symbol : TREE_NONE;
  return symbol != TREE_NONE && t->symbol[symbol].kind == SYMBOL_FUNCTION &&
                 t->symbol[symbol].body != TREE_NONE
             ? symbol
             : TREE_NONE;
}

/* Records that a function without a body may pass its arguments to the functions among them. */
static void bind_callbacks(struct effects *x, uint32_t call)
{
  const struct tree *t = x->t;
  for (uint32_t f = tree_child(t, call, 1); f != TREE_NONE; f = t->node[f].next) {
    const uint32_t symbol = effects_function(x, f);
    if (symbol == TREE_NONE)
      continue;
    for (uint32_t p = t->node[t->symbol[symbol].body].child;
         p != TREE_NONE && t->node[p].kind == NODE_PARAMETER; p = t->node[p].next)
      for (uint32_t a = tree_child(t, call, 1); a != TREE_NONE; a = t->node[a].next)
        if (a != f && t->node[p].symbol != TREE_NONE && t->node[p].type == TYPE_POINTER)
          assign(x, x->of[t->node[p].symbol], a);
  }
}

static void constrain_call(struct effects *x, uint32_t call)
{
  const struct tree *t = x->t;
  const uint32_t callee = tree_callee(t, call);
  if (callee != TREE_NONE && t->symbol[callee].body != TREE_NONE)
    bind(x, t->symbol[callee].body, call);
  else if (callee != TREE_NONE) {
    mix(x, tree_child(t, call, 1));
    bind_callbacks(x, call);
    if (TEXT_LIST_HAS(ENDS, t->symbol[callee].name))
      store_end(x, call);
  } else
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
  else if (n->kind == NODE_ATOMIC)
    mix(x, n->child);
  else if (((n->kind == NODE_BINARY && n->op != 0) || n->kind == NODE_COMPUTE) &&
           n->child != n->last)
    assign(x, effects_location(x, n->child), n->last);
  else if (n->kind == NODE_VARIABLE && n->symbol != TREE_NONE)
    for (uint32_t i = n->child; i != TREE_NONE; i = t->node[i].next)
      assign(x, x->of[n->symbol], i);
  else if (f != TREE_NONE && n->child != TREE_NONE && t->node[f].symbol != TREE_NONE)
    assign(x, x->of[t->node[f].symbol], n->child);
}

/* Finds the functions whose names are values, except as the function of a call. */
static enum status find_taken(struct effects *x, struct err *e)
{
  const struct tree *t = x->t;
  OWNED bool *called = mem_array(t->nodes, sizeof *called, e);
  if (called == NULL)
    return FAIL;
  for (uint32_t i = 0; i < t->nodes; i++)
    if (t->node[i].kind == NODE_CALL && t->node[i].child != TREE_NONE)
      called[tree_strip(t, t->node[i].child)] = true;
  for (uint32_t i = 0; i < t->nodes; i++) {
    const uint32_t f =
        t->node[i].kind == NODE_NAME && !called[i] ? effects_function(x, i) : TREE_NONE;
    if (f != TREE_NONE)
      x->taken[f] = true;
  }
  return OK;
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
                        .made = mem_array(t->nodes, sizeof *x->made, e),
                        .taken = mem_array(t->symbols, sizeof *x->taken, e)};
  if (x->of == NULL || x->made == NULL || x->taken == NULL || find_taken(x, e) != OK) {
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
      effects_location(x, i);
      effects_value(x, i);
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
  free(x->taken);
  *x = (struct effects){0};
}

uint32_t effects_variable(const struct effects *x, uint32_t symbol)
{
  return effects_class(x, x->of[symbol]);
}
