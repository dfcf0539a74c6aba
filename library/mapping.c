#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/mem.h"
#include "library/handles.h"
#include "mappers/mapper.h"
#include "mappers/metrics.h"
#include "setup/place.h"
#include "sim/sim.h"

/* --- mappings --------------------------------------------------------------------------------- */

/* Makes *out from the contents of @p m.  @p s: the status with which @p m was made. */
static enum haichi_status give(struct haichi_mapping **out, struct mapping *m, enum status s,
                               struct err *why, struct haichi_error *e)
{
  struct haichi_mapping *made = s == OK ? mem_array(1, sizeof *made, why) : NULL;
  if (made == NULL) {
    mapping_clear(m);
    return library_fail(e, why);
  }
  made->m = *m;
  *out = made;
  return HAICHI_OK;
}

enum haichi_status haichi_mapping_new(struct haichi_mapping **out, const struct haichi_platform *p,
                                      const uint32_t *host, uint32_t ranks, struct haichi_error *e)
{
  struct err why;
  struct mapping m = {0};
  enum status s = ranks > 0 ? mapping_new(&m, ranks, &why) : err_set(&why, "a mapping of no ranks");
  if (s == OK) {
    memcpy(m.host, host, ranks * sizeof *host);
    s = mapping_check(&m, p->p, ranks, &why);
  }
  return give(out, &m, s, &why, e);
}

enum haichi_status haichi_mapping_load(struct haichi_mapping **out, const char *path,
                                       const struct haichi_platform *p, uint32_t ranks,
                                       struct haichi_error *e)
{
  struct err why;
  struct mapping m = {0};
  enum status s = library_check_input(path, &why);
  if (s == OK)
    s = mapping_load(&m, path, p->p, ranks, &why);
  if (s == OK && m.ranks == 0) {
    mapping_clear(&m);
    s = err_set(&why, "%s: a mapping of no ranks", path);
  }
  return give(out, &m, s, &why, e);
}

enum haichi_status haichi_mapping_save(const struct haichi_mapping *m,
                                       const struct haichi_platform *p, const char *format,
                                       const char *path, struct haichi_error *e)
{
  struct err why;
  const struct mapping_format *row = registry_find(&mapping_formats, format, strlen(format));
  if (row == NULL) {
    registry_unknown(&mapping_formats, format, strlen(format), &why);
    return library_fail(e, &why);
  }
  if (library_check_input(path, &why) != OK || mapping_check(&m->m, p->p, m->m.ranks, &why) != OK ||
      mapping_save(&m->m, p->p, row, path, &why) != OK)
    return library_fail(e, &why);
  return HAICHI_OK;
}

void haichi_mapping_free(struct haichi_mapping *m)
{
  if (m != NULL)
    mapping_clear(&m->m);
  free(m);
}

uint32_t haichi_mapping_ranks(const struct haichi_mapping *m)
{
  return m->m.ranks;
}

const uint32_t *haichi_mapping_hosts(const struct haichi_mapping *m)
{
  return m->m.host;
}

/* --- mappers ---------------------------------------------------------------------------------- */

/* Runs the mapper on the hosts of the list @p hosts, or on all hosts if it is NULL. */
static enum status place(struct place *a, const char *hosts, const struct platform *p,
                         struct mapping *out, struct err *e)
{
  struct allocation_list *list = NULL;
  if (hosts != NULL && allocation_list_read(&list, hosts, e) != OK)
    return FAIL;
  a->hosts = list;
  const enum status s = place_ranks(a, p, out, e);
  allocation_list_free(list);
  return s;
}

enum haichi_status haichi_map(struct haichi_mapping **out, const char *spec,
                              const struct haichi_platform *p, const struct haichi_traffic *traffic,
                              const struct haichi_map_options *o, struct haichi_error *e)
{
  static const struct haichi_map_options DEFAULTS;
  const struct sim_options simulation = sim_defaults();
  struct err why;
  struct mapping m = {0};
  if (o == NULL)
    o = &DEFAULTS;
  /* With several threads, a mapper that simulates would fork, which is unsafe in a program with
   * threads. */
  struct place a = {.mapping = spec,
                    .ranks_per_host = o->ranks_per_host,
                    .ranks = traffic->m.ranks,
                    .threads = o->trace == NULL ? o->threads : 1,
                    .traffic = &traffic->m,
                    .trace = o->trace == NULL ? NULL : &o->trace->input,
                    .options = o->trace == NULL ? NULL : &simulation};
  enum status s;
  if (!mapper_is_spec(spec))
    s = registry_unknown(&mappers, spec, strcspn(spec, ":"), &why);
  else if (library_check_input(spec, &why) != OK ||
           (o->hosts != NULL && library_check_input(o->hosts, &why) != OK))
    s = FAIL;
  else if (o->trace != NULL && haichi_trace_ranks(o->trace) != traffic->m.ranks)
    s = err_set(&why, "the trace has %u ranks, the traffic %u", haichi_trace_ranks(o->trace),
                traffic->m.ranks);
  else
    s = place(&a, o->hosts, p->p, &m, &why);
  return give(out, &m, s, &why, e);
}

const char *haichi_mapper_name(size_t i)
{
  return registry_at(&mappers, i) == NULL ? NULL : registry_name(&mappers, i);
}

const char *haichi_mapper_help(size_t i)
{
  const struct mapper *row = registry_at(&mappers, i);
  return row == NULL ? NULL : row->help;
}

/* --- metrics ---------------------------------------------------------------------------------- */

enum haichi_status haichi_metrics(struct haichi_metrics *out, const struct haichi_platform *p,
                                  const struct haichi_traffic *traffic,
                                  const struct haichi_mapping *m, struct haichi_error *e)
{
  struct err why;
  struct metrics x;
  if (traffic->m.ranks > m->m.ranks) {
    err_set(&why, "traffic of %" PRIu32 " ranks, but the mapping has %" PRIu32, traffic->m.ranks,
            m->m.ranks);
    return library_fail(e, &why);
  }
  if (mapping_check(&m->m, p->p, m->m.ranks, &why) != OK ||
      metrics_compute(&x, p->p, &m->m, &traffic->m, &why) != OK)
    return library_fail(e, &why);
  *out = (struct haichi_metrics){.hop_bytes = x.hop_bytes,
                                 .dilation_mean = x.dilation_mean,
                                 .dilation_max = x.dilation_max,
                                 .max_link_load_bytes = x.max_link_load_bytes,
                                 .mean_link_load_bytes = x.mean_link_load_bytes,
                                 .max_link_load_s = x.max_link_load_s,
                                 .mean_latency_s = x.mean_latency_s};
  return HAICHI_OK;
}
