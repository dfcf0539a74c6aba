#include "platforms/factors.h"

#include <stdlib.h>
#include <string.h>

#include "common/num.h"
#include "common/numeric/rising.h"
#include "common/report.h"

/* Size of the buffer for one step, in bytes. */
enum { STEP_ROOM = 80 };

/* Parses one step, such as "257:1.95341".  SimGrid stores the size in an int. */
static enum status parse_step(const char *text, size_t n, struct factor_step *out, struct err *e)
{
  char word[STEP_ROOM];
  uint64_t above;
  if (n >= sizeof word)
    return err_set(e, "'%.40s...' is too long for SIZE:FACTOR", text);
  memcpy(word, text, n);
  word[n] = '\0';
  char *factor = strchr(word, ':');
  if (factor == NULL)
    return err_set(e, "'%s' is not SIZE:FACTOR", word);
  *factor++ = '\0';
  if (num_u64(word, INT32_MAX, &above, e) != OK)
    return err_prefix(e, "size of a step: ");
  if (num_double(factor, 0, 1e12, &out->factor, e) != OK)
    return err_prefix(e, "factor above %s bytes: ", word);
  if (out->factor < FACTORS_ZERO)
    out->factor = FACTORS_ZERO;
  out->above = (double)above;
  return OK;
}

static int by_size(const void *a, const void *b)
{
  return RISING(((const struct factor_step *)a)->above, ((const struct factor_step *)b)->above);
}

enum status factors_parse(struct factors *out, const char *text, struct err *e)
{
  struct factors x = {0};
  for (const char *at = text;; at++) {
    const size_t n = strcspn(at, ";");
    if (x.count == FACTORS_MOST)
      return err_set(e, "more than %d steps", FACTORS_MOST);
    if (parse_step(at, n, &x.step[x.count++], e) != OK)
      return FAIL;
    at += n;
    if (*at == '\0' || at[1] == '\0')
      break;
  }
  qsort(x.step, x.count, sizeof x.step[0], by_size);
  for (uint32_t i = 1; i < x.count; i++)
    if (x.step[i - 1].above == x.step[i].above)
      return err_set(e, "two factors above %.0f bytes", x.step[i].above);
  *out = x;
  return OK;
}

void factors_print(const struct factors *x, FILE *f)
{
  for (uint32_t i = 0; i < x->count; i++) {
    fprintf(f, "%s%.0f:", i == 0 ? "" : ";", x->step[i].above);
    report_number(f, x->step[i].factor <= FACTORS_ZERO ? 0 : x->step[i].factor);
  }
}

double factors_at(const struct factor_step *table, double bytes)
{
  double factor = 1;
  for (; table != NULL && table->factor > 0 && bytes > table->above; table++)
    factor = table->factor;
  return factor <= FACTORS_ZERO ? 0 : factor;
}
