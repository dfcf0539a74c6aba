#include "common/mem.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void *mem_array(size_t count, size_t size, struct err *e)
{
  void *p = calloc(count == 0 ? 1 : count, size);
  if (p == NULL)
    err_set(e, "out of memory for %zu elements of %zu bytes", count, size);
  return p;
}

enum status mem_enlarge(void **array, size_t *capacity, size_t need, size_t size, struct err *e)
{
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

enum status mem_fits(uint64_t count, size_t size, struct err *e)
{
  const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
  const uint64_t most = (uint64_t)sysconf(_SC_PHYS_PAGES) / 4 * 3 * page;
  if (size == 0 || count <= most / size)
    return OK;
  return err_set(e, "%" PRIu64 " elements of %zu bytes are more than three quarters of the memory",
                 count, size);
}

char *mem_strdup(const char *text, struct err *e)
{
  char *copy = mem_array(strlen(text) + 1, 1, e);
  if (copy != NULL)
    memcpy(copy, text, strlen(text) + 1);
  return copy;
}
