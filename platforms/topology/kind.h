/** @file kind.h
 *  Interface of a kind of topology.  Each kind is a file KIND.c that defines one row.  For
 *  platforms/ only.
 */
#pragma once

#include <stdio.h>

#include "platforms/topology/topology.h"

/** Base of all topologies.  A kind embeds it as the first member of its own struct. */
struct topology {
  const struct topology_kind *kind;
  uint32_t hosts;
  uint32_t switches; /**< nodes with a limiter, in addition to the hosts */
  uint32_t link_ids, links;
  uint32_t diameter;
  char spec[512]; /**< canonical spec */
};

struct multicluster;

/** A route being written.  A limiter is a link of a host or switch that all of its traffic crosses.
 *  If the cluster has limiters, their ids start at t->link_ids + t->hosts: one for each host, then
 *  one for each switch. */
struct topology_path {
  uint32_t *link;
  uint32_t links;
  bool limiters;
};

static inline void topology_add(struct topology_path *p, uint32_t link)
{
  p->link[p->links++] = link;
}

/** Adds the limiter of @p node, which is a host, or t->hosts + a switch. */
static inline void topology_add_limiter(const struct topology *t, struct topology_path *p,
                                        uint32_t node)
{
  if (p->limiters)
    p->link[p->links++] = t->link_ids + t->hosts + node;
}

/** Attributes of a link. */
struct topology_link {
  uint32_t up;  /**< the upward link of its cable, which is the link of both directions if the
                   cables of the cluster are not split */
  double width; /**< ratio of its bandwidth to the bandwidth of the cluster's links */
  double bandwidth_Bps; /**< if > 0, replaces the bandwidth of the cluster */
  double latency_s;     /**< used if bandwidth_Bps > 0; below 0: the latency of the cluster */
  bool fat;             /**< each flow has the full bandwidth */
  bool single;          /**< always one link for both directions; its name has no direction */
};

/** SimGrid's static counters, which continue from a cluster to the next one of the same kind in the
 *  file. */
struct topology_counters {
  uint32_t hosts;  /**< hosts of earlier fat trees: the static `position` of FatTreeZone.cpp */
  uint32_t cables; /**< cables of earlier clusters of the kind: the static `uniqueId` of
                        FatTreeZone.cpp and DragonflyZone.cpp */
};

struct topology_kind {
  const char *name;    /**< such as "torus" */
  const char *example; /**< example of a spec */
  const char *help;    /**< one line of help */
  const char *simgrid; /**< value of the attribute topology of <cluster>; NULL: not in SimGrid */
  /** Builds the topology from the part of a spec after the colon. */
  enum status (*parse)(struct topology **out, const char *fields, struct err *e);
  /** Adds the clusters of a spec of several clusters to @p m.  Such a kind has no other functions.
   */
  enum status (*describe)(struct multicluster *m, const char *fields, struct err *e);
  bool names_file; /**< the part after the colon begins with a file name */
  /** Frees the members that the kind adds.  NULL: nothing to free. */
  void (*clear)(struct topology *t);
  /** Name @p i of the files that the topology was read from, owned by @p t; NULL past the last.
   *  NULL: it was not read from files. */
  const char *(*file)(const struct topology *t, size_t i);
  /** host_name: the name of a host, owned by @p t.  find_host: the host of a name; false if there
   *  is none.  NULL: hosts have the names that their cluster gives them. */
  const char *(*host_name)(const struct topology *t, uint32_t host);
  bool (*find_host)(const struct topology *t, const char *name, uint32_t *host);
  /** Builds the topology from SimGrid's topo_parameters.  @p hosts is the number of hosts in the
   *  radical.  NULL: another kind reads this attribute, or it is unused. */
  enum status (*parse_simgrid)(struct topology **out, const char *parameters, uint32_t hosts,
                               const struct topology_counters *before, struct err *e);
  /** Writes topo_parameters.  NULL: there are none. */
  void (*print_simgrid)(const struct topology *t, FILE *f);
  bool (*has_link)(const struct topology *t, uint32_t link); /**< NULL: all links exist */
  uint32_t (*hops)(const struct topology *t, uint32_t src, uint32_t dst); /**< src != dst */
  void (*route)(const struct topology *t, uint32_t src, uint32_t dst, struct topology_path *p);
  double (*bisection)(const struct topology *t); /**< NULL: not known */
  struct topology_link (*link)(const struct topology *t, uint32_t link);
  /** Writes SimGrid's name of a link without the direction "_UP" or "_DOWN".  @p id is the id of
   *  the cluster, @p number the K in the name "node-K" of link_host(). */
  void (*link_name)(const struct topology *t, uint32_t link, const char *id, uint32_t number,
                    char *name, size_t size);
  /** The host whose number is in the name of the link.  NULL: link names contain no host. */
  uint32_t (*link_host)(const struct topology *t, uint32_t link);
  /** The number in the name of the limiter of switch @p s. */
  uint32_t (*switch_id)(const struct topology *t, uint32_t s);
  /** The group of a host, any number.  The routes from the hosts of a group to a host outside have
   *  equal lengths.  NULL: each host is a group. */
  uint32_t (*group)(const struct topology *t, uint32_t host);
  /** True if each host has one cable, which carries all traffic of the host and no other traffic.
   *  NULL: false. */
  bool (*own_cables)(const struct topology *t);
  /** The class of a host by bandwidth, as host_groups_bandwidth() defines it.  NULL: all hosts are
   *  one class. */
  uint32_t (*bandwidth_class)(const struct topology *t, uint32_t host);
  /** Writes the group of a link in pictures, such as "level 1 up".  NULL: one group for all links.
   */
  void (*link_group)(const struct topology *t, uint32_t link, char *name, size_t size);
};

/** The kind of a spec.  NULL if the spec does not begin with the name of a kind and a colon. */
const struct topology_kind *topology_kind_of(const char *spec);

/** Copies a complete topology of @p size bytes, including the members of its kind.  The caller owns
 *  *out: topology_free(). */
enum status topology_keep(struct topology **out, const struct topology *made, size_t size,
                          struct err *e);

/** Maximum number of entries of a route of @p t, including limiters. */
static inline size_t topology_longest(const struct topology *t)
{
  return 2 * (size_t)t->diameter + 4;
}
