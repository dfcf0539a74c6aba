/* The times of single executions, in order, of the blocks of one rank that take most time. */
#include <limits.h>

#include "common/files/path.h"
#include "plots/plot.h"
#include "predict/blocks/tables.h"

enum { MOST_SERIES = 4 };

/* Blocks with a smaller share of the first block's time are left out. */
#define SMALLEST 0.001

/* The block with the most time that has several values and is not chosen yet; UINT32_MAX: none. */
static uint32_t next_block(const struct rank_series *r, const uint32_t *chosen, size_t n)
{
  uint32_t best = UINT32_MAX;
  for (uint32_t i = 0; i < r->blocks; i++) {
    bool taken =
        r->block[i].values < 2 || (n > 0 && r->block[i].sum < SMALLEST * r->block[chosen[0]].sum);
    for (size_t k = 0; k < n; k++)
      taken |= chosen[k] == i;
    if (!taken && (best == UINT32_MAX || r->block[i].sum > r->block[best].sum))
      best = i;
  }
  return best;
}

static void write_series(const struct block_table *t, const struct rank_series *r, uint32_t block,
                         struct gnuplot_key *key)
{
  char text[160];
  const struct block_row *row = &t->row[block];
  const struct block_series *s = &r->block[block];
  snprintf(text, sizeof text, "line %u%s%s", row->line, row->communication ? " " : "",
           row->communication ? row->call : "");
  gnuplot_key_add(key, text, key->count + 1);
  fprintf(key->f, "$series%zu << EOD\n", key->count);
  for (size_t i = 0; i < s->values; i++)
    fprintf(key->f, "%.9g %.9g\n", (double)i * (double)s->width + 1, s->value[i]);
  fputs("EOD\n", key->f);
}

static enum status load(struct block_table *t, struct rank_series *r, const char *path,
                        struct err *e)
{
  char table[PATH_MAX];
  if (snprintf(table, sizeof table, "%.*sblocks.tsv", path_folder(path), path) >= (int)sizeof table)
    return err_set(e, "%s: the path is too long", path);
  if (block_table_load(t, table, e) != OK)
    return FAIL;
  if (rank_series_load(r, path, t->count, e) == OK)
    return OK;
  block_table_clear(t);
  return FAIL;
}

static enum status write(const struct plot *p, FILE *out, struct err *e)
{
  struct block_table t;
  struct rank_series r;
  uint32_t chosen[MOST_SERIES];
  size_t n = 0;
  if (load(&t, &r, p->input[0], e) != OK)
    return FAIL;
  struct gnuplot_key key = {.f = out};
  while (n < MOST_SERIES && (chosen[n] = next_block(&r, chosen, n)) != UINT32_MAX)
    write_series(&t, &r, chosen[n++], &key);
  gnuplot_key_end(&key);
  rank_series_clear(&r);
  block_table_clear(&t);
  if (n > 0)
    return OK;
  return plot_nothing(p, e, "%s: no block runs more than once", p->input[0]);
}

const struct plot_kind plot_block_series = {
    .name = "block-series",
    .inputs = "DIR/timing.RANK.tsv",
    .help = "times of the blocks of a rank, execution by execution",
    .most = 1,
    .write = write,
};
