/** @file layout.h
 *  Where the links of a topology are drawn, as pure arithmetic: boxes in a plane, in panels.
 *  No colours, no files.
 *
 *  Planes: two or three sides above 1, of at most LAYOUT_MOST_SIDE hosts, and at most
 *  LAYOUT_MOST_PLANES planes.  A panel is a plane of the third such side; hosts are at whole
 *  coordinates, one apart, y upwards.  The two links between neighbours lie side by side, each to
 *  the right of who goes along it; a link that wraps around is half at one edge and half at the
 *  other.  A link to the next plane is a square above right of the host it leaves, one to the
 *  plane before below left.
 *
 *  Cells: all others.  A panel is a dimension, or one way along it where hosts have two links
 *  there; the hosts are cells of a grid, row by row upwards, each for the link that leaves it.
 */
#ifndef PLOTS_LAYOUT_H
#define PLOTS_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "platforms/topology/topology.h"

#define LAYOUT_MOST_SIDE   64
#define LAYOUT_MOST_PLANES 16

enum layout_kind { LAYOUT_PLANES, LAYOUT_CELLS };

struct layout {
  const struct topology *topology; /**< the caller's */
  enum layout_kind kind;
  uint32_t panels;        /**< 0 if there are no links */
  uint32_t columns, rows; /**< of hosts in a panel */
  uint32_t axis[3];       /**< planes: the dimensions across, upwards and of the panels */
  uint32_t axes;          /**< of them, 2 or 3 */
};

/** Along which of its sides a box may be drawn thinner for a smaller load. */
enum layout_thin { LAYOUT_THIN_NONE, LAYOUT_THIN_WIDTH, LAYOUT_THIN_HEIGHT, LAYOUT_THIN_BOTH };

struct layout_box {
  uint32_t panel;
  double x, y;          /**< of the centre; hosts have 0..columns-1, 0..rows-1 */
  double width, height; /**< at most */
  enum layout_thin thin;
};

/** @p t must outlive the layout. */
struct layout layout_of(const struct topology *t);

/** The boxes of a link that exists: 1 or, where it wraps around, 2. */
uint32_t layout_link(const struct layout *l, uint32_t link, struct layout_box box[2]);

/** Where host @p h is drawn: in that panel of planes, in every panel of cells. */
void layout_host(const struct layout *l, uint32_t h, uint32_t *panel, double *x, double *y);

/** What panel shows: "z = 3", "dim 2", "dim 2 -" for the links down; empty if there is one plane.
 */
void layout_panel_name(const struct layout *l, uint32_t panel, char *name, size_t size);

#endif
