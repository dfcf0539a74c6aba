#include "plots/report/parts/note.h"

#include <stdarg.h>

#include "common/mem.h"
#include "common/utf8.h"

void note_add(struct page *p, xmlNode *part, const char *format, ...)
{
  struct err unused;
  va_list args;
  va_start(args, format);
  OWNED char *text = mem_vprintf(&unused, format, args);
  va_end(args);
  OWNED char *clean = text == NULL ? NULL : utf8_clean(text, &unused);
  xmlNode *note = clean == NULL ? NULL : page_part(p, "note");
  page_text(p, note, "text", clean == NULL ? "" : clean);
  page_add(p, part, "notes", note);
}
