/** @file slurm_file.h
 *  Reads the topology files of Slurm: topology.conf for its plugins tree and block, and the output
 *  of `scontrol show topology`.  Blocks become switches.  For platforms/fabric/ only.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "common/err.h"

/** A switch or block of the file. */
struct slurm_switch {
  char *name;
  char *nodes;    /**< host list; NULL: not given */
  char *switches; /**< host list of the switches below; NULL: none */
  uint64_t line;
};

/** Zeroed: empty.  The caller frees it with slurm_file_clear(). */
struct slurm_file {
  struct slurm_switch *item; /**< owned, as its texts */
  size_t room;
  uint32_t count;
};

/** Adds a copy of @p x. */
enum status slurm_file_add(struct slurm_file *f, const struct slurm_switch *x, struct err *e);

/** Reads @p path.  A switch may have neither nodes nor switches.  Errors name the file and the
 *  line. */
enum status slurm_file_read(struct slurm_file *f, const char *path, struct err *e);

void slurm_file_clear(struct slurm_file *f);
