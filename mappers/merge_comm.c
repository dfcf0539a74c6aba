#include "mappers/merge_comm.h"

#include <stdlib.h>

#include "common/mem.h"

void merge_comm_clear(struct merge_comm *c)
{
  free(c->row);
  free(c->peer);
  free(c->bytes);
  *c = (struct merge_comm){.groups = 0};
}

/* Rows whose lengths + 1 are in row[1..] become offsets, and get their room. */
static enum status make_rows(struct merge_comm *c, struct err *e)
{
  for (uint32_t g = 0; g < c->groups; g++)
    c->row[g + 1] += c->row[g];
  c->peer = mem_array(c->row[c->groups], sizeof *c->peer, e);
  c->bytes = c->peer == NULL ? NULL : mem_array(c->row[c->groups], sizeof *c->bytes, e);
  return c->bytes == NULL ? FAIL : OK;
}

/* Adds up the entries of a row that name the same peer.  where[peer] is one past the place of its
 * first entry; it is in this row if it lies behind the row's start. */
static void unite_peers(struct merge_comm *c, size_t *where)
{
  size_t out = 0, from = 0;
  for (uint32_t g = 0; g < c->groups; g++) {
    const size_t to = c->row[g + 1], start = out;
    for (; from < to; from++) {
      size_t *place = &where[c->peer[from]];
      if (*place > start) {
        c->bytes[*place - 1] += c->bytes[from];
        continue;
      }
      c->peer[out] = c->peer[from];
      c->bytes[out] = c->bytes[from];
      *place = ++out;
    }
    c->row[g + 1] = out;
  }
}

/* The rows have been filled by moving their starts to their ends. */
static void restore_starts(struct merge_comm *c)
{
  for (uint32_t g = c->groups; g > 0; g--)
    c->row[g] = c->row[g - 1];
  c->row[0] = 0;
}

static enum status finish(struct merge_comm *c, struct err *e)
{
  restore_starts(c);
  size_t *where = mem_array(c->groups, sizeof *where, e);
  if (where == NULL)
    return FAIL;
  unite_peers(c, where);
  free(where);
  const size_t n = c->row[c->groups] == 0 ? 1 : c->row[c->groups];
  uint32_t *peer = realloc(c->peer, n * sizeof *peer);
  uint64_t *bytes = realloc(c->bytes, n * sizeof *bytes);
  c->peer = peer == NULL ? c->peer : peer; /* shrinking, it may stay as it was */
  c->bytes = bytes == NULL ? c->bytes : bytes;
  return OK;
}

static void put(struct merge_comm *c, uint32_t a, uint32_t b, uint64_t bytes)
{
  const size_t place = c->row[a < b ? a : b]++;
  c->peer[place] = a < b ? b : a;
  c->bytes[place] = bytes;
}

static enum status fill_from_matrix(struct merge_comm *c, const struct matrix *m, struct err *e)
{
  for (size_t i = 0; i < m->count; i++) {
    const struct matrix_entry *x = &m->entry[i];
    if (x->src != x->dst && x->bytes > 0)
      c->row[(x->src < x->dst ? x->src : x->dst) + 1]++;
  }
  if (make_rows(c, e) != OK)
    return FAIL;
  for (size_t i = 0; i < m->count; i++) {
    const struct matrix_entry *x = &m->entry[i];
    if (x->src != x->dst && x->bytes > 0)
      put(c, x->src, x->dst, x->bytes);
  }
  return finish(c, e);
}

enum status merge_comm_new(struct merge_comm *c, uint32_t tasks, const struct matrix *m,
                           struct err *e)
{
  struct merge_comm made = {.groups = tasks};
  made.row = mem_array((size_t)tasks + 1, sizeof *made.row, e);
  if (made.row == NULL || fill_from_matrix(&made, m, e) != OK) {
    merge_comm_clear(&made);
    return FAIL;
  }
  *c = made;
  return OK;
}

static enum status fill_from_groups(struct merge_comm *c, const struct merge_comm *old,
                                    const uint32_t *parent, struct err *e)
{
  for (uint32_t g = 0; g < old->groups; g++)
    for (size_t i = old->row[g]; i < old->row[g + 1]; i++) {
      const uint32_t a = parent[g], b = parent[old->peer[i]];
      if (a != b)
        c->row[(a < b ? a : b) + 1]++;
    }
  if (make_rows(c, e) != OK)
    return FAIL;
  for (uint32_t g = 0; g < old->groups; g++)
    for (size_t i = old->row[g]; i < old->row[g + 1]; i++)
      if (parent[g] != parent[old->peer[i]])
        put(c, parent[g], parent[old->peer[i]], old->bytes[i]);
  return finish(c, e);
}

enum status merge_comm_contract(struct merge_comm *c, const uint32_t *parent, uint32_t groups,
                                struct err *e)
{
  struct merge_comm made = {.groups = groups};
  made.row = mem_array((size_t)groups + 1, sizeof *made.row, e);
  if (made.row == NULL || fill_from_groups(&made, c, parent, e) != OK) {
    merge_comm_clear(&made);
    return FAIL;
  }
  merge_comm_clear(c);
  *c = made;
  return OK;
}
