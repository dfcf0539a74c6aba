/** @file waiting.h
 *  Which elements still wait for producers, while elements are done one by one: in all, steps
 *  linear in elements and ends.
 */
#ifndef TASKS_TIMING_WAITING_H
#define TASKS_TIMING_WAITING_H

#include <stdbool.h>
#include <stdint.h>

#include "common/err.h"
#include "tasks/tasknet.h"

/** Owned: waiting_clear(). */
struct waiting {
  const struct tasknet *n;
  uint32_t *left;  /**< by lane: producers that are not done */
  uint32_t *waits; /**< by element: its lanes that have such producers, and what the caller adds */
};

/** Called when an element waits for nothing any more. */
typedef void waiting_released(void *data, uint32_t element);

enum status waiting_new(struct waiting *p, const struct tasknet *n, struct err *e);

void waiting_clear(struct waiting *p);

/** An element is done. */
void waiting_done(struct waiting *p, uint32_t element, waiting_released *released, void *data);

/** One of the things that an element waits for is there. */
static inline void waiting_release(struct waiting *p, uint32_t element, waiting_released *released,
                                   void *data)
{
  if (--p->waits[element] == 0)
    released(data, element);
}

#endif
