/** @file fabric.h
 *  Networks of hosts and switches that are read from files: the common part of their kinds.  Nodes
 *  are the hosts, sorted by name with numbers in names by value, then the switches.  The ids of the
 *  links of a cable are 2 * cable, which leads away from its first end, and 2 * cable + 1.  For
 *  platforms/ only.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "common/containers/index.h"
#include "common/err.h"
#include "platforms/topology/kind.h"

#define FABRIC_NONE UINT32_MAX

enum {
  FABRIC_MOST_CABLES = 1 << 26,
  FABRIC_MOST_FILES = 2 /**< files that a fabric is read from */
};

/** A cable between two nodes. */
struct fabric_cable {
  uint32_t end[2];      /**< nodes; first the host, or the switch nearer to the hosts */
  uint32_t number;      /**< part of the name; unique among the cables with the same end[0] */
  uint32_t level;       /**< 1: cable of a host */
  double bandwidth_Bps; /**< 0: the bandwidth of the platform */
};

/** Base of a kind.  Zeroed: empty. */
struct fabric {
  struct topology base;
  char *file[FABRIC_MOST_FILES]; /**< owned */
  char **name;                   /**< by node; owned, as the array */
  struct index names;            /**< of `name` */
  struct fabric_cable *cable;    /**< owned */
  size_t cable_room;
  uint32_t cables;
  bool unequal; /**< cables have unequal bandwidths; set by fabric_finish() */
};

static inline const struct fabric *fabric_of(const struct topology *t)
{
  return (const struct fabric *)t;
}

/** Sets the nodes: moves @p hosts names @p host in the order @p order, then @p switches names
 *  @p name, from the caller's arrays, which then contain NULL.  Fails if two nodes have the same
 *  name.  On failure, a name that is not NULL in its array still belongs to the caller. */
enum status fabric_set_nodes(struct fabric *f, char **host, const uint32_t *order, uint32_t hosts,
                             char **name, uint32_t switches, struct err *e);

/** Appends a cable. */
enum status fabric_add_cable(struct fabric *f, const struct fabric_cable *c, struct err *e);

/** Sets the counts of links, the diameter and the spec KIND:FIELDS of a fabric with nodes and
 *  cables. */
enum status fabric_finish(struct fabric *f, const struct topology_kind *kind, const char *fields,
                          uint32_t diameter, struct err *e);

/** Frees the members of the base. */
void fabric_clear(struct fabric *f);

/** Members of the row of a kind (kind.h). */
const char *fabric_file(const struct topology *t, size_t i);
const char *fabric_host_name(const struct topology *t, uint32_t host);
bool fabric_find_host(const struct topology *t, const char *name, uint32_t *host);
struct topology_link fabric_link(const struct topology *t, uint32_t link);
void fabric_link_name(const struct topology *t, uint32_t link, const char *id, uint32_t number,
                      char *name, size_t size);
void fabric_link_group(const struct topology *t, uint32_t link, char *name, size_t size);

/** True for a topology that embeds struct fabric. */
bool topology_is_fabric(const struct topology *t);
