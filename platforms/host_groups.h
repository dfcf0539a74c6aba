/** @file host_groups.h
 *  Groups of hosts with equal distances or with equal bandwidths, for algorithms that cannot
 *  examine all pairs of hosts.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "common/err.h"
#include "platforms/platform.h"

struct host_groups {
  uint32_t hosts, count; /**< number of hosts; number of groups */
  uint32_t *of;          /**< by host: its group; owned, as the following arrays */
  uint32_t *first;       /**< group g has the hosts member[first[g]] to member[first[g + 1] - 1] */
  uint32_t *member;      /**< hosts by group, then by number */
};

/** Groups the hosts with routes of equal latencies and hop counts to all other hosts, such as the
 *  hosts of one switch in a fat tree.  Groups are numbered by their first hosts.  Not for opaque
 *  platforms.  The caller frees *out with host_groups_clear().  O(hosts log clusters). */
enum status host_groups_alike(struct host_groups *out, const struct platform *p, struct err *e);

/** Groups hosts by bandwidth.  The routes of two hosts of a group to and from any third host have
 *  equal bandwidths, and all routes between hosts of the group have equal bandwidth.  Groups follow
 *  the structure of the platform: the hosts of a cluster, or the hosts of a star with equal links.
 *  Gateways, and hosts of zones with declared routes, are groups of their own.  Groups are numbered
 *  by their first hosts.  Not for opaque platforms.  The caller frees *out with
 *  host_groups_clear().  O(hosts + routes). */
enum status host_groups_bandwidth(struct host_groups *out, const struct platform *p, struct err *e);

/** True if each host is in a cluster where it has one cable of its own, which carries all of its
 *  traffic with other hosts and no other traffic: the first link of its routes to other hosts and
 *  the last link of the routes to it.  False with bypass routes and for opaque platforms.
 *  O(hosts). */
bool host_groups_own_cables(const struct platform *p);

/** Fills `first` and `member` of groups with the other members set.  O(hosts + groups). */
enum status host_groups_list(struct host_groups *g, struct err *e);

/** Accepts a zeroed struct. */
void host_groups_clear(struct host_groups *g);

/** Sets ends[] to the first hosts of two groups, or to the first two hosts of a group.  Both are
 *  the same host if a = b is a group of one host. */
static inline void host_groups_ends(const struct host_groups *g, uint32_t a, uint32_t b,
                                    uint32_t ends[2])
{
  ends[0] = g->member[g->first[a]];
  ends[1] = g->member[g->first[b] + (a == b && g->first[b + 1] - g->first[b] > 1)];
}
