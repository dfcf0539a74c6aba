#define _DEFAULT_SOURCE
#include "common/mem.h"

#include <inttypes.h>
#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "common/machine.h"

/* How much the heap grows at a time; and less than malloc() would map apart, but more than it has
 * left of the few pages that a program begins with. */
enum { HEAP_STEP = 1 << 26, FIRST = 120000 };

/* In bytes: requests from here on are held against the memory that there is. */
#define LARGE ((size_t)1 << 28)

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

/* Bytes that the process has in memory; 0 if the system does not say. */
static uint64_t resident(void)
{
  char line[128] = "";
  FILE *f = fopen("/proc/self/statm", "re");
  if (f == NULL)
    return 0;
  const char *size = fgets(line, sizeof line, f);
  const char *pages = size == NULL ? NULL : strchr(size, ' ');
  fclose(f);
  return pages == NULL ? 0 : strtoull(pages, NULL, 10) * (uint64_t)sysconf(_SC_PAGESIZE);
}

enum status mem_fits(uint64_t count, size_t size, struct err *e)
{
  const uint64_t most = machine_memory() / 4 * 3, used = resident();
  const uint64_t left = most > used ? most - used : 0;
  if (size == 0 || count <= left / size)
    return OK;
  return err_set(e,
                 "%" PRIu64 " elements of %zu bytes do not fit into three quarters of the memory",
                 count, size);
}

/* The system promises more memory than it has, and then kills who uses it. */
static enum status check_large(size_t count, size_t size, struct err *e)
{
  return size == 0 || count < LARGE / size ? OK : mem_fits(count, size, e);
}

void *mem_array(size_t count, size_t size, struct err *e)
{
  if (check_large(count, size, e) != OK)
    return NULL;
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
  if (check_large(room, size, e) != OK)
    return FAIL;
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
