#include "reorder/map.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reorder/haichi.h"

struct mapping {
  const struct job *j;
  struct haichi h;
  struct haichi_error e;
  struct haichi_platform *platform;
  struct haichi_traffic *traffic;
  uint32_t *host; /* by process */
};

static bool fail(struct mapping *m, const char *why)
{
  snprintf(m->e.text, sizeof m->e.text, "%s", why);
  return false;
}

/* --- the platform ----------------------------------------------------------------------------- */

static int by_name(const void *a, const void *b)
{
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* "star:N,node=here,names=LIST" with the different names of the N machines. */
static char *machines_spec(const struct job *j)
{
  const size_t size = (size_t)j->n * REORDER_MACHINE + 64;
  const char **name = malloc((size_t)j->n * sizeof *name);
  char *list = malloc(size), *spec = malloc(size);
  size_t used = 0;
  int machines = 0;
  for (int i = 0; name != NULL && i < j->n; i++)
    name[i] = j->location[i].machine;
  if (name != NULL && list != NULL && spec != NULL) {
    qsort(name, (size_t)j->n, sizeof *name, by_name);
    for (int i = 0; i < j->n; i++)
      if (i == 0 || strcmp(name[i], name[i - 1]) != 0)
        used += (size_t)snprintf(list + used, size - used, machines++ > 0 ? ",%s" : "%s", name[i]);
    snprintf(spec, size, "star:%d,node=here,names=%s", machines, list);
  } else {
    free(spec);
    spec = NULL;
  }
  free(name);
  free(list);
  return spec;
}

/* The machines of the processes, joined by one switch. */
static bool open_machines(struct mapping *m)
{
  char *spec = machines_spec(m->j);
  const bool good = spec == NULL ? fail(m, "no memory")
                                 : m->h.platform_open(&m->platform, spec, &m->e) == HAICHI_OK;
  free(spec);
  return good;
}

static bool open_platform(struct mapping *m)
{
  const char *platform = m->j->settings.platform;
  return platform == NULL ? open_machines(m)
                          : m->h.platform_open(&m->platform, platform, &m->e) == HAICHI_OK;
}

/* --- hosts of the processes ------------------------------------------------------------------- */

/* From a file with the host of each rank of the world. */
static bool read_hosts(struct mapping *m)
{
  const struct job *j = m->j;
  struct haichi_mapping *world;
  if (m->h.mapping_load(&world, j->settings.hosts, m->platform, (uint32_t)j->world, &m->e) !=
      HAICHI_OK)
    return false;
  for (int i = 0; i < j->n; i++)
    m->host[i] = m->h.mapping_hosts(world)[j->location[i].world];
  m->h.mapping_free(world);
  return true;
}

static bool locate(struct mapping *m)
{
  const struct job *j = m->j;
  if ((m->host = malloc((size_t)j->n * sizeof *m->host)) == NULL)
    return fail(m, "no memory");
  if (j->settings.hosts != NULL)
    return read_hosts(m);
  struct haichi_process *process = malloc((size_t)j->n * sizeof *process);
  if (process == NULL)
    return fail(m, "no memory");
  for (int i = 0; i < j->n; i++)
    process[i] = (struct haichi_process){j->location[i].machine, j->location[i].unit,
                                         (uint32_t)j->location[i].words};
  const enum haichi_status s = m->h.locate(m->host, m->platform, process, (uint32_t)j->n, &m->e);
  free(process);
  return s == HAICHI_OK;
}

/* --- traffic ---------------------------------------------------------------------------------- */

static struct haichi_pair pair_of(const int *edge, double mean)
{
  const double bytes = mean > 0 ? edge[2] / mean * REORDER_BYTES : 0;
  return (struct haichi_pair){(uint32_t)edge[0], (uint32_t)edge[1], 1,
                              edge[2] > 0 && bytes < 1 ? 1 : (uint64_t)(bytes + 0.5)};
}

static bool count_edges(struct mapping *m)
{
  const struct edges *x = &m->j->edges;
  struct haichi_pair *pair = malloc((x->count + 1) * sizeof *pair);
  double sum = 0;
  size_t n = 0;
  if (pair == NULL)
    return fail(m, "no memory");
  for (size_t i = 0; i < x->count; i++)
    sum += x->edge[3 * i + 2];
  for (size_t i = 0; i < x->count; i++)
    if (x->edge[3 * i] != x->edge[3 * i + 1])
      pair[n++] = pair_of(&x->edge[3 * i], sum / (double)x->count);
  const enum haichi_status s =
      m->h.traffic_of_pairs(&m->traffic, (uint32_t)m->j->ranks, pair, n, &m->e);
  free(pair);
  return s == HAICHI_OK;
}

/* Reads the file as a matrix or, if that fails, as a trace. */
static bool read_traffic(struct mapping *m)
{
  struct haichi_trace *t = NULL;
  const char *file = m->j->settings.trace;
  if (m->h.traffic_load(&m->traffic, file, &m->e) != HAICHI_OK &&
      (m->h.trace_open(&t, file, NULL, &m->e) != HAICHI_OK ||
       m->h.traffic_of_trace(&m->traffic, t, &m->e) != HAICHI_OK)) {
    m->h.trace_free(t);
    return false;
  }
  m->h.trace_free(t);
  if (m->h.traffic_ranks(m->traffic) == (uint32_t)m->j->n)
    return true;
  snprintf(m->e.text, sizeof m->e.text, "%s has %" PRIu32 " ranks, the program %d", file,
           m->h.traffic_ranks(m->traffic), m->j->n);
  return false;
}

/* --- the order -------------------------------------------------------------------------------- */

static bool reorder(struct mapping *m, struct result *out)
{
  const struct haichi_reorder_request q = {.platform = m->platform,
                                           .traffic = m->traffic,
                                           .host = m->host,
                                           .processes = (uint32_t)m->j->n,
                                           .mapper = m->j->settings.mapper,
                                           .threads = 1};
  if ((out->process = malloc(q.processes * sizeof *out->process)) == NULL)
    return fail(m, "no memory");
  return m->h.reorder(out->process, &out->reordering, &q, &m->e) == HAICHI_OK;
}

void map_ranks(const struct job *j, struct result *out)
{
  struct mapping m = {.j = j};
  if (!haichi_load(&m.h, out->why, sizeof out->why))
    return;
  out->ok = open_platform(&m) && locate(&m) &&
            (j->settings.trace != NULL ? read_traffic(&m) : count_edges(&m)) && reorder(&m, out);
  if (!out->ok)
    snprintf(out->why, sizeof out->why, "%.*s", (int)sizeof out->why - 1, m.e.text);
  free(m.host);
  m.h.traffic_free(m.traffic);
  m.h.platform_free(m.platform);
}
