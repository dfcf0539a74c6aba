#include "common/containers/names.h"

#include <stdlib.h>
#include <string.h>

#include "common/mem.h"
#include "common/numeric/rising.h"

void names_clear(struct names *n)
{
  for (uint32_t i = 0; i < n->count; i++)
    free(n->name[i]);
  free(n->name);
  index_clear(&n->index);
  *n = (struct names){.name = NULL};
}

uint32_t names_find(const struct names *n, const char *name)
{
  return index_find_string(&n->index, n->name, name);
}

enum status names_add(struct names *n, const char *name, uint32_t *number, struct err *e)
{
  *number = names_find(n, name);
  if (*number != NAMES_NONE)
    return OK;
  if (n->count == NAMES_NONE - 1)
    return err_set(e, "more than %u names", NAMES_NONE - 1);
  if (MEM_GROW(n->name, n->room, (size_t)n->count + 1, e) != OK ||
      index_reserve(&n->index, n->count, index_hash_string, n->name, e) != OK ||
      (n->name[n->count] = mem_strdup(name, e)) == NULL)
    return FAIL;
  index_add(&n->index, index_text(name), n->count);
  *number = n->count++;
  return OK;
}

static int by_version(const void *a, const void *b, void *names)
{
  const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  char *const *name = names;
  return strverscmp(name[x], name[y]) ?: RISING(x, y);
}

enum status names_order(uint32_t **order, char *const *name, uint32_t n, struct err *e)
{
  *order = mem_array(n, sizeof **order, e);
  if (*order == NULL)
    return FAIL;
  for (uint32_t i = 0; i < n; i++)
    (*order)[i] = i;
  qsort_r(*order, n, sizeof **order, by_version, (void *)name);
  return OK;
}
