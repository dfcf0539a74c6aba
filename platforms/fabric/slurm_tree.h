/** @file slurm_tree.h
 *  The tree of switches and nodes in a topology file of Slurm (slurm_file.h).  Slurm accepts files
 *  that are no trees, and so does this reader:
 *
 *  - Several roots are below one more switch, `roots`.
 *  - Switches with a common child become one switch, with the name of the first: a leaf below
 *    several spines.
 *  - Nodes of a switch with switches that are below none of these have their cable to it.
 *
 *  For platforms/fabric/ only.
 */
#ifndef PLATFORMS_FABRIC_SLURM_TREE_H
#define PLATFORMS_FABRIC_SLURM_TREE_H

#include <stdint.h>

#include "common/err.h"
#include "platforms/mapping/hostlist.h"

/** The caller frees it with slurm_tree_clear(). */
struct slurm_tree {
  struct hostlist hosts; /**< names, in the order of the file */
  uint32_t *leaf;        /**< by host: its switch */
  size_t leaf_room;
  char **name;      /**< by switch */
  uint32_t *parent; /**< by switch: the switch above it; FABRIC_NONE: the root */
  uint32_t switches;
};

/** Reads @p path: at least one host, one root, at most @p most_levels switches above one.  Errors
 *  name the file, and the line if there is one. */
enum status slurm_tree_read(struct slurm_tree *t, const char *path, uint32_t most_levels,
                            struct err *e);

void slurm_tree_clear(struct slurm_tree *t);

#endif
