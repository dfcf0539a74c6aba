#include "tasks/files/files.h"

#include "common/report.h"
#include "tasks/cost.h"

/* A picture with more arrays would be unreadable. */
enum { MOST_ARRAYS = 1000 };

static void print_quoted(const char *name, FILE *f)
{
  for (; *name != '\0'; name++) {
    if (*name == '"' || *name == '\\')
      putc('\\', f);
    putc(*name, f);
  }
}

static void print_array(const struct tasknet *n, uint32_t array, FILE *f)
{
  const struct tasknet_array *a = &n->array[array];
  fprintf(f, "  a%u [label=\"", array);
  print_quoted(tasknet_name(n, array), f);
  if (a->count > 1)
    fprintf(f, "[%u]", a->count);
  fputs("\\n", f);
  if (a->varied)
    fputs("costs differ", f);
  else
    report_number(f, a->cost.compute);
  fprintf(f, "\"%s];\n", a->count > 1 ? ", peripheries=2" : "");
}

/* Prints the label of a stream and the style of its edges: bold if it has several lanes. */
static void print_look(const struct tasknet *n, uint32_t stream, FILE *f)
{
  const struct tasknet_stream *s = &n->stream[stream];
  fputs("[label=\"", f);
  print_quoted(tasknet_stream_name(n, stream), f);
  if (s->width > 1)
    fprintf(f, "[%u]", s->width);
  fputs("\\n", f);
  report_number(f, tasknet_stream_volume(n, stream));
  fprintf(f, "\"%s", s->width > 1 ? ", style=bold" : "");
}

static void print_stream(const struct tasknet *n, uint32_t stream, FILE *f)
{
  const struct tasknet_stream *s = &n->stream[stream];
  if (s->producers == 1 && s->consumers == 1) {
    fprintf(f, "  a%u -> a%u ", n->producer[s->from].array, n->consumer[s->to].array);
    print_look(n, stream, f);
    fputs("];\n", f);
    return;
  }
  fprintf(f, "  s%u ", stream);
  print_look(n, stream, f);
  fputs(", shape=plaintext];\n", f);
  for (uint32_t i = 0; i < s->producers; i++)
    fprintf(f, "  a%u -> s%u [arrowhead=none];\n", n->producer[s->from + i].array, stream);
  for (uint32_t i = 0; i < s->consumers; i++)
    fprintf(f, "  s%u -> a%u;\n", stream, n->consumer[s->to + i].array);
}

enum status tasknet_print_dot(const struct tasknet *n, FILE *f, struct err *e)
{
  if (n->arrays > MOST_ARRAYS)
    return err_set(e, "a picture has at most %d tasks and arrays, not %u", MOST_ARRAYS, n->arrays);
  fputs("digraph tasknet {\n  node [shape=box];\n", f);
  for (uint32_t a = 0; a < n->arrays; a++)
    print_array(n, a, f);
  for (uint32_t s = 0; s < n->streams; s++)
    print_stream(n, s, f);
  fputs("}\n", f);
  return OK;
}
