#include "platforms/calibrated.h"

#include <inttypes.h>
#include <string.h>

#include "common/num.h"
#include "platforms/platform_internal.h"

/* Room for two numbers of 20 digits and the words. */
enum { CALIBRATED_ROOM = 80 };

static enum status parse_word(struct calibrated *r, const char *word, struct err *e)
{
  bool *flag = strcmp(word, "within") == 0    ? &r->within
               : strcmp(word, "several") == 0 ? &r->several
                                              : NULL;
  if (flag == NULL || *flag)
    return err_set(e, "'%s' is %s", word,
                   flag == NULL ? "neither within nor several" : "given twice");
  *flag = true;
  return OK;
}

static enum status parse_sizes(struct calibrated *r, char *word, struct err *e)
{
  char *largest = strchr(word, '-');
  if (largest == NULL)
    return err_set(e, "'%s' is not SMALLEST-LARGEST", word);
  *largest++ = '\0';
  if (num_u64(word, INT64_MAX, &r->smallest, e) != OK ||
      num_u64(largest, INT64_MAX, &r->largest, e) != OK)
    return FAIL;
  if (r->largest == 0 || r->smallest > r->largest)
    return err_set(e, "no sizes from %" PRIu64 " to %" PRIu64 " bytes", r->smallest, r->largest);
  return OK;
}

enum status calibrated_parse(struct calibrated *out, const char *text, struct err *e)
{
  char copy[CALIBRATED_ROOM];
  struct calibrated r = {0};
  if (strlen(text) >= sizeof copy)
    return err_set(e, "'%.40s...' is too long", text);
  memcpy(copy, text, strlen(text) + 1);
  char *rest = copy;
  if (parse_sizes(&r, strsep(&rest, ","), e) != OK)
    return FAIL;
  while (rest != NULL)
    if (parse_word(&r, strsep(&rest, ","), e) != OK)
      return FAIL;
  *out = r;
  return OK;
}

void calibrated_print(const struct calibrated *r, FILE *f)
{
  fprintf(f, "%" PRIu64 "-%" PRIu64 "%s%s", r->smallest, r->largest, r->within ? ",within" : "",
          r->several ? ",several" : "");
}

const struct calibrated *platform_calibrated(const struct platform *p)
{
  return &p->calibrated;
}

void platform_set_calibrated(struct platform *p, const struct calibrated *x)
{
  p->calibrated = *x;
}
