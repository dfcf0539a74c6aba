/** @file layout.h
 *  Positions at which the links of a topology are drawn: boxes in the plane, grouped into panels.
 *  Pure arithmetic: no colours, no files.  The unit of length is the distance between neighbouring
 *  hosts; y points upwards.
 *
 *  The kind LAYOUT_PLANES is used for topologies, except hypercubes, with two or three dimensions
 *  of more than one host, if the first two have at most LAYOUT_MOST_SIDE hosts and the third at
 *  most LAYOUT_MOST_PLANES.  A panel is one coordinate of the third dimension; hosts are at integer
 *  coordinates.  The two links between neighbours lie side by side, each to the right of its
 *  direction.  A link that wraps around is drawn as two halves, at opposite edges.  A link to the
 *  next plane is a square above and right of the host that it leaves, a link to the previous plane
 *  a square below and left.
 *
 *  The kind LAYOUT_CELLS is used for all other topologies.  A panel is a dimension, or one
 *  direction of it if hosts have two links there.  A host is a cell of a grid, filled row by row
 *  upwards, and shows the link that leaves it.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "platforms/topology/topology.h"

#define LAYOUT_MOST_SIDE   64
#define LAYOUT_MOST_PLANES 16

enum layout_kind { LAYOUT_PLANES, LAYOUT_CELLS };

struct layout {
  const struct topology *topology; /**< owned by the caller */
  enum layout_kind kind;
  uint32_t panels;        /**< 0 if there are no links */
  uint32_t columns, rows; /**< number of hosts in a panel */
  uint32_t axis[3];       /**< planes: dimension along x, along y and across panels */
  uint32_t axes;          /**< planes: length of `axis`, 2 or 3 */
};

/** The sides of a box that shrink with the load of its link. */
enum layout_thin { LAYOUT_THIN_NONE, LAYOUT_THIN_WIDTH, LAYOUT_THIN_HEIGHT, LAYOUT_THIN_BOTH };

struct layout_box {
  uint32_t panel;
  double x, y;          /**< centre; hosts are at 0..columns-1, 0..rows-1 */
  double width, height; /**< size at the largest load */
  enum layout_thin thin;
};

/** Chooses planes or cells.  @p t must outlive the layout, which owns nothing. */
struct layout layout_of(const struct topology *t);

/** Writes the boxes of an existing link and returns their number: 1, or 2 if it is drawn as two
 *  halves. */
uint32_t layout_link(const struct layout *l, uint32_t link, struct layout_box box[2]);

/** Position of host @p h.  With cells the position is the same in every panel and *panel is 0. */
void layout_host(const struct layout *l, uint32_t h, uint32_t *panel, double *x, double *y);

/** Writes the caption of a panel: "z = 3", "dim 2", "dim 2 -" for its links in negative direction;
 *  "" for a single plane. */
void layout_panel_name(const struct layout *l, uint32_t panel, char *name, size_t size);
