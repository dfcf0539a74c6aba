#define _GNU_SOURCE
/* Mean and largest load of each group of links.  If the links differ in bandwidth, loads are times:
 * bytes over bandwidth. */
#include "plots/links/link_groups.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/containers/index.h"
#include "common/mem.h"
#include "platforms/clusters/clusters.h"
#include "plots/gnuplot.h"
#include "plots/links/link_loads.h"

#define MOST_GROUPS 48
#define MOST_NAME   320 /* pixels of a group's name, in a font a quarter larger than its own */

struct group {
  char name[PLATFORM_NAME_SIZE];
  uint32_t links;
  double sum[LINK_LOADS_MOST], max[LINK_LOADS_MOST];
};

struct groups {
  struct link_loads loads;
  struct platform_clusters clusters;
  bool times; /* loads in s, not in bytes */
  struct group *group;
  size_t room;
  uint32_t count, left_out;
  struct index names;
};

static bool same_name(const void *groups, uint32_t number, const void *name)
{
  return strcmp(((const struct group *)groups)[number].name, name) == 0;
}

static uint64_t hash_group(const void *groups, uint32_t number)
{
  return index_text(((const struct group *)groups)[number].name);
}

static enum status find_group(struct groups *g, const char *name, struct group **out, struct err *e)
{
  uint32_t i = index_find(&g->names, index_text(name), same_name, g->group, name);
  if (i == INDEX_NONE) {
    if (MEM_GROW(g->group, g->room, (size_t)g->count + 1, e) != OK ||
        index_reserve(&g->names, g->count, hash_group, g->group, e) != OK)
      return FAIL;
    i = g->count++;
    g->group[i] = (struct group){.links = 0};
    snprintf(g->group[i].name, sizeof g->group[i].name, "%s", name);
    index_add(&g->names, index_text(name), i);
  }
  *out = &g->group[i];
  return OK;
}

static bool differ_in_bandwidth(const struct platform *p)
{
  double first = 0;
  for (uint32_t i = 0; i < platform_link_ids(p); i++) {
    if (!link_loads_has(p, i))
      continue;
    const double bandwidth = platform_link(p, i).bandwidth;
    first = first > 0 ? first : bandwidth;
    if (bandwidth != first)
      return true;
  }
  return false;
}

static enum status add_link(struct groups *g, uint32_t link, struct err *e)
{
  char name[PLATFORM_NAME_SIZE];
  struct group *x;
  const double unit = g->times ? platform_link(g->loads.platform, link).bandwidth : 1;
  platform_clusters_link_group(&g->clusters, link, name, sizeof name);
  if (find_group(g, name, &x, e) != OK)
    return FAIL;
  x->links++;
  for (size_t i = 0; i < g->loads.files; i++) {
    const double load = (double)g->loads.bytes[i][link] / unit;
    x->sum[i] += load;
    x->max[i] = load > x->max[i] ? load : x->max[i];
  }
  return OK;
}

static double fullest(const struct group *x)
{
  double most = 0;
  for (size_t i = 0; i < LINK_LOADS_MOST; i++)
    most = x->max[i] > most ? x->max[i] : most;
  return most;
}

static int by_name(const void *a, const void *b)
{
  return strverscmp(((const struct group *)a)->name, ((const struct group *)b)->name);
}

/* Orders by falling load of the fullest link, then by name. */
static int by_load(const void *a, const void *b)
{
  const double x = fullest(a), y = fullest(b);
  return x != y ? (x < y) - (x > y) : by_name(a, b);
}

/* Keeps the fullest groups if there are too many, then orders them by name. */
static void choose_groups(struct groups *g)
{
  if (g->count > MOST_GROUPS) {
    qsort(g->group, g->count, sizeof *g->group, by_load);
    g->left_out = g->count - MOST_GROUPS;
    g->count = MOST_GROUPS;
  }
  if (g->count > 0)
    qsort(g->group, g->count, sizeof *g->group, by_name);
}

static void write_groups(const struct groups *g, const struct plot *p, FILE *f)
{
  struct gnuplot_key key = {.f = f};
  char label[GNUPLOT_LABEL_SIZE];
  double most = 0;
  size_t widest = 0;
  for (size_t i = 0; i < p->inputs; i++) {
    plot_label(p, i, label);
    gnuplot_key_add(&key, label, i + 1);
  }
  gnuplot_key_end(&key);
  for (uint32_t i = 0; i < g->count; i++)
    most = fullest(&g->group[i]) > most ? fullest(&g->group[i]) : most;
  gnuplot_text(f, "left_out", p->note == NULL ? "" : p->note);
  fprintf(f, "files = %zu\ngroups = %" PRIu32 "\nless = %" PRIu32 "\n", p->inputs, g->count,
          g->left_out);
  fprintf(f, "times = %d\nmost = %.9g\n$groups << EOD\n", g->times, most);
  for (uint32_t i = 0; i < g->count; i++) {
    gnuplot_label(label, g->group[i].name);
    gnuplot_fit(label, MOST_NAME);
    widest = gnuplot_width(label) > widest ? gnuplot_width(label) : widest;
    for (char *c = label; *c != '\0'; c++)
      *c = *c == '"' ? '?' : *c;
    fprintf(f, "\"%s\" %" PRIu32, label, g->group[i].links);
    for (size_t k = 0; k < p->inputs; k++)
      fprintf(f, " %.9g %.9g", g->group[i].sum[k] / g->group[i].links, g->group[i].max[k]);
    fputc('\n', f);
  }
  fprintf(f, "EOD\nwidest = %zu\n", widest);
}

static enum status collect(struct groups *g, const struct plot *p, struct err *e)
{
  if (platform_clusters_find(&g->clusters, p->platform, e) != OK ||
      link_loads_read(&g->loads, p, e) != OK)
    return FAIL;
  g->times = differ_in_bandwidth(p->platform);
  for (uint32_t i = 0; i < platform_link_ids(p->platform); i++)
    if (link_loads_has(p->platform, i) && add_link(g, i, e) != OK)
      return FAIL;
  choose_groups(g);
  return OK;
}

enum status link_groups_write(const struct plot *p, FILE *f, struct err *e)
{
  struct groups g = {0};
  const enum status s = collect(&g, p, e);
  if (s == OK && g.count > 0)
    write_groups(&g, p, f);
  const bool nothing = s == OK && g.count == 0;
  platform_clusters_clear(&g.clusters);
  link_loads_clear(&g.loads);
  index_clear(&g.names);
  free(g.group);
  if (!nothing)
    return s;
  return plot_nothing(p, e, "%s has no links to draw", platform_name(p->platform));
}
