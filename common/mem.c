#include "common/mem.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void *mem_array(size_t count, size_t size, struct err *e)
{
  void *p = calloc(count == 0 ? 1 : count, size);
  if (p == NULL)
    err_set(e, "out of memory for %zu elements of %zu bytes", count, size);
  return p;
}

enum status mem_grow(void **array, size_t *capacity, size_t need, size_t size, struct err *e)
{
  if (need <= *capacity)
    return OK;
  size_t room = *capacity < 8 ? 8 : *capacity;
  while (room < need && room <= SIZE_MAX / 2)
    room *= 2;
  void *grown = room < need || room > SIZE_MAX / size ? NULL : realloc(*array, room * size);
  if (grown == NULL)
    return err_set(e, "out of memory for %zu elements of %zu bytes", need, size);
  *array = grown;
  *capacity = room;
  return OK;
}

char *mem_strdup(const char *text, struct err *e)
{
  char *copy = mem_array(strlen(text) + 1, 1, e);
  if (copy != NULL)
    memcpy(copy, text, strlen(text) + 1);
  return copy;
}
