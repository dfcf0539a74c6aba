/* Link loads, drawn at the positions of plots/links/layout.h.  Several files, for example of
 * several mappings, are drawn on one scale: up to four side by side, more in two rows. */
#include <inttypes.h>
#include <math.h>

#include "platforms/topology/grid.h"
#include "plots/gnuplot.h"
#include "plots/links/layout.h"
#include "plots/links/link_groups.h"
#include "plots/links/link_loads.h"
#include "plots/plot.h"

#define MOST_LINKS   (1u << 16)
#define WIDTH        624 /* width of the drawing in plot_links.gp, in pixels */
#define NAME         30  /* height of a panel's caption there, in pixels */
#define TITLE        40  /* height between two rows of files, for the names of the lower ones */
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

/* Arranges the panels as near to a square as their number allows.  A name above each takes NAME
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
