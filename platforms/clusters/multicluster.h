/** @file multicluster.h
 *  Several clusters joined by wide-area links, as a short description gives them (docs/formats.md),
 *  and the SimGrid platform that it stands for.  For platforms/ only.
 */
#ifndef PLATFORMS_CLUSTERS_MULTICLUSTER_H
#define PLATFORMS_CLUSTERS_MULTICLUSTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "common/err.h"
#include "common/fields.h"
#include "platforms/network/cluster.h"

/** Most clusters: each two have a route of their own. */
#define MULTICLUSTER_MOST 1024

/** Most hosts in clusters of unequal hosts, which SimGrid has one by one. */
#define MULTICLUSTER_MOST_UNEQUAL (1u << 18)

/** Longest name of a cluster, in bytes: a letter, then letters, digits, '_' and '.'. */
#define SITE_NAME_MAX 32

/** Equal hosts, in a row. */
struct site_kind {
  uint32_t hosts;
  double speed; /**< of a core, in flop/s */
  uint32_t cores;
};

/** A cluster of the description. */
struct site {
  struct cluster c; /**< its speed is the fastest kind's, its cores the first kind's */
  struct site_kind *kind;
  size_t kind_room;
  uint32_t kinds;
  double uplink_Bps; /**< each way, to all others together; 0: no limit */
  uint32_t gateway; /**< host next to the wide-area links, where there is no switch in the middle */
};

enum wan_sharing {
  WAN_PAIR, /**< each two clusters share a link of their own, each way */
  WAN_ALL,  /**< all such clusters share one link for both ways */
  WAN_FLOW  /**< each flow has all of it */
};

/** What joins two clusters. */
struct wan {
  double rtt_s, bandwidth_Bps; /**< bandwidth 0: not given */
  enum wan_sharing sharing;
};

/** Zeroed: empty. */
struct multicluster {
  struct site *site;
  size_t site_room;
  uint32_t sites;
  uint32_t unequal; /**< hosts of clusters of several kinds */
  struct wan *wan;  /**< of clusters a < b: multicluster_wan() */
};

void multicluster_clear(struct multicluster *m);

struct wan *multicluster_wan(const struct multicluster *m, uint32_t a, uint32_t b);

/** The fields of a cluster, by name; to be zeroed but for the names. */
enum {
  SITE_HOSTS,
  SITE_TOPOLOGY,
  SITE_BANDWIDTH,
  SITE_LATENCY,
  SITE_LOOPBACK_BANDWIDTH,
  SITE_LOOPBACK_LATENCY,
  SITE_UPLINK,
  SITE_INBOUND,
  SITE_GATEWAY,
  SITE_FIELDS
};
extern const struct field site_fields[SITE_FIELDS];

/** Appends a cluster.  Fails on wrong values, and on a topology that SimGrid cannot simulate. */
enum status multicluster_add(struct multicluster *m, const char *name, const struct field *fields,
                             struct err *e);

/** Makes room for what joins the clusters, of which there are no more to come. */
enum status multicluster_join(struct multicluster *m, struct err *e);

/** Reads "pair", "all" or "flow". */
enum status multicluster_sharing(const char *text, enum wan_sharing *out, struct err *e);

/** Reads a description from a file. */
enum status multicluster_read(struct multicluster *m, const char *path, struct err *e);

/** Draws clusters: "hosts=100,sizes=8+16+32,seed=1", see random.c. */
enum status multicluster_draw(struct multicluster *m, const char *fields, struct err *e);

/** Writes SimGrid's XML; the caller checks @p f for write errors. */
void multicluster_print(const struct multicluster *m, FILE *f);

#endif
