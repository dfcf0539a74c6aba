/** @file tables.h
 *  Prints the critical path of a run (sim/explain/path.h) as tables.
 */
#pragma once

#include <stdint.h>
#include <stdio.h>

#include "common/err.h"
#include "platforms/platform.h"
#include "sim/explain/path.h"

/** A run and its path. */
struct tables {
  const struct platform *platform;
  const struct causes *causes;
  const struct path *path;
  uint32_t *link; /**< by link of the maxmin: link of the platform; owned */
  bool has_jobs;  /**< names of ranks have the number of their job */
  uint32_t most;  /**< rows of a table */
};

/** Sets t->link, which the caller frees, and t->has_jobs from the other fields. */
enum status tables_begin(struct tables *t, struct err *e);

/** Prints all tables: each begins with an empty line and a header. */
enum status tables_print(const struct tables *t, FILE *f, struct err *e);

/** Room for the name of an actor or of a pair. */
enum { TABLES_NAME = 96 };

/** The name of an actor: "3" for rank 3; "1.3" for rank 3 of job 1, if the run has several jobs;
 *  "background" for background load. */
const char *tables_actor(const struct tables *t, uint32_t actor, char name[TABLES_NAME]);

/** "3->5": the names of two actors. */
const char *tables_pair(const struct tables *t, uint32_t src, uint32_t dst, char name[TABLES_NAME]);
