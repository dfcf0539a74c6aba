#include "predict/instrument/reduce.h"

struct reducer {
  const struct tree *t;
  const struct slice *s;
  struct edits *out;
  struct err *e;
};

static enum status reduce(struct reducer *r, uint32_t node);

/* Puts MPI_SUCCESS in place of each call of MPI in [node, end) that does not stay. */
static enum status replace_calls(struct reducer *r, uint32_t node, uint32_t end)
{
  const struct tree *t = r->t;
  for (uint32_t i = node; i < end; i++) {
    const struct node *n = &t->node[i];
    const uint32_t callee = n->kind == NODE_CALL ? tree_callee(t, i) : TREE_NONE;
    if (callee == TREE_NONE || t->symbol[callee].body != TREE_NONE || r->s->stays[i] ||
        comm_family_of(t->symbol[callee].name) == COMM_NOT || !slice_replaceable(t, i))
      continue;
    if (edits_replace(r->out, n->file, n->spelled_begin, n->spelled_end, "MPI_SUCCESS", r->e) != OK)
      return FAIL;
  }
  return OK;
}

/* True if another statement of the same use of a macro stays. */
static bool macro_stays(const struct reducer *r, uint32_t node)
{
  const struct node *all = r->t->node;
  if (!all[node].macro || all[node].parent == TREE_NONE)
    return false;
  for (uint32_t i = all[all[node].parent].child; i != TREE_NONE; i = all[i].next)
    if (all[i].begin == all[node].begin && r->s->stays[i])
      return true;
  return false;
}

static enum status remove_statement(struct reducer *r, uint32_t node)
{
  const struct node *n = &r->t->node[node];
  const uint32_t end = tree_statement_end(r->t, node);
  if (macro_stays(r, node) || (end == n->begin + 1 && r->t->file[n->file].text[n->begin] == ';'))
    return OK;
  return edits_replace(r->out, n->file, tree_statement_begin(r->t, node), end, ";", r->e);
}

/* True if the initialiser can stay where it is, since it evaluates constants only. */
static bool is_plain(const struct tree *t, uint32_t node)
{
  for (uint32_t i = node; i < tree_end(t, node); i++)
    if ((t->node[i].kind == NODE_NAME && t->node[i].symbol != TREE_NONE &&
         t->symbol[t->node[i].symbol].kind != SYMBOL_OTHER) ||
        t->node[i].kind == NODE_CALL || t->node[i].kind == NODE_BLOCK)
      return false;
  return true;
}

/* Removes the initialiser of a variable, from its '=' on. */
static enum status reduce_variable(struct reducer *r, uint32_t node)
{
  const struct node *n = &r->t->node[node];
  const struct tree_file *f = &r->t->file[n->file];
  if (r->s->stays[node])
    return replace_calls(r, node, tree_end(r->t, node));
  if (n->macro || n->last == TREE_NONE || is_plain(r->t, n->last))
    return OK;
  const uint32_t equals = tree_find(f, n->begin, '=');
  if (equals >= r->t->node[n->last].begin || n->end <= equals)
    return OK; /* no initialiser, only the bound of an array */
  return edits_replace(r->out, n->file, equals, n->end, "", r->e);
}

static enum status reduce_return(struct reducer *r, uint32_t node)
{
  const struct node *n = &r->t->node[node];
  const struct node *function = &r->t->node[tree_function(r->t, node)];
  if (n->child == TREE_NONE || n->macro)
    return OK;
  const struct node *value = &r->t->node[n->child];
  const bool calls = value->kind != NODE_LITERAL && !is_plain(r->t, n->child);
  const bool simple = value->type == TYPE_VALUE || value->type == TYPE_POINTER;
  for (uint32_t i = n->child; i < tree_end(r->t, node); i++)
    if (r->t->node[i].kind == NODE_CALL && tree_callee(r->t, i) != TREE_NONE &&
        (r->s->stays[i] || r->s->live[tree_callee(r->t, i)]))
      return replace_calls(r, node, tree_end(r->t, node));
  if (r->s->returns[function->symbol] || !simple || !calls)
    return replace_calls(r, node, tree_end(r->t, node));
  /* In parentheses, as there may be no space after `return`. */
  return edits_replace(r->out, value->file, value->begin, value->end, "(0)", r->e);
}

static enum status reduce_control(struct reducer *r, uint32_t node)
{
  const struct control c = tree_control(r->t, node);
  const uint32_t part[] = {c.start, c.condition, c.step};
  for (int i = 0; i < 3; i++)
    if (part[i] != TREE_NONE && replace_calls(r, part[i], tree_end(r->t, part[i])) != OK)
      return FAIL;
  if (reduce(r, c.body) != OK)
    return FAIL;
  return c.otherwise == TREE_NONE ? OK : reduce(r, c.otherwise);
}

/* Of a declaration, reduces only the variables: it may also declare types and functions. */
static enum status reduce_children(struct reducer *r, uint32_t node, bool all)
{
  for (uint32_t i = r->t->node[node].child; i != TREE_NONE; i = r->t->node[i].next)
    if ((all || r->t->node[i].kind == NODE_VARIABLE) && reduce(r, i) != OK)
      return FAIL;
  return OK;
}

static enum status reduce(struct reducer *r, uint32_t node)
{
  const struct node *n = &r->t->node[node];
  if (n->macro)
    return r->s->stays[node] ? replace_calls(r, node, tree_end(r->t, node))
                             : remove_statement(r, node);
  switch (n->kind) {
  case NODE_COMPOUND:
    return reduce_children(r, node, true);
  case NODE_DECLARATIONS:
    return reduce_children(r, node, false);
  case NODE_VARIABLE:
    return reduce_variable(r, node);
  case NODE_LABEL:
  case NODE_CASE:
    return n->last == TREE_NONE ? OK : reduce(r, n->last);
  case NODE_IF:
  case NODE_FOR:
  case NODE_WHILE:
  case NODE_DO:
  case NODE_SWITCH:
    return r->s->stays[node] ? reduce_control(r, node) : remove_statement(r, node);
  case NODE_RETURN:
    return r->s->stays[node] ? reduce_return(r, node) : OK;
  case NODE_FUNCTION: /* nested function */
    return OK;
  default:
    return r->s->stays[node] ? replace_calls(r, node, tree_end(r->t, node))
                             : remove_statement(r, node);
  }
}

enum status reduce_text(const struct tree *t, const struct slice *s, struct edits *out,
                        struct err *e)
{
  struct reducer r = {t, s, out, e};
  for (uint32_t i = 0; i < t->nodes; i++) {
    const struct node *n = &t->node[i];
    if (n->kind == NODE_FUNCTION && n->symbol != TREE_NONE && s->live[n->symbol] &&
        n->last != TREE_NONE && t->node[n->last].kind == NODE_COMPOUND && !t->node[n->last].macro &&
        reduce(&r, n->last) != OK)
      return FAIL;
  }
  return OK;
}
