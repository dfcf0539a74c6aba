#include "plots/links/link_loads.h"

#include <stdlib.h>
#include <string.h>

#include "common/files/table.h"
#include "common/mem.h"

bool link_loads_has(const struct platform *p, uint32_t link)
{
  return platform_has_link(p, link) && !platform_is_loopback(p, link);
}

/* Reads the next row, which must belong to link @p link. */
static enum status read_link(const struct platform *p, struct table *t, const size_t column[2],
                             uint32_t link, uint64_t *bytes, struct err *e)
{
  char composed[PLATFORM_NAME_SIZE];
  bool more;
  const char *name = platform_link_name(p, link, composed, sizeof composed);
  if (table_next(t, &more, e) != OK)
    return FAIL;
  if (!more)
    return err_set(e, "%s: ends before link '%.200s' of the platform", t->path, name);
  if (strcmp(t->field[column[0]], name) != 0)
    return err_at(e, t->path, t->line, "link '%.64s', where the platform has '%.200s'",
                  t->field[column[0]], name);
  return table_u64(t, column[1], INT64_MAX, bytes, e);
}

static enum status read_table(const struct platform *p, struct table *t, uint64_t *bytes,
                              struct err *e)
{
  size_t column[2];
  bool more;
  if (table_column(t, "link", &column[0], e) != OK || table_column(t, "bytes", &column[1], e) != OK)
    return FAIL;
  for (uint32_t i = 0; i < platform_link_ids(p); i++)
    if (link_loads_has(p, i) && read_link(p, t, column, i, &bytes[i], e) != OK)
      return FAIL;
  if (table_next(t, &more, e) != OK)
    return FAIL;
  return more ? err_at(e, t->path, t->line, "more links than the platform has") : OK;
}

static enum status read_file(struct link_loads *l, const char *path, struct err *e)
{
  struct table t;
  const uint32_t ids = platform_link_ids(l->platform);
  uint64_t *bytes = mem_array(ids, sizeof *bytes, e);
  if (bytes == NULL)
    return FAIL;
  l->bytes[l->files++] = bytes;
  if (table_open(&t, path, '\t', e) != OK)
    return FAIL;
  const enum status s = read_table(l->platform, &t, bytes, e);
  table_close(&t);
  for (uint32_t i = 0; i < ids; i++)
    l->max = bytes[i] > l->max ? bytes[i] : l->max;
  return s;
}

enum status link_loads_read(struct link_loads *l, const struct plot *p, struct err *e)
{
  *l = (struct link_loads){.platform = p->platform};
  for (size_t i = 0; i < p->inputs; i++)
    if (read_file(l, p->input[i], e) != OK)
      return FAIL;
  return OK;
}

void link_loads_clear(struct link_loads *l)
{
  for (size_t i = 0; i < l->files; i++)
    free(l->bytes[i]);
  *l = (struct link_loads){0};
}
