#include "predict/instrument/source/messages.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/mem.h"

void messages_add(struct messages *m, const char *file, uint64_t line, const char *fmt, ...)
{
  struct err ignored;
  char sentence[sizeof m->text->text];
  va_list args;
  va_start(args, fmt);
  vsnprintf(sentence, sizeof sentence, fmt, args);
  va_end(args);
  if (MEM_GROW(m->text, m->room, m->count + 1, &ignored) != OK)
    return;
  err_at(&m->text[m->count], file, line, "%s", sentence);
  for (size_t i = 0; i < m->count; i++)
    if (strcmp(m->text[i].text, m->text[m->count].text) == 0)
      return;
  m->count++;
}

void messages_clear(struct messages *m)
{
  free(m->text);
  *m = (struct messages){0};
}
