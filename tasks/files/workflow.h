/** @file workflow.h
 *  A workflow as other formats have it: tasks, files that they read and write, and dependences of
 *  one task on another.  Becomes the streams of a network.  For files/ only.
 *
 *  The files of a task that the same others read are one stream, its volume their sum, which all of
 *  those get.  Files that nobody wrote, or that nobody reads, count as nothing.
 */
#ifndef TASKS_FILES_WORKFLOW_H
#define TASKS_FILES_WORKFLOW_H

#include "common/pairs.h"
#include "tasks/tasknet.h"

/** A file. */
struct workflow_file {
  char *name;  /**< owned */
  double size; /**< byte; negative: not known yet */
};

/** A task that reads or writes a file. */
struct workflow_use {
  uint32_t file, task;
  bool writes;
};

struct workflow_edge {
  uint32_t from, to;
  double volume; /**< 0: order alone */
};

/** Zeroed but for the network.  Owned: workflow_clear(). */
struct workflow {
  struct tasknet *n; /**< takes the tasks at once, and the streams at the end */
  struct workflow_file *file;
  size_t file_room;
  uint32_t files;
  struct index by_name;
  struct workflow_use *use;
  size_t use_room, uses;
  struct workflow_edge *edge;
  size_t edge_room, edges;
};

void workflow_clear(struct workflow *g);

/** Adds a task of @p compute flop.  Blanks and control characters in its name become '_'. */
enum status workflow_add_task(struct workflow *g, const char *name, double compute, uint64_t line,
                              struct err *e);

/** The task of a name, as it was given; TASKNET_NONE: there is none. */
uint32_t workflow_find(const struct workflow *g, const char *name);

/** The number of a file, which may be new; a @p size of 0 or more becomes its size. */
enum status workflow_add_file(struct workflow *g, const char *name, double size, uint32_t *file,
                              struct err *e);

enum status workflow_add_use(struct workflow *g, uint32_t task, uint32_t file, bool writes,
                             struct err *e);

/** Adds a dependence; one without volume between tasks that share a file adds nothing to that. */
enum status workflow_add_edge(struct workflow *g, uint32_t from, uint32_t to, double volume,
                              struct err *e);

/** Makes the streams. */
enum status workflow_finish(struct workflow *g, struct err *e);

#endif
