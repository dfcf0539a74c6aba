/** @file requests.h
 *  Private to traces/: the open requests of one rank, found by the key that SMPI's traces name
 *  them by: (source, destination, tag), first posted first.  Follows RequestStorage and the Wait,
 *  Test and WaitAll actions of src/smpi/internals/smpi_replay.cpp (SimGrid 3.32).
 *
 *  A test that succeeds leaves a mark in its key's queue, which the next wait or test of that key
 *  takes in place of a request; a mark that a test takes becomes a credit, so that a wait that
 *  comes after all still finds something.
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
  struct request_queue *queue; /**< one a key, in the order of their first use; NULL: none */
  uint32_t queues;
  size_t queue_room;
  struct index index;             /**< queues by key */
  uint32_t busy_first, busy_last; /**< list of the queues that are not empty */
  struct request_slot *slot;      /**< by handle */
  size_t slot_room;
  uint32_t slots; /**< handles ever used */
  uint32_t free;  /**< first free handle, or REQUESTS_NONE */
  uint32_t open;  /**< pending requests, without marks and unkeyed handles */
};

#define REQUESTS_NONE UINT32_MAX

void requests_init(struct requests *r);
void requests_clear(struct requests *r);

/** A handle that no key names, for a collective's messages. */
enum status requests_handle(struct requests *r, uint32_t *handle, struct err *e);
void requests_release(struct requests *r, uint32_t handle);

/** A handle at the end of its key's queue. */
enum status requests_post(struct requests *r, struct request_key key, uint32_t *handle,
                          struct err *e);

enum requests_found { REQUESTS_HANDLE, REQUESTS_MARK, REQUESTS_UNKNOWN };

/** What a wait finds: the handle, which leaves its queue but is released by the caller; a mark or
 *  credit, used up; or nothing: the key's requests, if it ever had any, have been waited for. */
enum requests_found requests_wait(struct requests *r, struct request_key key, uint32_t *handle);

/** What a test finds; the handle stays, at the end of its queue.  A mark also stands for nothing at
 *  all: the traced program may have had to test more often than ours. */
enum requests_found requests_test(struct requests *r, struct request_key key, uint32_t *handle);

/** The request was completed by a test: leaves a mark in its place, which keeps the handle until a
 *  wait, a test or a drain takes it. */
void requests_tested(struct requests *r, uint32_t handle);

/** Takes one request out of its queue, wherever it stands, and releases it (waitAny). */
void requests_remove(struct requests *r, uint32_t handle);

/** Writes the pending handles to @p out (room for r->open). */
void requests_list(const struct requests *r, uint32_t *out);

/** Empties all queues, as waitall does; the handles are released by the caller.  If the traced
 *  program's waitall was for fewer requests (@p partial), the later waits find credits. */
void requests_drain(struct requests *r, bool partial);

#endif
