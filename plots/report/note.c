#define _GNU_SOURCE
#include "plots/report/note.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/utf8.h"

void note_add(struct page *p, xmlNode *part, const char *format, ...)
{
  char *text, *clean = NULL;
  struct err unused;
  va_list args;
  va_start(args, format);
  if (vasprintf(&text, format, args) >= 0) {
    clean = utf8_clean(text, &unused);
    free(text);
  }
  va_end(args);
  xmlNode *note = clean == NULL ? NULL : page_part(p, "note");
  page_text(p, note, "text", clean == NULL ? "" : clean);
  page_add(p, part, "notes", note);
  free(clean);
}
