/** @file multicluster.h
 *  Clusters joined by wide-area links: a short text description (docs/formats.md) and its
 *  conversion to a SimGrid platform.  For platforms/ only.
 */
#pragma once

#include <stdint.h>
#include <stdio.h>

#include "common/err.h"
#include "common/spec.h"
#include "platforms/network/cluster.h"

/** Maximum number of clusters.  Each pair of clusters has a route. */
#define MULTICLUSTER_MOST 1024

/** Maximum number of hosts in clusters with unequal hosts, which SimGrid stores individually. */
#define MULTICLUSTER_MOST_UNEQUAL (1u << 18)

/** Maximum length of a cluster name in bytes.  A name is a letter followed by letters, digits, '_'
 *  and '.'. */
#define SITE_NAME_MAX 32

/** Consecutive hosts with equal speed and cores. */
struct site_kind {
  uint32_t hosts;
  double speed; /**< of a core, in flop/s */
  uint32_t cores;
};

/** A cluster in the description. */
struct site {
  struct cluster c; /**< speed: the fastest kind; cores: the first kind */
  struct site_kind *kind;
  size_t kind_room;
  uint32_t kinds;
  double uplink_Bps; /**< bandwidth per direction to all other clusters together; 0: no limit */
  uint32_t gateway;  /**< host next to the wide-area links; unused on a star */
};

enum wan_sharing {
  WAN_PAIR, /**< each pair of clusters has its own link per direction */
  WAN_ALL,  /**< all pairs with this sharing use one link for both directions */
  WAN_FLOW  /**< each flow has the full bandwidth */
};

/** Names of enum wan_sharing: pair, all, flow. */
extern const char *const wan_sharings[];

/** The connection between two clusters. */
struct wan {
  double rtt_s, bandwidth_Bps; /**< bandwidth 0: not given */
  enum wan_sharing sharing;
};

/** Zeroed: empty. */
struct multicluster {
  struct site *site;
  size_t site_room;
  uint32_t sites;
  uint32_t unequal; /**< number of hosts in clusters of several kinds */
  struct wan *wan;  /**< one entry for each pair a < b: multicluster_wan() */
};

void multicluster_clear(struct multicluster *m);

/** The connection between clusters @p a and @p b, in any order. */
struct wan *multicluster_wan(const struct multicluster *m, uint32_t a, uint32_t b);

/** Appends a cluster.  @p options is the rest of its line, "NAME=VALUE ...", and is overwritten.
 *  Fails on invalid values, and on a topology that SimGrid cannot simulate. */
enum status multicluster_add(struct multicluster *m, const char *name, char *options,
                             struct err *e);

/** Allocates the connections between clusters.  Call it after the last multicluster_add(). */
enum status multicluster_join(struct multicluster *m, struct err *e);

/** Reads a description from a file. */
enum status multicluster_read(struct multicluster *m, const char *path, struct err *e);

/** Draws random clusters from a list of options such as "hosts=100,sizes=8+16+32,seed=1", see
 *  random.c. */
enum status multicluster_draw(struct multicluster *m, const char *options, struct err *e);

/** Writes SimGrid XML.  The caller checks @p f for write errors. */
void multicluster_print(const struct multicluster *m, FILE *f);
