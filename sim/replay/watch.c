#include "sim/replay/watch.h"

#include <stdlib.h>

#include "common/mem.h"

enum status watch_start(struct watch_progress *p, struct watch *w, uint32_t ranks, struct err *e)
{
  struct watch_rank *rank = mem_array(ranks, sizeof *rank, e);
  if (rank == NULL)
    return FAIL;
  *p = (struct watch_progress){.watch = w, .rank = rank, .ranks = ranks};
  w->passed = 0;
  w->begun = 0;
  for (uint32_t k = 0; k < WATCH_POINTS; k++)
    w->passed_s[k] = INFINITY;
  for (uint32_t i = 0; i < ranks; i++)
    rank[i].due = watch_due(w, i, 0);
  return OK;
}

void watch_clear(struct watch_progress *p)
{
  free(p->rank);
  *p = (struct watch_progress){.watch = NULL};
}

static void pass_point(struct watch_progress *p, uint32_t rank, double now)
{
  struct watch *w = p->watch;
  if (++p->passed[p->rank[rank].points++] < p->ranks)
    return;
  w->passed_s[w->passed++] = now;
  p->cut = w->passed == w->stop + 1 && w->passed < WATCH_POINTS;
  if (w->follow != NULL)
    w->follow(w, w->arg);
}

void watch_pass(struct watch_progress *p, uint32_t rank, double now)
{
  struct watch_rank *r = &p->rank[rank];
  while (r->ops > r->due) {
    pass_point(p, rank, now);
    r->due = watch_due(p->watch, rank, r->points);
  }
}

void watch_end(struct watch_progress *p, uint32_t rank, double now)
{
  while (p->rank[rank].points < WATCH_POINTS)
    pass_point(p, rank, now);
}

bool watch_stops(struct watch_progress *p, double now)
{
  const struct watch *w = p->watch;
  p->cut = p->cut || (w->passed < WATCH_POINTS && now > w->limit_s[w->passed]);
  return p->cut;
}
