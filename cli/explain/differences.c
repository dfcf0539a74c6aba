#include "cli/explain/differences.h"

#include <math.h>
#include <stdlib.h>

#include "common/mem.h"
#include "common/numeric/rising.h"

/* A row: the times of both runs. */
struct row {
  path_time a, b;
  uint32_t number; /* of a link of the platform, or of a pair in the run `of` */
  const struct tables *of;
};

/* Largest difference first, then the longest times: rows without time come last. */
static int by_size(const void *x, const void *y)
{
  const struct row *p = x, *q = y;
  const path_time a = fabsl(p->b - p->a), b = fabsl(q->b - q->a);
  return RISING(b, a) ?: RISING(q->a + q->b, p->a + p->b) ?: RISING(p->number, q->number);
}

static void print_row(FILE *f, const struct row *r)
{
  fprintf(f, "\t%.15Lg\t%.15Lg\t%.15Lg\n", r->a, r->b, r->b - r->a);
}

static void print_causes(const struct tables *a, const struct tables *b, FILE *f)
{
  fputs("\ncause\ta_s\tb_s\tdifference_s\n", f);
  for (int c = 0; c < PATH_CAUSES; c++) {
    struct row r = {0};
    for (int k = 0; k < PATH_LATES; k++) {
      r.a += a->path->cause_s[c][k];
      r.b += b->path->cause_s[c][k];
    }
    fputs(path_cause_name((enum path_cause)c), f);
    print_row(f, &r);
  }
}

static uint32_t links_of(const struct tables *t)
{
  uint32_t most = 0;
  for (uint32_t i = 0; i < t->path->links; i++)
    most = t->link[i] >= most ? t->link[i] + 1 : most;
  return most;
}

static enum status print_links(const struct tables *a, const struct tables *b, FILE *f,
                               struct err *e)
{
  const uint32_t n = links_of(a) > links_of(b) ? links_of(a) : links_of(b);
  struct row *row = mem_array(n, sizeof *row, e);
  if (row == NULL)
    return FAIL;
  for (uint32_t i = 0; i < n; i++)
    row[i].number = i;
  for (uint32_t i = 0; i < a->path->links; i++)
    row[a->link[i]].a = a->path->link_s[i];
  for (uint32_t i = 0; i < b->path->links; i++)
    row[b->link[i]].b = b->path->link_s[i];
  if (n > 0)
    qsort(row, n, sizeof *row, by_size);
  fputs("\nlink\ta_contention_s\tb_contention_s\tdifference_s\n", f);
  for (uint32_t i = 0; i < n && i < a->most && row[i].a + row[i].b > 0; i++) {
    char name[PLATFORM_NAME_SIZE];
    fputs(platform_link_name(a->platform, row[i].number, name, sizeof name), f);
    print_row(f, &row[i]);
  }
  free(row);
  return OK;
}

static path_time seconds_of(const struct path_pair *x)
{
  return x->latency_s + x->transfer_s + x->contention_s;
}

static enum status print_pairs(const struct tables *a, const struct tables *b, FILE *f,
                               struct err *e)
{
  const struct path *p = a->path, *q = b->path;
  struct row *row = mem_array((size_t)p->pairs.count + q->pairs.count, sizeof *row, e);
  uint32_t n = p->pairs.count;
  if (row == NULL)
    return FAIL;
  for (uint32_t i = 0; i < n; i++)
    row[i] = (struct row){.a = seconds_of(&p->pair[i]), .number = i, .of = a};
  for (uint32_t i = 0; i < q->pairs.count; i++) {
    const uint64_t key = q->pairs.key[i];
    const uint32_t same = pairs_find(&p->pairs, (uint32_t)(key >> 32), (uint32_t)key);
    if (same != PAIRS_NONE)
      row[same].b = seconds_of(&q->pair[i]);
    else
      row[n++] = (struct row){.b = seconds_of(&q->pair[i]), .number = i, .of = b};
  }
  if (n > 0)
    qsort(row, n, sizeof *row, by_size);
  fputs("\npair\ta_s\tb_s\tdifference_s\n", f);
  for (uint32_t i = 0; i < n && i < a->most && row[i].a + row[i].b > 0; i++) {
    const uint64_t key = row[i].of->path->pairs.key[row[i].number];
    char name[TABLES_NAME];
    fputs(tables_pair(row[i].of, (uint32_t)(key >> 32), (uint32_t)key, name), f);
    print_row(f, &row[i]);
  }
  free(row);
  return OK;
}

enum status differences_print(const struct tables *a, const struct tables *b, FILE *f,
                              struct err *e)
{
  print_causes(a, b, f);
  if (print_links(a, b, f, e) != OK)
    return FAIL;
  return print_pairs(a, b, f, e);
}
