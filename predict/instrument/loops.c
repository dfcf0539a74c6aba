#include "predict/instrument/loops.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/mem.h"
#include "common/num.h"

#define MOST_ROUNDS UINT64_C(1000000000000)

static enum status parse_counts(struct loop_spec *spec, char *text, struct err *e)
{
  char *real = strchr(text, '/');
  if (real != NULL)
    *real++ = '\0';
  if (num_u64(text, MOST_ROUNDS, &spec->count, e) != OK ||
      (real != NULL && num_u64(real, MOST_ROUNDS, &spec->real, e) != OK))
    return FAIL;
  if (spec->count == 0 || (real != NULL && spec->real == 0))
    return err_set(e, "a loop of 0 rounds");
  return OK;
}

static bool is_name(const char *text)
{
  const size_t n = strlen(text);
  return n > 0 && !isdigit((unsigned char)text[0]) &&
         strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == n;
}

static enum status parse_place(struct loop_spec *spec, char *text, struct err *e)
{
  char *colon = strrchr(text, ':');
  if (is_name(text) && strlen(text) < sizeof spec->name) {
    memcpy(spec->name, text, strlen(text) + 1);
    return OK;
  }
  if (colon == NULL || colon == text || (size_t)(colon - text) >= sizeof spec->path)
    return err_set(e, "'%s' is neither a name nor FILE:LINE", text);
  *colon = '\0';
  memcpy(spec->path, text, strlen(text) + 1);
  return num_u64(colon + 1, UINT32_MAX, &spec->line, e);
}

enum status loop_specs_add(struct loop_specs *s, char *text, struct err *e)
{
  struct loop_spec spec = {.count = 0};
  char *equals = strrchr(text, '=');
  if (equals == NULL)
    return err_set(e, "'%s': expected NAME=COUNT or FILE:LINE=COUNT, with /REAL or without", text);
  *equals = '\0';
  if (parse_place(&spec, text, e) != OK || parse_counts(&spec, equals + 1, e) != OK ||
      MEM_GROW(s->spec, s->room, s->count + 1, e) != OK)
    return FAIL;
  s->spec[s->count++] = spec;
  return OK;
}

void loop_specs_clear(struct loop_specs *s)
{
  free(s->spec);
  *s = (struct loop_specs){0};
}

/* True if [begin, end) contains the word. */
static bool has_word(const struct tree_file *f, uint32_t begin, uint32_t end, const char *word)
{
  const size_t n = strlen(word);
  for (uint32_t i = begin; i + n <= end; i++) {
    const bool starts =
        i == 0 || !(isalnum((unsigned char)f->text[i - 1]) || f->text[i - 1] == '_');
    const unsigned char after = (unsigned char)f->text[i + n];
    if (starts && strncmp(f->text + i, word, n) == 0 && !isalnum(after) && after != '_')
      return true;
  }
  return false;
}

static bool ends_with(const char *path, const char *end)
{
  const size_t n = strlen(path), k = strlen(end);
  return n >= k && strcmp(path + n - k, end) == 0 && (n == k || path[n - k - 1] == '/');
}

static bool fits(const struct tree *t, uint32_t node, const struct loop_spec *spec)
{
  const struct tree_file *f = &t->file[t->node[node].file];
  const struct control c = tree_control(t, node);
  if (spec->name[0] != '\0')
    return has_word(f, c.open, c.close, spec->name);
  return t->node[node].line == spec->line && ends_with(f->path, spec->path);
}

static enum status add_fixed(struct loops *l, uint32_t node, struct err *e)
{
  if (MEM_GROW(l->fixed, l->fixed_room, l->fixed_count + 1, e) != OK)
    return FAIL;
  l->fixed[l->fixed_count++] = node;
  return OK;
}

static bool is_constant(const struct tree *t, uint32_t node)
{
  for (uint32_t i = node; i < tree_end(t, node); i++)
    if (t->node[i].kind == NODE_NAME || t->node[i].kind == NODE_CALL)
      return false;
  return true;
}

/* The value that the node assigns to a variable called @p name; TREE_NONE if the node is no such
 * assignment or declaration, or not a statement. */
static uint32_t assigned_to(const struct tree *t, uint32_t node, const char *name)
{
  const struct node *n = &t->node[node];
  if (n->macro || n->child == TREE_NONE || n->parent == TREE_NONE)
    return TREE_NONE;
  const bool assigns = n->kind == NODE_BINARY && n->op == '=' &&
                       tree_is_statement(t->node[n->parent].kind) &&
                       !tree_is_loop(t->node[n->parent].kind);
  const bool declares =
      n->kind == NODE_VARIABLE && n->type == TYPE_VALUE && tree_function(t, node) != TREE_NONE;
  if (!assigns && !declares)
    return TREE_NONE;
  const uint32_t symbol = assigns ? t->node[tree_strip(t, n->child)].symbol : n->symbol;
  if (symbol == TREE_NONE || strcmp(t->symbol[symbol].name, name) != 0 || is_constant(t, n->last))
    return TREE_NONE;
  return n->last;
}

/* The real count replaces the values assigned to the name or, if there are none, the condition of
 * the loop. */
static enum status fix_assignments(struct loops *l, const struct tree *t, struct loop_spec *spec,
                                   struct err *e)
{
  if (spec->real == 0 || spec->name[0] == '\0')
    return OK;
  for (uint32_t i = 0; i < t->nodes; i++) {
    if (assigned_to(t, i, spec->name) == TREE_NONE)
      continue;
    if (add_fixed(l, i, e) != OK)
      return FAIL;
    spec->assigned = true;
  }
  return OK;
}

static enum status add_loop(struct loops *l, const struct tree *t, uint32_t node,
                            struct loop_specs *specs, struct err *e)
{
  struct loop loop = {.node = node, .clock = TREE_NONE};
  for (size_t i = 0; i < specs->count && loop.spec == NULL; i++)
    if (fits(t, node, &specs->spec[i])) {
      loop.spec = &specs->spec[i];
      specs->spec[i].used = true;
    }
  const uint32_t condition = tree_control(t, node).condition;
  if (loop.spec != NULL && loop.spec->real > 0 && !loop.spec->assigned && condition != TREE_NONE &&
      add_fixed(l, condition, e) != OK)
    return FAIL;
  if (MEM_GROW(l->loop, l->room, l->count + 1, e) != OK)
    return FAIL;
  l->loop[l->count++] = loop;
  return OK;
}

enum status loops_find(struct loops *l, const struct tree *t, const struct comm *c,
                       struct loop_specs *specs, struct err *e)
{
  for (size_t i = 0; i < specs->count; i++)
    if (fix_assignments(l, t, &specs->spec[i], e) != OK)
      return FAIL;
  for (uint32_t i = 0; i < t->nodes; i++)
    if (tree_is_loop(t->node[i].kind) && c->reaches[i] && !t->node[i].macro &&
        add_loop(l, t, i, specs, e) != OK)
      return FAIL;
  for (size_t i = 0; i < specs->count; i++) {
    const struct loop_spec *s = &specs->spec[i];
    if (!s->used && s->name[0] != '\0')
      return err_set(e, "--loops %s: no loop around communication has '%s' in its header", s->name,
                     s->name);
    if (!s->used)
      return err_set(e, "--loops %s:%" PRIu64 ": no loop around communication begins there",
                     s->path, s->line);
  }
  return OK;
}

/* Adds a bound of the rounds to the condition. */
static enum status bound(const struct loops *l, const struct tree *t, uint32_t i, struct edits *out,
                         struct err *e)
{
  const struct node *n = &t->node[l->loop[i].node];
  const struct control c = tree_control(t, l->loop[i].node);
  const uint64_t count = l->loop[i].spec->count - (n->kind == NODE_DO);
  char text[80];
  snprintf(text, sizeof text, ") && haichi_more(%" PRIu32 ", %" PRIu64 "ULL)", i, count);
  if (c.condition == TREE_NONE)
    return edits_insert(out, n->file, c.second, text + 5, e);
  const struct node *condition = &t->node[c.condition];
  const uint32_t end = n->kind == NODE_FOR ? c.second : c.close;
  if (edits_insert(out, n->file, condition->begin, "(", e) != OK)
    return FAIL;
  return edits_close(out, n->file, end, text, e);
}

/* Replaces the condition by a number of rounds. */
static enum status replace_condition(const struct loops *l, const struct tree *t, uint32_t i,
                                     bool reduced, struct edits *out, struct err *e)
{
  const struct node *n = &t->node[l->loop[i].node];
  const struct control c = tree_control(t, l->loop[i].node);
  const struct loop_spec *spec = l->loop[i].spec;
  const uint64_t rounds = (reduced ? spec->count : spec->real) - (n->kind == NODE_DO);
  char text[80];
  snprintf(text, sizeof text, "haichi_exactly(%" PRIu32 ", %" PRIu64 "ULL)", i, rounds);
  if (c.condition == TREE_NONE)
    return edits_insert(out, n->file, c.second, text, e);
  const uint32_t end = n->kind == NODE_FOR ? c.second : c.close;
  return edits_replace(out, n->file, t->node[c.condition].begin, end, text, e);
}

/* Replaces the values assigned to a name by the given count. edits_write() drops repetitions. */
static enum status edit_assignments(const struct loops *l, const struct tree *t,
                                    const struct loop_spec *spec, struct edits *out, struct err *e)
{
  char text[32];
  snprintf(text, sizeof text, "%" PRIu64, spec->real);
  for (size_t i = 0; i < l->fixed_count; i++) {
    const uint32_t from = assigned_to(t, l->fixed[i], spec->name);
    if (from == TREE_NONE)
      continue;
    const struct node *n = &t->node[from];
    if (edits_replace(out, n->file, n->begin, n->end, text, e) != OK)
      return FAIL;
  }
  return OK;
}

static enum status edit_loop(const struct loops *l, const struct tree *t, uint32_t i,
                             enum loops_use use, struct edits *out, struct err *e)
{
  char text[40];
  const struct loop_spec *spec = l->loop[i].spec;
  const bool replaced = spec->real > 0 && !spec->assigned && use != LOOPS_TIMING;
  const uint32_t at = tree_statement_begin(t, l->loop[i].node);
  if (use == LOOPS_COUNTING && !replaced)
    return OK;
  snprintf(text, sizeof text, "haichi_loop(%" PRIu32 ");%s", i,
           tree_is_directive(t, l->loop[i].node, at) ? "\n" : " ");
  if (edits_insert(out, t->node[l->loop[i].node].file, at, text, e) != OK)
    return FAIL;
  return replaced ? replace_condition(l, t, i, use == LOOPS_APART, out, e) : bound(l, t, i, out, e);
}

enum status loops_edit(const struct loops *l, const struct tree *t, enum loops_use use,
                       struct edits *out, struct err *e)
{
  for (uint32_t i = 0; i < l->count; i++) {
    const struct loop_spec *spec = l->loop[i].spec;
    if (spec != NULL && (edit_loop(l, t, i, use, out, e) != OK ||
                         (spec->assigned && edit_assignments(l, t, spec, out, e) != OK)))
      return FAIL;
  }
  return OK;
}

void loops_clear(struct loops *l)
{
  free(l->loop);
  free(l->fixed);
  *l = (struct loops){0};
}
