/** @file workflow.h
 *  A workflow as in DAX, WfCommons and Graphviz: tasks, files that they read and write, and
 *  dependences between tasks.  Converts files and dependences to streams.  For files/ only.
 *
 *  The files that a task writes for the same readers become one stream to these readers, with the
 *  sum of their sizes as volume.  Files without a writer or without a reader are ignored.
 */
#pragma once

#include "common/containers/names.h"
#include "common/containers/pairs.h"
#include "tasks/tasknet.h"

/** One task that reads or writes one file. */
struct workflow_use {
  uint32_t file, task;
  bool writes;
};

struct workflow_edge {
  uint32_t from, to;
  double volume; /**< bytes; 0: only the order of the tasks */
};

/** The caller zeroes it, sets `n`, and calls workflow_clear(). */
struct workflow {
  struct tasknet *n; /**< tasks are added at once, streams by workflow_finish() */
  struct names file;
  double *size; /**< by file, in bytes; negative: not known yet */
  size_t size_room;
  struct workflow_use *use;
  size_t use_room, uses;
  struct workflow_edge *edge;
  size_t edge_room, edges;
};

void workflow_clear(struct workflow *g);

/** Adds a task of @p compute flop.  Replaces blanks and control characters in its name by '_'. */
enum status workflow_add_task(struct workflow *g, const char *name, double compute, uint64_t line,
                              struct err *e);

/** Finds a task by its original name; TASKNET_NONE if there is none. */
uint32_t workflow_find(const struct workflow *g, const char *name);

/** Writes the number of a file to *file; adds it if it is new.  Sets its size, in bytes, if @p size
 *  >= 0. */
enum status workflow_add_file(struct workflow *g, const char *name, double size, uint32_t *file,
                              struct err *e);

enum status workflow_add_use(struct workflow *g, uint32_t task, uint32_t file, bool writes,
                             struct err *e);

/** Adds a dependence of task @p to on task @p from.  With a volume of 0 it has no effect if a file
 *  or another dependence already makes a stream between them. */
enum status workflow_add_edge(struct workflow *g, uint32_t from, uint32_t to, double volume,
                              struct err *e);

/** Adds the streams to the network.  Called once, after everything else. */
enum status workflow_finish(struct workflow *g, struct err *e);
