/** @file match.h
 *  Matching of sends and receives by source, tag, communicator and order of posting, as MPI and
 * SMPI do (Request::match_common in src/smpi/mpi/smpi_request.cpp of SimGrid 3.32).  The same code
 * serves all engines; it knows no time.
 *
 *  To find a partner, it looks up the pair of ranks and walks the pending messages of the pair.  A
 *  receive from any source walks the pending messages of its rank.
 */
#ifndef SIM_REPLAY_MATCH_H
#define SIM_REPLAY_MATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "common/err.h"
#include "sim/driver.h"

/** The envelope that a receive selects. */
struct envelope {
  uint32_t src;  /**< or OP_ANY_SOURCE */
  int32_t tag;   /**< or OP_ANY_TAG */
  uint32_t comm; /**< index of the communicator */
};

/** A message, from the posting of its first side until both sides are closed. */
struct message {
  struct transfer transfer; /**< src may be OP_ANY_SOURCE until a send matches */
  int32_t tag;              /**< may be OP_ANY_TAG until a send matches */
  uint32_t comm;            /**< index of its communicator */
  uint8_t open;             /**< sides that are not closed */
  bool over;                /**< its transfer has ended; for the driver of graphs */
  uint64_t room;            /**< capacity of the receive, in bytes */
  struct {
    struct message *prev, *next;
  } link[2];        /**< in the queues of match.c */
  uint64_t order;   /**< number of the posting, in order */
  uint64_t line[2]; /**< by side: line in the trace of the rank that posted it, or a number of the
                         driver's own */
};

/** The message that contains a transfer of the replay. */
static inline struct message *message_of(struct transfer *t)
{
  return (struct message *)t;
}

struct matcher;

/** Creates a matcher without messages.  The caller frees *out with matcher_free(), which accepts
 *  NULL. */
enum status matcher_new(struct matcher **out, uint32_t ranks, struct err *e);
void matcher_free(struct matcher *m);

/** Posts a send, which is copied.  The returned message belongs to the matcher.  It has
 *  posted[RECV_SIDE] if a receive was pending; if not, the send is pending now.  Returns NULL and
 *  fills @p e when out of memory. */
struct message *match_send(struct matcher *m, const struct message *send, struct err *e);

/** Posts a receive in the same way; src may be OP_ANY_SOURCE, tag OP_ANY_TAG. */
struct message *match_recv(struct matcher *m, const struct message *recv, struct err *e);

/** The send that a receive of rank @p dst with the envelope @p want would take now, or NULL. */
const struct message *match_probe(const struct matcher *m, uint32_t dst,
                                  const struct envelope *want);

/** True if a receive of @p want matches @p send. */
bool match_wants(const struct envelope *want, const struct message *send);

/** True if the next match_close() frees the message. */
bool match_is_last(const struct message *t);

/** Closes one side of a message; the second call frees it. */
void match_close(struct matcher *m, struct message *t);

/** The first send that no receive has taken, by destination, then by order of posting; NULL if
 *  there is none. */
const struct message *match_unreceived(const struct matcher *m);

#endif
