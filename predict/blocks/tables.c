#include "predict/blocks/tables.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/files/linefile.h"
#include "common/mem.h"
#include "common/num.h"

/* Upper limit of the time of one execution in s. */
#define LONGEST 1e12

enum { MOST_CELLS = 8 };

/* Splits the line at its tabs into exactly @p n cells. */
static enum status cells(const struct linefile *l, char **cell, size_t n, struct err *e)
{
  char *rest = l->text;
  size_t found = 0;
  while (rest != NULL) {
    char *one = strsep(&rest, "\t");
    if (found < n)
      cell[found] = one;
    found++;
  }
  return found == n ? OK
                    : err_at(e, l->path, l->line, "%zu columns, but there should be %zu", found, n);
}

/* Reads a line of a table into @p state. */
typedef enum status row_fn(const struct linefile *l, void *state, struct err *e);

/* Checks the header of a table and calls @p row for each line after it. */
static enum status read_table(const char *path, const char *header, row_fn *row, void *state,
                              struct err *e)
{
  struct linefile l;
  bool more = false;
  enum status s = linefile_open(&l, path, e);
  if (s == OK)
    s = linefile_next_whole(&l, &more, e);
  if (s == OK && (!more || strcmp(l.text, header) != 0))
    s = err_at(e, path, 1, "expected the header '%s'", header);
  while (s == OK && (s = linefile_next_whole(&l, &more, e)) == OK && more)
    s = row(&l, state, e);
  linefile_close(&l);
  return s;
}

static enum status number(const struct linefile *l, const char *what, const char *text,
                          uint64_t most, uint64_t *out, struct err *e)
{
  return num_u64(text, most, out, e) == OK ? OK
                                           : err_at(e, l->path, l->line, "%s: %s", what, e->text);
}

void block_table_clear(struct block_table *t)
{
  for (uint32_t i = 0; i < t->count; i++) {
    free(t->row[i].function);
    free(t->row[i].file);
    free(t->row[i].call);
  }
  free(t->row);
  *t = (struct block_table){0};
}

static enum status check_block(const struct linefile *l, struct block_table *t, char **cell,
                               struct block_row *row, struct err *e)
{
  uint64_t number_of, line, last;
  if (number(l, "block", cell[0], TABLES_MOST_BLOCKS, &number_of, e) != OK ||
      number(l, "line", cell[4], UINT32_MAX, &line, e) != OK ||
      number(l, "last_line", cell[5], UINT32_MAX, &last, e) != OK)
    return FAIL;
  if (number_of != t->count)
    return err_at(e, l->path, l->line, "block %" PRIu64 ", but block %" PRIu32 " is next",
                  number_of, t->count);
  row->communication = strcmp(cell[1], "communication") == 0;
  if (!row->communication && strcmp(cell[1], "computation") != 0)
    return err_at(e, l->path, l->line, "kind '%s' is neither computation nor communication",
                  cell[1]);
  row->line = (uint32_t)line;
  row->last_line = (uint32_t)last;
  return OK;
}

static enum status add_block(const struct linefile *l, void *table, struct err *e)
{
  struct block_table *t = table;
  char *cell[MOST_CELLS];
  struct block_row row;
  if (cells(l, cell, 8, e) != OK || check_block(l, t, cell, &row, e) != OK ||
      MEM_GROW(t->row, t->room, t->count + 1, e) != OK)
    return FAIL;
  row.function = mem_strdup(cell[2], e);
  row.file = mem_strdup(cell[3], e);
  row.call = mem_strdup(cell[7], e);
  t->row[t->count++] = row;
  return row.function != NULL && row.file != NULL && row.call != NULL ? OK : FAIL;
}

enum status block_table_load(struct block_table *out, const char *path, struct err *e)
{
  struct block_table t = {0};
  enum status s = read_table(path, "block\tkind\tfunction\tfile\tline\tlast_line\tloops\tcall",
                             add_block, &t, e);
  if (s == OK && t.count == 0)
    s = err_set(e, "%s: no blocks", path);
  if (s == OK)
    *out = t;
  else
    block_table_clear(&t);
  return s;
}

void rank_series_clear(struct rank_series *r)
{
  for (uint32_t i = 0; i < r->blocks; i++)
    free(r->block[i].value);
  free(r->block);
  *r = (struct rank_series){0};
}

/* Appends a value.  All values have the width of the first one, except the last. */
static enum status add_value(const struct linefile *l, struct block_series *s, uint64_t first,
                             uint64_t executions, double seconds, struct err *e)
{
  if (executions == 0 || first != s->executions + 1)
    return err_at(e, l->path, l->line, "execution %" PRIu64 ", but %" PRIu64 " is next", first,
                  s->executions + 1);
  if (s->values > 0 && (s->last != s->width || executions > s->width))
    return err_at(e, l->path, l->line,
                  "%" PRIu64 " executions, but only the last value of a block may have another "
                  "number of executions than the first",
                  executions);
  if (executions > UINT64_MAX / 2 - s->executions)
    return err_at(e, l->path, l->line, "too many executions");
  if (MEM_GROW(s->value, s->room, s->values + 1, e) != OK)
    return FAIL;
  s->width = s->values == 0 ? executions : s->width;
  s->last = executions;
  s->executions += executions;
  s->sum += seconds * (double)executions;
  s->value[s->values++] = seconds;
  return OK;
}

static enum status add_time(const struct linefile *l, void *series, struct err *e)
{
  struct rank_series *r = series;
  char *cell[MOST_CELLS];
  uint64_t block, first, executions;
  double seconds;
  if (cells(l, cell, 4, e) != OK || number(l, "block", cell[0], UINT32_MAX, &block, e) != OK ||
      number(l, "execution", cell[1], UINT64_MAX / 2, &first, e) != OK ||
      number(l, "executions", cell[2], UINT64_MAX / 2, &executions, e) != OK)
    return FAIL;
  if (num_double(cell[3], 0, LONGEST, &seconds, e) != OK)
    return err_at(e, l->path, l->line, "seconds: %s", e->text);
  if (block >= r->blocks)
    return err_at(e, l->path, l->line, "block %" PRIu64 ", but there are %" PRIu32, block,
                  r->blocks);
  return add_value(l, &r->block[block], first, executions, seconds, e);
}

enum status rank_series_load(struct rank_series *out, const char *path, uint32_t blocks,
                             struct err *e)
{
  struct rank_series r = {.block = mem_array(blocks, sizeof *r.block, e), .blocks = blocks};
  if (r.block == NULL)
    return FAIL;
  const enum status s = read_table(path, "block\texecution\texecutions\tseconds", add_time, &r, e);
  if (s == OK)
    *out = r;
  else
    rank_series_clear(&r);
  return s;
}

struct counts {
  uint64_t *count;
  uint32_t blocks;
};

static enum status add_count(const struct linefile *l, void *counts, struct err *e)
{
  const struct counts *c = counts;
  char *cell[MOST_CELLS];
  uint64_t block, n;
  if (cells(l, cell, 2, e) != OK || number(l, "block", cell[0], UINT32_MAX, &block, e) != OK ||
      number(l, "count", cell[1], UINT64_MAX / 2, &n, e) != OK)
    return FAIL;
  if (block >= c->blocks)
    return err_at(e, l->path, l->line, "block %" PRIu64 ", but there are %" PRIu32, block,
                  c->blocks);
  if (c->count[block] != 0)
    return err_at(e, l->path, l->line, "block %" PRIu64 " is given twice", block);
  c->count[block] = n;
  return OK;
}

enum status rank_counts_load(uint64_t *count, const char *path, uint32_t blocks, struct err *e)
{
  struct counts c = {count, blocks};
  memset(count, 0, blocks * sizeof *count);
  return read_table(path, "block\tcount", add_count, &c, e);
}

enum status tables_path(char *path, size_t size, const char *folder, const char *kind,
                        uint32_t rank, struct err *e)
{
  const int n = snprintf(path, size, "%s/%s.%" PRIu32 ".tsv", folder, kind, rank);
  return n >= 0 && (size_t)n < size ? OK : err_set(e, "%s: the path is too long", folder);
}

uint32_t tables_ranks(const char *folder, const char *kind)
{
  char path[PATH_MAX];
  struct err ignored;
  uint32_t n = 0;
  while (n < TABLES_MOST_RANKS && tables_path(path, sizeof path, folder, kind, n, &ignored) == OK &&
         access(path, F_OK) == 0)
    n++;
  return n;
}
