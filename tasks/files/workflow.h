/** @file workflow.h
 *  A workflow in the form of other formats: tasks, files that they read and write, and dependences
 *  between tasks.  Converts it to the streams of a network.  For files/ only.
 *
 *  The files that a task writes for the same readers become one stream to these readers, with the
 *  sum of their sizes as volume.  Files without a writer or without a reader are ignored.
 */
#pragma once

#include "common/containers/names.h"
#include "common/containers/pairs.h"
#include "tasks/tasknet.h"

/** A task reads or writes a file. */
struct workflow_use {
  uint32_t file, task;
  bool writes;
};

struct workflow_edge {
  uint32_t from, to;
  double volume; /**< 0: only the order of the tasks */
};

/** Zeroed except for the network.  The caller calls workflow_clear(). */
struct workflow {
  struct tasknet *n; /**< receives the tasks at once and the streams in workflow_finish() */
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

/** Returns the number of a file, adding it if it is new.  Sets its size if @p size >= 0. */
enum status workflow_add_file(struct workflow *g, const char *name, double size, uint32_t *file,
                              struct err *e);

enum status workflow_add_use(struct workflow *g, uint32_t task, uint32_t file, bool writes,
                             struct err *e);

/** Adds a dependence.  Without a volume it has no effect between tasks that share a file. */
enum status workflow_add_edge(struct workflow *g, uint32_t from, uint32_t to, double volume,
                              struct err *e);

/** Creates the streams. */
enum status workflow_finish(struct workflow *g, struct err *e);
