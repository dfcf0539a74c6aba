#include <stdlib.h>
#include <string.h>

#include "common/mem.h"
#include "common/numeric/rising.h"
#include "mappers/mapper.h"

/* A host and its name. */
struct named {
  const char *name;
  uint32_t host;
};

static int by_name(const void *a, const void *b)
{
  const struct named *x = a, *y = b;
  return strcmp(x->name, y->name) ?: RISING(x->host, y->host);
}

/* Copies all names into one growing text.  at[] receives positions, because the text may move while
 * it grows. */
static enum status copy_names(const struct platform *p, char **text, size_t *at, struct err *e)
{
  size_t room = 0, used = 0;
  char buffer[PLATFORM_NAME_SIZE];
  for (uint32_t h = 0; h < platform_hosts(p); h++) {
    const char *name = platform_host_name(p, h, buffer, sizeof buffer);
    const size_t n = strlen(name) + 1;
    if (MEM_GROW(*text, room, used + n, e) != OK)
      return FAIL;
    memcpy(*text + used, name, n);
    at[h] = used;
    used += n;
  }
  return OK;
}

static enum status sort_hosts(const struct platform *p, struct named *hosts, char **text,
                              struct err *e)
{
  const uint32_t n = platform_hosts(p);
  OWNED size_t *at = mem_array(n, sizeof *at, e);
  enum status s = at == NULL ? FAIL : copy_names(p, text, at, e);
  for (uint32_t h = 0; s == OK && h < n; h++)
    hosts[h] = (struct named){*text + at[h], h};
  if (s == OK)
    qsort(hosts, n, sizeof *hosts, by_name);
  return s;
}

static enum status fill_by_name(const struct mapper_input *in, struct mapping *out, struct err *e)
{
  OWNED char *text = NULL;
  OWNED struct named *hosts = mem_array(platform_hosts(in->platform), sizeof *hosts, e);
  enum status s = hosts == NULL ? FAIL : sort_hosts(in->platform, hosts, &text, e);
  if (s == OK)
    s = mapping_new(out, in->ranks, e);
  for (uint32_t r = 0; s == OK && r < in->ranks; r++)
    out->host[r] = hosts[r / in->ranks_per_host].host;
  return s;
}

const struct mapper map_hostname = {
    .name = "hostname",
    .help = "ranks fill the hosts in the order of their names as strings: node-10 before node-2",
    .in_order = true,
    .map = fill_by_name,
};
