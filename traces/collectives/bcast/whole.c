#include "traces/collectives/bcast/whole.h"

#include "traces/collectives/algorithms.h"
#include "traces/collectives/shapes/segments.h"

bool whole_fits(const struct lowering *l)
{
  return l->count <= segments_short(l->send_size);
}

void whole_segments(const struct lowering *l, struct pipeline *p)
{
  const uint64_t each = segments_short(l->send_size);
  p->segments = whole_fits(l) ? 1 : l->count / each;
  p->bytes = p->last_bytes = whole_fits(l) ? l->send_bytes : each * l->send_size;
  p->ahead = UINT64_MAX;
  p->tag = LOWER_TAG_BCAST;
}

const struct lower_algorithm *whole_rest(const struct lowering *l, struct lowering *sub)
{
  const uint64_t rest = l->count % segments_short(l->send_size);
  if (whole_fits(l) || rest == 0)
    return &lower_nothing;
  sub->count = rest;
  sub->send_bytes = rest * l->send_size;
  return lower_chosen(l, ACTION_BCAST);
}
