#include "traces/comm.h"

#include <inttypes.h>
#include <stdlib.h>

#include "common/containers/search.h"
#include "common/mem.h"

/* --- lists --------------------------------------------------------------------------------- */

static enum status push_run(struct comm_list *l, int64_t first, struct err *e)
{
  if (MEM_GROW(l->run, l->room, (size_t)l->runs + 1, e) != OK)
    return FAIL;
  l->run[l->runs++] = (struct comm_run){.first = first, .count = 1, .before = l->size};
  return OK;
}

/* Appends one member to the last run if the stride fits, or as a new run. */
static enum status push_member(struct comm_list *l, int64_t rank, struct err *e)
{
  struct comm_run *last = l->runs == 0 ? NULL : &l->run[l->runs - 1];
  const bool second = last != NULL && last->count == 1;
  if (second)
    last->stride = rank - last->first;
  if (second || (last != NULL && rank == last->first + last->stride * last->count))
    last->count++;
  else if (push_run(l, rank, e) != OK)
    return FAIL;
  l->size++;
  return OK;
}

enum status comm_list_add(struct comm_list *l, uint32_t ranks, const struct comm_run *run,
                          struct err *e)
{
  if (run->count > ranks - l->size)
    return err_set(e, "more members than the %" PRIu32 " ranks of the trace", ranks);
  const int64_t last = run->first + run->stride * ((int64_t)run->count - 1);
  if (run->first < 0 || run->first >= ranks || last < 0 || last >= ranks)
    return err_set(e, "member %" PRId64 " is not one of the %" PRIu32 " ranks",
                   run->first < 0 || run->first >= ranks ? run->first : last, ranks);
  /* After at most three members the last run has the stride of *run; the others extend its
   * count. */
  uint32_t done = 0;
  for (; done < run->count && done < 3; done++)
    if (push_member(l, run->first + run->stride * done, e) != OK)
      return FAIL;
  if (done < run->count) {
    l->run[l->runs - 1].count += run->count - done;
    l->size += run->count - done;
  }
  return OK;
}

void comm_list_clear(struct comm_list *l)
{
  free(l->run);
  *l = (struct comm_list){0};
}

static bool same_members(const struct comm_list *a, const struct comm_list *b)
{
  if (a->runs != b->runs || a->size != b->size)
    return false;
  for (uint32_t i = 0; i < a->runs; i++) {
    const struct comm_run *x = &a->run[i], *y = &b->run[i];
    if (x->first != y->first || x->stride != y->stride || x->count != y->count)
      return false;
  }
  return true;
}

/* Marks the members of a run.  Returns the first member that was marked already, or -1. */
static int64_t mark_run(bool *seen, const struct comm_run *run)
{
  for (uint32_t i = 0; i < run->count; i++) {
    const int64_t rank = run->first + run->stride * i;
    if (seen[rank])
      return rank;
    seen[rank] = true;
  }
  return -1;
}

static enum status check_distinct(const struct comm_list *l, uint32_t ranks, struct err *e)
{
  if (l->runs == 1 && (l->size == 1 || l->run[0].stride != 0))
    return OK;
  OWNED bool *seen = mem_array(ranks, sizeof *seen, e);
  if (seen == NULL)
    return FAIL;
  int64_t twice = -1;
  for (uint32_t i = 0; twice < 0 && i < l->runs; i++)
    twice = mark_run(seen, &l->run[i]);
  return twice < 0 ? OK : err_set(e, "rank %" PRId64 " is a member twice", twice);
}

/* --- the table ----------------------------------------------------------------------------- */

static bool same(const void *comms, uint32_t number, const void *id)
{
  return ((struct comm *const *)comms)[number]->id == *(const uint64_t *)id;
}

static uint64_t hash(const void *comms, uint32_t number)
{
  return index_mix(((struct comm *const *)comms)[number]->id);
}

const struct comm *comm_by_id(const struct comm_table *t, uint64_t id)
{
  const uint32_t i = index_find(&t->by_id, index_mix(id), same, t->comm, &id);
  return i == INDEX_NONE ? NULL : t->comm[i];
}

enum status comm_define(struct comm_table *t, uint64_t id, uint32_t ranks, struct comm_list *l,
                        const struct comm **out, struct err *e)
{
  const struct comm *known = comm_by_id(t, id);
  if (known != NULL && !same_members(&known->members, l))
    return err_set(e, "another rank gives communicator %" PRIu64 " other members", id);
  if (known != NULL) {
    comm_list_clear(l);
    *out = known;
    return OK;
  }
  if (l->size == 0)
    return err_set(e, "communicator %" PRIu64 " has no members", id);
  if (t->count == COMM_INDEX_MAX)
    return err_set(e, "more than %d communicators", COMM_INDEX_MAX);
  if (check_distinct(l, ranks, e) != OK ||
      MEM_GROW(t->comm, t->room, (size_t)t->count + 1, e) != OK ||
      index_reserve(&t->by_id, t->count, hash, t->comm, e) != OK)
    return FAIL;
  struct comm *c = mem_array(1, sizeof *c, e);
  if (c == NULL)
    return FAIL;
  *c = (struct comm){.id = id, .index = t->count + 1, .members = *l};
  *l = (struct comm_list){0};
  index_add(&t->by_id, index_mix(id), t->count);
  t->comm[t->count++] = c;
  *out = c;
  return OK;
}

void comm_table_clear(struct comm_table *t)
{
  for (uint32_t i = 0; i < t->count; i++) {
    comm_list_clear(&t->comm[i]->members);
    free(t->comm[i]);
  }
  free(t->comm);
  index_clear(&t->by_id);
  *t = (struct comm_table){0};
}

/* --- members ------------------------------------------------------------------------------- */

struct member {
  const struct comm_run *run;
  uint32_t number;
};

static bool begins_by(const void *key, size_t i)
{
  const struct member *m = key;
  return m->run[i].before <= m->number;
}

uint32_t comm_world_rank(const struct comm *c, uint32_t i)
{
  if (c == NULL)
    return i;
  const struct member key = {c->members.run, i};
  const struct comm_run *run = &c->members.run[search(0, c->members.runs, begins_by, &key) - 1];
  return (uint32_t)(run->first + run->stride * (i - run->before));
}

bool comm_member(const struct comm *c, uint32_t world, uint32_t *i)
{
  if (c == NULL) {
    *i = world;
    return true;
  }
  for (uint32_t r = 0; r < c->members.runs; r++) {
    const struct comm_run *run = &c->members.run[r];
    const int64_t off = (int64_t)world - run->first;
    const int64_t k = run->count == 1 || run->stride == 0 ? 0 : off / run->stride;
    if (run->first + run->stride * k != world || k < 0 || k >= run->count)
      continue;
    *i = run->before + (uint32_t)k;
    return true;
  }
  return false;
}
