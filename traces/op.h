/** @file op.h
 *  The operations that a rank pulls: what an engine simulates and a traffic matrix counts.
 *  Collectives have become point-to-point messages, datatypes bytes.  Frozen: engines, matrix,
 *  generators and recorders all meet here.
 *
 *  Requests.  A nonblocking SEND or RECV gets the handle that the program chooses; handles are
 *  per rank and small, and one is used again some time after WAIT, WAITALL, WAITANY or a successful
 *  TEST has completed it.  OP_NO_REQUEST makes SEND and RECV blocking.
 */
#ifndef TRACES_OP_H
#define TRACES_OP_H

#include <stdint.h>

enum op_kind {
  OP_EXEC,    /**< amount: flops on the rank's host */
  OP_SLEEP,   /**< amount: seconds */
  OP_SEND,    /**< peer, tag, bytes, mode, request */
  OP_RECV,    /**< peer or OP_ANY_SOURCE, tag or OP_ANY_TAG, bytes, request */
  OP_WAIT,    /**< request */
  OP_WAITALL, /**< every request in requests[0..nrequests-1] */
  OP_WAITANY, /**< one of them; op_completed() says which */
  OP_TEST,    /**< request; its success frees the handle */
};

enum op_mode { OP_STANDARD, OP_BUFFERED, OP_SYNCHRONOUS };

#define OP_NO_REQUEST UINT32_MAX
#define OP_ANY_SOURCE UINT32_MAX
#define OP_ANY_TAG    INT32_MIN
/** On a RECV: whatever the message has.  The rank probes first, as SMPI's replay does. */
#define OP_ANY_BYTES UINT64_MAX

struct op {
  enum op_kind kind;
  enum op_mode mode;
  uint32_t peer;
  int32_t tag;    /**< >= 0 the trace's own, < 0 of a collective */
  uint64_t bytes; /**< payload sent, or room to receive */
  double amount;
  uint32_t request;
  uint32_t nrequests;
  const uint32_t *requests; /**< the program's, valid until the rank's next operation */
};

#endif
