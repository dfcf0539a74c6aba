/** @file export.h
 *  A graph of connections as text: for Graphviz, and as a table that `haichi plot wan' draws.
 */
#ifndef WAN_EXPORT_H
#define WAN_EXPORT_H

#include <stdint.h>
#include <stdio.h>

#include "wan/adjacency.h"
#include "wan/processes.h"

struct export_graph {
  const struct processes *processes;
  const struct adjacency *graph;
  const struct adjacency *tree; /**< a spanning tree of it; NULL: none */
};

/** Prints a directed graph of Graphviz: clusters as boxes, an edge from the process that opened a
 *  connection, to and fro if both did, those of the tree bold.  The caller checks @p f for write
 *  errors. */
void export_dot(const struct export_graph *x, FILE *f);

/** Prints "a b opened_by cluster_a cluster_b rtt_s tree", tab-separated, a row for each connection
 *  with a < b: opened_by is a, b or both, tree 1 or 0; then, if it has no connection at all, a row
 *  "p p none ..." for each process p.  The caller checks @p f for write errors. */
void export_table(const struct export_graph *x, FILE *f);

#endif
