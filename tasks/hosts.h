/** @file hosts.h
 *  The hierarchy of a platform's hosts (4.1 of the paper): groups of equal hosts, then groups
 *  of groups, the innermost with the fastest communication.
 *
 *  Group 0 is the root.  A group without children is a *leaf*: hosts of equal speed and equal
 *  mutual bandwidth.  The hosts of a group are together in `host`, those of its children one
 *  after the other.
 */
#ifndef TASKS_HOSTS_H
#define TASKS_HOSTS_H

#include <stdint.h>

#include "common/err.h"
#include "platforms/platform.h"

#define HOSTS_NONE UINT32_MAX

struct hosts_group {
  uint32_t parent;          /**< HOSTS_NONE: the root */
  uint32_t child, children; /**< they are child .. child + children - 1; 0 children: a leaf */
  uint32_t first, hosts;    /**< its hosts are host[first] .. */
  uint32_t depth;           /**< of the root: 0 */
  double speed;             /**< sum over its hosts, in flop/s, one core of each */
  double bandwidth; /**< in byte/s, of a route between two of its children, of a leaf between two of
                         its hosts; the greatest of a group.  INFINITY: a leaf of one host */
};

/** Owned: hosts_clear(). */
struct hosts {
  struct hosts_group *group;
  uint32_t groups, count; /**< of groups, of hosts */
  uint32_t *host;         /**< hosts of the platform, group by group */
  uint32_t *leaf;         /**< by host of the platform: its leaf */
};

/** A group, or what is looked at of it. */
struct hosts_mean {
  double speed; /**< mean of its hosts */
  uint32_t group;
};

/** Compares two of them, for qsort(): the faster first, of equal ones the lower number. */
int hosts_by_falling_speed(const void *a, const void *b);

/** Makes the hierarchy of a platform, which is not opaque.  Refuses a host without speed. */
enum status hosts_make(struct hosts *out, const struct platform *p, struct err *e);

void hosts_clear(struct hosts *h);

/** The bandwidth of the innermost group that holds both hosts; INFINITY if they are one.
 *  O(depth). */
double hosts_bandwidth(const struct hosts *h, uint32_t a, uint32_t b);

#endif
