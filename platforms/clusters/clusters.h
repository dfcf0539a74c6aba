/** @file clusters.h
 *  The clusters of a platform: the zones directly inside its outermost zone, and the outermost zone
 *  itself if it has hosts of its own.  A zone without hosts that contains a single zone with hosts
 *  does not count as outermost: the inner zone does.  Not for opaque platforms.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "common/err.h"
#include "platforms/platform.h"

struct platform_clusters {
  uint32_t count;
  const char **name;        /**< by cluster; the strings belong to the platform */
  uint32_t *hosts;          /**< by cluster: number of hosts */
  uint32_t *first;          /**< by cluster: lowest host number */
  uint32_t *of_host;        /**< by host: its cluster */
  bool *no_inbound;         /**< by host: refuses connections from other clusters */
  uint32_t *of_zone;        /**< private */
  const struct platform *p; /**< borrowed from the caller */
};

#define CLUSTERS_NONE UINT32_MAX

/** @p p must outlive *out.  The caller calls platform_clusters_clear().  O(hosts + zones). */
enum status platform_clusters_find(struct platform_clusters *out, const struct platform *p,
                                   struct err *e);

void platform_clusters_clear(struct platform_clusters *c);

/** Writes the name of the group of a link in pictures.  A link inside a cluster belongs to the
 *  group of that cluster.  On a platform that is a single cluster, the group is a part of the
 *  topology, such as "level 1 up".  A link between clusters is its own group. */
void platform_clusters_link_group(const struct platform_clusters *c, uint32_t link, char *name,
                                  size_t size);

/** The cluster that contains the link; CLUSTERS_NONE if the link joins clusters. */
uint32_t platform_clusters_of_link(const struct platform_clusters *c, uint32_t link);
