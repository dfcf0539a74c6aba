#include "tasks/files/workflow.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/mem.h"
#include "common/numeric/rising.h"

void workflow_clear(struct workflow *g)
{
  names_clear(&g->file);
  free(g->size);
  free(g->use);
  free(g->edge);
  *g = (struct workflow){0};
}

/* Truncates a name that is too long to one byte above the limit, so that it is refused. */
static void clean_name(const char *name, char out[TASKNET_LONGEST_NAME + 2])
{
  snprintf(out, TASKNET_LONGEST_NAME + 2, "%s", name);
  for (char *c = out; *c != '\0'; c++)
    if ((unsigned char)*c <= ' ' || *c == 127)
      *c = '_';
}

enum status workflow_add_task(struct workflow *g, const char *name, double compute, uint64_t line,
                              struct err *e)
{
  char clean[TASKNET_LONGEST_NAME + 2];
  clean_name(name, clean);
  const struct tasknet_new_array a = {
      .name = clean, .count = 1, .cost = {compute, TASKNET_ARRIVING, 0, 1}, .line = line};
  return tasknet_add_array(g->n, &a, e);
}

uint32_t workflow_find(const struct workflow *g, const char *name)
{
  char clean[TASKNET_LONGEST_NAME + 2];
  clean_name(name, clean);
  return tasknet_find(g->n, clean);
}

enum status workflow_add_file(struct workflow *g, const char *name, double size, uint32_t *file,
                              struct err *e)
{
  const uint32_t before = g->file.count;
  if (MEM_GROW(g->size, g->size_room, (size_t)before + 1, e) != OK ||
      names_add(&g->file, name, file, e) != OK)
    return FAIL;
  if (size > TASKNET_MOST_COST)
    return err_set(e, "file '%.80s': a size of %g is above %g", name, size, TASKNET_MOST_COST);
  if (size >= 0 || *file == before)
    g->size[*file] = size;
  return OK;
}

enum status workflow_add_use(struct workflow *g, uint32_t task, uint32_t file, bool writes,
                             struct err *e)
{
  if (MEM_GROW(g->use, g->use_room, g->uses + 1, e) != OK)
    return FAIL;
  g->use[g->uses++] = (struct workflow_use){file, task, writes};
  return OK;
}

enum status workflow_add_edge(struct workflow *g, uint32_t from, uint32_t to, double volume,
                              struct err *e)
{
  if (MEM_GROW(g->edge, g->edge_room, g->edges + 1, e) != OK)
    return FAIL;
  g->edge[g->edges++] = (struct workflow_edge){from, to, volume};
  return OK;
}

/* --- streams --- */

/* Data that a task writes for some readers: reader[first] .., sorted by number. */
struct item {
  uint32_t from, first, readers;
  double volume;
  const uint32_t *reader; /* array of the readers of all items */
};

struct making {
  struct workflow *g;
  struct item *item;
  size_t item_room, items;
  uint32_t *reader;
  size_t reader_room, readers;
  struct pairs served; /* pairs of tasks that a stream already connects */
};

/* Sorts by file, writers first, then by task. */
static int compare_uses(const void *a, const void *b)
{
  const struct workflow_use *x = a, *y = b;
  return RISING(x->file, y->file) ?: RISING(y->writes, x->writes) ?: RISING(x->task, y->task);
}

static int compare_items(const void *a, const void *b)
{
  const struct item *x = a, *y = b;
  int order = RISING(x->from, y->from) ?: RISING(x->readers, y->readers);
  for (uint32_t i = 0; order == 0 && i < x->readers; i++)
    order = RISING(x->reader[x->first + i], y->reader[y->first + i]);
  return order;
}

static int compare_edges(const void *a, const void *b)
{
  const struct workflow_edge *x = a, *y = b;
  return RISING(x->from, y->from) ?: RISING(x->to, y->to);
}

/* Starts an item that @p from writes.  Its readers are added next. */
static enum status begin_item(struct making *m, uint32_t from, double volume, struct err *e)
{
  if (MEM_GROW(m->item, m->item_room, m->items + 1, e) != OK)
    return FAIL;
  m->item[m->items++] =
      (struct item){.from = from, .first = (uint32_t)m->readers, .volume = volume};
  return OK;
}

static enum status add_reader(struct making *m, uint32_t to, struct err *e)
{
  struct item *item = &m->item[m->items - 1];
  uint32_t unused;
  if (m->readers >= TASKNET_MOST)
    return err_set(e, "more than %u pairs of a writer and a reader of a file", TASKNET_MOST);
  if (MEM_GROW(m->reader, m->reader_room, m->readers + 1, e) != OK ||
      pairs_add(&m->served, item->from, to, &unused, e) != OK)
    return FAIL;
  m->reader[m->readers++] = to;
  item->readers++;
  return OK;
}

/* Adds the items of a file.  The uses @p from .. @p to - 1 all belong to this file. */
static enum status add_file_items(struct making *m, size_t from, size_t to, struct err *e)
{
  const struct workflow_use *use = m->g->use;
  const double size = m->g->size[use[from].file];
  for (size_t w = from; w < to && use[w].writes; w++) {
    if (w > from && use[w - 1].task == use[w].task)
      continue; /* the task lists the file twice */
    if (begin_item(m, use[w].task, size < 0 ? 0 : size, e) != OK)
      return FAIL;
    for (size_t r = w; r < to; r++) {
      const bool again = r > from && !use[r - 1].writes && use[r - 1].task == use[r].task;
      if (!use[r].writes && !again && use[r].task != use[w].task &&
          add_reader(m, use[r].task, e) != OK)
        return FAIL;
    }
  }
  return OK;
}

/* Adds items for dependences: one for each dependence with a volume, and one for all dependences of
 * a task with volume 0, except on tasks that already receive data from it. */
static enum status add_edge_items(struct making *m, struct err *e)
{
  const struct workflow *g = m->g;
  for (size_t i = 0; i < g->edges; i++)
    if (g->edge[i].volume > 0 && (begin_item(m, g->edge[i].from, g->edge[i].volume, e) != OK ||
                                  add_reader(m, g->edge[i].to, e) != OK))
      return FAIL;
  uint32_t last = TASKNET_NONE;
  for (size_t i = 0; i < g->edges; i++) {
    const struct workflow_edge *edge = &g->edge[i];
    if (pairs_find(&m->served, edge->from, edge->to) != PAIRS_NONE)
      continue;
    if ((last != edge->from && begin_item(m, edge->from, 0, e) != OK) ||
        add_reader(m, edge->to, e) != OK)
      return FAIL;
    last = edge->from;
  }
  return OK;
}

static enum status add_stream(const struct making *m, const struct item *item, double volume,
                              uint32_t number, struct err *e)
{
  char name[16];
  snprintf(name, sizeof name, "s%" PRIu32, number);
  const uint64_t line = m->g->n->array[item->from].line;
  if (tasknet_add_stream(m->g->n, name, 1, line, e) != OK ||
      tasknet_add_producer(m->g->n, item->from, volume, e) != OK)
    return FAIL;
  for (uint32_t i = 0; i < item->readers; i++)
    if (tasknet_add_consumer(m->g->n, m->reader[item->first + i], e) != OK)
      return FAIL;
  return OK;
}

static enum status add_streams(struct making *m, struct err *e)
{
  uint32_t streams = 0;
  for (size_t i = 0; i < m->items; i++)
    m->item[i].reader = m->reader;
  if (m->items > 0)
    qsort(m->item, m->items, sizeof *m->item, compare_items);
  for (size_t i = 0, end; i < m->items; i = end) {
    double volume = m->item[i].volume;
    for (end = i + 1; end < m->items && compare_items(&m->item[i], &m->item[end]) == 0; end++)
      volume += m->item[end].volume;
    m->g->n->array[m->item[i].from].cost.out += m->item[i].readers > 0 ? volume : 0;
    if (m->item[i].readers > 0 && add_stream(m, &m->item[i], volume, streams++, e) != OK)
      return FAIL;
  }
  return OK;
}

enum status workflow_finish(struct workflow *g, struct err *e)
{
  struct making m = {.g = g};
  enum status s = OK;
  g->n->units = (struct tasknet_units){.work = 1, .data = 1};
  if (g->uses > 0)
    qsort(g->use, g->uses, sizeof *g->use, compare_uses);
  if (g->edges > 0)
    qsort(g->edge, g->edges, sizeof *g->edge, compare_edges);
  for (size_t i = 0, end; i < g->uses && s == OK; i = end) {
    for (end = i + 1; end < g->uses && g->use[end].file == g->use[i].file;)
      end++;
    s = add_file_items(&m, i, end, e);
  }
  if (s == OK)
    s = add_edge_items(&m, e);
  if (s == OK)
    s = add_streams(&m, e);
  free(m.item);
  free(m.reader);
  pairs_clear(&m.served);
  return s;
}
