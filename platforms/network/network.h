/** @file network.h
 *  The hosts, links and routes of a platform in SimGrid 3.32's model: nested zones, each with its
 *  own routing (src/kernel/routing/).  Memory is linear in the size of the file.  For platforms/
 *  only.
 *
 *  A *point* is a host, a router, or a zone seen from its parent.  Points are numbered in the order
 *  of declaration.  A cluster takes a number for each host and one for its router, but stores no
 *  records for them.  Links declared by name are numbered first, then the links of each cluster.
 *
 *  Built in the order of the file and finished by network_seal().  After that it does not change,
 *  and threads may share it, each with its own finder (finder.h).  Errors contain no file and line:
 *  the reader adds them.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/containers/index.h"
#include "common/containers/pairs.h"
#include "common/err.h"
#include "platforms/network/cluster.h"

#define NETWORK_NONE UINT32_MAX

/** Maximum number of points declared by name. */
#define NETWORK_MOST_NAMED (1u << 22)

enum zone_routing {
  ROUTING_NONE,
  ROUTING_FULL,  /**< a declared route for each pair */
  ROUTING_FLOYD, /**< shortest paths of declared routes; ties as in the Floyd-Warshall algorithm */
  ROUTING_DIJKSTRA, /**< shortest paths; ties as in SimGrid's Dijkstra */
  ROUTING_STAR,     /**< each point has a route to and from the centre */
  ROUTING_VIVALDI,  /**< a star, plus latencies from coordinates */
  ROUTING_CLUSTER
};

enum point_kind { POINT_HOST, POINT_ROUTER, POINT_ZONE };

/** A point declared by name. */
struct point {
  char *name;    /**< owned */
  uint32_t zone; /**< the zone that contains it; NETWORK_NONE: it is the root zone */
  uint32_t id;   /**< index in the zone, in the order of declaration */
  enum point_kind kind;
  uint32_t number;      /**< number of the point in the network */
  uint32_t inner;       /**< for a zone: its index */
  double speed;         /**< for a host: flop/s of a core */
  uint32_t cores;       /**< for a host */
  bool located;         /**< the coordinates are set */
  double coordinate[3]; /**< ms */
};

/** A link declared by name.  A split link is two successive entries, up and down. */
struct link {
  char *name;    /**< owned */
  uint32_t zone; /**< the zone that declares it; NETWORK_NONE: none */
  bool loopback; /**< only routes from a host to itself use it; set by network_seal() */
  struct link_info info;
};

/** A declared route.  Its links are in the pool. */
struct route {
  uint32_t src, dst; /**< points */
  uint32_t first, links;
  bool to_self;  /**< declared from a point to itself */
  bool reversed; /**< traverse the links backwards, with split links in the opposite direction */
  uint32_t gateway[2]; /**< gateway points at source and destination; NETWORK_NONE between points
                          that are not zones */
};

/** Routes of a point in a star: number of the route plus 1; 0: none. */
struct spoke {
  uint32_t up, down, loopback;
};

struct zone {
  enum zone_routing routing;
  uint32_t parent;                  /**< NETWORK_NONE: this is the root */
  uint32_t self;                    /**< point that stands for this zone in its parent */
  uint32_t points;                  /**< number of points in the zone */
  bool recursive;                   /**< contains other zones */
  bool no_inbound;                  /**< refuses connections from outside */
  struct cluster *cluster;          /**< owned; NULL: not a cluster */
  uint32_t first_point, first_link; /**< first numbers of the cluster */
  uint32_t before;                  /**< number of points in the clusters declared earlier */
  struct pairs pairs; /**< pairs of points with a declared route: full, Floyd, Dijkstra */
  uint32_t *route;    /**< route number, by pair */
  size_t route_room;
  struct pairs bypasses; /**< pairs of points with a bypass route */
  uint32_t *bypass;      /**< route number, by pair */
  size_t bypass_room;
  struct spoke *spoke; /**< of a star, by id of the point */
  size_t spokes;
  uint32_t nodes;              /**< number of graph nodes (Floyd, Dijkstra) */
  uint32_t *node;              /**< by id of the point: number of its graph node plus 1; 0: none */
  uint32_t *node_point;        /**< by graph node: its point */
  uint32_t *edge_first, *edge; /**< routes that leave node i: edge[edge_first[i]..edge_first[i + 1]
                                  - 1], in order of declaration */
  uint32_t *edge_end;          /**< the node to which each of these routes leads */
};

struct network {
  struct zone *zone;
  size_t zone_room;
  uint32_t zones;
  uint32_t current;    /**< zone that is being declared */
  struct point *point; /**< records, ordered by number; clusters have none */
  size_t point_room;
  uint32_t points;    /**< number of records */
  uint32_t numbers;   /**< number of points, including clusters */
  uint32_t *clusters; /**< zones that are clusters, ordered by first point */
  size_t cluster_room;
  uint32_t cluster_count;
  struct link *link;
  size_t link_room;
  uint32_t links; /**< number of declared links */
  struct route *route;
  size_t route_room;
  uint32_t routes;
  uint32_t *pool; /**< links of routes: 4 * link + 2 (if split) + 1 (if downward) */
  size_t pool_room;
  uint32_t pooled, routed; /**< entries in the pool; entries that belong to a route */
  struct index point_names, link_names;
  struct index router_names; /**< names of cluster routers; indices in `clusters` */
  struct topology_counters fat_trees, dragonflies;
  uint32_t loopback; /**< "__loopback__", shared by all hosts without one; set when sealed */
  uint32_t link_ids; /**< number of all links; set by network_seal() */
  uint32_t *order;   /**< by host number: its point; NULL: the points of a single cluster */
  uint32_t hosts;    /**< number of hosts; set by network_seal() */
  uint32_t *host_of; /**< by point: its host number; NULL: the points of a single cluster */
};

/** Frees the contents.  @p n must have been zeroed before its first use. */
void network_clear(struct network *n);

/** Begins a zone inside the current zone. */
enum status network_zone_begin(struct network *n, const char *name, enum zone_routing routing,
                               struct err *e);
void network_zone_end(struct network *n);

/** Declares a cluster as a zone.  Takes ownership of @p c on success. */
enum status network_add_cluster(struct network *n, struct cluster *c, struct err *e);

/** Declares a host, router or zone in the current zone.  *out is its record, valid until the next
 *  call. */
enum status network_add_point(struct network *n, const char *name, enum point_kind kind,
                              struct point **out, struct err *e);

/** Declares a link.  A split link becomes NAME_UP and NAME_DOWN. */
enum status network_add_link(struct network *n, const char *name, const struct link_info *info,
                             bool split, struct err *e);

/** Finds a point by name; false if there is none. */
bool network_find_point(const struct network *n, const char *name, uint32_t *point);

/** Finds a link declared by name; false if there is none. */
bool network_find_link(const struct network *n, const char *name, uint32_t *link);

/** True if @p name is a link of a cluster.  Routes over such links are not supported. */
bool network_is_cluster_link(const struct network *n, const char *name);

/** The direction of a link in a route. */
enum way { WAY_NONE, WAY_UP, WAY_DOWN };

/** Appends a link to the route that is being declared.  Split links need a direction; other links
 *  have none.  Fails if there is no link of this name. */
enum status network_route_link(struct network *n, const char *name, enum way way, struct err *e);

/** Use of a declared route. */
enum route_use { ROUTE_PLAIN, ROUTE_SYMMETRIC, ROUTE_BYPASS };

/** Declares a route in the current zone, made of the links appended since the last route.  @p r
 *  contains src, dst and gateways. */
enum status network_add_route(struct network *n, const struct route *r, enum route_use use,
                              struct err *e);

/** Sets the routes between a point of a star and its centre.  Of the links appended since the last
 *  route, the first @p ups lead to the centre and the others back.  A second call replaces the
 *  routes, as in SimGrid. */
enum status network_add_spoke(struct network *n, uint32_t point, uint32_t ups, struct err *e);

/** Completes the network: builds graphs and numbers hosts and links. */
enum status network_seal(struct network *n, struct err *e);

/** The zone of a point.  *id is the index of the point in this zone. */
uint32_t network_zone_of(const struct network *n, uint32_t point, uint32_t *id);

/** The record of a point; NULL for the points of clusters. */
struct point *network_point(const struct network *n, uint32_t point);

/** The name of a point: a string of the network, or written to @p name. */
const char *network_point_name(const struct network *n, uint32_t point, char *name, size_t size);

/** The zone of a link; NETWORK_NONE for the shared loopback. */
uint32_t network_link_zone(const struct network *n, uint32_t link);

/** The cluster of a link and the link number inside it; NULL for a declared link. */
const struct cluster *network_link_cluster(const struct network *n, uint32_t link, uint32_t *own);
