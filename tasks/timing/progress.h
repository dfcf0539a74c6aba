/** @file progress.h
 *  Which elements still wait for producers, while elements are done one by one: in all, steps
 * linear in elements and ends.
 */
#ifndef TASKS_TIMING_PROGRESS_H
#define TASKS_TIMING_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "common/err.h"
#include "tasks/tasknet.h"

/** Owned: progress_clear(). */
struct progress {
  const struct tasknet *n;
  uint32_t *left;  /**< by lane: producers that are not done */
  uint32_t *waits; /**< by element: its lanes that have such producers, and what the caller adds */
};

/** Called when an element waits for nothing any more. */
typedef void progress_released(void *data, uint32_t element);

enum status progress_new(struct progress *p, const struct tasknet *n, struct err *e);

void progress_clear(struct progress *p);

/** An element is done. */
void progress_done(struct progress *p, uint32_t element, progress_released *released, void *data);

/** One of the things that an element waits for is there. */
static inline void progress_release(struct progress *p, uint32_t element,
                                    progress_released *released, void *data)
{
  if (--p->waits[element] == 0)
    released(data, element);
}

#endif
