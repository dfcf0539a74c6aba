#include "platforms/fabric/fabric.h"

#include <inttypes.h>
#include <stdlib.h>

#include "common/mem.h"

bool topology_is_fabric(const struct topology *t)
{
  return t->kind->host_name == fabric_host_name;
}

void fabric_clear(struct fabric *f)
{
  const uint32_t nodes = f->name == NULL ? 0 : f->base.hosts + f->base.switches;
  for (uint32_t i = 0; i < nodes; i++)
    free(f->name[i]);
  for (size_t i = 0; i < FABRIC_MOST_FILES; i++)
    free(f->file[i]);
  free(f->name);
  free(f->cable);
  index_clear(&f->names);
}

/* --- building --------------------------------------------------------------------------------- */

enum status fabric_set_nodes(struct fabric *f, char **host, const uint32_t *order, uint32_t hosts,
                             char **name, uint32_t switches, struct err *e)
{
  if ((f->name = mem_array((size_t)hosts + switches, sizeof *f->name, e)) == NULL)
    return FAIL;
  f->base.hosts = hosts;
  f->base.switches = switches;
  for (uint32_t i = 0; i < hosts; i++) {
    f->name[i] = host[order[i]];
    host[order[i]] = NULL;
  }
  for (uint32_t i = 0; i < switches; i++) {
    f->name[hosts + i] = name[i];
    name[i] = NULL;
  }
  return index_strings(&f->names, f->name, hosts + switches, "hosts or switches", e);
}

enum status fabric_add_cable(struct fabric *f, const struct fabric_cable *c, struct err *e)
{
  if (f->cables >= FABRIC_MOST_CABLES)
    return err_set(e, "more than %d cables", FABRIC_MOST_CABLES);
  if (MEM_GROW(f->cable, f->cable_room, (size_t)f->cables + 1, e) != OK)
    return FAIL;
  f->cable[f->cables++] = *c;
  return OK;
}

enum status fabric_finish(struct fabric *f, const struct topology_kind *kind, const char *fields,
                          uint32_t diameter, struct err *e)
{
  struct topology *t = &f->base;
  const int n = snprintf(t->spec, sizeof t->spec, "%s:%s", kind->name, fields);
  if (n < 0 || (size_t)n >= sizeof t->spec)
    return err_set(e, "the spec '%s:%.80s...' has more than %zu bytes", kind->name, fields,
                   sizeof t->spec - 1);
  t->kind = kind;
  t->link_ids = t->links = 2 * f->cables;
  t->diameter = diameter;
  for (uint32_t c = 1; c < f->cables; c++)
    f->unequal = f->unequal || f->cable[c].bandwidth_Bps != f->cable[0].bandwidth_Bps;
  return OK;
}

/* --- members of a kind ------------------------------------------------------------------------ */

const char *fabric_file(const struct topology *t, size_t i)
{
  return i < FABRIC_MOST_FILES ? fabric_of(t)->file[i] : NULL;
}

const char *fabric_host_name(const struct topology *t, uint32_t host)
{
  return fabric_of(t)->name[host];
}

bool fabric_find_host(const struct topology *t, const char *name, uint32_t *host)
{
  const struct fabric *f = fabric_of(t);
  *host = index_find_string(&f->names, f->name, name);
  return *host < t->hosts;
}

struct topology_link fabric_link(const struct topology *t, uint32_t link)
{
  return (struct topology_link){.up = link & ~1u,
                                .width = 1,
                                .bandwidth_Bps = fabric_of(t)->cable[link / 2].bandwidth_Bps,
                                .latency_s = -1};
}

void fabric_link_name(const struct topology *t, uint32_t link, const char *id, uint32_t number,
                      char *name, size_t size)
{
  const struct fabric *f = fabric_of(t);
  const struct fabric_cable *c = &f->cable[link / 2];
  (void)id;
  (void)number;
  snprintf(name, size, "%s:%" PRIu32, f->name[c->end[0]], c->number);
}

void fabric_link_group(const struct topology *t, uint32_t link, char *name, size_t size)
{
  snprintf(name, size, "level %" PRIu32 " %s", fabric_of(t)->cable[link / 2].level,
           link % 2 == 0 ? "up" : "down");
}
