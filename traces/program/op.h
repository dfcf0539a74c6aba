/** @file op.h
 *  The operations of a rank, taken one by one with program_next().  Engines simulate them, and
 *  traffic matrices count them.  Collectives are already point-to-point messages, and counts of
 *  elements are bytes.  The interface between programs and engines: keep it stable.
 *
 *  Requests.  The program gives a nonblocking SEND or RECV a handle: a small integer of the rank,
 *  reused some time after a WAIT, WAITALL, WAITANY or successful TEST has completed the request.  A
 *  SEND or RECV with OP_NO_REQUEST blocks.
 */
#pragma once

#include <stdint.h>

enum op_kind {
  OP_EXEC,    /**< amount: flops on the rank's host */
  OP_SLEEP,   /**< amount: seconds */
  OP_SEND,    /**< peer, tag, bytes, mode, request */
  OP_RECV,    /**< peer or OP_ANY_SOURCE, tag or OP_ANY_TAG, bytes, request */
  OP_WAIT,    /**< request */
  OP_WAITALL, /**< every request in requests[0..nrequests-1] */
  OP_WAITANY, /**< one of requests[]; the engine reports which one with program_completed() */
  OP_TEST,    /**< request, or all of requests[] if it is OP_NO_REQUEST; a success is reported with
                 program_completed() */
  OP_PROBE,   /**< peer, tag, comm: looks for a message without receiving it; a success is reported
                 with program_completed() */
  OP_MARK,    /**< iteration; only after program_show_marks() */
};

enum op_mode { OP_STANDARD, OP_BUFFERED, OP_SYNCHRONOUS };

#define OP_NO_REQUEST UINT32_MAX
#define OP_ANY_SOURCE UINT32_MAX
#define OP_ANY_TAG    INT32_MIN
/** Bytes of a RECV that takes any size.  The rank probes for the message first, as SMPI's replay
 *  does. */
#define OP_ANY_BYTES UINT64_MAX

struct op {
  enum op_kind kind;
  enum op_mode mode;
  uint32_t peer;
  int32_t tag;    /**< >= 0: from the trace; < 0: of a collective, or OP_ANY_TAG */
  uint32_t comm;  /**< of a SEND or RECV from the trace: index of its communicator, see comm.h;
                       0: the world, or a collective, whose tag includes its communicator */
  uint64_t bytes; /**< payload sent, or capacity of the receive buffer */
  double amount;
  uint64_t iteration; /**< the iteration that begins, from 1; ACTION_MARK_END after the last one */
  uint32_t request;   /**< handle, or OP_NO_REQUEST */
  uint32_t nrequests;
  const uint32_t *requests; /**< owned by the program; valid until the rank's next operation */
};
