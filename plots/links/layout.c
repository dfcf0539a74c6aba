#include "plots/links/layout.h"

#include "platforms/topology/grid.h"

#include <math.h>
#include <stdio.h>

/* In units of layout.h.  HOST: half the side of a host, where lanes begin.  LANE, WIDTH: distance
 * of a lane from the line between the hosts, and its width.  MARK: offset in x and in y of the
 * square that marks a link between planes.  SIDE: its side. */
#define HOST  0.24
#define LANE  0.12
#define WIDTH 0.2
#define MARK  0.37
#define SIDE  0.22

static uint32_t side_of(const struct layout *l, uint32_t d)
{
  uint32_t ndims;
  return grid_sides(l->topology, &ndims)[d];
}

static uint32_t coordinate(const struct layout *l, uint32_t h, uint32_t d)
{
  uint32_t ndims;
  const uint32_t *side = grid_sides(l->topology, &ndims);
  for (uint32_t i = 0; i < d; i++)
    h /= side[i];
  return h % side[d];
}

/* Fills l->axis; false if the topology does not fit LAYOUT_PLANES. */
static bool find_planes(struct layout *l)
{
  uint32_t ndims;
  const uint32_t *side = grid_sides(l->topology, &ndims);
  if (grid_kind(l->topology) == GRID_HYPERCUBE)
    return false;
  for (uint32_t d = 0; d < ndims; d++) {
    if (side[d] == 1)
      continue;
    if (l->axes == 3 || side[d] > (l->axes == 2 ? LAYOUT_MOST_PLANES : LAYOUT_MOST_SIDE))
      return false;
    l->axis[l->axes++] = d;
  }
  return l->axes >= 2;
}

/* Hosts in a row of cells: the product of the leading dimensions.  If the grid would be more than
 * four times as wide as high, it is made square. */
static uint32_t cell_columns(const struct layout *l)
{
  uint32_t ndims, columns = 1;
  const uint32_t *side = grid_sides(l->topology, &ndims);
  const uint32_t hosts = topology_hosts(l->topology);
  for (uint32_t d = 0; d < ndims && (uint64_t)columns * columns < hosts; d++)
    columns *= side[d];
  if ((uint64_t)columns * columns > (uint64_t)4 * hosts)
    columns = (uint32_t)ceil(sqrt(hosts));
  return columns;
}

/* Number of panels of cells for dimension @p d. */
static uint32_t panels_of(const struct layout *l, uint32_t d)
{
  const uint32_t k = side_of(l, d);
  return k > 2 ? 2 : k - 1;
}

struct layout layout_of(const struct topology *t)
{
  struct layout l = {.topology = t, .kind = LAYOUT_PLANES};
  uint32_t ndims;
  grid_sides(t, &ndims);
  if (find_planes(&l)) {
    l.columns = side_of(&l, l.axis[0]);
    l.rows = side_of(&l, l.axis[1]);
    l.panels = l.axes == 3 ? side_of(&l, l.axis[2]) : 1;
    return l;
  }
  l.kind = LAYOUT_CELLS;
  l.columns = cell_columns(&l);
  l.rows = (topology_hosts(t) + l.columns - 1) / l.columns;
  for (uint32_t d = 0; d < ndims; d++)
    l.panels += panels_of(&l, d);
  return l;
}

void layout_host(const struct layout *l, uint32_t h, uint32_t *panel, double *x, double *y)
{
  *panel = 0;
  if (l->kind == LAYOUT_CELLS) {
    *x = h % l->columns;
    *y = (double)(h / l->columns);
    return;
  }
  *x = coordinate(l, h, l->axis[0]);
  *y = coordinate(l, h, l->axis[1]);
  if (l->axes == 3)
    *panel = coordinate(l, h, l->axis[2]);
}

/* The panel of cells of dimension @p d and a direction. */
static uint32_t cell_panel(const struct layout *l, uint32_t d, bool down)
{
  uint32_t panel = 0;
  for (uint32_t i = 0; i < d; i++)
    panel += panels_of(l, i);
  return panel + (panels_of(l, d) == 2 && down);
}

/* Writes the boxes of a link within a plane, and returns their number: two for a link that wraps
 * around.  The link leaves the host at (b.x, b.y) along x (@p across) or along y; @p k is the
 * side of that dimension. */
static uint32_t lanes(struct layout_box b, bool across, bool down, uint32_t k,
                      struct layout_box box[2])
{
  const double step = down ? -1 : 1, from = across ? b.x : b.y, to = from + step;
  const double off = LANE * (across ? -step : step); /* to the right of its direction */
  const bool wraps = to < 0 || to >= k;
  const uint32_t n = wraps ? 2 : 1;
  const double length = (1 - 2 * HOST) / n;
  for (uint32_t i = 0; i < n; i++) {
    const double end = i == 0 ? from : (down ? k : -1.0); /* the host, or its image at the edge */
    const double at = end + step * (i == 0 ? HOST + length / 2 : 1 - HOST - length / 2);
    box[i] = b;
    box[i].x = across ? at : b.x + off;
    box[i].y = across ? b.y + off : at;
    box[i].width = across ? length : WIDTH;
    box[i].height = across ? WIDTH : length;
    box[i].thin = across ? LAYOUT_THIN_HEIGHT : LAYOUT_THIN_WIDTH;
  }
  return n;
}

uint32_t layout_link(const struct layout *l, uint32_t link, struct layout_box box[2])
{
  uint32_t ndims;
  grid_sides(l->topology, &ndims);
  const uint32_t d = link / 2 % ndims;
  const bool down = link % 2 == 1;
  struct layout_box b = {.width = 1, .height = 1, .thin = LAYOUT_THIN_NONE};
  layout_host(l, link / 2 / ndims, &b.panel, &b.x, &b.y);
  if (l->kind == LAYOUT_CELLS) {
    b.panel = cell_panel(l, d, down);
  } else if (d == l->axis[0] || d == l->axis[1]) {
    return lanes(b, d == l->axis[0], down, side_of(l, d), box);
  } else {
    b.x += down ? -MARK : MARK;
    b.y += down ? -MARK : MARK;
    b.width = b.height = SIDE;
    b.thin = LAYOUT_THIN_BOTH;
  }
  box[0] = b;
  return 1;
}

void layout_panel_name(const struct layout *l, uint32_t panel, char *name, size_t size)
{
  static const char AXIS[] = "xyz";
  uint32_t d = 0, first = 0;
  if (l->kind == LAYOUT_PLANES && l->axes == 2) {
    snprintf(name, size, "%s", "");
    return;
  }
  if (l->kind == LAYOUT_PLANES) {
    d = l->axis[2];
    if (d < 3)
      snprintf(name, size, "%c = %u", AXIS[d], panel);
    else
      snprintf(name, size, "dim %u = %u", d, panel);
    return;
  }
  while (first + panels_of(l, d) <= panel)
    first += panels_of(l, d++);
  const char *way = panels_of(l, d) == 1 ? "" : panel == first ? " +" : " -";
  snprintf(name, size, "dim %u%s", d, way);
}
