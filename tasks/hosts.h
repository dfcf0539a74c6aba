/** @file hosts.h
 *  The hierarchy of the hosts of a platform (4.1 of the paper): groups of equal hosts, then groups
 *  of groups.  Communication is fastest in the innermost groups.
 *
 *  Group 0 is the root.  A group without children is a *leaf*: hosts of equal speed and equal
 *  mutual bandwidth.  The hosts of a group are contiguous in `host`, sorted by child.
 */
#pragma once

#include <stdint.h>

#include "common/err.h"
#include "platforms/platform.h"

#define HOSTS_NONE UINT32_MAX

struct hosts_group {
  uint32_t parent;          /**< HOSTS_NONE: the root */
  uint32_t child, children; /**< children are child .. child + children - 1; 0 children: a leaf */
  uint32_t first, hosts;    /**< its hosts are host[first] .. */
  uint32_t depth;           /**< 0 for the root */
  double speed;             /**< sum of its hosts in flop/s, one core per host */
  double bandwidth; /**< byte/s between two children, or between two hosts of a leaf: the maximum
                       over all pairs; INFINITY for a leaf of one host */
};

/** Owned: hosts_clear(). */
struct hosts {
  struct hosts_group *group;
  uint32_t groups, count; /**< number of groups; number of hosts */
  uint32_t *host;         /**< hosts of the platform, sorted by group */
  uint32_t *leaf;         /**< by host of the platform: its leaf */
};

/** A group with its mean speed, for sorting. */
struct hosts_mean {
  double speed; /**< mean speed of its hosts */
  uint32_t group;
};

/** Compares two struct hosts_mean for qsort(): higher speed first, then lower group. */
int hosts_by_falling_speed(const void *a, const void *b);

/** Builds the hierarchy.  Refuses opaque platforms, hosts without speed, and hosts of more than
 *  4096 kinds of bandwidths. */
enum status hosts_make(struct hosts *out, const struct platform *p, struct err *e);

void hosts_clear(struct hosts *h);

/** The bandwidth of the innermost group that contains both hosts; INFINITY if they are the same.
 *  O(depth). */
double hosts_bandwidth(const struct hosts *h, uint32_t a, uint32_t b);
