#include "traces/program/requests.h"

#include <stdlib.h>

#include "common/mem.h"

struct request_slot {
  uint32_t next;  /* in its queue, its group, or the free list */
  uint32_t queue; /* index of its queue; REQUESTS_NONE: the handle has no key */
  uint32_t group; /* index of the group that the handle stands for; REQUESTS_NONE: a message */
  bool mark;
};

/* The slots of its members are linked by `next'. */
struct request_group {
  uint32_t first, last; /* slots; first: also the next group in the free list */
  uint32_t members;
  double flops;
};

struct request_queue {
  struct request_key key;
  uint32_t first, last; /* slots */
  uint32_t prev, next;  /* in the list of nonempty queues */
  uint32_t credits;
};

void requests_init(struct requests *r)
{
  *r = (struct requests){.busy_first = REQUESTS_NONE,
                         .busy_last = REQUESTS_NONE,
                         .free = REQUESTS_NONE,
                         .free_group = REQUESTS_NONE};
}

void requests_clear(struct requests *r)
{
  free(r->queue);
  index_clear(&r->index);
  free(r->slot);
  free(r->group);
  requests_init(r);
}

enum status requests_handle(struct requests *r, uint32_t *handle, struct err *e)
{
  uint32_t h = r->free;
  if (h == REQUESTS_NONE) {
    if (MEM_GROW(r->slot, r->slot_room, (size_t)r->slots + 1, e) != OK)
      return FAIL;
    h = r->slots++;
  } else {
    r->free = r->slot[h].next;
  }
  r->slot[h] = (struct request_slot){REQUESTS_NONE, REQUESTS_NONE, REQUESTS_NONE, false};
  *handle = h;
  return OK;
}

void requests_release(struct requests *r, uint32_t handle)
{
  r->slot[handle].next = r->free;
  r->free = handle;
}

static bool same(const void *queues, uint32_t number, const void *key)
{
  const struct request_key *a = &((const struct request_queue *)queues)[number].key, *b = key;
  return a->src == b->src && a->dst == b->dst && a->tag == b->tag && a->comm == b->comm;
}

static uint64_t hash_key(const struct request_key *key)
{
  const uint64_t ends = (uint64_t)(uint32_t)key->src << 32 | (uint32_t)key->dst;
  return index_mix(index_mix(ends) ^ ((uint64_t)key->comm << 32 | (uint32_t)key->tag));
}

static uint64_t hash(const void *queues, uint32_t number)
{
  return hash_key(&((const struct request_queue *)queues)[number].key);
}

static uint32_t number_of(const struct requests *r, const struct request_key *key)
{
  return index_find(&r->index, hash_key(key), same, r->queue, key);
}

static void link_busy(struct requests *r, uint32_t queue)
{
  r->queue[queue].prev = r->busy_last;
  r->queue[queue].next = REQUESTS_NONE;
  if (r->busy_last == REQUESTS_NONE)
    r->busy_first = queue;
  else
    r->queue[r->busy_last].next = queue;
  r->busy_last = queue;
}

static void unlink_busy(struct requests *r, uint32_t queue)
{
  const uint32_t prev = r->queue[queue].prev, next = r->queue[queue].next;
  if (prev == REQUESTS_NONE)
    r->busy_first = next;
  else
    r->queue[prev].next = next;
  if (next == REQUESTS_NONE)
    r->busy_last = prev;
  else
    r->queue[next].prev = prev;
}

/* True for a key without requests, marks and credits.  Programs that never reuse a tag leave many
 * of them. */
static bool is_dead(const struct request_queue *q)
{
  return q->first == REQUESTS_NONE && q->credits == 0;
}

/* Updates slots and the list of nonempty queues after queues have moved; @p old is the array
 * before. */
static void update_links(struct requests *r, const struct request_queue *old)
{
  for (uint32_t q = 0; q < r->queues; q++)
    for (uint32_t s = r->queue[q].first; s != REQUESTS_NONE; s = r->slot[s].next)
      r->slot[s].queue = q;
  uint32_t busy = r->busy_first;
  r->busy_first = r->busy_last = REQUESTS_NONE;
  for (; busy != REQUESTS_NONE; busy = old[busy].next)
    link_busy(r, number_of(r, &old[busy].key));
}

/* Makes room for one more key: drops the dead keys, and doubles the array if at least half are
 * live. */
static enum status grow(struct requests *r, struct err *e)
{
  if (r->queues < r->queue_room)
    return OK;
  uint32_t live = 0;
  for (uint32_t i = 0; i < r->queues; i++)
    live += !is_dead(&r->queue[i]);
  const size_t room = r->queues == 0 ? 8 : live * 2 < r->queues ? r->queues : (size_t)r->queues * 2;
  struct request_queue *old = r->queue, *queue = mem_array(room, sizeof *queue, e);
  if (queue == NULL)
    return FAIL;
  live = 0;
  for (uint32_t i = 0; i < r->queues; i++)
    if (!is_dead(&old[i]))
      queue[live++] = old[i];
  if (index_build(&r->index, live, room, hash, queue, e) != OK) {
    free(queue);
    return FAIL;
  }
  r->queue = queue;
  r->queues = live;
  r->queue_room = room;
  update_links(r, old);
  free(old);
  return OK;
}

static void append(struct requests *r, uint32_t queue, uint32_t slot)
{
  struct request_queue *q = &r->queue[queue];
  r->slot[slot].queue = queue;
  r->slot[slot].next = REQUESTS_NONE;
  if (q->first == REQUESTS_NONE) {
    q->first = slot;
    link_busy(r, queue);
  } else {
    r->slot[q->last].next = slot;
  }
  q->last = slot;
}

/* Unlinks @p slot from its queue; queues are short. */
static void unlink_slot(struct requests *r, uint32_t slot)
{
  struct request_queue *q = &r->queue[r->slot[slot].queue];
  uint32_t before = REQUESTS_NONE;
  for (uint32_t s = q->first; s != slot; s = r->slot[s].next)
    before = s;
  if (before == REQUESTS_NONE)
    q->first = r->slot[slot].next;
  else
    r->slot[before].next = r->slot[slot].next;
  if (q->last == slot)
    q->last = before;
  if (q->first == REQUESTS_NONE)
    unlink_busy(r, r->slot[slot].queue);
}

static struct request_queue *find(struct requests *r, const struct request_key *key)
{
  const uint32_t at = number_of(r, key);
  return at == INDEX_NONE ? NULL : &r->queue[at];
}

static struct request_queue *add_key(struct requests *r, const struct request_key *key,
                                     struct err *e)
{
  if (grow(r, e) != OK)
    return NULL;
  struct request_queue *q = &r->queue[r->queues];
  index_add(&r->index, hash_key(key), r->queues++);
  *q = (struct request_queue){.key = *key, .first = REQUESTS_NONE, .last = REQUESTS_NONE};
  return q;
}

static bool is_group(const struct requests *r, uint32_t slot)
{
  return r->slot[slot].group != REQUESTS_NONE;
}

static enum status add_slot(struct requests *r, const struct request_key *key, uint32_t *handle,
                            struct err *e)
{
  struct request_queue *q = find(r, key);
  uint32_t h;
  if (q == NULL)
    q = add_key(r, key, e);
  if (q == NULL || requests_handle(r, &h, e) != OK)
    return FAIL;
  append(r, (uint32_t)(q - r->queue), h);
  *handle = h;
  return OK;
}

enum status requests_post(struct requests *r, const struct request_key *key, uint32_t *handle,
                          struct err *e)
{
  if (add_slot(r, key, handle, e) != OK)
    return FAIL;
  r->open++;
  return OK;
}

/* --- groups ---------------------------------------------------------------------------------- */

static enum status new_group(struct requests *r, uint32_t *group, struct err *e)
{
  *group = r->free_group;
  if (*group != REQUESTS_NONE) {
    r->free_group = r->group[*group].first;
    return OK;
  }
  if (MEM_GROW(r->group, r->group_room, (size_t)r->groups + 1, e) != OK)
    return FAIL;
  *group = r->groups++;
  return OK;
}

enum status requests_post_group(struct requests *r, const struct request_key *key, double flops,
                                uint32_t *handle, struct err *e)
{
  uint32_t group;
  if (new_group(r, &group, e) != OK)
    return FAIL;
  r->group[group] = (struct request_group){REQUESTS_NONE, REQUESTS_NONE, 0, flops};
  if (add_slot(r, key, handle, e) != OK)
    return FAIL;
  r->slot[*handle].group = group;
  return OK;
}

enum status requests_join(struct requests *r, uint32_t group, uint32_t *handle, struct err *e)
{
  if (requests_handle(r, handle, e) != OK)
    return FAIL;
  struct request_group *g = &r->group[r->slot[group].group];
  if (g->members++ == 0)
    g->first = *handle;
  else
    r->slot[g->last].next = *handle;
  g->last = *handle;
  return OK;
}

uint32_t requests_members(const struct requests *r, uint32_t handle)
{
  return r->group[r->slot[handle].group].members;
}

void requests_list_members(const struct requests *r, uint32_t handle, uint32_t *out)
{
  const struct request_group *g = &r->group[r->slot[handle].group];
  for (uint32_t i = 0, s = g->first; i < g->members; i++, s = r->slot[s].next)
    out[i] = s;
}

double requests_dissolve(struct requests *r, uint32_t handle)
{
  const uint32_t group = r->slot[handle].group;
  const double flops = r->group[group].flops;
  r->group[group].first = r->free_group;
  r->free_group = group;
  requests_release(r, handle);
  return flops;
}

uint32_t requests_first_group(const struct requests *r, int32_t dst)
{
  for (uint32_t i = r->busy_first; i != REQUESTS_NONE; i = r->queue[i].next) {
    const struct request_queue *q = &r->queue[i];
    if (is_group(r, q->first) && (dst == REQUESTS_ANY || q->key.dst == dst))
      return q->first;
  }
  return REQUESTS_NONE;
}

/* --- waits and tests ------------------------------------------------------------------------- */

bool requests_pending(struct requests *r, const struct request_key *key)
{
  const struct request_queue *q = find(r, key);
  return q != NULL && q->first != REQUESTS_NONE;
}

enum requests_found requests_wait(struct requests *r, const struct request_key *key,
                                  uint32_t *handle)
{
  struct request_queue *q = find(r, key);
  if (q == NULL || (q->first == REQUESTS_NONE && q->credits == 0))
    return REQUESTS_UNKNOWN;
  const uint32_t s = q->first;
  if (s == REQUESTS_NONE) {
    q->credits--;
    return REQUESTS_MARK;
  }
  unlink_slot(r, s);
  if (r->slot[s].mark) {
    requests_release(r, s);
    return REQUESTS_MARK;
  }
  *handle = s;
  if (is_group(r, s))
    return REQUESTS_GROUP;
  r->open--;
  return REQUESTS_HANDLE;
}

enum requests_found requests_test(struct requests *r, const struct request_key *key,
                                  uint32_t *handle)
{
  struct request_queue *q = find(r, key);
  const uint32_t s = q == NULL ? REQUESTS_NONE : q->first;
  if (s == REQUESTS_NONE)
    return REQUESTS_MARK;
  *handle = s;
  if (is_group(r, s))
    return REQUESTS_GROUP;
  unlink_slot(r, s);
  if (r->slot[s].mark) {
    requests_release(r, s);
    q->credits++;
    return REQUESTS_MARK;
  }
  append(r, r->slot[s].queue, s);
  return REQUESTS_HANDLE;
}

void requests_tested(struct requests *r, uint32_t handle)
{
  r->slot[handle].mark = true;
  r->open--;
}

double requests_tested_group(struct requests *r, uint32_t handle)
{
  requests_remove_any(r, handle);
  return requests_dissolve(r, handle);
}

void requests_remove(struct requests *r, uint32_t handle)
{
  unlink_slot(r, handle);
  r->open -= !is_group(r, handle);
}

void requests_remove_any(struct requests *r, uint32_t handle)
{
  r->queue[r->slot[handle].queue].credits++;
  requests_remove(r, handle);
}

void requests_list(const struct requests *r, uint32_t *out)
{
  for (uint32_t q = r->busy_first; q != REQUESTS_NONE; q = r->queue[q].next)
    for (uint32_t s = r->queue[q].first; s != REQUESTS_NONE; s = r->slot[s].next)
      if (!r->slot[s].mark && !is_group(r, s))
        *out++ = s;
}

/* Empties one queue and releases the slots of its marks. */
static void drain_queue(struct requests *r, struct request_queue *q, bool partial)
{
  for (uint32_t s = q->first; s != REQUESTS_NONE;) {
    const uint32_t next = r->slot[s].next;
    q->credits += partial;
    if (r->slot[s].mark)
      requests_release(r, s);
    s = next;
  }
  q->first = q->last = REQUESTS_NONE;
}

void requests_drain(struct requests *r, bool partial)
{
  for (uint32_t q = r->busy_first, next; q != REQUESTS_NONE; q = next) {
    next = r->queue[q].next;
    if (is_group(r, r->queue[q].first))
      continue;
    drain_queue(r, &r->queue[q], partial);
    unlink_busy(r, q);
  }
  r->open = 0;
}
