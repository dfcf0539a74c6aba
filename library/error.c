#include <string.h>

#include "library/handles.h"

_Static_assert(sizeof((struct haichi_error *)0)->text == sizeof((struct err *)0)->text,
               "library_fail() copies whole texts");

/* Specs separate their words, some of which are paths, by these characters. */
#define SEPARATORS ":,=@"

enum status library_check_input(const char *text, struct err *e)
{
  for (const char *word = text;; word++) {
    const size_t n = strcspn(word, SEPARATORS);
    if (n == 1 && *word == '-')
      return err_set(e, "%.200s: the library uses no standard streams", text);
    word += n;
    if (*word == '\0')
      return OK;
  }
}

enum haichi_status library_fail(struct haichi_error *out, const struct err *e)
{
  if (out != NULL)
    memcpy(out->text, e->text, sizeof out->text);
  return HAICHI_FAIL;
}

const char *haichi_version(void)
{
  return HAICHI_VERSION;
}
