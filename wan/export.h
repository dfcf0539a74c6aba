/** @file export.h
 *  Prints a graph of connections as text: for Graphviz, and as the table that `haichi plot wan'
 *  draws.
 */
#pragma once

#include <stdio.h>

#include "wan/adjacency.h"
#include "wan/processes.h"

struct export_graph {
  const struct processes *processes;
  const struct adjacency *graph;
  const struct adjacency *tree; /**< spanning tree of `graph`; NULL: none */
};

/** Prints a directed Graphviz graph.  Clusters are boxes.  An edge points away from the process
 *  that opened the connection, or both ways if both did; edges of the tree are bold.  The caller
 *  checks @p f for write errors. */
void export_dot(const struct export_graph *x, FILE *f);

/** Prints a tab-separated table with the columns "a b opened_by cluster_a cluster_b rtt_s tree":
 *  one row for each connection, with a < b. opened_by is a, b or both; tree is 1 or 0.  A process p
 *  without connections has one row, "p p none ...".  The caller checks @p f for write errors. */
void export_table(const struct export_graph *x, FILE *f);
