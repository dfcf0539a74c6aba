#include "mappers/general/anneal/thresholds.h"

#include <math.h>

void thresholds_fill(struct thresholds *t)
{
  const int count = 1 << THRESHOLDS_BITS;
  for (int i = 0; i < count; i++)
    t->minus_log[i] = -log((i + 0.5) / count);
}
