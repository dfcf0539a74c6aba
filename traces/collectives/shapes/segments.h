/** @file segments.h
 *  Private to traces/: messages cut into segments, for pipelines.
 */
#pragma once

#include <stdint.h>

/** Elements of @p size bytes in a segment of about @p limit bytes, rounded as in Open MPI.  Returns
 *  @p count if all elements fit in a segment, or if an element is too large for one. */
uint64_t segments_elements(uint64_t limit, uint64_t size, uint64_t count);

/** Elements of @p size bytes in a segment of 8 KiB, as in SMPI's older algorithms; at least 1. */
static inline uint64_t segments_short(uint64_t size)
{
  return size == 0 || size > 8192 ? 1 : 8192 / size;
}

/** Number of segments of @p each elements; 0 if there are no elements to send. */
static inline uint64_t segments_number(uint64_t count, uint64_t each)
{
  return count == 0 ? 0 : (count + each - 1) / each;
}

/** Elements of segment @p i of @p count elements: @p each, or the remainder in the last segment. */
static inline uint64_t segments_at(uint64_t count, uint64_t each, uint64_t i)
{
  const uint64_t before = i * each;
  return count - before < each ? count - before : each;
}
