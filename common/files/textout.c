#include "common/files/textout.h"

#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include "common/mem.h"

/* The streams of open_memstream() lose text without an error when out of memory. */
static ssize_t append(void *cookie, const char *bytes, size_t n)
{
  struct textout *t = cookie;
  struct err unused;
  if (MEM_GROW(t->text, t->room, t->size + n + 1, &unused) != OK)
    return 0; /* the stream keeps the error, see textout_end() */
  memcpy(t->text + t->size, bytes, n);
  t->size += n;
  t->text[t->size] = '\0';
  return (ssize_t)n;
}

enum status textout_begin(struct textout *t, struct err *e)
{
  *t = (struct textout){.text = mem_strdup("", e), .room = 1};
  if (t->text == NULL)
    return FAIL;
  t->f = fopencookie(t, "w", (cookie_io_functions_t){.write = append});
  if (t->f != NULL)
    return OK;
  free(t->text);
  return err_set(e, "out of memory");
}

char *textout_end(struct textout *t, enum status s, struct err *e)
{
  const bool whole = fflush(t->f) == 0 && !ferror(t->f);
  if ((fclose(t->f) != 0 || !whole) && s == OK)
    s = err_set(e, "out of memory");
  if (s == OK)
    return t->text;
  free(t->text);
  return NULL;
}
