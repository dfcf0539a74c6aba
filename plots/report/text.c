#include "plots/report/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "campaign/results/provenance.h"
#include "common/mem.h"
#include "common/utf8.h"

/* Makes valid UTF-8 of @p text and frees @p text; NULL means out of memory. */
static char *clean(char *text, struct err *e)
{
  char *made = NULL;
  if (text == NULL)
    err_set(e, "out of memory");
  else
    made = utf8_clean(text, e);
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
  char *text = NULL;
  size_t size;
  FILE *f = open_memstream(&text, &size);
  for (size_t i = 0; f != NULL && i < n; i++) {
    fputs(i == 0 ? "" : " ", f);
    provenance_quote(f, word[i]);
  }
  if (f != NULL && fclose(f) != 0) {
    free(text);
    text = NULL;
  }
  return clean(text, e);
}
