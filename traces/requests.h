/** @file requests.h
 *  Private to traces/: the pending requests of one rank.  SMPI's traces name a request by its key
 *  (source, destination, tag); each key has a queue, first posted first.  Follows RequestStorage
 *  and the Wait, Test and WaitAll actions of src/smpi/internals/smpi_replay.cpp (SimGrid 3.32).
 *
 *  A successful test leaves a mark in the queue in place of the request, and the next wait or test
 *  of the key takes it.  A mark taken by a test becomes a credit of the key for a later wait.
 */
#ifndef TRACES_REQUESTS_H
#define TRACES_REQUESTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/err.h"
#include "common/index.h"

struct request_key {
  int32_t src, dst, tag;
};

struct request_queue; /* of one key */
struct request_slot;  /* of one handle */

struct requests {
  struct request_queue *queue; /**< one a key, in order of first use; owned */
  uint32_t queues;
  size_t queue_room;
  struct index index;             /**< of queue, by key */
  uint32_t busy_first, busy_last; /**< ends of the list of queues that are not empty */
  struct request_slot *slot;      /**< by handle */
  size_t slot_room;
  uint32_t slots; /**< handles ever used */
  uint32_t free;  /**< first free handle, or REQUESTS_NONE */
  uint32_t open;  /**< pending requests; marks and handles without a key do not count */
};

#define REQUESTS_NONE UINT32_MAX

/** Makes @p r empty; to be called first. */
void requests_init(struct requests *r);

/** Frees what @p r holds and makes it empty. */
void requests_clear(struct requests *r);

/** Gives a handle without a key, for a message of a collective. */
enum status requests_handle(struct requests *r, uint32_t *handle, struct err *e);

/** Returns a handle for reuse. */
void requests_release(struct requests *r, uint32_t handle);

/** Gives a handle and appends it to the queue of @p key.  O(1) on average. */
enum status requests_post(struct requests *r, struct request_key key, uint32_t *handle,
                          struct err *e);

enum requests_found { REQUESTS_HANDLE, REQUESTS_MARK, REQUESTS_UNKNOWN };

/** Resolves a wait: REQUESTS_HANDLE takes *handle out of its queue, and the caller releases it;
 *  REQUESTS_MARK uses up a mark or a credit; REQUESTS_UNKNOWN: the key has none of these left. */
enum requests_found requests_wait(struct requests *r, struct request_key key, uint32_t *handle);

/** Resolves a test: REQUESTS_HANDLE moves *handle to the end of its queue; REQUESTS_MARK: the test
 *  succeeds at once, on a mark or because the key has no request (the traced program may test more
 *  often than the simulated one). */
enum requests_found requests_test(struct requests *r, struct request_key key, uint32_t *handle);

/** Turns a request that a test has completed into a mark, which keeps the handle until a wait, a
 *  test or a drain takes it. */
void requests_tested(struct requests *r, uint32_t handle);

/** Takes a request out of its queue, at any position, and releases it (waitAny). */
void requests_remove(struct requests *r, uint32_t handle);

/** Writes the handles of the r->open pending requests to @p out. */
void requests_list(const struct requests *r, uint32_t *out);

/** Empties all queues, as waitall does; the caller releases the pending handles.  @p partial: the
 *  traced waitall named fewer requests, so each one leaves a credit for a later wait. */
void requests_drain(struct requests *r, bool partial);

#endif
