#include "campaign/state.h"

#include "campaign/item.h"

enum status state_finish(struct campaign *c, size_t i, struct err *e)
{
  c->done[i] = true;
  c->finished++;
  c->outcome.ok[i] = c->result[i].status == RUN_OK;
  c->outcome.failed += !c->outcome.ok[i];
  return rows_flush(c->rows, c->done, c->result, e);
}

enum status state_made(struct campaign *c, size_t i, double wall_s, struct err *e)
{
  c->outcome.made++;
  progress_done(c->progress, item_group(c->args, i), wall_s);
  return state_finish(c, i, e);
}

void state_draw(struct campaign *c, uint32_t running, uint32_t most)
{
  const struct progress_counts counts = {.done = c->finished,
                                         .runs = item_count(c->args),
                                         .failed = c->outcome.failed,
                                         .running = running,
                                         .jobs = most};
  progress_draw(c->progress, &counts);
}
