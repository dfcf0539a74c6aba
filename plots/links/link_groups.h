/** @file link_groups.h
 *  Link loads of a platform that is not a grid, with a row for each group of links: the levels of a
 *  fat tree, the colours of a dragonfly's groups, clusters and the links between them.
 */
#pragma once

#include <stdio.h>

#include "common/err.h"
#include "plots/plot.h"

/** Writes the input of plot_link_groups.gp. */
enum status link_groups_write(const struct plot *p, FILE *f, struct err *e);
