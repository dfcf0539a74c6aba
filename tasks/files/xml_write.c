#include <stddef.h>

#include "common/report.h"
#include "tasks/files/files.h"

/* Writes a name as an attribute value. */
static void print_name(const char *name, FILE *f)
{
  for (; *name != '\0'; name++) {
    if (*name == '&')
      fputs("&amp;", f);
    else if (*name == '<')
      fputs("&lt;", f);
    else if (*name == '"')
      fputs("&quot;", f);
    else
      putc(*name, f);
  }
}

static double member(const struct tasknet_cost *c, size_t offset)
{
  return *(const double *)((const char *)c + offset);
}

/* Writes a cost attribute: one number if all elements have the same cost, or one for each element.
 */
static void print_costs(const struct tasknet *n, uint32_t array, const char *name, size_t offset,
                        FILE *f)
{
  const struct tasknet_array *a = &n->array[array];
  const double first = member(tasknet_cost_of(n, array, 0), offset);
  uint32_t same = 1;
  while (a->varied && same < a->count && member(tasknet_cost_of(n, array, same), offset) == first)
    same++;
  fprintf(f, " %s=\"", name);
  report_number(f, first);
  for (uint32_t k = 1; a->varied && same < a->count && k < a->count; k++) {
    putc(' ', f);
    report_number(f, member(tasknet_cost_of(n, array, k), offset));
  }
  putc('"', f);
}

static void print_array(const struct tasknet *n, uint32_t array, FILE *f)
{
  const struct tasknet_array *a = &n->array[array];
  fprintf(f, a->count == 1 ? "  <task id=\"" : "  <array id=\"");
  print_name(tasknet_name(n, array), f);
  putc('"', f);
  if (a->count > 1)
    fprintf(f, " count=\"%u\"", a->count);
  print_costs(n, array, "compute", offsetof(struct tasknet_cost, compute), f);
  if (!a->arriving)
    print_costs(n, array, "input", offsetof(struct tasknet_cost, in), f);
  print_costs(n, array, "output", offsetof(struct tasknet_cost, out), f);
  if (a->varied || a->cost.loops != 1)
    print_costs(n, array, "loops", offsetof(struct tasknet_cost, loops), f);
  if (a->pattern != TASKNET_A)
    fprintf(f, " pattern=\"%c\"", 'A' + (int)a->pattern);
  fputs("/>\n", f);
}

static void print_ends(const struct tasknet *n, const struct tasknet_end *end, uint32_t ends,
                       FILE *f)
{
  for (uint32_t i = 0; i < ends; i++) {
    if (i > 0)
      putc(' ', f);
    print_name(tasknet_name(n, end[i].array), f);
  }
}

static void print_volumes(const struct tasknet_end *end, uint32_t ends, FILE *f)
{
  bool equal = true;
  for (uint32_t i = 1; i < ends; i++)
    equal = equal && end[i].volume == end[0].volume;
  if (equal && end[0].volume == TASKNET_OUTPUT)
    return;
  fputs(" volume=\"", f);
  for (uint32_t i = 0; i < (equal ? 1 : ends); i++) {
    if (i > 0)
      putc(' ', f);
    if (end[i].volume == TASKNET_OUTPUT)
      fputs("output", f);
    else
      report_number(f, end[i].volume);
  }
  putc('"', f);
}

static void print_stream(const struct tasknet *n, uint32_t stream, FILE *f)
{
  const struct tasknet_stream *s = &n->stream[stream];
  fputs("  <stream id=\"", f);
  print_name(tasknet_stream_name(n, stream), f);
  fputs("\" from=\"", f);
  print_ends(n, &n->producer[s->from], s->producers, f);
  fputs("\" to=\"", f);
  print_ends(n, &n->consumer[s->to], s->consumers, f);
  putc('"', f);
  if (s->width > 1)
    fprintf(f, " width=\"%u\"", s->width);
  print_volumes(&n->producer[s->from], s->producers, f);
  fputs("/>\n", f);
}

static void print_unit(const char *name, double unit, FILE *f)
{
  if (unit == 0)
    return;
  fprintf(f, " %s=\"", name);
  report_number(f, unit);
  putc('"', f);
}

void tasknet_print(const struct tasknet *n, FILE *f)
{
  fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<tasknet version=\"1\"", f);
  print_unit("work", n->units.work, f);
  print_unit("data", n->units.data, f);
  fputs(">\n", f);
  for (uint32_t a = 0; a < n->arrays; a++)
    print_array(n, a, f);
  for (uint32_t s = 0; s < n->streams; s++)
    print_stream(n, s, f);
  fputs("</tasknet>\n", f);
}
