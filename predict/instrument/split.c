#include "predict/instrument/split.h"

#include <inttypes.h>
#include <stdlib.h>

#include "common/mem.h"

/* No block of computation is open: the next statement begins one. */
#define NO_BLOCK UINT32_MAX

struct splitter {
  struct split *out;
  const struct tree *t;
  const struct comm *c;
  struct err *e;
  uint32_t open;      /* block that the next statement of computation joins, or NO_BLOCK */
  uint32_t last_mark; /* place of the last mark, to recognise statements of one macro */
};

static enum status split_statement(struct splitter *s, uint32_t node);
static enum status split_branch(struct splitter *s, uint32_t node);

static uint32_t last_line(const struct tree *t, uint32_t node)
{
  const struct node *n = &t->node[node];
  uint32_t line = n->line;
  for (uint32_t i = n->begin; i < n->end; i++)
    line += t->file[n->file].text[i] == '\n';
  return line;
}

/* Adds a block and its mark, "haichi_block(N)" followed by @p then, at a place. */
static enum status mark(struct splitter *s, uint32_t node, uint32_t at, const char *then)
{
  char text[48];
  struct split *out = s->out;
  const struct block b = {.communication = s->c->direct[node],
                          .node = node,
                          .line = s->t->node[node].line,
                          .last_line = last_line(s->t, node),
                          .call = comm_first(s->t, node)};
  if (MEM_GROW(out->block, out->room, out->count + 1, s->e) != OK)
    return FAIL;
  snprintf(text, sizeof text, "haichi_block(%" PRIu32 ")%s%s", out->count, then,
           tree_is_directive(s->t, node, at) ? "\n" : " ");
  out->block[out->count++] = b;
  s->last_mark = at;
  return edits_insert(&out->marks, s->t->node[node].file, at, text, s->e);
}

static bool has_call(const struct tree *t, uint32_t node)
{
  for (uint32_t i = node; i < tree_end(t, node); i++)
    if (t->node[i].kind == NODE_CALL)
      return true;
  return false;
}

/* Begins a block at a statement. */
static enum status mark_statement(struct splitter *s, uint32_t node)
{
  const uint32_t at = tree_statement_begin(s->t, node);
  if (s->t->node[node].macro && s->last_mark == at && s->out->count > 0)
    return OK; /* another statement of the same macro */
  return mark(s, node, at, ";");
}

/* Begins a block at the condition or step of a loop, if it calls something. */
static enum status mark_header(struct splitter *s, uint32_t node)
{
  if (node == TREE_NONE || !has_call(s->t, node))
    return OK;
  s->open = NO_BLOCK;
  return mark(s, node, s->t->node[node].begin, ",");
}

static bool is_empty(const struct tree *t, uint32_t node)
{
  const struct node *n = &t->node[node];
  return t->file[n->file].text[n->begin] == ';' && (!n->macro || n->begin >= n->end);
}

static enum status split_list(struct splitter *s, uint32_t compound)
{
  s->open = NO_BLOCK;
  for (uint32_t i = s->t->node[compound].child; i != TREE_NONE; i = s->t->node[i].next)
    if (split_statement(s, i) != OK)
      return FAIL;
  s->open = NO_BLOCK;
  return OK;
}

static enum status split_loop(struct splitter *s, uint32_t node)
{
  const struct control c = tree_control(s->t, node);
  if (c.start != TREE_NONE && has_call(s->t, c.start) && mark_statement(s, node) != OK)
    return FAIL;
  if (mark_header(s, c.condition) != OK || mark_header(s, c.step) != OK)
    return FAIL;
  return split_branch(s, c.body);
}

/* The condition of an if or switch is evaluated once, so its mark is put before the statement. */
static enum status split_choice(struct splitter *s, uint32_t node)
{
  const struct control c = tree_control(s->t, node);
  const bool marked =
      s->c->reaches[c.condition] || (s->open == NO_BLOCK && has_call(s->t, c.condition));
  if (marked && mark_statement(s, node) != OK)
    return FAIL;
  if (split_branch(s, c.body) != OK)
    return FAIL;
  return c.otherwise == TREE_NONE ? OK : split_branch(s, c.otherwise);
}

/* Returns the statement after the labels of a statement.  The labels begin a block. */
static uint32_t after_labels(struct splitter *s, uint32_t node)
{
  const struct node *n = s->t->node;
  while ((n[node].kind == NODE_LABEL || n[node].kind == NODE_CASE) && n[node].last != TREE_NONE) {
    s->open = NO_BLOCK;
    node = n[node].last;
  }
  return node;
}

static enum status split_computation(struct splitter *s, uint32_t node)
{
  if (s->open == NO_BLOCK) {
    const uint32_t before = s->out->count;
    if (mark_statement(s, node) != OK)
      return FAIL;
    s->open = s->out->count > before ? before : NO_BLOCK;
  } else {
    s->out->block[s->open].last_line = last_line(s->t, node);
  }
  return OK;
}

static enum status split_statement(struct splitter *s, uint32_t node)
{
  enum status done;
  node = after_labels(s, node);
  const struct node *n = &s->t->node[node];
  if (is_empty(s->t, node) && s->open != NO_BLOCK)
    return OK;
  if (!s->c->reaches[node])
    return split_computation(s, node);
  if (n->macro || !tree_is_statement(n->kind) || n->kind == NODE_RETURN ||
      n->kind == NODE_DECLARATIONS)
    done = mark_statement(s, node);
  else if (n->kind == NODE_COMPOUND)
    done = split_list(s, node);
  else if (tree_is_loop(n->kind))
    done = split_loop(s, node);
  else
    done = split_choice(s, node);
  s->open = NO_BLOCK;
  return done;
}

/* Splits the body of an if or a loop; adds braces if it has none. */
static enum status split_branch(struct splitter *s, uint32_t node)
{
  const struct node *n = &s->t->node[node];
  s->open = NO_BLOCK;
  if (n->kind == NODE_COMPOUND && !n->macro)
    return split_list(s, node);
  if (is_empty(s->t, node))
    return OK;
  const uint32_t at = tree_statement_begin(s->t, node);
  const char *brace = tree_is_directive(s->t, node, at) ? "{\n" : "{ ";
  if (edits_insert(&s->out->marks, n->file, at, brace, s->e) != OK ||
      split_statement(s, node) != OK)
    return FAIL;
  s->open = NO_BLOCK;
  return edits_close(&s->out->marks, n->file, tree_statement_end(s->t, node), " }", s->e);
}

enum status split_blocks(struct split *out, const struct tree *t, const struct comm *c,
                         struct err *e)
{
  struct splitter s = {.out = out, .t = t, .c = c, .e = e, .open = NO_BLOCK};
  for (uint32_t i = 0; i < t->nodes; i++) {
    const struct node *n = &t->node[i];
    if (n->kind == NODE_FUNCTION && n->symbol != TREE_NONE && c->function[n->symbol] &&
        !t->node[n->last].macro && split_list(&s, n->last) != OK)
      return FAIL;
  }
  return OK;
}

void split_clear(struct split *s)
{
  free(s->block);
  edits_clear(&s->marks);
  *s = (struct split){0};
}
