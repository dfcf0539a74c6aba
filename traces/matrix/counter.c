#include "traces/matrix/counter.h"

#include <inttypes.h>
#include <stdlib.h>

#include "common/containers/index.h"
#include "common/mem.h"

struct cell {
  uint32_t dst;
  uint64_t messages, bytes;
};

struct counter_row {
  struct cell *cell;
  size_t room;
  uint32_t used;
  struct index by_dst;
};

enum status counter_init(struct counter *c, uint32_t ranks, struct err *e)
{
  struct counter_row *row = mem_array(ranks, sizeof *row, e);
  if (row == NULL)
    return FAIL;
  *c = (struct counter){.row = row, .ranks = ranks};
  return OK;
}

void counter_clear(struct counter *c)
{
  for (uint32_t r = 0; r < c->ranks; r++) {
    free(c->row[r].cell);
    index_clear(&c->row[r].by_dst);
  }
  free(c->row);
  *c = (struct counter){.row = NULL};
}

static bool same(const void *cells, uint32_t number, const void *dst)
{
  return ((const struct cell *)cells)[number].dst == *(const uint32_t *)dst;
}

static uint64_t hash(const void *cells, uint32_t number)
{
  return index_mix(((const struct cell *)cells)[number].dst);
}

static enum status add_cell(struct counter *c, struct counter_row *row, uint32_t dst, struct err *e)
{
  const size_t room = row->room;
  if (c->pairs == MATRIX_PAIRS_MAX)
    return err_set(e, "more than %" PRIu64 " pairs of ranks exchange messages", MATRIX_PAIRS_MAX);
  /* Requires twice the size of a cell: the matrix made of the cells takes the same memory again. */
  if (row->used == room && mem_fits(c->cells + 2 * room + 8, 2 * sizeof *row->cell, e) != OK)
    return FAIL;
  if (MEM_GROW(row->cell, row->room, (size_t)row->used + 1, e) != OK ||
      index_reserve(&row->by_dst, row->used, hash, row->cell, e) != OK)
    return FAIL;
  c->cells += row->room - room;
  row->cell[row->used] = (struct cell){.dst = dst};
  index_add(&row->by_dst, index_mix(dst), row->used++);
  c->pairs++;
  return OK;
}

enum status counter_add(struct counter *c, const struct matrix_entry *x, struct err *e)
{
  struct counter_row *row = &c->row[x->src];
  uint32_t at = index_find(&row->by_dst, index_mix(x->dst), same, row->cell, &x->dst);
  if (at == INDEX_NONE) {
    if (add_cell(c, row, x->dst, e) != OK)
      return FAIL;
    at = row->used - 1;
  }
  row->cell[at].messages += x->messages;
  row->cell[at].bytes += x->bytes;
  return OK;
}

static int compare_destinations(const void *a, const void *b)
{
  const struct matrix_entry *x = a, *y = b;
  return (x->dst > y->dst) - (x->dst < y->dst);
}

enum status counter_matrix(const struct counter *c, struct matrix *m, struct err *e)
{
  struct matrix_entry *entry = mem_array(c->pairs, sizeof *entry, e);
  if (entry == NULL)
    return FAIL;
  size_t n = 0;
  for (uint32_t src = 0; src < c->ranks; src++) {
    const struct counter_row *row = &c->row[src];
    for (uint32_t i = 0; i < row->used; i++)
      entry[n++] =
          (struct matrix_entry){src, row->cell[i].dst, row->cell[i].messages, row->cell[i].bytes};
    qsort(entry + n - row->used, row->used, sizeof *entry, compare_destinations);
  }
  *m = (struct matrix){.ranks = c->ranks, .count = n, .entry = entry};
  return OK;
}
