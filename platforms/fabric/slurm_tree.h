/** @file slurm_tree.h
 *  The tree of switches and nodes in a topology file of Slurm (slurm_file.h).  Slurm accepts files
 *  that are no trees, and so does this reader:
 *
 *  - Several roots get a switch above them, `roots`.
 *  - Switches with a common child, such as the spines above a leaf, become one switch, which has
 *    the name of the first.
 *  - A switch may have both switches and nodes.  Nodes that are below none of its switches are its
 *    own children.
 *
 *  For platforms/fabric/ only.
 */
#pragma once

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

/** Reads @p path.  The tree has at least one host and one root.  Fails if a switch has more than
 *  @p most_levels switches above it.  Errors name the file, and the line where there is one. */
enum status slurm_tree_read(struct slurm_tree *t, const char *path, uint32_t most_levels,
                            struct err *e);

void slurm_tree_clear(struct slurm_tree *t);
