/** @file overlay.h
 *  Limits the number of connections of an MPI program (MC-MPI, Saito and Taura, IPSJ Trans. ACS
 *  2007, 3.6): a driver around the driver of the program.  Messages between connected processes go
 *  straight to the engine; other messages go from process to process, each hop a transfer of its
 *  own.  Matching stays in the program's driver (replay/); its calls to post, await and forget
 *  transfers pass through this driver.
 *
 *  Each process has a progress thread, which relays messages while its rank computes.
 *  docs/overlay.md describes the model.
 */
#pragma once

#include "common/err.h"
#include "platforms/mapping/mapping.h"
#include "platforms/platform.h"
#include "sim/driver.h"
#include "sim/overlay/spec.h"
#include "traces/matrix/matrix.h"

struct links;

/** Figures of a run on an overlay. */
struct overlay_figures {
  uint64_t connections;       /**< connections opened */
  double connected_percent;   /**< connected pairs, in percent of all pairs of processes */
  uint64_t requests;          /**< control messages that asked the other side to connect */
  uint64_t relayed_messages;  /**< messages that passed through other processes */
  uint64_t relayed_bytes;     /**< their payload, counted at each relay */
  uint64_t buffer_bytes;      /**< size of the socket buffers of all processes */
  uint64_t buffer_bytes_most; /**< size of the socket buffers of the process with the most */
};

/** Figures of one rank. */
struct overlay_rank {
  uint32_t connections;
  uint64_t relayed_messages, relayed_bytes; /**< passed on by the rank's process */
};

struct overlay;

struct overlay_site {
  const struct platform *platform;
  const struct mapping *mapping; /**< of the ranks */
  const struct matrix *traffic;  /**< messages between ranks; NULL: uniform; not kept */
  struct links *links;           /**< counts the bytes of every hop; may be NULL */
};

/** Creates the overlay of a program whose rank r is on host mapping->host[r].  Fails if the graph
 *  is not connected.  The members of @p site, and @p e, which receives errors of the run, must
 *  outlive it.  The caller frees *out with overlay_free(). */
enum status overlay_new(struct overlay **out, const struct overlay_spec *s,
                        const struct overlay_site *site, struct err *e);

/** Accepts NULL. */
void overlay_free(struct overlay *o);

/** Wraps @p inner, whose actors are the ranks.  In @p out the actors of the overlay follow the
 *  ranks.  At most one call. */
enum status overlay_driver(struct overlay *o, const struct driver *inner, struct driver *out,
                           struct err *e);

/** True if the overlay itself has failed.  The error is in @p e of overlay_new(). */
bool overlay_failed(const struct overlay *o);

struct overlay_figures overlay_figures(const struct overlay *o);
struct overlay_rank overlay_rank(const struct overlay *o, uint32_t rank);
