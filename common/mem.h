/** @file mem.h
 *  Memory allocation that checks for size overflow and reports failures.
 */
#pragma once

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "common/err.h"

/** Makes the heap grow in steps of 64 MiB, the first in huge pages if the system has them: page
 *  faults and TLB misses are most of the cost of many small arrays.  Call it once, before large
 *  allocations. */
void mem_prepare_heap(void);

/** Allocates a zeroed array of @p count elements of @p size bytes.  A count of 0 gives a valid
 *  pointer.  NULL with @p e filled on failure.  The caller frees it with free(). */
void *mem_array(size_t count, size_t size, struct err *e);

/** Bytes of a line of the cache. */
#define MEM_LINE 64

/** Like mem_array(), for elements that fill whole lines of the cache: the array begins with a
 *  line. */
void *mem_lines(size_t count, size_t size, struct err *e);

/** Grows @p array by doubling to a capacity of at least @p need elements.  @p array is a pointer
 *  variable: NULL or allocated by this file.  @p room is a size_t variable that holds the capacity.
 *  New elements are not initialised.  Evaluates to an enum status; on failure both variables are
 *  unchanged. */
#define MEM_GROW(array, room, need, e)                                                             \
  ((size_t)(need) <= (room) ? OK : mem_enlarge(&(array), &(room), (need), sizeof *(array), (e)))

/** Implements MEM_GROW().  @p array is the address of the pointer. */
enum status mem_enlarge(void *array, size_t *room, size_t need, size_t size, struct err *e);

/** Fails if @p count elements of @p size bytes, plus the memory already allocated by the process,
 *  exceed three quarters of machine_memory().  Requests below 256 MiB always pass. mem_array() and
 *  MEM_GROW() call it; code that allocates many small parts calls it first. */
enum status mem_fits(uint64_t count, size_t size, struct err *e);

/** Copies @p text.  The caller frees the copy.  NULL with @p e filled on failure. */
char *mem_strdup(const char *text, struct err *e);

/** Formats like printf().  The caller frees the text.  NULL with @p e filled on failure. */
char *mem_printf(struct err *e, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** Like mem_printf(), with a va_list. */
char *mem_vprintf(struct err *e, const char *format, va_list values)
    __attribute__((format(printf, 2, 0)));

/** Attribute of a pointer on the stack, written before its definition: free() is called on it when
 *  the block ends, also by return, break or goto.  Only one pointer in a definition. */
#define OWNED __attribute__((cleanup(mem_release)))

/** Implements OWNED.  @p pointer is the address of the pointer. */
void mem_release(void *pointer);
