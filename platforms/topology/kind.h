/** @file kind.h
 *  A kind of topology: one file KIND.c that defines one row.  For platforms/ only.
 */
#ifndef PLATFORMS_TOPOLOGY_KIND_H
#define PLATFORMS_TOPOLOGY_KIND_H

#include <stdio.h>

#include "platforms/topology/topology.h"

/** What all topologies have; a kind embeds it as the first member of a struct of its own. */
struct topology {
  const struct topology_kind *kind;
  uint32_t hosts;
  uint32_t switches; /**< nodes with a limiter besides the hosts */
  uint32_t link_ids, links;
  uint32_t diameter;
  char spec[192]; /**< canonical */
};

struct multicluster;

/** A route being written.  Where a cluster has limiters (a link for each node that all of its
 *  traffic crosses), they come as ids from t->link_ids + t->hosts on, one for each host, then one
 *  for each switch. */
struct topology_path {
  uint32_t *link;
  uint32_t links;
  bool limiters;
};

static inline void topology_add(struct topology_path *p, uint32_t link)
{
  p->link[p->links++] = link;
}

/** @p node: a host, or hosts + a switch. */
static inline void topology_add_limiter(const struct topology *t, struct topology_path *p,
                                        uint32_t node)
{
  if (p->limiters)
    p->link[p->links++] = t->link_ids + t->hosts + node;
}

/** What a link is. */
struct topology_link {
  uint32_t up;  /**< the link of the same cable that goes up: itself or the opposite one; one
                     link for both where a cluster's cables are not split */
  double width; /**< its bandwidth over that of the cluster's links */
  double bandwidth_Bps; /**< if > 0, in place of the cluster's */
  double latency_s;     /**< if bandwidth_Bps > 0 */
  bool fat;             /**< each flow has all of it */
  bool single;          /**< one link for both ways in any case, whose name has no direction */
};

/** Counters of SimGrid that run on from one cluster of a file to the next of the same kind. */
struct topology_counters {
  uint32_t hosts;  /**< of earlier fat trees: the static `position` of FatTreeZone.cpp */
  uint32_t cables; /**< the static `uniqueId` of FatTreeZone.cpp and DragonflyZone.cpp */
};

struct topology_kind {
  const char *name;    /**< "torus" */
  const char *example; /**< a spec */
  const char *help;    /**< one line */
  const char *simgrid; /**< the attribute topology of <cluster>; NULL: SimGrid has no such one */
  /** Builds the topology of a spec from what follows the colon. */
  enum status (*parse)(struct topology **out, const char *fields, struct err *e);
  /** In place of all other functions: lists the clusters of a spec. */
  enum status (*describe)(struct multicluster *m, const char *fields, struct err *e);
  bool names_file; /**< what follows the colon is a file */
  /** The same from SimGrid's topo_parameters; @p hosts is what radical counts.  NULL: another kind
   *  reads that attribute, or there are none. */
  enum status (*parse_simgrid)(struct topology **out, const char *parameters, uint32_t hosts,
                               const struct topology_counters *before, struct err *e);
  /** Writes topo_parameters; NULL: there are none. */
  void (*print_simgrid)(const struct topology *t, FILE *f);
  bool (*has_link)(const struct topology *t, uint32_t link);              /**< NULL: all */
  uint32_t (*hops)(const struct topology *t, uint32_t src, uint32_t dst); /**< src != dst */
  void (*route)(const struct topology *t, uint32_t src, uint32_t dst, struct topology_path *p);
  double (*bisection)(const struct topology *t);
  struct topology_link (*link)(const struct topology *t, uint32_t link);
  /** Writes SimGrid's name of a link without the direction "_UP" or "_DOWN"; @p id is the
   *  cluster's, @p number the K in the name "node-K" of link_host(). */
  void (*link_name)(const struct topology *t, uint32_t link, const char *id, uint32_t number,
                    char *name, size_t size);
  /** The host that a link is named after; NULL: none is. */
  uint32_t (*link_host)(const struct topology *t, uint32_t link);
  /** The number in the name of the limiter of switch @p s. */
  uint32_t (*switch_id)(const struct topology *t, uint32_t s);
  /** Hosts in a row that are alike: their routes to all others are as long; NULL: 1. */
  uint32_t (*alike)(const struct topology *t);
  /** The group of a link in pictures, as "level 1 up"; NULL: all are in one. */
  void (*link_group)(const struct topology *t, uint32_t link, char *name, size_t size);
};

/** The kind of a spec; NULL if it begins with no kind's name and a colon. */
const struct topology_kind *topology_kind_of(const char *spec);

/** Copies a topology that is complete, @p size bytes with what its kind adds; *out is the caller's:
 *  topology_free(). */
enum status topology_keep(struct topology **out, const struct topology *made, size_t size,
                          struct err *e);

/** Entries that a route of @p t may take, limiters included. */
static inline size_t topology_longest(const struct topology *t)
{
  return 2 * (size_t)t->diameter + 4;
}

#endif
