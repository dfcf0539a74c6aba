/** @file mem.h
 *  Allocation whose size cannot overflow and whose failure is reported, not ignored.
 */
#ifndef COMMON_MEM_H
#define COMMON_MEM_H

#include <stddef.h>
#include <stdint.h>

#include "common/err.h"

/** To be called once, before a program allocates much: has the heap grow in large steps, the first
 *  one in huge pages where the system has them.  Many small arrays that are walked through in turn
 *  cost mostly page faults and misses of the TLB. */
void mem_prepare_heap(void);

/** Zeroed room for @p count elements of @p size bytes; NULL with @p e filled on failure.
 *  A count of 0 gives a valid pointer.  Free with free(). */
void *mem_array(size_t count, size_t size, struct err *e);

/** Makes @p array, a pointer variable (NULL or from here), hold at least @p need elements by
 *  doubling; @p room, a size_t variable, says how many it holds and is updated.  The new elements
 * are not initialised.  Gives an enum status; on failure both are untouched. */
#define MEM_GROW(array, room, need, e)                                                             \
  ((size_t)(need) <= (room) ? OK : mem_enlarge(&(array), &(room), (need), sizeof *(array), (e)))

/** MEM_GROW() of an array that is too small; @p array is the address of the pointer. */
enum status mem_enlarge(void *array, size_t *room, size_t need, size_t size, struct err *e);

/** Refuses @p count elements of @p size bytes that, with what the process has already, would take
 *  more than three quarters of the memory that it may use (machine.h); anything below 256 MiB
 * passes. mem_array() and MEM_GROW() ask; what is made of many small parts asks before it begins.
 */
enum status mem_fits(uint64_t count, size_t size, struct err *e);

/** A copy of @p text; NULL with @p e filled on failure. */
char *mem_strdup(const char *text, struct err *e);

#endif
