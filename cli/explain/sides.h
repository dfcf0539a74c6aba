/** @file sides.h
 *  Simulates a program under two mappings and explains the difference.
 */
#pragma once

#include <stdint.h>
#include <stdio.h>

#include "common/err.h"
#include "platforms/platform.h"
#include "setup/settings.h"

struct sides_args {
  const struct platform *platform;
  const struct settings *settings; /**< `jobs` is ignored */
  const char *trace;
  const char *mapping[2]; /**< files or mapper specs */
  const char *path[2];    /**< files for the critical paths (stretches.h); NULL: none */
  const char *use[2];     /**< files for the use of links (scenes.h); NULL: none */
  uint32_t top;           /**< rows of each table */
  FILE *blocked;          /**< as for sim_run() */
};

/** Prints five lines of text to @p text, or one line if both mappings take the same time.  Prints
 *  the times of both runs by cause, link and pair to @p tables, unless it is NULL.  Makes three
 *  simulations. */
enum status sides_explain(const struct sides_args *a, FILE *text, FILE *tables, struct err *e);
