/* The parameters of a flow: passes its bars on to bandwidths and latencies. */
#include "sim/explain/adjoint_internal.h"

/* The rate at which a link alone would carry the flow. */
static double rate_on(const struct sweep *w, const struct rewind_flow *f, uint32_t hop)
{
  double share = f->twice ? 0 : f->use[hop].share;
  for (uint32_t i = 0; i < f->uses && f->twice; i++)
    if (f->use[i].link == f->use[hop].link)
      share += f->use[i].share;
  if (w->link[f->use[hop].link].fat)
    share = 1;
  return w->link[f->use[hop].link].bandwidth / share;
}

/* Passes the bar of the highest rate on to the links that limit it.  Returns false if no link
 * does. */
static bool push_rate(struct sweep *w, const struct rewind_flow *f, double rate, const bar *of)
{
  uint32_t equal = 0;
  for (uint32_t i = 0; i < f->uses; i++)
    equal += adjoint_is_first(f, i) && rate_on(w, f, i) <= rate * (1 + EQUAL);
  for (uint32_t i = 0; i < f->uses && equal > 0; i++) {
    const double own = rate_on(w, f, i);
    const uint32_t link = f->use[i].link;
    if (!adjoint_is_first(f, i) || own > rate * (1 + EQUAL))
      continue;
    const double part = own / w->link[link].bandwidth;
    *(equal == 1 ? &w->out->bandwidth[link] : &w->out->tied[link]) += of->of[ADJOINT_EQUAL] * part;
    adjoint_add(&w->out->one[link], of, part);
  }
  adjoint_add(&w->out->all_bandwidths, of, equal > 0 ? rate : 0);
  return equal > 0;
}

static double nominal_latency(const struct sweep *w, const struct rewind_flow *f)
{
  double sum = 0;
  for (uint32_t i = 0; i < f->uses; i++)
    sum += f->use[i].share == 1 ? w->link[f->use[i].link].latency_s : 0;
  return sum;
}

/* Adds to the bar of the latency of each link on the way there. */
static void push_latency(struct sweep *w, const struct rewind_flow *f, const bar *of)
{
  for (uint32_t i = 0; i < f->uses; i++)
    if (f->use[i].share == 1)
      adjoint_add(&w->out->latency[f->use[i].link], of, 1);
  adjoint_add(&w->out->all_latencies, of, nominal_latency(w, f));
}

/* Passes the bar of a flow's penalty on: the latency of its route plus weight over bandwidth. */
static void push_weight(struct sweep *w, const struct rewind_flow *f, const bar *of)
{
  const double weight = w->options->weight_s;
  for (uint32_t i = 0; i < f->uses && weight > 0; i++) {
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
  adjoint_add(&b->penalty, &b->weight, 1 / f->out.penalty);
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
    push_latency(w, f, &of_latency);
}
