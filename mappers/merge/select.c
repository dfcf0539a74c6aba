#include "mappers/merge/select.h"

#include <assert.h>
#include <string.h>

#include "common/arena.h"
#include "common/containers/heap.h"

/* The best partner above a group at the last search; it may have been paired since. */
struct candidate {
  uint64_t bytes;
  uint32_t high;
};

struct selection {
  struct merge_comm *comm;
  const uint8_t *shape;
  const struct merge_step *step;
  uint32_t quota[MERGE_PLAN_MAX_SHAPES];
  uint32_t *partner; /* MERGE_SELECT_NONE: not paired */
  uint8_t *merged;   /* by lower group of a pair: the shape of the merged group */
  bool *active;      /* the group exchanges bytes with another group */
  size_t *end;       /* by group: end of the entries of its row that can still be paired */
  struct heap heap;  /* lower groups; first the one with the most bytes to its candidate */
  uint32_t *high;    /* by lower group: its candidate */
};

/* True if two groups may be paired now.  If not, they cannot be paired later in this step, since
 * free partners and quotas only decrease. */
static bool may_pair(const struct selection *s, uint32_t a, uint32_t b, uint32_t *merged)
{
  return s->partner[b] == MERGE_SELECT_NONE &&
         merge_plan_fits(s->step, s->shape[a], s->shape[b], merged) && s->quota[*merged] > 0;
}

static void pair_up(struct selection *s, uint32_t low, uint32_t high, uint32_t merged)
{
  s->quota[merged]--;
  s->partner[low] = high;
  s->partner[high] = low;
  s->merged[low] = (uint8_t)merged;
}

static void swap_entries(struct merge_comm *c, size_t a, size_t b)
{
  const uint32_t peer = c->peer[a];
  const uint64_t bytes = c->bytes[a];
  c->peer[a] = c->peer[b];
  c->bytes[a] = c->bytes[b];
  c->peer[b] = peer;
  c->bytes[b] = bytes;
}

/* Finds the partner above @p low that exchanges the most bytes with it (of equal ones the lowest)
 * and updates low in the heap.  Moves entries that can no longer be paired to the end of the
 * row. */
static void look_for_candidate(struct selection *s, uint32_t low)
{
  struct merge_comm *c = s->comm;
  struct candidate best = {0};
  for (size_t i = c->row[low]; i < s->end[low];) {
    uint32_t merged;
    const struct candidate x = {c->bytes[i], c->peer[i]};
    if (x.bytes == 0 || !may_pair(s, low, x.high, &merged)) {
      swap_entries(c, i, --s->end[low]);
      continue;
    }
    if (x.bytes > best.bytes || (x.bytes == best.bytes && x.high < best.high))
      best = x;
    i++;
  }
  s->high[low] = best.high;
  if (best.bytes > 0)
    heap_set(&s->heap, low, ~best.bytes);
  else
    heap_remove(&s->heap, low);
}

static void pair_by_bytes(struct selection *s)
{
  for (uint32_t g = 0; g < s->comm->groups; g++)
    look_for_candidate(s, g);
  while (heap_count(&s->heap) > 0) {
    const uint32_t low = heap_first(&s->heap);
    uint32_t merged;
    const bool free = s->partner[low] == MERGE_SELECT_NONE;
    if (free && !may_pair(s, low, s->high[low], &merged)) {
      look_for_candidate(s, low);
      continue;
    }
    if (free)
      pair_up(s, low, s->high[low], merged);
    heap_remove(&s->heap, low);
  }
}

/* Marks the groups that exchange bytes with any group, even one that is already paired. */
static void mark_active(struct selection *s)
{
  const struct merge_comm *c = s->comm;
  for (uint32_t g = 0; g < c->groups; g++)
    for (size_t i = c->row[g]; i < c->row[g + 1]; i++)
      if (c->bytes[i] > 0)
        s->active[g] = s->active[c->peer[i]] = true;
}

/* Moves the cursor to the next free group above @p above with this shape and this value of
 * `active`, and returns the group. */
static uint32_t next_free(const struct selection *s, uint32_t *cursor, uint32_t above,
                          uint32_t shape, bool active)
{
  while (*cursor < s->comm->groups &&
         (*cursor <= above || s->partner[*cursor] != MERGE_SELECT_NONE ||
          s->shape[*cursor] != shape || s->active[*cursor] != active))
    ++*cursor;
  return *cursor;
}

/* Pairs @p g with the lowest free group above it with this value of `active`.  Each shape has a
 * cursor. */
static void pair_with_lowest(struct selection *s, uint32_t g, bool active, uint32_t *cursor)
{
  const uint32_t axis = (uint32_t)1 << s->step->axis;
  uint32_t best = s->comm->groups, best_merged = 0;
  for (int other = 0; other < 2; other++) {
    const uint32_t shape = (s->shape[g] & ~axis) | (other == 0 ? 0 : axis);
    uint32_t merged;
    if (shape >= MERGE_PLAN_MAX_SHAPES || !merge_plan_fits(s->step, s->shape[g], shape, &merged) ||
        s->quota[merged] == 0)
      continue;
    const uint32_t found = next_free(s, &cursor[shape], g, shape, active);
    if (found < best) {
      best = found;
      best_merged = merged;
    }
  }
  if (best < s->comm->groups)
    pair_up(s, g, best, best_merged);
}

/* Pairs groups that exchange nothing with each other.  @p mixed: pairs a group that exchanges bytes
 * with other groups and one that does not; without it, two groups with equal values of `active`. */
static void pair_silent_groups(struct selection *s, bool mixed)
{
  uint32_t cursor[2][MERGE_PLAN_MAX_SHAPES] = {{0}};
  for (uint32_t g = 0; g < s->comm->groups; g++) {
    const bool active = s->active[g] != mixed; /* of its partner */
    if (s->partner[g] == MERGE_SELECT_NONE)
      pair_with_lowest(s, g, active, cursor[active]);
  }
}

static void pair_the_rest(struct selection *s)
{
  uint32_t g = 0;
  while (g < s->comm->groups && s->partner[g] != MERGE_SELECT_NONE)
    g++;
  if (g == s->comm->groups)
    return;
  mark_active(s);
  pair_silent_groups(s, true);
  pair_silent_groups(s, false);
}

static struct merge_pair make_pair(const struct selection *s, uint32_t low)
{
  const uint32_t axis = s->step->axis, high = s->partner[low];
  if (high == MERGE_SELECT_NONE) {
    assert(merge_plan_carries(s->step));
    return (struct merge_pair){low, high, s->shape[low] & ~((uint32_t)1 << axis)};
  }
  const bool swap = merge_plan_length(s->step, s->shape[high], axis) >
                    merge_plan_length(s->step, s->shape[low], axis);
  return (struct merge_pair){swap ? high : low, swap ? low : high, s->merged[low]};
}

enum status merge_select_pairs(struct merge_comm *c, const uint8_t *shape,
                               const struct merge_step *step, struct merge_pair *pair,
                               uint32_t *count, struct err *e)
{
  ARENA(mem, e);
  const uint32_t n = c->groups;
  struct selection s = {.comm = c,
                        .shape = shape,
                        .step = step,
                        .partner = arena_array(&mem, n, sizeof *s.partner),
                        .merged = arena_array(&mem, n, sizeof *s.merged),
                        .active = arena_array(&mem, n, sizeof *s.active),
                        .end = arena_array(&mem, n, sizeof *s.end),
                        .high = arena_array(&mem, n, sizeof *s.high)};
  if (arena_status(&mem) != OK || heap_reserve(&s.heap, n, e) != OK)
    return FAIL;
  memcpy(s.quota, step->quota, sizeof s.quota);
  memset(s.partner, 0xff, n * sizeof *s.partner); /* MERGE_SELECT_NONE */
  memcpy(s.end, c->row + 1, n * sizeof *s.end);
  pair_by_bytes(&s);
  pair_the_rest(&s);
  *count = 0;
  for (uint32_t g = 0; g < n; g++)
    if (s.partner[g] == MERGE_SELECT_NONE || g < s.partner[g])
      pair[(*count)++] = make_pair(&s, g);
  heap_clear(&s.heap);
  return OK;
}
