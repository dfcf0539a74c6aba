#include "sim/simgrid/mailboxes.h"

#include <stdio.h>
#include <stdlib.h>

#include "common/mem.h"

size_t mailboxes_at_first(uint32_t actors)
{
  const size_t most = 16 * (size_t)actors, many = ((size_t)1 << 16) + 2 * (size_t)actors;
  return most < many ? most : many;
}

enum status mailboxes_give(struct mailboxes *m, sg_mailbox_t mailbox, struct err *e)
{
  if (MEM_GROW(m->mailbox, m->room, m->count + 1, e) != OK)
    return FAIL;
  m->mailbox[m->count++] = mailbox;
  return OK;
}

enum status mailboxes_stock(struct mailboxes *m, const struct simgrid_api *sg, size_t least,
                            struct err *e)
{
  while (m->count < least) {
    char name[32];
    snprintf(name, sizeof name, "message-%u", m->created++);
    if (mailboxes_give(m, sg->sg_mailbox_by_name(name), e) != OK)
      return FAIL;
  }
  return OK;
}

sg_mailbox_t mailboxes_take(struct mailboxes *m)
{
  return m->mailbox[--m->count];
}

void mailboxes_clear(struct mailboxes *m)
{
  free(m->mailbox);
  *m = (struct mailboxes){0};
}
