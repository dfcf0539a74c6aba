/** @file map.h
 *  The mapping of a job (job.h) by libhaichi.so.
 */
#pragma once

#include <haichi/haichi.h>

#include "reorder/job.h"

struct result {
  bool ok;
  char why[REORDER_TEXT]; /**< if not ok */
  uint32_t *process;      /**< by new rank; the caller frees it with free() */
  struct haichi_reordering reordering;
};

/** Maps the ranks of @p j.  @p out must be zero on entry. */
void map_ranks(const struct job *j, struct result *out);
