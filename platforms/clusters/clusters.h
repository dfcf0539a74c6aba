/** @file clusters.h
 *  The clusters of a platform: the zones that its outermost zone holds, and that zone itself if it
 *  has hosts of its own.  A zone that holds nothing but one other does not count.  Not for opaque
 *  platforms.
 */
#ifndef PLATFORMS_CLUSTERS_CLUSTERS_H
#define PLATFORMS_CLUSTERS_CLUSTERS_H

#include <stdbool.h>
#include <stdint.h>

#include "common/err.h"
#include "platforms/platform.h"

struct platform_clusters {
  uint32_t count;
  const char **name; /**< by cluster; the names are the platform's */
  uint32_t *hosts;   /**< by cluster: how many */
  uint32_t *first;   /**< by cluster: its host with the lowest number */
  uint32_t *of_host; /**< by host: its cluster */
  bool *no_inbound;  /**< by host: it takes no connections from other clusters */
  uint32_t *of_zone; /**< private */
  const struct platform *p;
};

#define CLUSTERS_NONE UINT32_MAX

/** @p p outlives it.  The caller's: platform_clusters_clear().  O(hosts + zones). */
enum status platform_clusters_find(struct platform_clusters *out, const struct platform *p,
                                   struct err *e);

void platform_clusters_clear(struct platform_clusters *c);

/** Writes the name of the group that a link belongs to in pictures: the cluster that has it, or of
 *  a platform that is one cluster a part of its topology, as "level 1 up"; a link that joins
 *  clusters is a group of its own. */
void platform_clusters_link_group(const struct platform_clusters *c, uint32_t link, char *name,
                                  size_t size);

/** The cluster that has the link; CLUSTERS_NONE: it joins clusters. */
uint32_t platform_clusters_of_link(const struct platform_clusters *c, uint32_t link);

#endif
