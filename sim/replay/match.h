/** @file match.h
 *  Matching of sends and receives by source, tag and order of posting, as MPI and SMPI do
 *  (Request::match_common in src/smpi/mpi/smpi_request.cpp of SimGrid 3.32).  The same
 *  code serves all engines; it knows no time.
 *
 *  Finding a partner takes a look-up by pair of ranks, then a walk over what that pair has
 *  pending; a receive from any source walks what its rank has pending.
 */
#ifndef SIM_REPLAY_MATCH_H
#define SIM_REPLAY_MATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "common/err.h"
#include "sim/driver.h"

/** A message, from its first posted side until both sides are closed. */
struct message {
  struct transfer transfer; /**< src may be OP_ANY_SOURCE until a send matches */
  int32_t tag;              /**< may be OP_ANY_TAG until a send matches */
  uint8_t open;             /**< sides that are not closed */
  uint64_t room;            /**< capacity of the receive, in bytes */
  struct {
    struct message *prev, *next;
  } link[2];        /**< in the queues of match.c */
  uint64_t order;   /**< of posting */
  uint64_t line[2]; /**< in the trace of the rank that posted the side */
};

/** The message that contains a transfer of the replay. */
static inline struct message *message_of(struct transfer *t)
{
  return (struct message *)t;
}

struct matcher;

/** Nothing posted yet; on success *out is the caller's: matcher_free(), which accepts NULL. */
enum status matcher_new(struct matcher **out, uint32_t ranks, struct err *e);
void matcher_free(struct matcher *m);

/** Posts a send, which is copied.  The message returned, the matcher's, has posted[RECV_SIDE] if a
 *  receive was pending for it; else it is pending.  NULL with @p e filled when out of memory. */
struct message *match_send(struct matcher *m, const struct message *send, struct err *e);

/** Posts a receive likewise; src may be OP_ANY_SOURCE, tag OP_ANY_TAG. */
struct message *match_recv(struct matcher *m, const struct message *recv, struct err *e);

/** The send that match_recv() would take now, or NULL. */
const struct message *match_probe(const struct matcher *m, uint32_t dst, uint32_t src, int32_t tag);

/** Does a receive of @p src and @p tag match a message from rank @p from with tag @p with? */
bool match_wants(uint32_t src, int32_t tag, uint32_t from, int32_t with);

/** Will the next match_close() free the message? */
bool match_is_last(const struct message *t);

/** Closes one side of a message; the second call frees it. */
void match_close(struct matcher *m, struct message *t);

/** The first send that no receive has taken, by destination and order; NULL if there is none. */
const struct message *match_unreceived(const struct matcher *m);

#endif
