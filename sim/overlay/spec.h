/** @file spec.h
 *  Parsed options of an overlay, for example "mcmpi,density=4,segment=64KiB".  The connection graph
 *  is in network.h.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "common/err.h"
#include "common/registry.h"
#include "wan/bounding.h"

/** A method of connecting processes. */
struct overlay_kind {
  const char *name;
  const char *help; /**< one line */
  const struct bounding_method *method;
  bool dense;  /**< the selection has a density */
  bool opened; /**< all connections are open from the start, not opened on first use */
  bool direct; /**< connected processes send directly, even if a route through others is shorter */
};

/** Registry of struct overlay_kind. */
extern const struct registry overlay_kinds;

/** Zeroed: no overlay. */
struct overlay_spec {
  const struct overlay_kind *kind;
  uint32_t density; /**< beta of the MC-MPI paper */
  uint64_t seed;    /**< seed of the selection */
  double set_up;    /**< factor on the time to open a connection; 0: no time */
  uint64_t segment; /**< longest part of a relayed message, in bytes */
  uint64_t buffer;  /**< socket buffer in bytes; each direction of a connection takes twice that */
  double relay_s;   /**< processor time of a relay per message or segment */
  double copy_Bps;  /**< copying speed of a relay in byte/s */
  uint64_t queue; /**< queue of a wide-area link in bytes.  0: the link's bandwidth-delay product if
                         rto_s > 0, and no congestion if rto_s is 0 */
  double loss;    /**< exponent of the overload: how steeply goodput falls */
  double rto_s;   /**< retransmission timeout of TCP; 0: congestion by loss, or none if queue is 0
                       (congestion.h) */
};

/** True if connections congest wide-area links: by one of the two models of congestion.h. */
static inline bool overlay_spec_congests(const struct overlay_spec *s)
{
  return s->queue > 0 || s->rto_s > 0;
}

/** Reads "KIND[,FIELD=VALUE...]". */
enum status overlay_spec_parse(struct overlay_spec *out, const char *text, struct err *e);

/** Prints all fields that affect results, in the same form for equal overlays. */
void overlay_spec_print(const struct overlay_spec *s, FILE *f);
