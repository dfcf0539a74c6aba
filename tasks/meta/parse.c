#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "common/mem.h"
#include "common/num.h"
#include "tasks/meta/meta_internal.h"

/* Maximum number of statements, and of expression steps, of a program. */
enum { MOST = 1 << 20 };

struct parser {
  struct meta *m;
  const char *at, *line_start;
  uint64_t line;
  uint32_t open[META_DEPTH]; /* loops that have not ended yet */
  uint32_t depth;
  uint32_t values, nested; /* current stack size; depth of parentheses and signs */
  struct err *e;
};

static enum status fail(const struct parser *p, const char *what)
{
  return err_at(p->e, p->m->file, p->line, "column %td: %s", p->at - p->line_start + 1, what);
}

/* Reports the word or character found instead of @p wanted. */
static enum status fail_before(const struct parser *p, const char *wanted)
{
  int length = 0;
  char text[128];
  while (length < 40 && (isalnum((unsigned char)p->at[length]) || p->at[length] == '_'))
    length++;
  if (length == 0)
    length = p->at[0] != '\0' && p->at[0] != '\n';
  if (length == 0)
    snprintf(text, sizeof text, "%s, found the end of the line", wanted);
  else
    snprintf(text, sizeof text, "%s, found '%.*s'", wanted, length, p->at);
  return fail(p, text);
}

static void skip_blanks(struct parser *p)
{
  while (*p->at == ' ' || *p->at == '\t' || *p->at == '\r')
    p->at++;
  if (*p->at == '#')
    p->at += strcspn(p->at, "\n");
}

/* Skips @p text if it is next.  A word must end there. */
static bool take(struct parser *p, const char *text)
{
  const size_t length = strlen(text);
  skip_blanks(p);
  if (strncmp(p->at, text, length) != 0)
    return false;
  if (isalpha((unsigned char)text[0]) &&
      (isalnum((unsigned char)p->at[length]) || p->at[length] == '_'))
    return false;
  p->at += length;
  return true;
}

static enum status need(struct parser *p, const char *text)
{
  char wanted[32];
  if (take(p, text))
    return OK;
  snprintf(wanted, sizeof wanted, "expected '%s'", text);
  return fail_before(p, wanted);
}

/* Appends a step that changes the stack size by @p more. */
static enum status add_step(struct parser *p, struct meta_step step, int more)
{
  struct meta *m = p->m;
  p->values += (uint32_t)more;
  if (p->values > META_DEPTH)
    return fail(p, "an expression that is too deep");
  if (m->steps >= MOST)
    return fail(p, "a program that is too long");
  if (MEM_GROW(m->step, m->step_room, (size_t)m->steps + 1, p->e) != OK)
    return FAIL;
  m->step[m->steps++] = step;
  return OK;
}

/* --- expressions --- */

/* Copies the digits, point and exponent of a number; "" if there is none. */
static void take_number(struct parser *p, char *out, size_t size)
{
  size_t n = 0;
  skip_blanks(p);
  for (const char *c = p->at; n + 1 < size; c++) {
    const bool sign = (*c == '+' || *c == '-') && n > 0 && (c[-1] == 'e' || c[-1] == 'E');
    if (!isdigit((unsigned char)*c) && *c != '.' && !sign && !(n > 0 && (*c == 'e' || *c == 'E')))
      break;
    out[n++] = *c;
  }
  out[n] = '\0';
}

static enum status parse_number(struct parser *p)
{
  char text[64];
  struct meta_step step = {.kind = META_NUMBER};
  take_number(p, text, sizeof text);
  if (text[0] == '\0')
    return fail_before(p, "expected a number, @arg[..], @input or '('");
  if (num_double(text, 0, TASKNET_MOST_COST, &step.number, p->e) != OK)
    return fail(p, p->e->text);
  p->at += strlen(text);
  return add_step(p, step, 1);
}

static enum status parse_variable(struct parser *p)
{
  char text[16];
  uint64_t index;
  if (take(p, "@input") && !isalnum((unsigned char)*p->at))
    return add_step(p, (struct meta_step){.kind = META_INPUT}, 1);
  if (!take(p, "@arg"))
    return fail(p, "a variable is @input or @arg[..]");
  if (need(p, "[") != OK)
    return FAIL;
  take_number(p, text, sizeof text);
  if (num_u64(text, META_MOST_ARGS - 1, &index, p->e) != OK)
    return fail(p, p->e->text);
  p->at += strlen(text);
  if (index >= p->m->args)
    p->m->args = (uint32_t)index + 1;
  if (need(p, "]") != OK)
    return FAIL;
  return add_step(p, (struct meta_step){.kind = META_ARG, .index = (uint32_t)index}, 1);
}

static enum status parse_terms(struct parser *p, size_t level);

static enum status parse_factor(struct parser *p)
{
  enum status s = FAIL;
  if (++p->nested > META_DEPTH)
    return fail(p, "an expression that is too deep");
  skip_blanks(p);
  if (take(p, "-")) {
    if (parse_factor(p) == OK)
      s = add_step(p, (struct meta_step){.kind = META_NEGATE}, 0);
  } else if (take(p, "(")) {
    s = parse_terms(p, 0) == OK ? need(p, ")") : FAIL;
  } else if (*p->at == '@') {
    s = parse_variable(p);
  } else {
    s = parse_number(p);
  }
  p->nested--;
  return s;
}

/* Parses a sum (level 0), or a product (level 1) of factors. */
static enum status parse_terms(struct parser *p, size_t level)
{
  static const struct {
    const char *sign[2];
    enum meta_step_kind kind[2];
  } LEVEL[] = {{{"+", "-"}, {META_ADD, META_SUBTRACT}}, {{"*", "/"}, {META_MULTIPLY, META_DIVIDE}}};
  if (level == sizeof LEVEL / sizeof *LEVEL)
    return parse_factor(p);
  if (parse_terms(p, level + 1) != OK)
    return FAIL;
  for (;;) {
    const bool first = take(p, LEVEL[level].sign[0]);
    if (!first && !take(p, LEVEL[level].sign[1]))
      return OK;
    const struct meta_step step = {.kind = LEVEL[level].kind[first ? 0 : 1]};
    if (parse_terms(p, level + 1) != OK || add_step(p, step, -1) != OK)
      return FAIL;
  }
}

/* --- statements --- */

static enum status end_loop(struct parser *p, uint32_t column)
{
  if (p->depth == 0)
    return err_at(p->e, p->m->file, p->line, "column %u: END without FOR", column);
  p->m->statement[p->open[--p->depth]].end = p->m->statements;
  return OK;
}

static enum status open_loop(struct parser *p)
{
  if (p->depth == META_DEPTH)
    return fail(p, "loops that are nested too deeply");
  p->open[p->depth++] = p->m->statements - 1;
  return OK;
}

/* Parses the expression after the word of a statement, in parentheses unless the statement is a
 * loop. */
static enum status parse_argument(struct parser *p, struct meta_statement s)
{
  struct meta *m = p->m;
  s.first = m->steps;
  p->values = 0;
  if (s.kind != META_FOR && need(p, "(") != OK)
    return FAIL;
  if (parse_terms(p, 0) != OK || (s.kind != META_FOR && need(p, ")") != OK))
    return FAIL;
  s.steps = m->steps - s.first;
  if (m->statements >= MOST)
    return fail(p, "a program that is too long");
  if (MEM_GROW(m->statement, m->statement_room, (size_t)m->statements + 1, p->e) != OK)
    return FAIL;
  m->statement[m->statements++] = s;
  return s.kind == META_FOR ? open_loop(p) : OK;
}

static enum status parse_statement(struct parser *p)
{
  static const char *const WORDS[] = {[META_FOR] = "FOR",
                                      [META_COMPUTE] = "compute",
                                      [META_READ] = "input",
                                      [META_WRITE] = "output"};
  skip_blanks(p);
  const uint32_t column = (uint32_t)(p->at - p->line_start) + 1;
  for (size_t i = 0; i < sizeof WORDS / sizeof *WORDS; i++)
    if (take(p, WORDS[i]))
      return parse_argument(p, (struct meta_statement){.kind = (enum meta_statement_kind)i,
                                                       .line = p->line,
                                                       .column = column});
  if (take(p, "END"))
    return end_loop(p, column);
  return fail_before(p, "expected compute, input, output, FOR or END");
}

/* Skips the separators between statements.  *more is false at the end of the text. */
static enum status next_statement(struct parser *p, bool first, bool *more)
{
  bool parted = first;
  for (;; parted = true) {
    skip_blanks(p);
    if (*p->at != '\n' && *p->at != ';')
      break;
    if (*p->at++ == '\n') {
      p->line++;
      p->line_start = p->at;
    }
  }
  *more = *p->at != '\0';
  return parted || !*more ? OK : fail_before(p, "expected the end of the line");
}

static enum status parse_program(struct parser *p)
{
  bool more;
  for (bool first = true;; first = false) {
    if (next_statement(p, first, &more) != OK)
      return FAIL;
    if (!more)
      break;
    if (parse_statement(p) != OK)
      return FAIL;
  }
  if (p->depth == 0)
    return OK;
  const struct meta_statement *s = &p->m->statement[p->open[p->depth - 1]];
  return err_at(p->e, p->m->file, s->line, "column %u: FOR without END", s->column);
}

enum status meta_parse(struct meta **out, const char *text, const char *file, uint64_t line,
                       struct err *e)
{
  struct meta *m = mem_array(1, sizeof *m, e);
  if (m == NULL)
    return FAIL;
  struct parser p = {.m = m, .at = text, .line_start = text, .line = line, .e = e};
  if ((m->file = mem_strdup(file, e)) == NULL || parse_program(&p) != OK) {
    meta_free(m);
    return FAIL;
  }
  *out = m;
  return OK;
}
