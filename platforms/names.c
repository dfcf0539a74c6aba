#include "platforms/names.h"

#include <inttypes.h>
#include <string.h>

#include "common/files/linefile.h"
#include "common/mem.h"
#include "common/plural.h"

/* Moves the names of @p more to the end of @p l. */
static enum status append(struct hostlist *l, struct hostlist *more, struct err *e)
{
  if (more->count > HOSTLIST_MOST - l->count)
    return err_set(e, "more than %d names", HOSTLIST_MOST);
  if (MEM_GROW(l->name, l->room, l->count + more->count, e) != OK)
    return FAIL;
  if (more->count > 0)
    memcpy(l->name + l->count, more->name, more->count * sizeof *l->name);
  l->count += more->count;
  more->count = 0;
  return OK;
}

static enum status add_line(struct hostlist *l, char *text, struct err *e)
{
  struct hostlist more;
  text[strcspn(text, "#")] = '\0';
  if (hostlist_parse(&more, text, e) != OK)
    return FAIL;
  const enum status s = append(l, &more, e);
  hostlist_clear(&more);
  return s;
}

static enum status read_file(struct hostlist *l, const char *path, struct err *e)
{
  struct linefile f = {0};
  bool more = true;
  enum status s = linefile_open(&f, path, e);
  while (s == OK && (s = linefile_next(&f, &more, e)) == OK && more)
    if (add_line(l, f.text, e) != OK)
      s = err_place(e, path, f.line);
  linefile_close(&f);
  return s;
}

static enum status check(struct host_names *n, uint32_t hosts, struct err *e)
{
  const uint32_t count = (uint32_t)n->list.count;
  if (count != hosts)
    return err_set(e, "%" PRIu32 " name%s for %" PRIu32 " host%s", count, PLURAL(count), hosts,
                   PLURAL(hosts));
  return index_strings(&n->index, n->list.name, hosts, "hosts", e);
}

enum status host_names_read(struct host_names *out, const char *text, uint32_t hosts, struct err *e)
{
  struct host_names n = {0};
  const bool file = text[0] == '@';
  if ((file ? read_file(&n.list, text + 1, e) : hostlist_parse(&n.list, text, e)) != OK) {
    host_names_clear(&n);
    return file ? FAIL : err_prefix(e, "names: ");
  }
  if (check(&n, hosts, e) != OK) {
    host_names_clear(&n);
    return err_prefix(e, "%s: ", file ? text + 1 : "names");
  }
  *out = n;
  return OK;
}

bool host_names_find(const struct host_names *n, const char *name, uint32_t *host)
{
  *host = index_find_string(&n->index, n->list.name, name);
  return *host != INDEX_NONE;
}

void host_names_clear(struct host_names *n)
{
  hostlist_clear(&n->list);
  index_clear(&n->index);
}
