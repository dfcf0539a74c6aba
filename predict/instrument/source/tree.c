#include "predict/instrument/source/tree.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "common/mem.h"

void tree_clear(struct tree *t)
{
  for (uint32_t i = 0; i < t->symbols; i++) {
    free(t->symbol[i].key);
    free(t->symbol[i].name);
  }
  for (uint32_t i = 0; i < t->files; i++) {
    free(t->file[i].path);
    free(t->file[i].text);
  }
  free(t->node);
  free(t->symbol);
  free(t->file);
  index_clear(&t->by_key);
  *t = (struct tree){0};
}

enum status tree_add(struct tree *t, struct node n, uint32_t *out, struct err *e)
{
  if (MEM_GROW(t->node, t->node_room, t->nodes + 1, e) != OK)
    return FAIL;
  n.child = n.next = n.last = TREE_NONE;
  t->node[t->nodes] = n;
  *out = t->nodes++;
  if (n.parent == TREE_NONE)
    return OK;
  struct node *above = &t->node[n.parent];
  if (above->child == TREE_NONE)
    above->child = *out;
  else
    t->node[above->last].next = *out;
  above->last = *out;
  return OK;
}

static uint64_t hash_symbol(const void *keys, uint32_t number)
{
  return index_text(((const struct tree *)keys)->symbol[number].key);
}

static bool same_symbol(const void *keys, uint32_t number, const void *key)
{
  return strcmp(((const struct tree *)keys)->symbol[number].key, key) == 0;
}

enum status tree_symbol(struct tree *t, const char *key, const char *name, uint32_t *out,
                        struct err *e)
{
  *out = index_find(&t->by_key, index_text(key), same_symbol, t, key);
  if (*out != INDEX_NONE)
    return OK;
  if (MEM_GROW(t->symbol, t->symbol_room, t->symbols + 1, e) != OK ||
      index_reserve(&t->by_key, t->symbols, hash_symbol, t, e) != OK)
    return FAIL;
  struct symbol s = {.key = mem_strdup(key, e), .name = mem_strdup(name, e), .body = TREE_NONE};
  if (s.key == NULL || s.name == NULL) {
    free(s.key);
    free(s.name);
    return FAIL;
  }
  t->symbol[t->symbols] = s;
  index_add(&t->by_key, index_text(key), t->symbols);
  *out = t->symbols++;
  return OK;
}

enum status tree_file(struct tree *t, const char *path, const char *text, size_t size,
                      uint32_t *out, struct err *e)
{
  for (*out = 0; *out < t->files; ++*out)
    if (strcmp(t->file[*out].path, path) == 0)
      return OK;
  if (MEM_GROW(t->file, t->file_room, t->files + 1, e) != OK)
    return FAIL;
  struct tree_file f = {.path = mem_strdup(path, e), .size = (uint32_t)size};
  if (f.path == NULL || (f.text = mem_array(size + 1, 1, e)) == NULL) {
    free(f.path);
    return FAIL;
  }
  memcpy(f.text, text, size);
  t->file[t->files++] = f;
  return OK;
}

uint32_t tree_child(const struct tree *t, uint32_t node, uint32_t i)
{
  uint32_t c = t->node[node].child;
  for (; c != TREE_NONE && i > 0; i--)
    c = t->node[c].next;
  return c;
}

uint32_t tree_function(const struct tree *t, uint32_t node)
{
  while (node != TREE_NONE && t->node[node].kind != NODE_FUNCTION)
    node = t->node[node].parent;
  return node;
}

bool tree_is_statement(enum node_kind kind)
{
  return (kind >= NODE_COMPOUND && kind <= NODE_ASM);
}

bool tree_is_loop(enum node_kind kind)
{
  return kind == NODE_FOR || kind == NODE_WHILE || kind == NODE_DO;
}

bool tree_is_control(enum node_kind kind)
{
  return kind == NODE_IF || kind == NODE_SWITCH || tree_is_loop(kind);
}

uint32_t tree_strip(const struct tree *t, uint32_t node)
{
  while (t->node[node].kind == NODE_PASS && t->node[node].last != TREE_NONE)
    node = t->node[node].last;
  return node;
}

uint32_t tree_callee(const struct tree *t, uint32_t call)
{
  if (t->node[call].child == TREE_NONE)
    return TREE_NONE;
  uint32_t f = tree_strip(t, t->node[call].child);
  while (t->node[f].kind == NODE_UNARY && t->node[f].child != TREE_NONE) /* (*f)(), (&f)() */
    f = tree_strip(t, t->node[f].child);
  const uint32_t symbol = t->node[f].symbol;
  if (t->node[f].kind != NODE_NAME || symbol == TREE_NONE)
    return TREE_NONE;
  return t->symbol[symbol].kind == SYMBOL_FUNCTION ? symbol : TREE_NONE;
}

bool tree_below(const struct tree *t, uint32_t node, uint32_t above)
{
  while (node != TREE_NONE && node > above)
    node = t->node[node].parent;
  return node == above;
}

uint32_t tree_end(const struct tree *t, uint32_t node)
{
  while (t->node[node].last != TREE_NONE)
    node = t->node[node].last;
  return node + 1;
}

uint32_t tree_skip(const struct tree_file *f, uint32_t at)
{
  const char *s = f->text + at;
  if (s[0] == '/' && s[1] == '*') {
    const char *end = strstr(s + 2, "*/");
    return end == NULL ? f->size : (uint32_t)(end + 2 - f->text);
  }
  if (s[0] == '/' && s[1] == '/')
    return at + (uint32_t)strcspn(s, "\n");
  if (s[0] != '"' && s[0] != '\'')
    return at;
  const char quote = s[0];
  for (at++; at < f->size && f->text[at] != quote && f->text[at] != '\n'; at++)
    at += f->text[at] == '\\' && at + 1 < f->size;
  return at < f->size ? at + 1 : at;
}

/* Place after the blanks and comments that begin at @p at. */
static uint32_t skip_blanks(const struct tree_file *f, uint32_t at)
{
  for (;;) {
    while (at < f->size && (isspace((unsigned char)f->text[at]) ||
                            (f->text[at] == '\\' && f->text[at + 1] == '\n')))
      at++;
    if (f->text[at] != '/')
      return at;
    const uint32_t after = tree_skip(f, at);
    if (after == at)
      return at;
    at = after;
  }
}

uint32_t tree_find(const struct tree_file *f, uint32_t at, char wanted)
{
  int depth = 0;
  while (at < f->size) {
    const uint32_t after = tree_skip(f, at);
    if (after != at) {
      at = after;
      continue;
    }
    const char c = f->text[at];
    if (depth == 0 && c == wanted)
      return at;
    depth += (c == '(' || c == '[' || c == '{') - (c == ')' || c == ']' || c == '}');
    if (depth < 0)
      break;
    at++;
  }
  return f->size;
}

/* Place after the directive of the preprocessor that begins at @p at. */
static uint32_t skip_directive(const struct tree_file *f, uint32_t at)
{
  while (at < f->size && (f->text[at] != '\n' || f->text[at - 1] == '\\')) {
    const uint32_t after = tree_skip(f, at);
    at = after == at ? at + 1 : after;
  }
  return at;
}

enum piece { PIECE_BLANK, PIECE_DIRECTIVE, PIECE_TEXT };

/* Advances *at over a blank, a comment, a directive, a string or any other character.  *starts is
 * true at the begin of a line. */
static enum piece next_piece(const struct tree_file *f, uint32_t *at, bool *starts)
{
  const char c = f->text[*at];
  const uint32_t after = tree_skip(f, *at);
  const bool blank = strchr(" \t\r\n\\", c) != NULL;
  if (c == '#' && *starts) {
    *at = skip_directive(f, *at);
    return PIECE_DIRECTIVE;
  }
  *at = after == *at ? *at + 1 : after;
  if (after != *at || c != '/')
    *starts = c == '\n' || (blank && *starts);
  return blank || (c == '/' && after == *at) ? PIECE_BLANK : PIECE_TEXT;
}

struct tree_gap tree_gap(const struct tree_file *f, uint32_t begin, uint32_t end)
{
  struct tree_gap gap = {.torn = false};
  bool starts = false;
  for (uint32_t at = begin; at < end;) {
    const char c = f->text[at];
    const enum piece piece = next_piece(f, &at, &starts);
    gap.torn |= piece == PIECE_DIRECTIVE;
    if (piece == PIECE_TEXT) {
      gap.before = gap.last;
      gap.last = c;
    }
  }
  return gap;
}

/* Finds the parts of the header of a for by the semicolons. */
static void control_for(const struct tree *t, uint32_t node, struct control *c)
{
  const struct tree_file *f = &t->file[t->node[node].file];
  c->first = tree_find(f, c->open + 1, ';');
  c->second = tree_find(f, c->first + 1, ';');
  c->body = t->node[node].last;
  for (uint32_t i = t->node[node].child; i != c->body; i = t->node[i].next) {
    if (t->node[i].begin < c->first)
      c->start = i;
    else if (t->node[i].begin < c->second)
      c->condition = i;
    else
      c->step = i;
  }
}

struct control tree_control(const struct tree *t, uint32_t node)
{
  const struct node *n = &t->node[node];
  const struct tree_file *f = &t->file[n->file];
  struct control c = {TREE_NONE, TREE_NONE, TREE_NONE, TREE_NONE, TREE_NONE, 0, 0, 0, 0};
  if (n->kind == NODE_DO) {
    c.body = n->child;
    c.condition = n->last;
    c.open = tree_find(f, skip_blanks(f, tree_statement_end(t, c.body)), '(');
  } else {
    c.open = tree_find(f, n->begin, '(');
    c.condition = n->child;
    c.body = tree_child(t, node, 1);
  }
  if (n->kind == NODE_IF)
    c.otherwise = tree_child(t, node, 2);
  c.close = tree_find(f, c.open + 1, ')');
  if (n->kind == NODE_FOR) {
    c.condition = TREE_NONE;
    control_for(t, node, &c);
  }
  return c;
}

bool tree_header_is_text(const struct tree *t, uint32_t node)
{
  const struct node *n = &t->node[node];
  const struct control c = tree_control(t, node);
  if (n->kind == NODE_DO)
    return c.open < c.close && c.close < n->end;
  const uint32_t body = t->node[c.body].begin;
  return c.open < c.close && c.close <= body && (n->kind != NODE_FOR || c.second < c.close);
}

uint32_t tree_statement_end(const struct tree *t, uint32_t node)
{
  const struct node *n = &t->node[node];
  const struct tree_file *f = &t->file[n->file];
  if (n->kind == NODE_LABEL || n->kind == NODE_CASE || n->kind == NODE_FOR ||
      n->kind == NODE_WHILE || n->kind == NODE_SWITCH || n->kind == NODE_IF)
    if (n->last != TREE_NONE && !n->macro)
      return tree_statement_end(t, n->last);
  if (n->kind == NODE_COMPOUND && !n->macro)
    return n->end;
  const uint32_t at = skip_blanks(f, n->end);
  return n->end > n->begin && f->text[n->end - 1] == ';' ? n->end
         : f->text[at] == ';'                            ? at + 1
                                                         : n->end;
}

/* Begin of the line that contains @p at; lines joined by a backslash count as one. */
static uint32_t line_begin(const struct tree_file *f, uint32_t at)
{
  for (; at > 0; at--)
    if (f->text[at - 1] == '\n' && (at < 2 || f->text[at - 2] != '\\'))
      break;
  return at;
}

/* Place in the file before @p node where a statement may begin: the end of the node before it, or
 * the begin of the node around it. */
static uint32_t lower_limit(const struct tree *t, uint32_t node)
{
  const uint32_t up = t->node[node].parent;
  uint32_t before = node - 1;
  if (up == TREE_NONE || t->node[up].file != t->node[node].file)
    return 0;
  while (before != up && t->node[before].parent != up)
    before = t->node[before].parent;
  if (t->node[before].file != t->node[node].file)
    return 0;
  return before == up ? t->node[up].begin : t->node[before].end;
}

static bool is_pragma(const struct tree_file *f, uint32_t at)
{
  at += 1 + (uint32_t)strspn(f->text + at + 1, " \t");
  return strncmp(f->text + at, "pragma", 6) == 0;
}

uint32_t tree_statement_begin(const struct tree *t, uint32_t node)
{
  const struct tree_file *f = &t->file[t->node[node].file];
  uint32_t begin = TREE_NONE, at = lower_limit(t, node);
  bool starts = at == 0 || f->text[at] == '#';
  while (at < t->node[node].begin) {
    const uint32_t from = at;
    const enum piece piece = next_piece(f, &at, &starts);
    if (piece == PIECE_DIRECTIVE && is_pragma(f, from))
      begin = begin == TREE_NONE ? line_begin(f, from) : begin;
    else if (piece != PIECE_BLANK)
      begin = TREE_NONE;
  }
  return begin == TREE_NONE ? t->node[node].begin : begin;
}

bool tree_is_directive(const struct tree *t, uint32_t node, uint32_t at)
{
  const char *text = t->file[t->node[node].file].text + at;
  return text[strspn(text, " \t")] == '#';
}
