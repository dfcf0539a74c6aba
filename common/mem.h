/** @file mem.h
 *  Allocation whose size cannot overflow and whose failure is reported, not ignored.
 */
#ifndef COMMON_MEM_H
#define COMMON_MEM_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "common/err.h"

/** Makes the heap grow in large steps, the first one in huge pages where the system has them: page
 *  faults and TLB misses are most of the cost of many small arrays.  Called once, before large
 *  allocations. */
void mem_prepare_heap(void);

/** Zeroed array of @p count elements of @p size bytes; NULL with @p e filled on failure. A count of
 *  0 gives a valid pointer.  Free with free(). */
void *mem_array(size_t count, size_t size, struct err *e);

/** Grows @p array, a pointer variable (NULL or from here), to a capacity of at least @p need
 *  elements by doubling; @p room, a size_t variable, is the capacity and is updated.  The new
 *  elements are not initialised.  Gives an enum status; on failure both are untouched. */
#define MEM_GROW(array, room, need, e)                                                             \
  ((size_t)(need) <= (room) ? OK : mem_enlarge(&(array), &(room), (need), sizeof *(array), (e)))

/** Implements MEM_GROW(); @p array is the address of the pointer. */
enum status mem_enlarge(void *array, size_t *room, size_t need, size_t size, struct err *e);

/** Refuses @p count elements of @p size bytes that, with what the process has allocated, exceed
 *  three quarters of machine_memory(); anything below 256 MiB passes.  mem_array() and MEM_GROW()
 *  call it; code that allocates many small parts calls it first. */
enum status mem_fits(uint64_t count, size_t size, struct err *e);

/** A copy of @p text, which the caller frees; NULL with @p e filled on failure. */
char *mem_strdup(const char *text, struct err *e);

/** What printf() makes of its arguments, for the caller to free; NULL with @p e filled on failure.
 */
char *mem_printf(struct err *e, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** The same of a list of arguments. */
char *mem_vprintf(struct err *e, const char *format, va_list values)
    __attribute__((format(printf, 2, 0)));

#endif
