/** @file mailboxes.h
 *  SimGrid's mailboxes that no transfer uses: a stock, since creating one lets other actors run,
 *  where SMPI would not.
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

/** How many to begin with: more than most programs ever have in use.  16 an actor, but of many
 *  actors not all have as many in use at once; never fewer than @p actors. */
size_t mailboxes_at_first(uint32_t actors);

/** Creates some until there are @p least.  An actor that let others run before its transfer is
 *  complete would show them one without a mailbox; so it takes from the stock, and fills it up
 *  afterwards: the free ones and the actors that have not yet done so are together never fewer than
 *  the actors. */
enum status mailboxes_stock(struct mailboxes *m, const struct simgrid_api *sg, size_t least,
                            struct err *e);

/** There must be one. */
sg_mailbox_t mailboxes_take(struct mailboxes *m);

enum status mailboxes_give(struct mailboxes *m, sg_mailbox_t mailbox, struct err *e);

void mailboxes_clear(struct mailboxes *m);

#endif
