#include "platforms/mapping/binding.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/arena.h"
#include "common/mem.h"
#include "platforms/inside/inside.h"

#define NO_CORE UINT32_MAX

bool binding_find(const struct platform *p, const char *name, uint32_t *host)
{
  if (platform_find_host(p, name, host))
    return true;
  if (platform_inside(p) == NULL || !platform_find_host(platform_nodes(p), name, host))
    return false;
  *host += platform_hosts(p);
  return true;
}

static uint32_t least_loaded(const uint32_t *load, uint32_t cores)
{
  uint32_t best = 0;
  for (uint32_t c = 1; c < cores; c++)
    best = load[c] < load[best] ? c : best;
  return best;
}

enum status binding_settle(struct mapping *m, const struct platform *p, struct err *e)
{
  const struct inside *in = platform_inside(p);
  const uint32_t hosts = platform_hosts(p);
  if (in == NULL)
    return OK;
  uint32_t *load = mem_array(hosts, sizeof *load, e);
  if (load == NULL)
    return FAIL;
  for (uint32_t r = 0; r < m->ranks; r++)
    if (m->host[r] < hosts)
      load[m->host[r]]++;
  for (uint32_t r = 0; r < m->ranks; r++)
    if (m->host[r] >= hosts) {
      const uint32_t first = (m->host[r] - hosts) * in->cores;
      m->host[r] = first + least_loaded(load + first, in->cores);
      load[m->host[r]]++;
    }
  m->cores = in->cores;
  free(load);
  return OK;
}

/* The core with processing unit @p cpu. */
static bool find_cpu(const struct inside *in, uint64_t cpu, uint32_t *core)
{
  for (*core = 0; *core < in->cores && in->cpu[*core] != cpu;)
    ++*core;
  return *core < in->cores;
}

enum status binding_slots(const struct platform *p, const char *slots, uint32_t *host,
                          struct err *e)
{
  const struct inside *in = platform_inside(p);
  const uint32_t hosts = platform_hosts(p);
  uint32_t core;
  slots += strspn(slots, " \t\v\f");
  const bool physical = *slots == 'p' || *slots == 'P';
  if (in == NULL || *host < hosts || *slots == '*')
    return OK;
  char *end;
  const unsigned long first = strtoul(slots + physical, &end, 10);
  bool found = end > slots + physical && first <= UINT32_MAX;
  if (found && *end == ':') {
    const unsigned long i = strtoul(end + 1, NULL, 10);
    found = i <= UINT32_MAX && inside_find(in, "package", (uint32_t)first, (uint32_t)i, &core);
  } else if (found && physical) {
    found = find_cpu(in, first, &core);
  } else {
    found = found && first < in->cores;
    core = (uint32_t)first;
  }
  if (!found)
    return err_set(e, "slots '%.80s' name no core of the node, which has %" PRIu32 " cores", slots,
                   in->cores);
  *host = (*host - hosts) * in->cores + core;
  return OK;
}

enum status binding_nodes(struct mapping *out, const struct mapping *m, const struct platform *p,
                          struct err *e)
{
  if (mapping_new(out, m->ranks, e) != OK)
    return FAIL;
  for (uint32_t r = 0; r < m->ranks; r++)
    out->host[r] = platform_node(p, m->host[r]);
  return OK;
}

/* The cores of the ranks of a node.  A local rank is the index of a rank within its node. */
struct list {
  struct arena mem;
  uint32_t *core, *from; /* by local rank; from: the first node that has it */
  uint32_t count;
};

static enum status make_list(struct list *l, const struct mapping *m, const struct platform *p,
                             struct err *e)
{
  const struct platform *nodes = platform_nodes(p);
  const struct inside *in = platform_inside(p);
  char one[PLATFORM_NAME_SIZE], other[PLATFORM_NAME_SIZE];
  uint32_t *ranks = arena_array(&l->mem, platform_hosts(nodes), sizeof *ranks);
  l->core = arena_array(&l->mem, m->ranks, sizeof *l->core);
  l->from = arena_array(&l->mem, m->ranks, sizeof *l->from);
  if (arena_status(&l->mem) != OK)
    return FAIL;
  for (uint32_t r = 0; r < m->ranks; r++) {
    const uint32_t node = platform_node(p, m->host[r]), at = ranks[node]++;
    const uint32_t core = m->host[r] % in->cores;
    if (at == l->count) {
      l->core[at] = core;
      l->from[at] = node;
      l->count++;
    } else if (l->core[at] != core) {
      return err_set(e,
                     "local rank %" PRIu32 " of node %s is on core %" PRIu32
                     ", but on node %s it is on core %" PRIu32
                     ": the format binds all nodes alike (give the mapper cores=same, or write a "
                     "rankfile)",
                     at, platform_host_name(nodes, l->from[at], one, sizeof one), l->core[at],
                     platform_host_name(nodes, node, other, sizeof other), core);
    }
  }
  return OK;
}

enum status binding_check(const struct mapping *m, const struct platform *p, struct err *e)
{
  struct list l = {.mem = {.e = e}};
  const enum status s = platform_inside(p) == NULL ? OK : make_list(&l, m, p, e);
  arena_clear(&l.mem);
  return s;
}

enum status binding_write(const struct mapping *m, const struct platform *p, const char *prefix,
                          FILE *f, struct err *e)
{
  struct list l = {.mem = {.e = e}};
  const struct inside *in = platform_inside(p);
  enum status s = in == NULL ? OK : make_list(&l, m, p, e);
  if (s == OK && in != NULL) {
    fputs(prefix, f);
    for (uint32_t i = 0; i < l.count; i++)
      fprintf(f, "%s%" PRIu32, i == 0 ? "" : ",", in->cpu[l.core[i]]);
    fputc('\n', f);
  }
  arena_clear(&l.mem);
  return s;
}
