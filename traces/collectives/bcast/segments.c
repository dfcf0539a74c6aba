#include "traces/collectives/bcast/segments.h"

#include "traces/collectives/bcast/bcast.h"

uint64_t segments_unit(const struct lowering *l)
{
  return l->send_size == 0 || l->send_size > 8192 ? 1 : 8192 / l->send_size;
}

void segments_cut(const struct lowering *l, struct pipeline *p)
{
  const uint64_t unit = segments_unit(l);
  const bool whole = l->count <= unit;
  p->segments = whole ? 1 : l->count / unit;
  p->bytes = p->last_bytes = whole ? l->send_bytes : unit * l->send_size;
  p->ahead = UINT64_MAX;
  p->tag = LOWER_TAG_BCAST;
}

const struct lower_algorithm *segments_rest(const struct lowering *l, struct lowering *sub)
{
  const uint64_t unit = segments_unit(l);
  if (l->count <= unit || l->count % unit == 0)
    return &lower_nothing;
  sub->count = l->count % unit;
  sub->send_bytes = sub->count * l->send_size;
  return lower_chosen(l, ACTION_BCAST);
}
