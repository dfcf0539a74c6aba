/** @file network.h
 *  A platform's hosts, links and routes as SimGrid 3.32 has them: zones within zones, each with a
 *  routing of its own (src/kernel/routing/).  Memory is linear in what the file says.  For
 *  platforms/ only.
 *
 *  A *point* is a host, a router, or a zone as its parent sees it.  Points are numbered in the
 *  order in which the file declares them; a cluster takes a number for each host and one for its
 *  router, and has no records of them.  Links are numbered likewise: those that are declared by
 *  name first, then each cluster's.
 *
 *  Built in the file's order, then network_seal(); after that it does not change, and threads may
 *  share it, each with a finder of its own (finder.h).  Errors have no file and line: the reader
 *  adds them.
 */
#ifndef PLATFORMS_NETWORK_NETWORK_H
#define PLATFORMS_NETWORK_NETWORK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/err.h"
#include "common/index.h"
#include "common/pairs.h"
#include "platforms/network/cluster.h"

#define NETWORK_NONE UINT32_MAX

/** Most points that are declared by name. */
#define NETWORK_MOST_NAMED (1u << 22)

enum routing {
  ROUTING_NONE,
  ROUTING_FULL,     /**< a route for each pair */
  ROUTING_FLOYD,    /**< shortest paths of declared routes, ties as Floyd and Warshall leave them */
  ROUTING_DIJKSTRA, /**< the same, ties as SimGrid's Dijkstra leaves them */
  ROUTING_STAR,     /**< each point to and from the middle */
  ROUTING_VIVALDI,  /**< a star, and a latency by coordinates */
  ROUTING_CLUSTER
};

enum point_kind { POINT_HOST, POINT_ROUTER, POINT_ZONE };

/** A point that is declared by name. */
struct point {
  char *name;    /**< owned */
  uint32_t zone; /**< that it is in; NETWORK_NONE: the root zone's */
  uint32_t id;   /**< there, in the order of declaration */
  enum point_kind kind;
  uint32_t number;
  uint32_t inner;       /**< of a zone: which */
  double speed;         /**< of a host, in flop/s */
  uint32_t cores;       /**< of a host */
  bool located;         /**< has coordinates */
  double coordinate[3]; /**< ms */
};

/** A link that is declared by name; one that is split is two in a row, up and down. */
struct link {
  char *name;    /**< owned */
  uint32_t zone; /**< that it is declared in; NETWORK_NONE: none */
  struct link_info info;
};

/** A declared route.  Its links are in the pool. */
struct route {
  uint32_t src, dst; /**< points */
  uint32_t first, links;
  bool reversed;       /**< from the last link to the first, and the other way of split ones */
  uint32_t gateway[2]; /**< points at source and destination; NETWORK_NONE within a zone */
};

/** Of a point of a star: routes plus 1; 0: not given. */
struct spoke {
  uint32_t up, down, loopback;
};

struct zone {
  enum routing routing;
  uint32_t parent;                  /**< NETWORK_NONE: the root */
  uint32_t self;                    /**< its point */
  uint32_t points;                  /**< in it */
  bool recursive;                   /**< has zones in it */
  bool no_inbound;                  /**< takes no connections from outside */
  struct cluster *cluster;          /**< owned */
  uint32_t first_point, first_link; /**< of the cluster */
  uint32_t before;                  /**< points of the clusters declared before it */
  struct pairs pairs;               /**< of points with a declared route: full, Floyd, Dijkstra */
  uint32_t *route;                  /**< by pair */
  size_t route_room;
  struct pairs bypasses; /**< of points */
  uint32_t *bypass;      /**< route by pair */
  size_t bypass_room;
  struct spoke *spoke; /**< of a star, by id */
  size_t spokes;
  uint32_t nodes;              /**< of the graph of Floyd and Dijkstra */
  uint32_t *node;              /**< by id: number in the graph, plus 1; 0: none */
  uint32_t *edge_first, *edge; /**< routes that leave each node, in their order; nodes + 1 firsts */
};

struct network {
  struct zone *zone;
  size_t zone_room;
  uint32_t zones;
  uint32_t current;    /**< zone being declared */
  struct point *point; /**< records, by number without those of clusters */
  size_t point_room;
  uint32_t points;    /**< records */
  uint32_t numbers;   /**< points in all */
  uint32_t *clusters; /**< zones that are clusters, by number of their first point */
  size_t cluster_room;
  uint32_t cluster_count;
  struct link *link;
  size_t link_room;
  uint32_t links; /**< declared */
  struct route *route;
  size_t route_room;
  uint32_t routes;
  uint32_t *pool; /**< links of routes: 4 * link + 2 (if split) + 1 (if the way down) */
  size_t pool_room;
  uint32_t pooled, routed; /**< entries; those of declared routes */
  struct index point_names, link_names;
  struct index router_names; /**< of clusters, by their number in `clusters` */
  struct topology_counters fat_trees, dragonflies;
  uint32_t loopback; /**< "__loopback__", for hosts without one of their own; set when sealed */
  uint32_t link_ids; /**< of all links; set when sealed */
  uint32_t *order; /**< point of each host as users number them; NULL: the points of one cluster */
  uint32_t hosts;  /**< set when sealed */
  uint32_t *host_of; /**< by point: the host's number; NULL: the same */
};

/** Zeroed first.  Frees what it owns. */
void network_clear(struct network *n);

/** Begins a zone within the current one. */
enum status network_zone_begin(struct network *n, const char *name, enum routing routing,
                               struct err *e);
void network_zone_end(struct network *n);

/** Declares a cluster as a zone; on success it is the network's. */
enum status network_add_cluster(struct network *n, struct cluster *c, struct err *e);

/** Declares a host, router or zone in the current zone; *out is its record, valid until the next.
 */
enum status network_add_point(struct network *n, const char *name, enum point_kind kind,
                              struct point **out, struct err *e);

/** Declares a link; a split one is NAME_UP and NAME_DOWN. */
enum status network_add_link(struct network *n, const char *name, const struct link_info *info,
                             bool split, struct err *e);

/** Finds a point by name; false if there is none. */
bool network_find_point(const struct network *n, const char *name, uint32_t *point);

/** Finds a link that is declared by name. */
bool network_find_link(const struct network *n, const char *name, uint32_t *link);

/** Is it the name of a link of a cluster?  Routes that name such links are not supported. */
bool network_is_cluster_link(const struct network *n, const char *name);

/** The direction of a link in a route. */
enum way { WAY_NONE, WAY_UP, WAY_DOWN };

/** Appends a link to the route that is being declared; split ones have a direction, others none.
 *  Fails if there is none of that name. */
enum status network_route_link(struct network *n, const char *name, enum way way, struct err *e);

/** How a declared route is used. */
enum route_use { ROUTE_PLAIN, ROUTE_SYMMETRIC, ROUTE_BYPASS };

/** Declares a route of the links appended since the last one, in the current zone.  @p r has src,
 *  dst and gateways. */
enum status network_add_route(struct network *n, const struct route *r, enum route_use use,
                              struct err *e);

/** Gives a point of a star its ways: of the links appended since the last route, the first @p ups
 *  lead to the middle, the rest back.  A second call replaces them, as in SimGrid. */
enum status network_add_spoke(struct network *n, uint32_t point, uint32_t ups, struct err *e);

/** Makes it ready for use. */
enum status network_seal(struct network *n, struct err *e);

/** The zone of a point, and its id there. */
uint32_t network_zone_of(const struct network *n, uint32_t point, uint32_t *id);

/** The record of a point; NULL for those of clusters. */
struct point *network_point(const struct network *n, uint32_t point);

/** Writes the name of a point to @p name. */
const char *network_point_name(const struct network *n, uint32_t point, char *name, size_t size);

/** The zone of a link number; NETWORK_NONE: of the link that hosts without a loopback share. */
uint32_t network_link_zone(const struct network *n, uint32_t link);

/** The cluster that a link number belongs to, and the number there; NULL: a declared link. */
const struct cluster *network_link_cluster(const struct network *n, uint32_t link, uint32_t *own);

#endif
