#include "common/mem.h"

#include <inttypes.h>
#include <malloc.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "common/process/machine.h"

/* HEAP_STEP: bytes by which the heap grows.  FIRST: bytes of an allocation that is small enough for
 * malloc() to take it from the heap, and larger than the free part of a new heap, so that the heap
 * grows. */
enum { HEAP_STEP = 1 << 26, FIRST = 120000 };

/* Requests from this size on, in bytes, are checked against the available memory. */
#define LARGE ((size_t)1 << 28)

void mem_prepare_heap(void)
{
  char *const before = sbrk(0);
  mallopt(M_TOP_PAD, HEAP_STEP);
  void *volatile first = malloc(FIRST); /* volatile: not optimised away */
  free(first);
  char *const after = sbrk(0);
  const size_t page = (size_t)sysconf(_SC_PAGESIZE), odd = (uintptr_t)before % page;
  if (after > before)
    madvise(before - odd, (size_t)(after - before) + odd, MADV_HUGEPAGE);
}

/* Bytes allocated by the process, touched or not; 0 if unknown.  With a sanitizer, which allocates
 * far more than it uses, the resident bytes. */
static uint64_t taken(void)
{
  char line[256] = "";
  FILE *f = fopen("/proc/self/statm", "re");
  if (f == NULL)
    return 0;
#ifdef HAICHI_SANITIZED
  int field = 1;
#else
  int field = 5; /* data and stack */
#endif
  const char *word = fgets(line, sizeof line, f);
  fclose(f);
  for (; word != NULL && field > 0; field--)
    word = (word = strchr(word, ' ')) == NULL ? NULL : word + 1;
  return word == NULL ? 0 : strtoull(word, NULL, 10) * (uint64_t)sysconf(_SC_PAGESIZE);
}

/* Linux grants more memory than it has, and later kills processes that use it. */
enum status mem_fits(uint64_t count, size_t size, struct err *e)
{
  if (size == 0 || count < LARGE / size)
    return OK;
  const uint64_t most = machine_memory() / 4 * 3, used = taken();
  const uint64_t left = most > used ? most - used : 0;
  if (count <= left / size)
    return OK;
  return err_set(e,
                 "%" PRIu64 " elements of %zu bytes do not fit into three quarters of the memory",
                 count, size);
}

void *mem_array(size_t count, size_t size, struct err *e)
{
  if (mem_fits(count, size, e) != OK)
    return NULL;
  void *p = calloc(count == 0 ? 1 : count, size);
  if (p == NULL)
    err_set(e, "out of memory for %zu elements of %zu bytes", count, size);
  return p;
}

void *mem_lines(size_t count, size_t size, struct err *e)
{
  size_t bytes;
  void *p = NULL;
  if (mem_fits(count, size, e) != OK)
    return NULL;
  if (__builtin_mul_overflow(count == 0 ? 1 : count, size, &bytes) ||
      (p = aligned_alloc(MEM_LINE, bytes)) == NULL)
    err_set(e, "out of memory for %zu elements of %zu bytes", count, size);
  else
    memset(p, 0, bytes);
  return p;
}

enum status mem_enlarge(void *array, size_t *room, size_t need, size_t size, struct err *e)
{
  size_t wanted = *room < 8 ? 8 : *room;
  while (wanted < need && wanted <= SIZE_MAX / 2)
    wanted *= 2;
  if (mem_fits(wanted - *room, size, e) != OK)
    wanted = need;
  if (need > *room && mem_fits(need - *room, size, e) != OK)
    return FAIL;
  void *old;
  memcpy(&old, array, sizeof old); /* all object pointers have the same representation */
  void *grown = wanted < need || wanted > SIZE_MAX / size ? NULL : realloc(old, wanted * size);
  if (grown == NULL)
    return err_set(e, "out of memory for %zu elements of %zu bytes", need, size);
  memcpy(array, &grown, sizeof grown);
  *room = wanted;
  return OK;
}

char *mem_strdup(const char *text, struct err *e)
{
  char *copy = mem_array(strlen(text) + 1, 1, e);
  if (copy != NULL)
    memcpy(copy, text, strlen(text) + 1);
  return copy;
}

char *mem_vprintf(struct err *e, const char *format, va_list values)
{
  char *text;
  if (vasprintf(&text, format, values) >= 0)
    return text;
  err_set(e, "out of memory");
  return NULL;
}

char *mem_printf(struct err *e, const char *format, ...)
{
  va_list values;
  va_start(values, format);
  char *text = mem_vprintf(e, format, values);
  va_end(values);
  return text;
}

void mem_release(void *pointer)
{
  void *array;
  memcpy(&array, pointer, sizeof array); /* as in mem_enlarge() */
  free(array);
}
