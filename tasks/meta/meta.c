#include "tasks/meta/meta.h"

#include <math.h>
#include <stdlib.h>

#include "common/files/textfile.h"
#include "tasks/meta/meta_internal.h"

/* Maximum size of a program in bytes. */
enum { LONGEST = 1 << 24 };

void meta_free(struct meta *m)
{
  if (m == NULL)
    return;
  free(m->file);
  free(m->statement);
  free(m->step);
  free(m);
}

const char *meta_file(const struct meta *m)
{
  return m->file;
}

uint32_t meta_args(const struct meta *m)
{
  return m->args;
}

bool meta_takes_arriving(const struct meta *m)
{
  bool reads = false, uses = false;
  for (uint32_t i = 0; i < m->statements; i++)
    reads = reads || m->statement[i].kind == META_READ;
  for (uint32_t i = 0; i < m->steps; i++)
    uses = uses || m->step[i].kind == META_INPUT;
  return uses || !reads;
}

enum tasknet_pattern meta_pattern(const struct meta *m)
{
  static const enum tasknet_pattern PATTERN[2][2] = {{TASKNET_A, TASKNET_C},
                                                     {TASKNET_D, TASKNET_B}};
  bool reads = false, writes = false;
  for (uint32_t i = 0, end = 0; i < m->statements; i++) {
    const struct meta_statement *s = &m->statement[i];
    if (s->kind == META_FOR && s->end > end)
      end = s->end;
    reads = reads || (i < end && s->kind == META_READ);
    writes = writes || (i < end && s->kind == META_WRITE);
  }
  return PATTERN[reads][writes];
}

static double apply(enum meta_step_kind kind, double a, double b)
{
  switch (kind) {
  case META_ADD:
    return a + b;
  case META_SUBTRACT:
    return a - b;
  case META_MULTIPLY:
    return a * b;
  default:
    return a / b;
  }
}

/* The variables of expressions. */
struct values {
  const double *arg;
  double arriving;
};

static double value_of(const struct meta *m, const struct meta_statement *s, const struct values *v)
{
  double stack[META_DEPTH + 1];
  uint32_t n = 0;
  for (uint32_t i = 0; i < s->steps; i++) {
    const struct meta_step *step = &m->step[s->first + i];
    if (step->kind == META_NUMBER)
      stack[n++] = step->number;
    else if (step->kind == META_ARG)
      stack[n++] = v->arg[step->index];
    else if (step->kind == META_INPUT)
      stack[n++] = v->arriving;
    else if (step->kind == META_NEGATE)
      stack[n - 1] = -stack[n - 1];
    else {
      n--;
      stack[n - 1] = apply(step->kind, stack[n - 1], stack[n]);
    }
  }
  return stack[0];
}

/* Adds the total cost of a statement to the sums. */
static enum status add_cost(const struct meta *m, const struct meta_statement *s, double cost,
                            struct tasknet_cost *sum, struct err *e)
{
  double *const to[] = {
      [META_COMPUTE] = &sum->compute, [META_READ] = &sum->in, [META_WRITE] = &sum->out};
  *to[s->kind] += cost;
  if (*to[s->kind] <= TASKNET_MOST_COST)
    return OK;
  return err_at(e, m->file, s->line, "column %u: the sum of costs up to here is %g, above %g",
                s->column, *to[s->kind], TASKNET_MOST_COST);
}

enum status meta_costs(const struct meta *m, const double *arg, double arriving,
                       struct tasknet_cost *out, struct err *e)
{
  struct tasknet_cost sum = {.loops = 1};
  const struct values v = {arg, arriving};
  uint32_t end[META_DEPTH];           /* ends of the enclosing loops */
  double times[META_DEPTH + 1] = {1}; /* times[d]: executions at loop depth d */
  uint32_t depth = 0;
  bool reads = false;
  for (uint32_t i = 0; i < m->statements; i++) {
    const struct meta_statement *s = &m->statement[i];
    const double value = value_of(m, s, &v);
    while (depth > 0 && end[depth - 1] <= i)
      depth--;
    if (!(value >= 0 && value <= TASKNET_MOST_COST))
      return err_at(e, m->file, s->line, "column %u: a value of %g is not in [0, %g]", s->column,
                    value, TASKNET_MOST_COST);
    reads = reads || s->kind == META_READ;
    if (s->kind != META_FOR) {
      if (add_cost(m, s, value * times[depth], &sum, e) != OK)
        return FAIL;
      continue;
    }
    if (depth == 0)
      sum.loops = fmax(sum.loops, value);
    end[depth++] = s->end;
    times[depth] = times[depth - 1] * value;
  }
  if (!reads)
    sum.in = arriving;
  *out = sum;
  return OK;
}

enum status meta_load(struct meta **out, const char *path, struct err *e)
{
  char *text;
  size_t length;
  if (textfile_load(&text, &length, path, path, LONGEST, e) != OK)
    return FAIL;
  const enum status s = meta_parse(out, text, path, 1, e);
  free(text);
  return s;
}
