#include "wan/export.h"

#include <inttypes.h>

#include "common/report.h"

static void print_quoted(const char *text, FILE *f)
{
  fputc('"', f);
  for (; *text != '\0'; text++) {
    if (*text == '"' || *text == '\\')
      fputc('\\', f);
    fputc(*text, f);
  }
  fputc('"', f);
}

/* True if the neighbour of process @p p on @p edge can open the connection. */
static bool opened_by_other(const struct adjacency *g, uint32_t p,
                            const struct adjacency_edge *edge)
{
  return adjacency_find(g, edge->to, p)->opened;
}

static bool in_tree(const struct export_graph *x, uint32_t a, uint32_t b)
{
  return x->tree != NULL && adjacency_find(x->tree, a, b) != NULL;
}

static void print_boxes(const struct processes *p, FILE *f)
{
  for (uint32_t c = 0; c < p->clusters; c++) {
    fprintf(f, "  subgraph cluster_%" PRIu32 " {\n    label=", c);
    print_quoted(p->name == NULL ? "" : p->name[c], f);
    fputs(";\n", f);
    for (uint32_t i = 0; i < p->n; i++)
      if (p->cluster[i] == c)
        fprintf(f, "    %" PRIu32 "%s;\n", i, p->closed[i] ? " [style=filled]" : "");
    fputs("  }\n", f);
  }
}

void export_dot(const struct export_graph *x, FILE *f)
{
  const struct adjacency *g = x->graph;
  fputs("digraph connections {\n  node [shape=circle];\n", f);
  print_boxes(x->processes, f);
  for (uint32_t a = 0; a < g->n; a++)
    for (size_t i = g->first[a]; i < g->first[a + 1]; i++) {
      const uint32_t b = g->edge[i].to;
      const bool both = opened_by_other(g, a, &g->edge[i]);
      if (!g->edge[i].opened || (both && b < a))
        continue;
      fprintf(f, "  %" PRIu32 " -> %" PRIu32 " [%s%s];\n", a, b, both ? "dir=both" : "",
              !in_tree(x, a, b) ? ""
              : both            ? ",style=bold"
                                : "style=bold");
    }
  fputs("}\n", f);
}

static const char *cluster_name(const struct processes *p, uint32_t process)
{
  return p->name == NULL ? "-" : p->name[p->cluster[process]];
}

static void print_row(const struct export_graph *x, uint32_t a, uint32_t b, const char *opened_by,
                      FILE *f)
{
  const struct processes *p = x->processes;
  fprintf(f, "%" PRIu32 "\t%" PRIu32 "\t%s\t%s\t%s\t", a, b, opened_by, cluster_name(p, a),
          cluster_name(p, b));
  report_number(f, (double)processes_rtt(p, a, b) / PROCESSES_PS_PER_S);
  fprintf(f, "\t%d\n", in_tree(x, a, b));
}

void export_table(const struct export_graph *x, FILE *f)
{
  const struct adjacency *g = x->graph;
  fputs("a\tb\topened_by\tcluster_a\tcluster_b\trtt_s\ttree\n", f);
  for (uint32_t a = 0; a < g->n; a++) {
    for (size_t i = g->first[a]; i < g->first[a + 1]; i++) {
      const struct adjacency_edge *edge = &g->edge[i];
      const char *by = !edge->opened ? "b" : opened_by_other(g, a, edge) ? "both" : "a";
      if (edge->to > a)
        print_row(x, a, edge->to, by, f);
    }
    if (g->first[a] == g->first[a + 1])
      print_row(x, a, a, "none", f);
  }
}
