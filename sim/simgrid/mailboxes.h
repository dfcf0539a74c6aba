/** @file mailboxes.h
 *  A stock of SimGrid mailboxes that no transfer uses.  Creating one lets other actors run where
 *  SMPI would not, so they are created ahead.
 */
#ifndef SIM_SIMGRID_MAILBOXES_H
#define SIM_SIMGRID_MAILBOXES_H

#include <stddef.h>
#include <stdint.h>

#include "common/err.h"
#include "sim/simgrid/api.h"

/** Begins zeroed. */
struct mailboxes {
  sg_mailbox_t *mailbox;
  size_t count, room;
  unsigned created;
};

/** Size of the first stock, more than most programs have in use at once: 16 an actor, but at most
 *  65536 and 2 an actor; never fewer than @p actors. */
size_t mailboxes_at_first(uint32_t actors);

/** Creates mailboxes until the stock has @p least.  If an actor created one before its transfer is
 *  complete, others would run and find the transfer without a mailbox; so it takes one from the
 *  stock first and refills it afterwards.  With @p least the number of actors the stock never runs
 *  out. */
enum status mailboxes_stock(struct mailboxes *m, const struct simgrid_api *sg, size_t least,
                            struct err *e);

/** Takes a mailbox off the stock, which must not be empty. */
sg_mailbox_t mailboxes_take(struct mailboxes *m);

/** Returns a mailbox to the stock. */
enum status mailboxes_give(struct mailboxes *m, sg_mailbox_t mailbox, struct err *e);

/** Frees the list, not SimGrid's mailboxes; accepts a zeroed one. */
void mailboxes_clear(struct mailboxes *m);

#endif
