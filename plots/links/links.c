/* Link loads.  The links of a grid are drawn at the positions of plots/links/layout.h, the links of
 * other platforms as groups.  Several files, for example of several mappings, are drawn on one
 * scale. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/containers/index.h"
#include "common/err.h"
#include "common/mem.h"
#include "common/numeric/rising.h"
#include "platforms/clusters/clusters.h"
#include "platforms/topology/grid.h"
#include "plots/gnuplot.h"
#include "plots/links/layout.h"
#include "plots/links/link_loads.h"
#include "plots/plot.h"

/* --- groups of links -------------------------------------------------------------------------- */

/* A group has a row in the picture.  Groups are the levels of a fat tree, the colours of a
 * dragonfly's groups, clusters, and the links between clusters. */

#define MOST_GROUPS 48
#define MOST_NAME   320 /* gnuplot_width() of a name; the picture has names in a smaller font */

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
  return RISING(y, x) ?: by_name(a, b);
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

/* Writes the input of plot_link_groups.gp. */
static enum status link_groups_write(const struct plot *p, FILE *f, struct err *e)
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

/* --- grids ------------------------------------------------------------------------------------ */

/* Up to MOST_ABREAST files are side by side; more files have two rows. */
#define MOST_LINKS   (1u << 16)
#define WIDTH        624 /* width of the drawing in plot_links.gp, in pixels */
#define NAME         30  /* height of a panel's caption, in pixels of plot_links.gp */
#define TITLE        40  /* height between two rows of files, for the names of the lower files */
#define MOST_ABREAST 4   /* files in one row */
#define MARGIN       0.6 /* from the outer hosts to the edge of a panel, in units of layout.h */

struct drawing {
  struct link_loads loads;
  struct layout layout;
  size_t abreast;         /* files in one row */
  uint32_t across;        /* panels of a file in one row */
  double step_x, step_y;  /* distance between panels, in units of layout.h like the next three */
  double gap, name, down; /* gap between files; height of a panel's caption; distance between rows
                             of files */
};

static bool has_names(const struct drawing *d)
{
  return d->layout.kind == LAYOUT_CELLS || d->layout.axes == 3;
}

static uint32_t panel_rows(const struct drawing *d)
{
  return (d->layout.panels - 1) / d->across + 1;
}

/* Arranges the panels as near to a square as their number allows.  A name above a panel takes NAME
 * pixels. */
static void arrange(struct drawing *d)
{
  const size_t rows = (d->loads.files + MOST_ABREAST - 1) / MOST_ABREAST;
  d->abreast = (d->loads.files + rows - 1) / rows;
  const double all = (double)d->layout.panels * (double)(rows * d->abreast);
  const double across = floor(ceil(sqrt(all)) / (double)d->abreast + 0.5);
  d->across = across < 1 ? 1 : (uint32_t)across;
  if (d->across > d->layout.panels)
    d->across = d->layout.panels;
  d->step_x = d->layout.columns + 0.5;
  d->gap = 0.04 * d->across * d->step_x;
  const double wide = (double)d->abreast * (d->across * d->step_x + d->gap);
  d->name = has_names(d) ? wide * NAME / WIDTH : 0;
  d->step_y = d->layout.rows + 0.3 + d->name;
  d->down = panel_rows(d) * d->step_y + wide * TITLE / WIDTH;
}

/* The position of host (0, 0) of a panel. */
static void origin(const struct drawing *d, size_t file, uint32_t panel, double *x, double *y)
{
  *x = (double)(file % d->abreast) * (d->across * d->step_x + d->gap) +
       panel % d->across * d->step_x;
  *y = -(double)(file / d->abreast) * d->down - (double)(panel / d->across) * d->step_y;
}

static void write_panels(const struct drawing *d, size_t file, FILE *f)
{
  for (uint32_t i = 0; i < d->layout.panels; i++) {
    char name[64];
    double x, y;
    origin(d, file, i, &x, &y);
    layout_panel_name(&d->layout, i, name, sizeof name);
    fprintf(f, "%.9g %.9g \"%s\"\n", x + (d->layout.columns - 1) / 2.0,
            y + d->layout.rows - 1 + MARGIN + d->name / 2, name);
  }
}

static void write_hosts(const struct drawing *d, size_t file, FILE *f)
{
  for (uint32_t h = 0; h < topology_hosts(d->layout.topology); h++) {
    uint32_t panel;
    double x, y, at_x, at_y;
    layout_host(&d->layout, h, &panel, &x, &y);
    origin(d, file, panel, &at_x, &at_y);
    fprintf(f, "%.9g %.9g\n", at_x + x, at_y + y);
  }
}

/* The drawn fraction of a box's width: at least 1/4, so that idle links are visible. */
static double share(const struct drawing *d, uint64_t bytes)
{
  return d->loads.max == 0 ? 0.25 : 0.25 + 0.75 * (double)bytes / (double)d->loads.max;
}

/* Writes lines "x y half-width half-height bytes". */
static void write_link(const struct drawing *d, size_t file, uint32_t link, FILE *f)
{
  struct layout_box box[2];
  const uint64_t bytes = d->loads.bytes[file][link];
  const uint32_t n = layout_link(&d->layout, link, box);
  for (uint32_t i = 0; i < n; i++) {
    const struct layout_box *b = &box[i];
    double x, y, w = b->width / 2, h = b->height / 2;
    origin(d, file, b->panel, &x, &y);
    if (b->thin == LAYOUT_THIN_WIDTH || b->thin == LAYOUT_THIN_BOTH)
      w *= share(d, bytes);
    if (b->thin == LAYOUT_THIN_HEIGHT || b->thin == LAYOUT_THIN_BOTH)
      h *= share(d, bytes);
    fprintf(f, "%.9g %.9g %.9g %.9g %" PRIu64 "\n", x + b->x, y + b->y, w, h, bytes);
  }
}

static void write_size(const struct drawing *d, FILE *f)
{
  double right, below, unused;
  const uint32_t last_row = (panel_rows(d) - 1) * d->across;
  origin(d, d->abreast - 1, d->across - 1, &right, &unused);
  origin(d, d->loads.files - 1, last_row, &unused, &below);
  fprintf(f, "planes = %d\naxes = %u\n", d->layout.kind == LAYOUT_PLANES, d->layout.axes);
  fprintf(f, "left = %g\nright = %.9g\nbottom = %.9g\ntop = %.9g\n", -MARGIN,
          right + d->layout.columns - 1 + MARGIN, below - MARGIN,
          d->layout.rows - 1 + MARGIN + d->name);
  fprintf(f, "max_bytes = %" PRIu64 ".\n", d->loads.max);
}

static void write_drawing(const struct drawing *d, const struct plot *p, FILE *f)
{
  const struct topology *t = d->layout.topology;
  char label[GNUPLOT_LABEL_SIZE];
  write_size(d, f);
  gnuplot_text(f, "left_out", p->note == NULL ? "" : p->note);
  fprintf(f, "files = %zu\nabreast = %zu\n", d->loads.files, d->abreast);
  for (size_t i = 0; i < d->loads.files; i++) {
    double x, y;
    origin(d, i, 0, &x, &y);
    plot_label(p, i, label);
    fprintf(f, "file_%zu = ", i + 1);
    gnuplot_quote(f, label);
    fprintf(f, "\nfile_at_%zu = %.9g\nfile_top_%zu = %.9g\n", i + 1,
            x + ((d->across - 1) * d->step_x + d->layout.columns - 1) / 2, i + 1,
            y + d->layout.rows - 1 + MARGIN + d->name);
  }
  fputs("$panels << EOD\n", f);
  for (size_t i = 0; i < d->loads.files; i++)
    write_panels(d, i, f);
  fputs("EOD\n$hosts << EOD\n", f);
  for (size_t i = 0; i < d->loads.files && d->layout.kind == LAYOUT_PLANES; i++)
    write_hosts(d, i, f);
  fputs("EOD\n$links << EOD\n", f);
  for (size_t i = 0; i < d->loads.files; i++)
    for (uint32_t link = 0; link < topology_link_ids(t); link++)
      if (topology_has_link(t, link))
        write_link(d, i, link, f);
  fputs("EOD\n", f);
}

static enum status draw(struct drawing *d, const struct plot *p, FILE *f, struct err *e)
{
  const struct topology *t = platform_topology(p->platform);
  const uint32_t links = topology_links(t);
  if (links == 0)
    return plot_nothing(p, e, "%s has no links to draw", topology_spec(t));
  if (links > MOST_LINKS)
    return plot_nothing(p, e, "%s has %" PRIu32 " links, of which a picture takes %u at most",
                        topology_spec(t), links, MOST_LINKS);
  d->layout = layout_of(t);
  const enum status s = link_loads_read(&d->loads, p, e);
  if (s == OK) {
    arrange(d);
    write_drawing(d, p, f);
  }
  link_loads_clear(&d->loads);
  return s;
}

static bool is_grid(const struct platform *p)
{
  const struct topology *t = platform_topology(p);
  return t != NULL && topology_is_grid(t);
}

static enum status write(const struct plot *p, FILE *f, struct err *e)
{
  struct drawing d = {0};
  if (platform_need_routes(p->platform, "plot links", e) != OK)
    return FAIL;
  return is_grid(p->platform) ? draw(&d, p, f, e) : link_groups_write(p, f, e);
}

static const char *template(const struct plot *p)
{
  return is_grid(p->platform) ? "links" : "link_groups";
}

const struct plot_kind plot_links = {
    .name = "links",
    .inputs = "LINKS.tsv...",
    .help = "bytes over each link of --platform (haichi sim --links); up to 8 files, on one scale",
    .most = LINK_LOADS_MOST,
    .needs_platform = true,
    .write = write,
    .template = template,
};
