#include "platforms/xml/radical.h"

static bool take_number(const char **text, uint64_t *out)
{
  const char *const begin = *text;
  *out = 0;
  for (; **text >= '0' && **text <= '9'; ++*text) {
    *out = 10 * *out + (uint64_t)(**text - '0');
    *out = *out < UINT32_MAX ? *out : UINT32_MAX;
  }
  return *text > begin;
}

bool radical_range(const char **text, uint64_t *first, uint64_t *last)
{
  if (!take_number(text, first))
    return false;
  *last = *first;
  if (**text != '-')
    return true;
  ++*text;
  return take_number(text, last);
}
