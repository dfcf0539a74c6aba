/** @file waiting.h
 *  Counts, for each element, the inputs that are not ready while elements finish one by one.  The
 *  total number of steps is linear in elements and ends.
 */
#pragma once

#include <stdint.h>

#include "common/err.h"
#include "tasks/tasknet.h"

/** Free with waiting_clear(). */
struct waiting {
  const struct tasknet *n;
  uint32_t *left;  /**< by lane: number of unfinished producers */
  uint32_t *waits; /**< by element: number of its lanes with unfinished producers, plus conditions
                      added by the caller */
};

/** Called with the caller's @p data for each element that waits for nothing any more. */
typedef void waiting_released(void *data, uint32_t element);

enum status waiting_new(struct waiting *p, const struct tasknet *n, struct err *e);

void waiting_clear(struct waiting *p);

/** Records that an element is finished. */
void waiting_done(struct waiting *p, uint32_t element, waiting_released *released, void *data);

/** Records that one of the lanes or conditions of an element is ready. */
static inline void waiting_release(struct waiting *p, uint32_t element, waiting_released *released,
                                   void *data)
{
  if (--p->waits[element] == 0)
    released(data, element);
}
