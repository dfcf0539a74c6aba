#include "common/files/textout.h"

#include <stdlib.h>

enum status textout_begin(struct textout *t, struct err *e)
{
  *t = (struct textout){0};
  t->f = open_memstream(&t->text, &t->size);
  return t->f != NULL ? OK : err_set(e, "out of memory");
}

char *textout_end(struct textout *t, enum status s, struct err *e)
{
  if (fclose(t->f) != 0 && s == OK)
    s = err_set(e, "out of memory");
  if (s == OK)
    return t->text;
  free(t->text);
  return NULL;
}
