#include "sim/effects/curve.h"

#include <string.h>

#include "common/num.h"

/* Largest number of ranks or flows; size of the buffer of a point. */
enum { MOST_AT = 1 << 24, ROOM = 80 };

static enum status parse_value(const char *text, enum curve_unit unit, double *out, struct err *e)
{
  if (unit == CURVE_BANDWIDTH)
    return num_quantity(text, NUM_BANDWIDTH, out, e);
  return num_double(text, 1e-6, 1, out, e);
}

/* Parses one point, as "2:8.4GBps", of @p n characters. */
static enum status parse_point(const char *text, size_t n, enum curve_unit unit,
                               struct curve_point *out, struct err *e)
{
  char word[ROOM];
  uint64_t at;
  if (n >= sizeof word)
    return err_set(e, "'%.40s...' is too long for NUMBER:VALUE", text);
  memcpy(word, text, n);
  word[n] = '\0';
  char *value = strchr(word, ':');
  if (value == NULL)
    return err_set(e, "'%s' is not NUMBER:VALUE", word);
  *value++ = '\0';
  if (num_u64(word, MOST_AT, &at, e) != OK || parse_value(value, unit, &out->value, e) != OK)
    return err_prefix(e, "point %s: ", word);
  out->at = (double)at;
  return OK;
}

enum status curve_parse(struct curve *out, const char *text, enum curve_unit unit, struct err *e)
{
  struct curve x = {0};
  for (const char *at = text;; at++) {
    const size_t n = strcspn(at, ",");
    struct curve_point *p = &x.point[x.count];
    if (x.count == CURVE_MOST)
      return err_set(e, "more than %d points", CURVE_MOST);
    if (parse_point(at, n, unit, p, e) != OK)
      return FAIL;
    if (x.count > 0 && p->at <= p[-1].at)
      return err_set(e, "point %.0f does not follow %.0f: the numbers have to rise", p->at,
                     p[-1].at);
    x.count++;
    at += n;
    if (*at == '\0')
      break;
  }
  *out = x;
  return OK;
}

double curve_at(const struct curve *c, double x)
{
  uint32_t i = 0;
  while (i < c->count && c->point[i].at < x)
    i++;
  if (i == 0)
    return c->point[0].value;
  const struct curve_point low = c->point[i - 1], high = c->point[i < c->count ? i : i - 1];
  if (high.at <= low.at)
    return low.value;
  return low.value + (high.value - low.value) * (x - low.at) / (high.at - low.at);
}
