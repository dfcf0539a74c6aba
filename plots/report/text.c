#include "plots/report/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/cli_option.h"
#include "common/files/textout.h"
#include "common/mem.h"
#include "common/utf8.h"

/* Makes valid UTF-8 of @p text and frees @p text; NULL: an earlier failure. */
static char *clean(char *text, struct err *e)
{
  char *made = text == NULL ? NULL : utf8_clean(text, e);
  free(text);
  return made;
}

char *text_print(struct err *e, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  char *text = mem_vprintf(e, format, args);
  va_end(args);
  return clean(text, e);
}

char *text_command(const char *const *word, size_t n, struct err *e)
{
  struct textout m;
  if (textout_begin(&m, e) != OK)
    return NULL;
  for (size_t i = 0; i < n; i++) {
    fputs(i == 0 ? "" : " ", m.f);
    cli_option_quote(m.f, word[i]);
  }
  return clean(textout_end(&m, OK, e), e);
}
