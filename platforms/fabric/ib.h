/** @file ib.h
 *  An InfiniBand network with its forwarding tables.  An *end* is a port of a host's adapter with a
 *  cable to a switch.  Cable i of the fabric belongs to end i; the cables between switches follow.
 *  Switches are numbered from 0 here.  For platforms/fabric/ only.
 */
#pragma once

#include <stdint.h>

#include "platforms/fabric/fabric.h"

/** A cable of a switch to another switch. */
struct ib_out {
  uint32_t link; /**< away from the switch */
  uint32_t to;   /**< switch */
  uint32_t port; /**< its number */
};

/** An entry of a forwarding table without a port. */
#define IB_NO_PORT UINT16_MAX

struct ib {
  struct fabric f;
  uint32_t ends;
  uint32_t *first;  /**< by host: its ends are first[h] to first[h + 1] - 1; owned, as all arrays */
  uint32_t *home;   /**< by end: its switch */
  uint32_t *lid;    /**< by end; 0: not given */
  uint32_t *height; /**< by switch: cables to the nearest switch with hosts; FABRIC_NONE: no
                       route */
  uint32_t *out_first; /**< switch s has the cables out[out_first[s]] to out[out_first[s + 1] - 1]
                        */
  struct ib_out *out;  /**< by switch, then by port */
  uint16_t *next; /**< forwarding tables, by s * ends + end: the cable of switch s on the way to the
                     end, as an index from out_first[s]; unused for the switch of the end */
  bool uneven;    /**< some switch has routes of unequal lengths to two ends of one switch */
};

/** The routes of computed forwarding tables. */
enum ib_routing {
  IB_MIN_HOP, /**< fewest cables */
  IB_UP_DOWN  /**< fewest cables among the routes that go down only; from switches without such a
                  route, among the routes that go up first and then down */
};

/** Allocates and fills x->height. */
enum status ib_heights(struct ib *x, struct err *e);

/** Fills the forwarding tables.  At each switch, the route to an end takes, among the cables on
 *  shortest routes, the cable that has the fewest ends so far, as in OpenSM.
 *  O(switches * (ends + cables)). */
enum status ib_route_all(struct ib *x, enum ib_routing routing, struct err *e);

/** Reads the forwarding tables of all switches from the output of ibroute, dump_lfts or dump_fts.
 *  Errors name the file and the line. */
enum status ib_tables_read(struct ib *x, const char *path, struct err *e);
