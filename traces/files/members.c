#include "traces/files/members.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/mem.h"
#include "traces/files/source.h"

/* Room for an index and other files beside the files of ranks. */
enum { MOST = SOURCE_RANKS_MAX + 1024 };

/* Removes empty, "." and ".." parts from a path, in place. */
static void normalise(char *path)
{
  size_t used = 0;
  for (const char *part = path; *part != '\0';) {
    const size_t n = strcspn(part, "/");
    const char *next = part + n + (part[n] == '/');
    if (n == 2 && memcmp(part, "..", 2) == 0) {
      while (used > 0 && path[--used] != '/')
        ;
    } else if (n > 0 && !(n == 1 && *part == '.')) {
      if (used > 0)
        path[used++] = '/';
      memmove(path + used, part, n);
      used += n;
    }
    part = next;
  }
  path[used] = '\0';
}

static int by_name(const void *a, const void *b)
{
  return strcmp(((const struct member *)a)->name, ((const struct member *)b)->name);
}

static enum status add(struct members *m, const char *name, uint32_t stream, struct err *e)
{
  if (MEM_GROW(m->member, m->capacity, m->count + 1, e) != OK)
    return FAIL;
  char *copy = mem_strdup(name, e);
  if (copy == NULL)
    return FAIL;
  normalise(copy);
  m->member[m->count++] = (struct member){copy, stream};
  return OK;
}

static enum status load_all(struct members *m, struct unpack *u, const char *archive,
                            struct spool *s, struct err *e)
{
  for (;;) {
    const char *name;
    if (unpack_next(u, &name, e) != OK)
      return FAIL;
    if (name == NULL)
      return OK;
    if (m->count == MOST)
      return err_set(e, "%s: more than %d files", archive, MOST);
    uint32_t stream;
    if (add(m, name, UINT32_MAX, e) != OK || unpack_copy(u, s, &stream, e) != OK)
      return FAIL;
    m->member[m->count - 1].stream = stream;
  }
}

enum status members_load(struct members *m, struct unpack *u, const char *archive, struct spool *s,
                         struct err *e)
{
  struct members all = {0};
  enum status status = load_all(&all, u, archive, s, e);
  if (status == OK && all.count > 1)
    qsort(all.member, all.count, sizeof *all.member, by_name);
  for (size_t i = 1; status == OK && i < all.count; i++)
    if (by_name(&all.member[i - 1], &all.member[i]) == 0)
      status = err_set(e, "%s: two files of the name '%.256s'", archive, all.member[i].name);
  if (status != OK) {
    members_clear(&all);
    return FAIL;
  }
  *m = all;
  return OK;
}

const struct member *members_find(const struct members *m, const char *folder, const char *name)
{
  struct member key = {0};
  struct err unused;
  if (m->count == 0 || (key.name = mem_printf(&unused, "%s%s", folder, name)) == NULL)
    return NULL;
  normalise(key.name);
  const struct member *found = bsearch(&key, m->member, m->count, sizeof *m->member, by_name);
  free(key.name);
  return found;
}

/* Folder depth of a path to an index.txt; SIZE_MAX for other names. */
static size_t index_depth(const char *name)
{
  size_t depth = 0;
  for (const char *slash; (slash = strchr(name, '/')) != NULL; depth++)
    name = slash + 1;
  return strcmp(name, "index.txt") == 0 ? depth : SIZE_MAX;
}

enum status members_top(const struct members *m, const struct member **top, const char *archive,
                        struct err *e)
{
  const struct member *best = NULL, *second = NULL;
  size_t least = SIZE_MAX;
  for (size_t i = 0; i < m->count; i++) {
    const size_t depth = index_depth(m->member[i].name);
    if (depth == SIZE_MAX || depth > least)
      continue;
    second = depth == least ? &m->member[i] : NULL;
    best = depth < least ? &m->member[i] : best;
    least = depth;
  }
  if (best == NULL && m->count == 1)
    best = m->member;
  if (best == NULL)
    return err_set(e, "%s: no index.txt among its %zu files", archive, m->count);
  if (second != NULL)
    return err_set(e, "%s: two traces in it, '%.200s' and '%.200s'", archive, best->name,
                   second->name);
  *top = best;
  return OK;
}

void members_clear(struct members *m)
{
  for (size_t i = 0; i < m->count; i++)
    free(m->member[i].name);
  free(m->member);
  *m = (struct members){0};
}
