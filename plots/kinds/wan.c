/* Connections between processes on a circle, cluster by cluster. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/containers/names.h"
#include "common/files/table.h"
#include "common/mem.h"
#include "plots/gnuplot.h"
#include "plots/plot.h"

#define MOST_PROCESSES 65536

struct connection {
  uint32_t a, b;
  bool between, tree;
};

struct cluster {
  uint32_t processes;
  bool placed; /* its processes have angles */
};

struct circle {
  struct connection *connection;
  size_t connections, room;
  struct names names; /* names of the clusters */
  struct cluster *all;
  size_t all_room;
  uint32_t clusters;
  uint32_t *cluster; /* by process, plus 1; 0: unknown */
  double *angle;     /* by process, in radians */
};

/* The number of a cluster; a new one gets the next number. */
static enum status find_cluster(struct circle *c, const char *name, uint32_t *out, struct err *e)
{
  char label[GNUPLOT_LABEL_SIZE];
  gnuplot_label(label, name);
  if (names_add(&c->names, label, out, e) != OK)
    return FAIL;
  if (*out < c->clusters)
    return OK;
  if (MEM_GROW(c->all, c->all_room, (size_t)c->clusters + 1, e) != OK)
    return FAIL;
  c->all[c->clusters++] = (struct cluster){.processes = 0};
  return OK;
}

static enum status place(struct circle *c, const struct table *t, uint32_t process, size_t column,
                         struct err *e)
{
  uint32_t cluster;
  if (find_cluster(c, t->field[column], &cluster, e) != OK)
    return FAIL;
  if (c->cluster[process] == 0)
    c->all[cluster].processes++;
  else if (c->cluster[process] != cluster + 1)
    return err_at(e, t->path, t->line,
                  "process %" PRIu32 " is in cluster '%s', but in '%s' in an earlier row", process,
                  c->names.name[cluster], c->names.name[c->cluster[process] - 1]);
  c->cluster[process] = cluster + 1;
  return OK;
}

static enum status add_row(void *circle, const struct table *t, const size_t *column, struct err *e)
{
  struct circle *c = circle;
  uint64_t a, b, tree;
  if (table_u64(t, column[0], MOST_PROCESSES - 1, &a, e) != OK ||
      table_u64(t, column[1], MOST_PROCESSES - 1, &b, e) != OK ||
      table_u64(t, column[4], 1, &tree, e) != OK || place(c, t, (uint32_t)a, column[2], e) != OK ||
      place(c, t, (uint32_t)b, column[3], e) != OK)
    return FAIL;
  if (a == b) /* a process without connections */
    return OK;
  if (MEM_GROW(c->connection, c->room, c->connections + 1, e) != OK)
    return FAIL;
  c->connection[c->connections++] =
      (struct connection){(uint32_t)a, (uint32_t)b, c->cluster[a] != c->cluster[b], tree == 1};
  return OK;
}

/* Writes the name of a cluster outside of the circle, at an angle; "-" is no name. */
static void print_name(const struct circle *c, uint32_t cluster, double angle, FILE *f)
{
  fprintf(f, "name[%" PRIu32 "] = ", cluster + 1);
  gnuplot_quote(f, strcmp(c->names.name[cluster], "-") == 0 ? "" : c->names.name[cluster]);
  fprintf(f, "; angle[%" PRIu32 "] = %.6f\n", cluster + 1, angle);
}

/* Gives the processes of a cluster their angles, clockwise from *at on. */
static void arrange_cluster(struct circle *c, uint32_t cluster, double step, double *at, FILE *f)
{
  print_name(c, cluster, *at - step * c->all[cluster].processes / 2, f);
  *at -= step / 2;
  for (uint32_t p = 0; p < MOST_PROCESSES; p++)
    if (c->cluster[p] == cluster + 1) {
      c->angle[p] = *at;
      *at -= step;
    }
  *at += step / 2;
  c->all[cluster].placed = true;
}

/* Arranges the clusters clockwise from the top, in the order of their lowest processes.  The gap
 * between two clusters is a thirtieth of the circle, less if there are 15 or more. */
static void arrange(struct circle *c, FILE *f)
{
  const double half = acos(-1), gap = c->clusters < 2    ? 0
                                      : c->clusters < 15 ? half / 15
                                                         : half / c->clusters;
  uint32_t count = 0;
  for (uint32_t i = 0; i < c->clusters; i++)
    count += c->all[i].processes;
  double at = half / 2 - gap / 2;
  fprintf(f, "clusters = %" PRIu32 "\narray name[clusters]\narray angle[clusters]\n", c->clusters);
  for (uint32_t p = 0; p < MOST_PROCESSES; p++) {
    if (c->cluster[p] == 0 || c->all[c->cluster[p] - 1].placed)
      continue;
    arrange_cluster(c, c->cluster[p] - 1, (2 * half - gap * c->clusters) / count, &at, f);
    at -= gap;
  }
}

/* Starts a block of connections.  Its first line has no length and is hidden by the mark of a
 * process: gnuplot rejects empty blocks. */
static void begin_block(const struct circle *c, const char *name, FILE *f)
{
  uint32_t p = 0;
  while (c->cluster[p] == 0)
    p++;
  fprintf(f, "$%s << EOD\n%.6f %.6f 0 0\n", name, cos(c->angle[p]), sin(c->angle[p]));
}

static void print_connections(const struct circle *c, bool between, bool tree, FILE *f)
{
  for (size_t i = 0; i < c->connections; i++) {
    const struct connection *x = &c->connection[i];
    if (x->between != between || (tree && !x->tree))
      continue;
    fprintf(f, "%.6f %.6f %.6f %.6f\n", cos(c->angle[x->a]), sin(c->angle[x->a]),
            cos(c->angle[x->b]) - cos(c->angle[x->a]), sin(c->angle[x->b]) - sin(c->angle[x->a]));
  }
}

static void print_circle(struct circle *c, FILE *f)
{
  struct gnuplot_key key = {.f = f};
  gnuplot_key_add(&key, "within a cluster", 1);
  gnuplot_key_add(&key, "between clusters", 2);
  gnuplot_key_add(&key, "spanning tree", 7);
  gnuplot_key_end(&key);
  arrange(c, f);
  begin_block(c, "within", f);
  print_connections(c, false, false, f);
  fputs("EOD\n", f);
  begin_block(c, "between", f);
  print_connections(c, true, false, f);
  fputs("EOD\n", f);
  begin_block(c, "tree", f);
  print_connections(c, false, true, f);
  print_connections(c, true, true, f);
  fputs("EOD\n$processes << EOD\n", f);
  for (uint32_t p = 0; p < MOST_PROCESSES; p++)
    if (c->cluster[p] > 0)
      fprintf(f, "%.6f %.6f\n", cos(c->angle[p]), sin(c->angle[p]));
  fputs("EOD\n", f);
}

static enum status read_circle(struct circle *c, const char *path, struct err *e)
{
  static const char *const NAME[] = {"a", "b", "cluster_a", "cluster_b", "tree", NULL};
  if ((c->cluster = mem_array(MOST_PROCESSES, sizeof *c->cluster, e)) == NULL ||
      (c->angle = mem_array(MOST_PROCESSES, sizeof *c->angle, e)) == NULL)
    return FAIL;
  return table_read(path, '\t', NAME, add_row, c, e);
}

static enum status write(const struct plot *p, FILE *f, struct err *e)
{
  struct circle c = {.clusters = 0};
  enum status s = read_circle(&c, p->input[0], e);
  if (s == OK && c.clusters == 0)
    s = plot_nothing(p, e, "%s: no processes", p->input[0]);
  if (s == OK)
    print_circle(&c, f);
  free(c.connection);
  free(c.all);
  names_clear(&c.names);
  free(c.cluster);
  free(c.angle);
  return s;
}

const struct plot_kind plot_wan = {
    .name = "wan",
    .inputs = "GRAPH.tsv",
    .help = "connections between the processes of several clusters",
    .most = 1,
    .write = write,
};
