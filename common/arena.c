#include "common/arena.h"

#include <stdlib.h>

#include "common/mem.h"

void *arena_array(struct arena *a, size_t count, size_t size)
{
  void *array = NULL;
  if (!a->failed && MEM_GROW(a->array, a->room, a->count + 1, a->e) == OK)
    array = mem_array(count, size, a->e);
  a->failed = array == NULL;
  if (array != NULL)
    a->array[a->count++] = array;
  return array;
}

void arena_clear(struct arena *a)
{
  while (a->count > 0)
    free(a->array[--a->count]);
  free(a->array);
  *a = (struct arena){.e = a->e};
}
