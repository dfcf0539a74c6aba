#include "traces/program/pending.h"

#include <inttypes.h>
#include <stdlib.h>

#include "common/mem.h"
#include "traces/comm.h"

void pending_init(struct pending *p)
{
  *p = (struct pending){.last = OP_EXEC};
  requests_init(&p->requests);
}

void pending_clear(struct pending *p)
{
  requests_clear(&p->requests);
  free(p->open);
}

enum status pending_open(struct pending *p, uint32_t handle, struct err *e)
{
  if (MEM_GROW(p->open, p->open_room, (size_t)p->opens + 1, e) != OK)
    return FAIL;
  p->open[p->opens++] = handle;
  return OK;
}

static void release_open(struct pending *p)
{
  for (uint32_t i = 0; i < p->opens; i++)
    requests_release(&p->requests, p->open[i]);
  p->opens = 0;
}

void pending_settle(struct pending *p)
{
  if (p->last == OP_EXEC)
    return;
  if (p->last == OP_WAIT)
    requests_release(&p->requests, p->last_request);
  if (p->last == OP_WAITALL)
    release_open(p);
  if (p->last == OP_WAITANY || p->last == OP_TEST)
    p->opens = 0;
  p->last = OP_EXEC;
}

/* Lists all pending requests, except collectives, in p->open. */
static enum status list_pending(struct pending *p, struct err *e)
{
  if (MEM_GROW(p->open, p->open_room, p->requests.open, e) != OK)
    return FAIL;
  p->opens = p->requests.open;
  requests_list(&p->requests, p->open);
  return OK;
}

/* Appends the messages of a collective to p->open. */
static enum status list_group(struct pending *p, uint32_t group, struct err *e)
{
  const uint32_t n = requests_members(&p->requests, group);
  if (MEM_GROW(p->open, p->open_room, (size_t)p->opens + n, e) != OK)
    return FAIL;
  if (n > 0)
    requests_list_members(&p->requests, group, p->open + p->opens);
  p->opens += n;
  return OK;
}

/* Appends the messages of a collective to p->open and frees its group, which is in no queue. */
static enum status end_group(struct pending *p, uint32_t group, struct err *e)
{
  if (list_group(p, group, e) != OK)
    return FAIL;
  p->due += requests_dissolve(&p->requests, group);
  return OK;
}

/* The operation on all handles of p->open; *ready is false if there are none. */
static struct op operation_on_open(const struct pending *p, enum op_kind kind, bool *ready)
{
  *ready = p->opens > 0;
  return (struct op){
      .kind = kind, .request = OP_NO_REQUEST, .requests = p->open, .nrequests = p->opens};
}

/* Ends up to @p most collectives named @p name, or any (REQUESTS_ANY). */
static enum status end_groups(struct pending *p, int64_t most, int32_t name, struct err *e)
{
  uint32_t group;
  while (most-- > 0 && (group = requests_first_group(&p->requests, name)) != REQUESTS_NONE) {
    requests_remove(&p->requests, group);
    if (end_group(p, group, e) != OK)
      return FAIL;
  }
  return OK;
}

enum status pending_wait_all(struct pending *p, int64_t count, struct op *op, bool *ready,
                             struct err *e)
{
  const int64_t open = p->requests.open;
  if (list_pending(p, e) != OK)
    return FAIL;
  requests_drain(&p->requests, count >= 0 && count < open);
  if (end_groups(p, count < 0 ? INT64_MAX : count - open, 0, e) != OK)
    return FAIL;
  *op = operation_on_open(p, OP_WAITALL, ready);
  return OK;
}

enum status pending_wait_rest(struct pending *p, struct op *op, bool *ready, struct err *e)
{
  if (list_pending(p, e) != OK)
    return FAIL;
  requests_drain(&p->requests, false);
  if (end_groups(p, INT64_MAX, REQUESTS_ANY, e) != OK)
    return FAIL;
  *op = operation_on_open(p, OP_WAITALL, ready);
  return OK;
}

/* Makes a WAITALL of one collective.  Its group is in no queue. */
static enum status wait_for_group(struct pending *p, uint32_t group, struct op *op, bool *ready,
                                  struct err *e)
{
  p->opens = 0;
  const enum status st = end_group(p, group, e);
  *op = operation_on_open(p, OP_WAITALL, ready);
  return st;
}

/* If collectives are among the requests, waits for one of them, as in SMPI. */
enum status pending_wait_any(struct pending *p, int64_t count, struct op *op, bool *ready,
                             struct err *e)
{
  const bool may_be_group = count < 0 || count > (int64_t)p->requests.open;
  const uint32_t group = may_be_group ? requests_first_group(&p->requests, 0) : REQUESTS_NONE;
  if (group == REQUESTS_NONE) {
    const enum status st = list_pending(p, e);
    *op = operation_on_open(p, OP_WAITANY, ready);
    return st;
  }
  requests_remove_any(&p->requests, group);
  return wait_for_group(p, group, op, ready, e);
}

/* Makes a TEST of one collective, even of one without messages: a test takes time. */
static enum status test_group(struct pending *p, uint32_t group, struct op *op, bool *ready,
                              struct err *e)
{
  p->opens = 0;
  const enum status st = list_group(p, group, e);
  *op = operation_on_open(p, OP_TEST, ready);
  *ready = true;
  p->last_request = group;
  return st;
}

static struct request_key key_of_collective(int32_t name, int32_t tag)
{
  return (struct request_key){ACTION_COLLECTIVE, name, tag, 0};
}

enum status pending_begin(struct pending *p, const struct action *a, uint32_t *group, struct err *e)
{
  const struct request_key key = key_of_collective(a->name, action_request_tag(a->kind));
  return requests_post_group(&p->requests, &key, a->amount, group, e);
}

static enum status unknown_request(const struct action *a, struct err *e)
{
  if (a->source == ACTION_COLLECTIVE)
    return err_set(e, "%s for a collective that was never begun: tag %" PRId32 ", request %" PRId32,
                   action_name(a->kind), a->tag, a->name);
  return err_set(
      e, "%s for a request that was never posted: from %" PRId32 " to %" PRId32 ", tag %" PRId32,
      action_name(a->kind), a->source, a->partner, a->tag);
}

static struct request_key key_of(const struct action *a)
{
  if (a->source == ACTION_COLLECTIVE)
    return key_of_collective(a->name, a->tag);
  return (struct request_key){a->source, a->partner, a->tag, comm_index(a->comm)};
}

static enum requests_found find_once(struct pending *p, bool test, const struct request_key *key,
                                     uint32_t *handle)
{
  if (!test)
    return requests_wait(&p->requests, key, handle);
  return requests_pending(&p->requests, key) ? requests_test(&p->requests, key, handle)
                                             : REQUESTS_UNKNOWN;
}

/* Resolves a wait or test.  A wait may name the source of a receive that was posted for any source,
 * because the line of a Start has no source.  A test of a request that does not exist succeeds at
 * once. */
static enum requests_found find_request(struct pending *p, bool test, struct request_key key,
                                        uint32_t *handle)
{
  enum requests_found found;
  while ((found = find_once(p, test, &key, handle)) == REQUESTS_UNKNOWN && key.src >= 0)
    key.src = ACTION_ANY_SOURCE;
  return found == REQUESTS_UNKNOWN && test ? REQUESTS_MARK : found;
}

enum status pending_find(struct pending *p, const struct action *a, struct op *op, bool *ready,
                         struct err *e)
{
  const bool test = a->kind == ACTION_TEST;
  uint32_t handle;
  switch (find_request(p, test, key_of(a), &handle)) {
  case REQUESTS_HANDLE:
    *op = (struct op){.kind = test ? OP_TEST : OP_WAIT, .request = handle};
    *ready = true;
    return OK;
  case REQUESTS_GROUP:
    return test ? test_group(p, handle, op, ready, e) : wait_for_group(p, handle, op, ready, e);
  case REQUESTS_MARK:
    return OK;
  default:
    return unknown_request(a, e);
  }
}

void pending_given(struct pending *p, const struct op *op)
{
  if (op->kind < OP_WAIT)
    return;
  p->last = op->kind;
  if (op->kind == OP_WAIT)
    p->last_request = op->request;
}

void pending_completed(struct pending *p, uint32_t request)
{
  if (p->last == OP_TEST && request == OP_NO_REQUEST) {
    p->due += requests_tested_group(&p->requests, p->last_request);
    release_open(p);
  } else if (p->last == OP_TEST) {
    requests_tested(&p->requests, request);
  } else {
    requests_remove_any(&p->requests, request);
    requests_release(&p->requests, request);
  }
  pending_settle(p);
}
