/** @file requests.h
 *  Private to traces/: the pending requests of one rank.  SMPI's traces name a request by its key
 *  (source, destination, tag), to which haichi adds the communicator.  Requests with equal keys
 *  form a queue in the order in which they were posted.  Follows RequestStorage and the Wait, Test
 *  and WaitAll actions of src/smpi/internals/smpi_replay.cpp (SimGrid 3.32).
 *
 *  A successful test replaces the request in its queue by a mark, which the next wait or test of
 *  the key removes.  If a test removes the mark, the key gets a credit, with which a later wait
 *  succeeds.  A waitAny also leaves a credit: the traced program may have ended another request,
 *  and may wait for this one later.
 *
 *  A nonblocking collective has one request, a group.  The group's handle names no message.  The
 *  handles of its messages have no key and are the members of the group.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/containers/index.h"
#include "common/err.h"

struct request_key {
  int32_t src, dst, tag;
  uint32_t comm; /**< index of the communicator, 0: the world */
};

struct request_queue; /* of one key */
struct request_slot;  /* of one handle */
struct request_group; /* of one nonblocking collective */

struct requests {
  struct request_queue *queue; /**< one per key, in order of first use; owned */
  uint32_t queues;
  size_t queue_room;
  struct index index;             /**< of queue[], by key */
  uint32_t busy_first, busy_last; /**< ends of the list of nonempty queues */
  struct request_slot *slot;      /**< by handle; owned */
  size_t slot_room;
  uint32_t slots;              /**< number of handles ever used */
  uint32_t free;               /**< first free handle, or REQUESTS_NONE */
  uint32_t open;               /**< number of pending messages with a key; marks do not count */
  struct request_group *group; /**< owned */
  size_t group_room;
  uint32_t groups; /**< number of entries of group[] ever used */
  uint32_t free_group;
};

#define REQUESTS_NONE UINT32_MAX

/** Initialises @p r as empty.  Call first. */
void requests_init(struct requests *r);

/** Frees the memory of @p r and makes it empty. */
void requests_clear(struct requests *r);

/** Allocates a handle without a key, for a message of a collective. */
enum status requests_handle(struct requests *r, uint32_t *handle, struct err *e);

/** Returns a handle for reuse. */
void requests_release(struct requests *r, uint32_t handle);

/** Allocates a handle and appends it to the queue of @p key.  O(1) on average. */
enum status requests_post(struct requests *r, const struct request_key *key, uint32_t *handle,
                          struct err *e);

/** As requests_post(), for a group, which has no members yet.  @p flops are computed once all its
 *  messages have completed.  Groups and messages must not share a key. */
enum status requests_post_group(struct requests *r, const struct request_key *key, double flops,
                                uint32_t *handle, struct err *e);

/** Allocates a handle without a key as a member of @p group. */
enum status requests_join(struct requests *r, uint32_t group, uint32_t *handle, struct err *e);

/** Number of members of the group @p handle. */
uint32_t requests_members(const struct requests *r, uint32_t handle);

/** Writes the handles of the members of the group @p handle, in order, to @p out. */
void requests_list_members(const struct requests *r, uint32_t handle, uint32_t *out);

/** Frees the group @p handle, which must be in no queue, and returns its flops.  The caller
 *  releases the handles of its members. */
double requests_dissolve(struct requests *r, uint32_t handle);

/** Any destination. */
#define REQUESTS_ANY (-1)

/** A pending group with the destination @p dst in its key, or any group (REQUESTS_ANY);
 *  REQUESTS_NONE if there is none. */
uint32_t requests_first_group(const struct requests *r, int32_t dst);

/** True if the key has a request or a mark. */
bool requests_pending(struct requests *r, const struct request_key *key);

enum requests_found { REQUESTS_HANDLE, REQUESTS_GROUP, REQUESTS_MARK, REQUESTS_UNKNOWN };

/** Resolves a wait.  REQUESTS_HANDLE: *handle has left its queue, and the caller releases it.
 *  REQUESTS_GROUP: *handle has left its queue, and the caller dissolves it.  REQUESTS_MARK: used up
 *  a mark or a credit.  REQUESTS_UNKNOWN: the key has no request, mark or credit. */
enum requests_found requests_wait(struct requests *r, const struct request_key *key,
                                  uint32_t *handle);

/** Resolves a test.  REQUESTS_HANDLE: *handle moves to the end of its queue.  REQUESTS_GROUP:
 *  *handle keeps its place.  REQUESTS_MARK: the test succeeds at once, on a mark or because the key
 *  has no request (the traced program may test more often than the simulated one). */
enum requests_found requests_test(struct requests *r, const struct request_key *key,
                                  uint32_t *handle);

/** Turns a request that a test has completed into a mark.  The mark keeps the handle until a wait,
 *  a test or a drain takes it. */
void requests_tested(struct requests *r, uint32_t handle);

/** As requests_tested(), for a group.  Leaves a credit instead of a mark: all requests of one kind
 *  of collective share a key, and the traced program may have waited for the collective, or have
 *  tested it successfully and begun another.  Returns the group's flops.  The caller releases the
 *  handles of its members. */
double requests_tested_group(struct requests *r, uint32_t handle);

/** Removes a request from any position of its queue; the caller releases it, or dissolves it. */
void requests_remove(struct requests *r, uint32_t handle);

/** As requests_remove(), and leaves a credit, as waitAny does. */
void requests_remove_any(struct requests *r, uint32_t handle);

/** Writes the handles of the r->open pending requests to @p out. */
void requests_list(const struct requests *r, uint32_t *out);

/** Empties all queues except queues of groups, as waitall does; the caller releases the pending
 *  handles.  @p partial: the traced waitall named fewer requests than are pending, so each request
 *  leaves a credit for a later wait. */
void requests_drain(struct requests *r, bool partial);
