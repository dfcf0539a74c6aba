/** @file spec.h
 *  What an overlay is told: "mcmpi,density=4,segment=64KiB".  Not who is connected with whom, which
 *  is network.h.
 */
#ifndef SIM_OVERLAY_SPEC_H
#define SIM_OVERLAY_SPEC_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "common/err.h"
#include "common/registry.h"
#include "wan/bounding.h"

/** How processes come to be connected. */
struct overlay_kind {
  const char *name;
  const char *help; /**< one line */
  const struct bounding_method *method;
  bool dense; /**< the selection has a density */
  bool
      opened; /**< all connections are there when the program starts; else they open on first use */
  bool direct; /**< who is connected sends directly, even where a route through others is shorter */
};

/** Of struct overlay_kind. */
extern const struct registry overlay_kinds;

/** Zeroed: no overlay. */
struct overlay_spec {
  const struct overlay_kind *kind;
  uint32_t density; /**< beta */
  uint64_t seed;    /**< of the selection */
  double set_up;    /**< factor on the time that a connection takes to open; 0: none */
  uint64_t segment; /**< longest part of a relayed message, in bytes */
  uint64_t buffer;  /**< of a socket, in bytes: each direction of a connection takes twice that */
  double relay_s;   /**< processor time of a relay for each message or segment */
  double copy_Bps;  /**< and the bytes that it copies in a second */
  uint64_t queue;   /**< before a wide-area link, in bytes; 0: no congestion (congestion.h) */
  double loss;      /**< how steeply goodput falls with what is too much */
};

/** Reads "KIND[,FIELD=VALUE...]". */
enum status overlay_spec_parse(struct overlay_spec *out, const char *text, struct err *e);

/** Prints all that results depend on, in one form for equal overlays. */
void overlay_spec_print(const struct overlay_spec *s, FILE *f);

#endif
