#include "common/numeric/rising.h"

#include <stdint.h>

int rising_u32(const void *a, const void *b)
{
  const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return RISING(x, y);
}

int rising_u64(const void *a, const void *b)
{
  const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return RISING(x, y);
}

int rising_double(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return RISING(x, y);
}
