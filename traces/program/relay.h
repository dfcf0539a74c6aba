/** @file relay.h
 *  Private to traces/: a message that a rank expects while it computes, and passes on. ACTION_RELAY
 *  announces it.  ACTION_RELAY_PROBE tests for it: if the message has arrived, the rank receives it
 *  and sends it on, both blocking.  ACTION_RELAY_COMPUTE computes in small calls with a probe after
 *  each as long as the message is missing, and the rest in one call; at its end the rank waits for
 *  the message.  This models programs such as HPL, which forward a panel with MPI_Iprobe between
 *  the steps of an update.
 *
 *  A rank expects at most one message at a time.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "traces/action.h"
#include "traces/program/op.h"

/** Zeroed: no message is expected. */
struct relay {
  bool open;      /**< the message is expected and not yet received */
  bool probing;   /**< the last operation was a PROBE */
  bool probe_due; /**< a PROBE is the next operation */
  bool computing; /**< a RELAY_COMPUTE has columns or its final wait left */
  enum { RELAY_REST, RELAY_TAKE, RELAY_PASS } next; /**< operation on the message */
  uint32_t src, dst, comm;                          /**< dst UINT32_MAX: the message ends here */
  int32_t tag;
  uint64_t bytes;
  int64_t columns, block; /**< columns left; columns of a call while the message is missing */
  double call, column;    /**< flops of a call, and of each of its columns */
  double noise;           /**< relative standard deviation of a call */
  uint64_t seed, calls;   /**< of the noise: each call has a stream of its own */
};

/** Begins one of the three actions.  False if @p a is a RELAY and a message is already expected. */
bool relay_begin(struct relay *r, const struct action *a);

/** Gives the next operation of the action; false if there is none. */
bool relay_next(struct relay *r, struct op *op);

/** Call when an operation has succeeded: true if the operation was a PROBE, which has found its
 *  message. */
bool relay_found(struct relay *r);
