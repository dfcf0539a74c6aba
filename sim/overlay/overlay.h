/** @file overlay.h
 *  A limited number of connections under an MPI program (MC-MPI, Saito and Taura, IPSJ Trans.
 *  ACS 2007, 3.6): a driver around that of the program.  Messages of processes that have a
 *  connection go straight to the engine; those of others go from process to process, each hop a
 *  transfer of its own.  Matching stays with the program's driver (replay/); what it posts,
 *  waits for and forgets passes through here.
 *
 *  Each process has a communication thread that relays while its rank computes.  What is
 *  modelled: docs/overlay.md.
 */
#ifndef SIM_OVERLAY_OVERLAY_H
#define SIM_OVERLAY_OVERLAY_H

#include "common/err.h"
#include "platforms/mapping/mapping.h"
#include "platforms/platform.h"
#include "sim/driver.h"
#include "sim/overlay/spec.h"
#include "traces/matrix/matrix.h"

struct links;

/** What a run of an overlay came to. */
struct overlay_figures {
  uint64_t connections;       /**< opened */
  double connected_percent;   /**< of all pairs of processes */
  uint64_t requests;          /**< control messages that asked the other side to connect */
  uint64_t relayed_messages;  /**< that went through other processes */
  uint64_t relayed_bytes;     /**< their payload, counted at each relay */
  uint64_t buffer_bytes;      /**< of the sockets of all processes */
  uint64_t buffer_bytes_most; /**< of those of the process with the most */
};

/** Of one rank. */
struct overlay_rank {
  uint32_t connections;
  uint64_t relayed_messages, relayed_bytes; /**< that the rank's process has passed on */
};

struct overlay;

struct overlay_site {
  const struct platform *platform;
  const struct mapping *mapping; /**< by rank */
  const struct matrix *traffic;  /**< messages between ranks; NULL: uniform.  Not kept */
  struct links *links;           /**< told of every hop; may be NULL */
};

/** The network of a program whose rank r is on host mapping->host[r].  Refuses a graph that is
 *  not connected.  @p site's members and @p e, which takes the error of the run, outlive it.
 *  On success *out is the caller's: overlay_free(). */
enum status overlay_new(struct overlay **out, const struct overlay_spec *s,
                        const struct overlay_site *site, struct err *e);

/** Accepts NULL. */
void overlay_free(struct overlay *o);

/** The driver of @p inner, whose actors are the ranks, on the overlay: further actors follow.  At
 *  most once. */
enum status overlay_driver(struct overlay *o, const struct driver *inner, struct driver *out,
                           struct err *e);

/** Has the overlay itself failed?  The error is in overlay_new()'s @p e. */
bool overlay_failed(const struct overlay *o);

struct overlay_figures overlay_figures(const struct overlay *o);
struct overlay_rank overlay_rank(const struct overlay *o, uint32_t rank);

#endif
