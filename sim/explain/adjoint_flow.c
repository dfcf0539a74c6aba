/* The parameters of a flow: passes its bars on to bandwidths and latencies. */
#include "sim/explain/adjoint_internal.h"

/* The share of its rate that the flow takes of a link. */
static double share_on(const struct sweep *w, const struct rewind_flow *f, uint32_t hop)
{
  double share = f->twice ? 0 : f->use[hop].share;
  for (uint32_t i = 0; i < f->uses && f->twice; i++)
    if (f->use[i].link == f->use[hop].link)
      share += f->use[i].share;
  return w->fat[f->use[hop].link] ? 1 : share;
}

/* True if the link of a hop alone limits the flow to @p rate. */
static bool limits(const struct sweep *w, const struct rewind_flow *f, uint32_t hop, double rate)
{
  return w->link[f->use[hop].link].bandwidth <= rate * (1 + EQUAL) * share_on(w, f, hop) &&
         adjoint_is_first(f, hop);
}

/* Passes the bar of the highest rate on to the links that limit it.  Returns false if no link
 * does. */
static bool push_rate(struct sweep *w, const struct rewind_flow *f, double rate, const bar *of)
{
  uint32_t equal = 0, first = f->uses;
  for (uint32_t i = f->uses; i-- > 0;)
    if (limits(w, f, i, rate)) {
      equal++;
      first = i;
    }
  for (uint32_t i = first; i < f->uses; i++) {
    const uint32_t link = f->use[i].link;
    if (i > first && (equal == 1 || !limits(w, f, i, rate)))
      continue;
    const double part = 1 / share_on(w, f, i);
    *(equal == 1 ? &w->out->bandwidth[link] : &w->out->tied[link]) += of->of[ADJOINT_EQUAL] * part;
    adjoint_add(&w->out->one[link], of, part);
  }
  adjoint_add(&w->out->all_bandwidths, of, equal > 0 ? rate : 0);
  return equal > 0;
}

static double nominal_latency(const struct sweep *w, const struct rewind_flow *f)
{
  double sum = 0;
  for (uint32_t i = 0; i < f->forth; i++)
    sum += f->use[i].share == 1 ? w->link[f->use[i].link].latency_s : 0;
  return sum;
}

/* Adds @p of to the bar of the latency of each link on the way to the receiver.  @p latency: their
 * sum. */
static void push_latency(struct sweep *w, const struct rewind_flow *f, double latency,
                         const bar *of)
{
  for (uint32_t i = 0; i < f->forth; i++)
    if (f->use[i].share == 1)
      adjoint_add(&w->out->latency[f->use[i].link], of, 1);
  adjoint_add(&w->out->all_latencies, of, latency);
}

/* Passes the bar of a flow's penalty on: the latency of its route plus weight over bandwidth. */
static void push_weight(struct sweep *w, const struct rewind_flow *f, const bar *of)
{
  const double weight = w->options->weight_bytes;
  for (uint32_t i = 0; i < f->forth && weight > 0; i++) {
    const uint32_t link = f->use[i].link;
    const double bandwidth = w->link[link].bandwidth;
    if (f->use[i].share != 1)
      continue;
    w->out->bandwidth[link] -= of->of[ADJOINT_EQUAL] * weight / (bandwidth * bandwidth);
    adjoint_add(&w->out->one[link], of, -weight / (bandwidth * bandwidth));
    adjoint_add(&w->out->all_bandwidths, of, -weight / bandwidth);
  }
}

void adjoint_push_flow(struct sweep *w, uint32_t flow, const bar *start)
{
  const struct rewind_flow *f = &w->rewind->flow[flow];
  struct flow_bars *b = &w->flow[flow];
  const double latency = nominal_latency(w, f), rate = f->out.cap / f->out.penalty;
  bar of_latency = {{0}};
  if (!adjoint_is_zero(&b->cap)) {
    bar of_rate = {{0}};
    adjoint_add(&of_rate, &b->cap, f->out.penalty);
    adjoint_add(&b->penalty, &b->cap, rate);
    if (!push_rate(w, f, rate, &of_rate))
      adjoint_add(&of_latency, &of_rate, -rate / latency);
  }
  if (f->out.latency_s > 0) {
    adjoint_add(&of_latency, &b->penalty, 1);
    adjoint_add(&of_latency, start, f->out.latency_s / latency);
    push_weight(w, f, &b->penalty);
  }
  if (latency > 0)
    push_latency(w, f, latency, &of_latency);
}
