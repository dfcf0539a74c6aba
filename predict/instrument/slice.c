#include "predict/instrument/slice.h"

#include <stdlib.h>
#include <string.h>

#include "common/arena.h"
#include "common/mem.h"

struct slicer {
  const struct slice_job *job;
  const struct tree *t;
  struct slice *out;
  bool *relevant;  /* by representative of a class: the slice needs its values */
  bool *torn;      /* by node: without its text, #if and #endif would not match */
  bool *loop_only; /* by symbol: a variable that only counts loops, each of which sets it first */
  uint32_t unit;   /* unit whose effects are visited */
  uint32_t idle;   /* call whose value is not used */
  bool more;       /* this pass has added something */
  bool families[COMM_COLLECTIVE];
  bool *collective; /* by symbol: its calls stay */
  /* Results of the visit of a unit. */
  uint32_t sets;     /* a relevant class that it writes, or TREE_NONE */
  bool communicates; /* it has a call of MPI that stays */
  bool calls;        /* it calls a function of which a part stays, or one that ends the program */
  bool clock;
};

/* True if the node is a separate statement or header for the slice, not a part of one. */
static bool is_unit(const struct tree *t, uint32_t node)
{
  const struct node *n = &t->node[node];
  const uint32_t up = n->parent;
  if (n->kind == NODE_VARIABLE || tree_is_statement(n->kind))
    return true;
  if (up == TREE_NONE)
    return false;
  const struct node *above = &t->node[up];
  if (above->kind == NODE_LABEL || above->kind == NODE_CASE)
    return above->last == node;
  if (!tree_is_control(above->kind))
    return above->kind == NODE_COMPOUND;
  const struct control c = tree_control(t, up);
  return node == c.body || node == c.otherwise;
}

/* True if the statement is treated as a whole. */
static bool is_leaf(const struct node *n)
{
  return n->macro || !tree_is_statement(n->kind) || n->kind == NODE_RETURN || n->kind == NODE_ASM;
}

static bool is_fixed(const struct slicer *s, uint32_t node)
{
  for (size_t i = 0; i < s->job->fixed_count; i++)
    if (s->job->fixed[i] == node)
      return true;
  return false;
}

static void keep(struct slicer *s, uint32_t node, uint32_t why)
{
  if (s->out->stays[node])
    return;
  s->out->stays[node] = true;
  s->out->why[node] = why;
  s->more = true;
}

bool slice_replaceable(const struct tree *t, uint32_t call)
{
  const struct node *n = &t->node[call];
  const char *name = t->symbol[tree_callee(t, call)].name;
  const char *text = t->file[n->file].text + n->spelled_begin;
  return strcmp(name, "MPI_Abort") != 0 && n->spelled_end > n->spelled_begin + strlen(name) &&
         strncmp(text, name, strlen(name)) == 0 && t->file[n->file].text[n->spelled_end - 1] == ')';
}

static bool wants(void *context, uint32_t symbol, uint32_t i)
{
  const struct slicer *s = context;
  uint32_t p = s->t->node[s->t->symbol[symbol].body].child;
  for (; p != TREE_NONE && i > 0; i--)
    p = s->t->node[p].next;
  if (p == TREE_NONE || s->t->node[p].kind != NODE_PARAMETER || s->t->node[p].symbol == TREE_NONE)
    return true;
  return s->relevant[effects_variable(s->job->x, s->t->node[p].symbol)];
}

/* True if another call of the family of @p call stays, or if all calls of the family do. */
static bool family_stays(const struct slicer *s, uint32_t call)
{
  const uint32_t callee = tree_callee(s->t, call);
  const enum comm_family family = comm_family_of(s->t->symbol[callee].name);
  if (s->job->communicating || family == COMM_ALWAYS)
    return true;
  return family == COMM_COLLECTIVE ? s->collective[callee]
                                   : family != COMM_LOCAL && s->families[family];
}

/* Notes a write of a relevant class by a call of MPI. */
static void see_written(void *context, enum effect effect, uint32_t what)
{
  struct slicer *s = context;
  if (effect == EFFECT_WRITE && s->relevant[what])
    s->sets = what;
}

/* Keeps a call of MPI if it sets a relevant class, or if another call of its family stays. */
static void consider_mpi(struct slicer *s, uint32_t call)
{
  const struct effects_visitor v = {see_written, s, NULL, NULL};
  const uint32_t before = s->sets, callee = tree_callee(s->t, call);
  s->sets = TREE_NONE;
  effects_visit_mpi(s->job->x, call, false, &v);
  const bool sets = s->sets != TREE_NONE;
  if (sets || family_stays(s, call)) {
    if (!s->out->stays[call] && sets) {
      const enum comm_family family = comm_family_of(s->t->symbol[callee].name);
      if (family < COMM_COLLECTIVE)
        s->families[family] = true;
      s->collective[callee] = true;
    }
    keep(s, call, s->sets);
  }
  s->sets = before;
}

/* True if the data that the call sends is needed, too. */
static bool is_needed(const struct slicer *s, uint32_t call)
{
  const uint32_t callee = tree_callee(s->t, call);
  const enum comm_family family = comm_family_of(s->t->symbol[callee].name);
  return s->collective[callee] || (family < COMM_COLLECTIVE && s->families[family]);
}

/* Records the needs of a unit that stays. */
static void need(void *context, enum effect effect, uint32_t what)
{
  struct slicer *s = context;
  const struct effects_visitor v = {need, s, wants, NULL};
  if (effect == EFFECT_READ && !s->relevant[what]) {
    s->relevant[what] = s->more = true;
    s->out->asks[what] = s->unit;
  } else if (effect == EFFECT_MPI) {
    consider_mpi(s, what);
    if (!slice_replaceable(s->t, what))
      keep(s, what, TREE_NONE);
    if (s->out->stays[what])
      effects_visit_mpi(s->job->x, what, is_needed(s, what), &v);
  } else if (effect == EFFECT_CLOCK && s->out->clock == TREE_NONE) {
    s->out->clock = s->unit;
  }
}

/* True if the unit is a for loop that uses the class only as its own counter. */
static bool counts_own_loop(const struct slicer *s, uint32_t unit, uint32_t class)
{
  const struct tree *t = s->t;
  if (t->node[unit].kind != NODE_FOR)
    return false;
  const struct control c = tree_control(t, unit);
  bool all = true, any = false;
  for (uint32_t i = t->node[unit].child; i != TREE_NONE && i != c.body; i = t->node[i].next)
    for (uint32_t k = i; k < tree_end(t, i); k++) {
      const uint32_t symbol = t->node[k].symbol;
      if (symbol == TREE_NONE || t->symbol[symbol].kind == SYMBOL_FUNCTION ||
          effects_variable(s->job->x, symbol) != class)
        continue;
      any = true;
      all &= s->loop_only[symbol];
    }
  return any && all;
}

static bool is_written_global(const struct slicer *s, uint32_t symbol)
{
  const struct symbol *v = &s->t->symbol[symbol];
  return v->kind == SYMBOL_VARIABLE && strncmp(v->key, "c:@", 3) == 0 &&
         strstr(v->key, "@F@") == NULL && !v->system &&
         s->relevant[effects_variable(s->job->x, symbol)];
}

/* Considers the call of an unknown function, which may write all variables that other files can
 * see. */
static void consider_unknown(struct slicer *s)
{
  for (uint32_t i = 0; i < s->t->symbols && s->sets == TREE_NONE; i++)
    if (is_written_global(s, i))
      s->sets = effects_variable(s->job->x, i);
}

static void consider(void *context, enum effect effect, uint32_t what)
{
  struct slicer *s = context;
  if (effect == EFFECT_WRITE && s->relevant[what] && !counts_own_loop(s, s->unit, what))
    s->sets = what;
  else if (effect == EFFECT_CALL)
    s->calls |= s->out->live[what];
  else if (effect == EFFECT_EXIT)
    s->calls = true;
  else if (effect == EFFECT_UNKNOWN)
    consider_unknown(s);
  else if (effect == EFFECT_MPI) {
    consider_mpi(s, what);
    s->communicates |= s->out->stays[what];
  }
}

/* Visits the expressions that a unit itself evaluates: the header of a control statement, the
 * bounds and initialiser of a declaration, the whole of any other statement. */
static void visit(struct slicer *s, uint32_t unit, const struct effects_visitor *v)
{
  const struct node *n = &s->t->node[unit];
  s->unit = unit;
  if (is_fixed(s, unit))
    return;
  if (n->macro || !tree_is_control(n->kind)) {
    if (is_leaf(n))
      effects_visit(s->job->x, unit, v);
    return;
  }
  const struct control c = tree_control(s->t, unit);
  const uint32_t part[] = {c.start, c.condition, c.step};
  for (int i = 0; i < 3; i++)
    if (part[i] != TREE_NONE && !is_fixed(s, part[i]))
      effects_visit(s->job->x, part[i], v);
}

/* The loop or switch that a break leaves or a continue repeats. */
static uint32_t target(const struct tree *t, uint32_t jump)
{
  uint32_t at = t->node[jump].parent;
  while (at != TREE_NONE && !tree_is_loop(t->node[at].kind) &&
         (t->node[jump].kind == NODE_CONTINUE || t->node[at].kind != NODE_SWITCH))
    at = t->node[at].parent;
  return at;
}

/* Keeps a unit and all control statements around it. */
static void keep_unit(struct slicer *s, uint32_t unit, uint32_t why)
{
  const struct tree *t = s->t;
  uint32_t above = unit;
  keep(s, unit, why);
  while ((above = t->node[above].parent) != TREE_NONE && t->node[above].kind != NODE_FUNCTION)
    if (tree_is_statement(t->node[above].kind))
      keep(s, above, TREE_NONE);
  if (above != TREE_NONE && t->node[above].symbol != TREE_NONE &&
      !s->out->live[t->node[above].symbol])
    s->out->live[t->node[above].symbol] = s->more = true;
}

/* True if the unit contains a mark, or calls a function that does. */
static bool has_marks(const struct slicer *s, uint32_t unit)
{
  const struct node *n = &s->t->node[unit];
  const struct comm *c = s->job->c;
  if (s->job->only != TREE_NONE)
    return false;
  if (!n->macro && tree_is_control(n->kind)) {
    const struct control k = tree_control(s->t, unit);
    if (tree_is_loop(n->kind))
      return c->reaches[unit];
    return c->reaches[k.body] || (k.otherwise != TREE_NONE && c->reaches[k.otherwise]);
  }
  if (!is_leaf(n) || !c->reaches[unit])
    return false;
  for (uint32_t i = unit; i < tree_end(s->t, unit); i++) {
    const uint32_t callee = s->t->node[i].kind == NODE_CALL ? tree_callee(s->t, i) : TREE_NONE;
    if (callee != TREE_NONE && c->function[callee])
      return true;
  }
  return false;
}

static bool is_seed(struct slicer *s, uint32_t unit)
{
  const struct node *n = &s->t->node[unit];
  const uint32_t f = s->t->node[tree_function(s->t, unit)].symbol;
  if (s->job->only != TREE_NONE)
    return unit == s->job->only;
  if (s->torn[unit] || is_fixed(s, unit))
    return true;
  if (n->kind == NODE_RETURN || n->kind == NODE_GOTO || n->kind == NODE_LABEL)
    return s->job->c->function[f] || s->out->live[f];
  if (n->kind == NODE_BREAK || n->kind == NODE_CONTINUE) {
    const uint32_t at = target(s->t, unit);
    return at != TREE_NONE && s->out->stays[at];
  }
  return n->kind == NODE_ASM || has_marks(s, unit);
}

/* True for a return that stays without its value, since the value does not matter. */
static bool is_bare_return(const struct slicer *s, uint32_t unit)
{
  const uint32_t f = s->t->node[tree_function(s->t, unit)].symbol;
  return s->t->node[unit].kind == NODE_RETURN && !s->job->c->reaches[unit] &&
         !s->relevant[effects_variable(s->job->x, f)];
}

/* The value that the unit assigns to an irrelevant variable, or does not use.  TREE_NONE if the
 * unit has another effect. */
static uint32_t idle_value(const struct slicer *s, uint32_t unit)
{
  const struct node *all = s->t->node;
  const uint32_t whole = tree_strip(s->t, unit);
  const struct node *n = &all[whole];
  if (n->kind == NODE_CALL)
    return whole;
  const bool assigns = (n->kind == NODE_BINARY && n->op == '=') || n->kind == NODE_COMPUTE;
  if (n->child == TREE_NONE || (!assigns && (n->kind != NODE_VARIABLE || n->type == TYPE_ARRAY)))
    return TREE_NONE;
  const struct node *to = assigns ? &all[tree_strip(s->t, n->child)] : n;
  if ((to->kind != NODE_NAME && to->kind != NODE_VARIABLE) || to->symbol == TREE_NONE ||
      s->relevant[effects_variable(s->job->x, to->symbol)])
    return TREE_NONE;
  return n->last;
}

static bool is_used(void *context, uint32_t call)
{
  return call != ((const struct slicer *)context)->idle;
}

/* Records the needs of a unit that stays only for the calls in it.  Values of variables and
 * functions in floating-point arithmetic are not needed, as its result does not matter and it
 * cannot fail. */
static void need_idle(struct slicer *s, uint32_t node)
{
  const struct node *n = &s->t->node[node];
  const struct effects_visitor v = {need, s, wants, is_used};
  const bool arithmetic =
      n->real && ((n->kind == NODE_BINARY && n->op == 0) || (n->kind == NODE_UNARY && n->op == 0));
  if (arithmetic || n->kind == NODE_PASS) {
    for (uint32_t i = n->child; i != TREE_NONE; i = s->t->node[i].next)
      need_idle(s, i);
  } else if (n->kind != NODE_LITERAL && n->kind != NODE_NAME) {
    s->idle = n->kind == NODE_CALL ? node : TREE_NONE;
    effects_visit(s->job->x, node, &v);
  }
}

/* Records the needs of a unit that stays. */
static void need_unit(struct slicer *s, uint32_t unit)
{
  const struct effects_visitor needs = {need, s, wants, NULL};
  const uint32_t value = is_leaf(&s->t->node[unit]) ? idle_value(s, unit) : TREE_NONE;
  s->unit = unit;
  if (value != TREE_NONE && !is_fixed(s, unit))
    need_idle(s, value);
  else
    visit(s, unit, &needs);
}

static void process(struct slicer *s, uint32_t unit)
{
  const struct effects_visitor considers = {consider, s, NULL, NULL};
  const struct node *n = &s->t->node[unit];
  const uint32_t f = s->t->node[tree_function(s->t, unit)].symbol;
  s->sets = TREE_NONE;
  s->calls = s->communicates = false;
  if (!s->out->stays[unit] || n->kind == NODE_VARIABLE || tree_is_control(n->kind)) {
    visit(s, unit, &considers);
    const bool exits = s->calls && (s->job->only == TREE_NONE || s->sets != TREE_NONE);
    /* Code of a macro that handles a failed call of MPI is not executed. */
    const bool handles = n->macro && s->job->c->direct[unit] && s->sets == TREE_NONE;
    const bool value = n->kind == NODE_RETURN && s->relevant[effects_variable(s->job->x, f)];
    if (is_seed(s, unit) || s->communicates || s->sets != TREE_NONE || (exits && !handles) || value)
      keep_unit(s, unit, s->sets);
  }
  if (s->out->stays[unit] && !is_bare_return(s, unit))
    need_unit(s, unit);
}

/* Bounds of arrays are evaluated with every declaration, so they are needed. */
static void need_bounds(struct slicer *s, uint32_t variable)
{
  const struct effects_visitor needs = {need, s, wants, NULL};
  const struct node *n = &s->t->node[variable];
  const uint32_t f = tree_function(s->t, variable);
  if (n->type != TYPE_ARRAY || f == TREE_NONE || !s->out->live[s->t->node[f].symbol])
    return;
  s->unit = variable;
  for (uint32_t i = n->child; i != TREE_NONE; i = s->t->node[i].next)
    if (s->t->node[i].kind != NODE_LIST && s->t->node[i].kind != NODE_LITERAL)
      effects_visit(s->job->x, i, &needs);
}

/* True if the name is in a for statement whose header begins by setting the variable. */
static bool is_in_own_loop(const struct tree *t, uint32_t name, uint32_t symbol)
{
  for (uint32_t at = name; at != TREE_NONE; at = t->node[at].parent) {
    if (t->node[at].kind != NODE_FOR || t->node[at].macro)
      continue;
    const uint32_t start = tree_control(t, at).start;
    if (start == TREE_NONE)
      continue;
    for (uint32_t i = start; i < tree_end(t, start); i++) {
      const struct node *n = &t->node[i];
      const bool sets = n->kind == NODE_BINARY && n->op == '=' &&
                        t->node[tree_strip(t, n->child)].symbol == symbol;
      if ((sets && !tree_below(t, name, n->last)) ||
          (n->kind == NODE_VARIABLE && n->symbol == symbol))
        return true;
    }
  }
  return false;
}

static void find_loop_counters(struct slicer *s)
{
  const struct tree *t = s->t;
  for (uint32_t i = 0; i < t->symbols; i++)
    s->loop_only[i] = t->symbol[i].kind == SYMBOL_VARIABLE && t->symbol[i].type == TYPE_VALUE;
  for (uint32_t i = 0; i < t->nodes; i++) {
    const struct node *n = &t->node[i];
    if (n->kind == NODE_NAME && n->symbol != TREE_NONE && s->loop_only[n->symbol])
      s->loop_only[n->symbol] = is_in_own_loop(t, i, n->symbol);
    if (n->kind == NODE_UNARY && n->op == '&' && n->child != TREE_NONE) {
      const uint32_t symbol = t->node[tree_strip(t, n->child)].symbol;
      if (symbol != TREE_NONE)
        s->loop_only[symbol] = false;
    }
  }
}

/* True if the text of the node contains only a part of a preprocessor conditional. */
static bool is_torn(const struct tree *t, uint32_t node)
{
  const struct tree_file *f = &t->file[t->node[node].file];
  const uint32_t end = t->node[node].end;
  int depth = 0;
  for (uint32_t i = t->node[node].begin; i < end; i++) {
    if (f->text[i] != '\n')
      continue;
    uint32_t at = i + 1 + (uint32_t)strspn(f->text + i + 1, " \t");
    if (at >= end || f->text[at] != '#')
      continue;
    at += 1 + (uint32_t)strspn(f->text + at + 1, " \t");
    depth += strncmp(f->text + at, "if", 2) == 0;
    depth -= strncmp(f->text + at, "endif", 5) == 0;
    if (depth < 0 || (depth == 0 && strncmp(f->text + at, "el", 2) == 0))
      return true;
  }
  return depth != 0;
}

static void find_torn(struct slicer *s)
{
  for (uint32_t i = 0; i < s->t->nodes; i++)
    s->torn[i] = is_unit(s->t, i) && s->t->node[i].kind != NODE_COMPOUND && is_torn(s->t, i);
}

static void pass(struct slicer *s)
{
  const struct tree *t = s->t;
  s->more = false;
  for (uint32_t i = 0; i < t->nodes; i++) {
    const uint32_t f = tree_function(t, i);
    if (f == TREE_NONE || t->node[f].symbol == TREE_NONE || !is_unit(t, i))
      continue;
    if (t->node[i].kind == NODE_VARIABLE)
      need_bounds(s, i);
    process(s, i);
    /* The parts of a leaf are not units. */
    if (is_leaf(&t->node[i]))
      i = tree_end(t, i) - 1;
  }
}

void slice_clear(struct slice *s)
{
  free(s->stays);
  free(s->why);
  free(s->asks);
  free(s->live);
  free(s->returns);
  *s = (struct slice){0};
}

/* Upper limit of the number of classes.  Visits should find all classes made (effects_new()); the
 * limit allows a new class for each call, and one for the object that its result points to. */
static size_t most_classes(const struct slice_job *job)
{
  return (size_t)job->x->classes + 2 * (size_t)job->t->nodes + 1;
}

static enum status prepare(struct slicer *s, struct arena *mem)
{
  const struct tree *t = s->t;
  const size_t classes = most_classes(s->job);
  *s->out = (struct slice){.stays = mem_array(t->nodes, 1, mem->e),
                           .why = mem_array(t->nodes, sizeof *s->out->why, mem->e),
                           .asks = mem_array(classes, sizeof *s->out->asks, mem->e),
                           .live = mem_array(t->symbols, 1, mem->e),
                           .returns = mem_array(t->symbols, 1, mem->e),
                           .clock = TREE_NONE};
  s->relevant = arena_array(mem, classes, 1);
  s->torn = arena_array(mem, t->nodes, 1);
  s->loop_only = arena_array(mem, t->symbols, 1);
  s->collective = arena_array(mem, t->symbols, 1);
  return s->out->stays == NULL || s->out->why == NULL || s->out->asks == NULL ||
                 s->out->live == NULL || s->out->returns == NULL
             ? FAIL
             : arena_status(mem);
}

enum status slice_find(struct slice *out, const struct slice_job *job, struct err *e)
{
  struct slicer s = {.job = job, .t = job->t, .out = out};
  ARENA(mem, e);
  const enum status prepared = prepare(&s, &mem);
  if (prepared == OK) {
    find_loop_counters(&s);
    find_torn(&s);
    if (job->only == TREE_NONE)
      for (uint32_t i = 0; i < s.t->symbols; i++)
        out->live[i] = job->c->function[i];
    do
      pass(&s);
    while (s.more);
    for (uint32_t i = 0; i < s.t->symbols; i++)
      out->returns[i] = s.relevant[effects_variable(job->x, i)];
  }
  if (prepared == OK && !job->x->failed)
    return OK;
  slice_clear(out);
  return prepared == OK ? err_set(e, "out of memory") : FAIL;
}
