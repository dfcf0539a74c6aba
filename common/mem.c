#define _DEFAULT_SOURCE
#include "common/mem.h"

#include <inttypes.h>
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* How much the heap grows at a time; and less than malloc() would map apart, but more than it has
 * left of the few pages that a program begins with. */
enum { HEAP_STEP = 1 << 26, FIRST = 120000 };

void mem_prepare_heap(void)
{
  char *const before = sbrk(0);
  mallopt(M_TOP_PAD, HEAP_STEP);
  void *volatile first = malloc(FIRST); /* volatile: compilers leave such pairs out */
  free(first);
  char *const after = sbrk(0);
  const size_t page = (size_t)sysconf(_SC_PAGESIZE), odd = (uintptr_t)before % page;
  if (after > before)
    madvise(before - odd, (size_t)(after - before) + odd, MADV_HUGEPAGE);
}

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
