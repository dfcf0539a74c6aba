#include "platforms/topology/topology.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/files/textout.h"
#include "common/mem.h"
#include "platforms/topology/grid.h"
#include "platforms/topology/kind.h"

#define LIST(ROW)                                                                                  \
  ROW(topology_torus)                                                                              \
  ROW(topology_mesh)                                                                               \
  ROW(topology_hypercube)                                                                          \
  ROW(topology_fattree)                                                                            \
  ROW(topology_dragonfly)                                                                          \
  ROW(topology_star)                                                                               \
  ROW(topology_slurm)                                                                              \
  ROW(topology_ib)                                                                                 \
  ROW(topology_clusters)                                                                           \
  ROW(topology_random_clusters)

#define DECLARE(row) extern const struct topology_kind row;
LIST(DECLARE)

const struct registry topologies = REGISTRY("topology", LIST);

const struct topology_kind *topology_kind_of(const char *spec)
{
  const size_t n = strcspn(spec, ":");
  return spec[n] == ':' ? registry_find(&topologies, spec, n) : NULL;
}

const char *topology_example(size_t i)
{
  return ((const struct topology_kind *)registry_at(&topologies, i))->example;
}

const char *topology_help(size_t i)
{
  return ((const struct topology_kind *)registry_at(&topologies, i))->help;
}

bool topology_is_multicluster(const char *spec)
{
  const struct topology_kind *kind = topology_kind_of(spec);
  return kind != NULL && kind->describe != NULL;
}

/* Writes the SimGrid parameters of the topology and parses them as if from a platform file. */
enum status topology_check_simgrid(const struct topology *t, struct err *e)
{
  static const struct topology_counters none = {0};
  struct topology *again;
  struct textout text;
  if (t->kind->simgrid == NULL)
    return err_set(e, "%s: SimGrid has no topology '%s'", topology_spec(t), t->kind->name);
  if (t->kind->parse_simgrid == NULL || topology_is_grid(t))
    return OK;
  if (textout_begin(&text, e) != OK)
    return FAIL;
  t->kind->print_simgrid(t, text.f);
  OWNED char *parameters = textout_end(&text, OK, e);
  if (parameters == NULL)
    return FAIL;
  const enum status s = t->kind->parse_simgrid(&again, parameters, t->hosts, &none, e);
  if (s != OK)
    return err_prefix(e, "%s: ", topology_spec(t));
  topology_free(again);
  return OK;
}

enum status topology_new(struct topology **out, const char *spec, struct err *e)
{
  const struct topology_kind *kind = topology_kind_of(spec);
  if (kind == NULL)
    return registry_unknown(&topologies, spec, strcspn(spec, ":"), e);
  if (kind->parse == NULL)
    return err_set(e, "'%.80s' stands for several clusters, not for one topology", spec);
  if (kind->parse(out, spec + strlen(kind->name) + 1, e) == OK)
    return OK;
  return kind->names_file ? FAIL : err_prefix(e, "topology '%.80s': ", spec);
}

enum status topology_keep(struct topology **out, const struct topology *made, size_t size,
                          struct err *e)
{
  if ((*out = mem_array(1, size, e)) == NULL)
    return FAIL;
  memcpy(*out, made, size);
  return OK;
}

void topology_free(struct topology *t)
{
  if (t != NULL && t->kind->clear != NULL)
    t->kind->clear(t);
  free(t);
}

const char *topology_spec(const struct topology *t)
{
  return t->spec;
}

const char *topology_file(const struct topology *t, size_t i)
{
  return t->kind->file == NULL ? NULL : t->kind->file(t, i);
}

uint32_t topology_hosts(const struct topology *t)
{
  return t->hosts;
}

uint32_t topology_link_ids(const struct topology *t)
{
  return t->link_ids;
}

uint32_t topology_links(const struct topology *t)
{
  return t->links;
}

bool topology_has_link(const struct topology *t, uint32_t link)
{
  return link < t->link_ids && (t->kind->has_link == NULL || t->kind->has_link(t, link));
}

uint32_t topology_hops(const struct topology *t, uint32_t src, uint32_t dst)
{
  return src == dst ? 0 : t->kind->hops(t, src, dst);
}

uint32_t topology_diameter(const struct topology *t)
{
  return t->diameter;
}

double topology_bisection(const struct topology *t)
{
  if (t->kind->bisection == NULL)
    return NAN;
  return t->hosts == 1 ? 0 : t->kind->bisection(t);
}

uint32_t topology_route(const struct topology *t, uint32_t src, uint32_t dst, uint32_t *links)
{
  struct topology_path p = {.link = links};
  if (src != dst)
    t->kind->route(t, src, dst, &p);
  return p.links;
}
