/** @file volumes.h
 *  Private to traces/: sizes by member of collectives as gatherv and alltoallv, in a temporary
 *  file.
 *
 *  A trace either states them at each call (volumes_put_exact()), or each member's event has only
 *  sums (volumes_put_sums()).  Then the members' sums are brought together once all ranks are read
 *  (volumes_join()): blocks of gatherv, scatterv, allgatherv and reduce_scatter follow exactly;
 *  blocks of alltoallv are shares in proportion to the sums of sender and receiver, rounded to
 *  whole bytes so that the sums stay.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "common/err.h"
#include "traces/comm.h"
#include "traces/files/spool.h"
#include "traces/recorded/records.h"
#include "traces/recorded/scratch.h"

struct volume_comm; /* by communicator: its streams of sums */

/** Empty if zeroed.  Then set name and budget of `file`. */
struct volumes {
  struct scratch file;      /**< set name and budget */
  struct spool *sums;       /**< by communicator and member; NULL: none yet */
  struct volume_comm *comm; /**< by number of the communicator; owned */
  size_t comm_room;
  uint32_t comms;
  uint64_t guessed; /**< calls of alltoallv and alltoallw with guessed blocks, set by join */
};

/** The sums that a member's event states. */
struct volume_sums {
  uint64_t kind; /**< enum action_kind, blocking */
  uint64_t root; /**< of gatherv and scatterv */
  uint64_t sent, received;
};

/** Appends sizes to and from each member (each may be NULL: zeros); sets x->volume. */
enum status volumes_put_exact(struct volumes *v, const uint64_t *to, const uint64_t *from,
                              uint32_t members, struct record *x, struct err *e);

/** Appends the sums of @p member of the communicator x->comm, which has @p members members; sets
 *  x->volume.  Call in the order of the calls of the member. */
enum status volumes_put_sums(struct volumes *v, uint32_t member, uint32_t members,
                             const struct volume_sums *sums, struct record *x, struct err *e);

/** Brings the sums together.  @p comms has the communicators by index. */
enum status volumes_join(struct volumes *v, const struct comm_table *comms, struct err *e);

/** Reads the sizes to and from each of @p members members for the call @p x of @p member. */
enum status volumes_read(const struct volumes *v, const struct record *x, uint32_t member,
                         uint32_t members, uint64_t *to, uint64_t *from, struct err *e);

void volumes_clear(struct volumes *v);
