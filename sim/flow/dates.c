#include "sim/flow/dates.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "common/mem.h"

/* Progress of a flow on the clock of its bottleneck.  Without a bottleneck it has its own clock,
 * which shows 0 at `since`. */
struct flow_pace {
  double end;   /* reading of the clock when the flow ends */
  double date;  /* date of that reading in s; valid only for flows in the heap */
  double level; /* speed of the flow's own clock */
  double since;
  uint32_t link; /* MAXMIN_NONE: the flow has its own clock */
};

/* Clock of a link.  The heap holds its flow that ends first, and any flows that end together with
 * an earlier one. */
struct flow_clock {
  double at, since; /* reading at the time `since` */
  double level;     /* speed; 0: the link stopped no flow at the last update */
  uint32_t first;   /* the flow that ends first; MAXMIN_NONE: none or unknown */
};

void flow_dates_clear(struct flow_dates *d)
{
  free(d->pace);
  free(d->clock);
  heap_clear(&d->heap);
  *d = (struct flow_dates){0};
}

enum status flow_dates_reserve(struct flow_dates *d, uint32_t flows, struct err *e)
{
  if (MEM_GROW(d->pace, d->pace_room, flows, e) != OK)
    return FAIL;
  for (; d->paces < flows; d->paces++)
    d->pace[d->paces] = (struct flow_pace){.link = MAXMIN_NONE};
  return heap_reserve(&d->heap, flows, e);
}

void flow_dates_set(struct flow_dates *d, uint32_t flow, double date)
{
  d->pace[flow].date = date;
  heap_set_key(&d->heap, flow, date);
}

static enum status add_clocks(struct flow_dates *d, struct err *e)
{
  const uint32_t links = maxmin_links(d->maxmin);
  if (MEM_GROW(d->clock, d->clock_room, links, e) != OK)
    return FAIL;
  for (; d->clocks < links; d->clocks++)
    d->clock[d->clocks] = (struct flow_clock){.first = MAXMIN_NONE};
  return OK;
}

enum status flow_dates_start(struct flow_dates *d, uint32_t flow, double work, struct err *e)
{
  if (d->clocks < maxmin_links(d->maxmin) && add_clocks(d, e) != OK)
    return FAIL;
  d->pace[flow] = (struct flow_pace){.end = work, .link = MAXMIN_NONE};
  return OK;
}

static double reading(const struct flow_clock *c, double now)
{
  return c->at + c->level * (now - c->since);
}

/* Sets a flow's date.  Lowers the heap's key but never raises it, since most flows that slow down
 * speed up again long before they end. */
static void hasten(struct flow_dates *d, uint32_t flow, double date)
{
  d->pace[flow].date = date;
  if (!heap_has(&d->heap, flow) || date < heap_key(&d->heap, flow))
    heap_set_key(&d->heap, flow, date);
}

/* Date when a flow on the link's clock ends, if the level stays. */
static double end_date(const struct flow_dates *d, const struct flow_clock *c, uint32_t flow)
{
  const double left = d->pace[flow].end - c->at;
  return left > 0 ? c->since + left / c->level : c->since;
}

static bool ends_before(const struct flow_dates *d, uint32_t a, uint32_t b)
{
  const double x = d->pace[a].end, y = d->pace[b].end;
  return x < y || (x == y && a < b);
}

/* Finds the first flow to end on a link.  Flows that end before @p soon go into the heap and are
 * skipped, so that flows that end together cost one search. */
static void find_first(struct flow_dates *d, uint32_t link, double soon)
{
  struct flow_clock *c = &d->clock[link];
  uint32_t n;
  const uint32_t *flow = maxmin_list(d->maxmin, link, &n);
  const double near = reading(c, soon);
  c->first = MAXMIN_NONE;
  for (uint32_t i = 0; i < n; i++) {
    if (d->pace[flow[i]].link != link) /* just started */
      continue;
    if (d->pace[flow[i]].end < near)
      flow_dates_set(d, flow[i], end_date(d, c, flow[i]));
    else if (c->first == MAXMIN_NONE || ends_before(d, flow[i], c->first))
      c->first = flow[i];
  }
  if (c->first != MAXMIN_NONE)
    hasten(d, c->first, end_date(d, c, c->first));
}

double flow_dates_left(const struct flow_dates *d, uint32_t flow, double now)
{
  const struct flow_pace *p = &d->pace[flow];
  const double shown =
      p->link == MAXMIN_NONE ? p->level * (now - p->since) : reading(&d->clock[p->link], now);
  return p->end > shown ? p->end - shown : 0;
}

/* The flow's bottleneck has changed: moves the remaining work to the new clock. */
static void change_clock(struct flow_dates *d, uint32_t flow, double now)
{
  struct flow_pace *p = &d->pace[flow];
  const uint32_t link = maxmin_bottleneck(d->maxmin, flow);
  struct flow_clock *old = p->link == MAXMIN_NONE ? NULL : &d->clock[p->link];
  const double left = flow_dates_left(d, flow, now);
  heap_remove(&d->heap, flow);
  if (old != NULL && old->first == flow)
    old->first = MAXMIN_NONE;
  p->link = link;
  if (link == MAXMIN_NONE) {
    *p = (struct flow_pace){left, 0, maxmin_level(d->maxmin, flow), now, link};
    flow_dates_set(d, flow, now + left / p->level);
    return;
  }
  struct flow_clock *c = &d->clock[link];
  p->end = reading(c, now) + left;
  if (c->first == MAXMIN_NONE) {
    c->first = c->level > 0 ? MAXMIN_NONE : flow;
  } else if (ends_before(d, flow, c->first)) {
    heap_remove(&d->heap, c->first);
    c->first = flow;
  }
}

static void change_speed(struct flow_dates *d, uint32_t link, double now)
{
  struct flow_clock *c = &d->clock[link];
  c->level = maxmin_link_level(d->maxmin, link);
  if (c->first != MAXMIN_NONE)
    hasten(d, c->first, end_date(d, c, c->first));
  else
    find_first(d, link, -INFINITY);
  if (c->first == MAXMIN_NONE) /* no flow: a reset keeps readings small and exact */
    *c = (struct flow_clock){.since = now, .first = MAXMIN_NONE};
}

void flow_dates_update(struct flow_dates *d, double now)
{
  uint32_t links, flows;
  const uint32_t *link = maxmin_changed_links(d->maxmin, &links);
  const uint32_t *flow = maxmin_changed(d->maxmin, &flows);
  for (uint32_t i = 0; i < links; i++) {
    struct flow_clock *c = &d->clock[link[i]];
    c->at = reading(c, now);
    c->since = now;
  }
  for (uint32_t i = 0; i < flows; i++)
    change_clock(d, flow[i], now);
  for (uint32_t i = 0; i < links; i++)
    change_speed(d, link[i], now);
}

uint32_t flow_dates_first(struct flow_dates *d, double *date)
{
  struct heap *h = &d->heap;
  while (heap_count(h) > 0) {
    const uint32_t first = heap_first(h);
    *date = d->pace[first].date;
    if (*date <= heap_first_key(h))
      return first;
    heap_set_key(h, first, *date);
  }
  *date = INFINITY;
  return MAXMIN_NONE;
}

void flow_dates_end(struct flow_dates *d, uint32_t flow, double now)
{
  struct flow_pace *p = &d->pace[flow];
  heap_remove(&d->heap, flow);
  if (p->link == MAXMIN_NONE)
    return;
  struct flow_clock *c = &d->clock[p->link];
  const uint32_t link = p->link;
  p->link = MAXMIN_NONE;
  if (c->first != flow)
    return;
  find_first(d, link, now + d->precision_s);
}
