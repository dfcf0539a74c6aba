/** @file mailboxes.h
 *  A stock of unused SimGrid mailboxes.  Creating a mailbox lets other actors run where SMPI would
 *  not, so mailboxes are created in advance.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "common/err.h"
#include "sim/simgrid/api.h"

/** Zeroed: empty. */
struct mailboxes {
  sg_mailbox_t *mailbox;
  size_t count, room;
  unsigned created;
};

/** Size of the first stock: the smaller of 16 per actor and 65536 plus 2 per actor, more than most
 *  programs use at once.  Never below @p actors. */
size_t mailboxes_at_first(uint32_t actors);

/** Creates mailboxes until the stock has @p least.  If an actor created a mailbox while it posts a
 *  transfer, other actors would run and find the transfer without a mailbox.  An actor therefore
 *  takes one from the stock first and refills the stock afterwards.  If @p least is the number of
 *  actors, the stock never runs out. */
enum status mailboxes_stock(struct mailboxes *m, const struct simgrid_api *sg, size_t least,
                            struct err *e);

/** Takes a mailbox off the stock, which must not be empty. */
sg_mailbox_t mailboxes_take(struct mailboxes *m);

/** Returns a mailbox to the stock. */
enum status mailboxes_give(struct mailboxes *m, sg_mailbox_t mailbox, struct err *e);

/** Frees the list but not SimGrid's mailboxes; accepts a zeroed struct. */
void mailboxes_clear(struct mailboxes *m);
