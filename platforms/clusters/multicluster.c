#include "platforms/clusters/multicluster.h"

#include <ctype.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "common/mem.h"
#include "common/num.h"
#include "platforms/topology/star.h"

const struct field site_fields[SITE_FIELDS] = {
    [SITE_HOSTS] = {.name = "hosts"},
    [SITE_TOPOLOGY] = {.name = "topology"},
    [SITE_BANDWIDTH] = {.name = "bandwidth"},
    [SITE_LATENCY] = {.name = "latency"},
    [SITE_LOOPBACK_BANDWIDTH] = {.name = "loopback_bandwidth"},
    [SITE_LOOPBACK_LATENCY] = {.name = "loopback_latency"},
    [SITE_UPLINK] = {.name = "uplink"},
    [SITE_INBOUND] = {.name = "inbound"},
    [SITE_GATEWAY] = {.name = "gateway"},
};

static void clear_site(struct site *s)
{
  cluster_clear(&s->c);
  free(s->kind);
}

void multicluster_clear(struct multicluster *m)
{
  for (uint32_t i = 0; i < m->sites; i++)
    clear_site(&m->site[i]);
  free(m->site);
  free(m->wan);
  *m = (struct multicluster){0};
}

/* --- clusters --------------------------------------------------------------------------------- */

static enum status check_name(const struct multicluster *m, const char *name, struct err *e)
{
  size_t n = 0;
  while (isalnum((unsigned char)name[n]) || name[n] == '_' || name[n] == '.')
    n++;
  if (n == 0 || name[n] != '\0' || n > SITE_NAME_MAX || !isalpha((unsigned char)name[0]))
    return err_set(e,
                   "cluster '%.80s': expected a letter, then letters, digits, '_' and '.', %d in "
                   "all",
                   name, SITE_NAME_MAX);
  for (uint32_t i = 0; i < m->sites; i++)
    if (strcmp(m->site[i].c.id, name) == 0)
      return err_set(e, "two clusters are named '%s'", name);
  if (m->sites == MULTICLUSTER_MOST)
    return err_set(e, "more than %d clusters", MULTICLUSTER_MOST);
  return OK;
}

/* Splits @p text at the first @p c.  Returns the second part, or NULL. */
static char *split(char *text, char c)
{
  char *end = strchr(text, c);
  if (end != NULL)
    *end++ = '\0';
  return end;
}

/* Parses "COUNT", "COUNTxSPEED" or "COUNTxSPEED:CORES". */
static enum status add_kind(struct site *s, char *text, struct err *e)
{
  uint64_t hosts, cores = 1;
  struct site_kind kind = {.speed = 1e9};
  char *speed = split(text, 'x');
  char *core = speed == NULL ? NULL : split(speed, ':');
  if (num_u64(text, TOPOLOGY_MAX_HOSTS, &hosts, e) != OK ||
      (speed != NULL && num_quantity(speed, NUM_SPEED, &kind.speed, e) != OK) ||
      (core != NULL && num_u64(core, INT_MAX, &cores, e) != OK))
    return FAIL;
  if (hosts == 0 || cores == 0)
    return err_set(e, "0 %s", hosts == 0 ? "hosts" : "cores");
  if (MEM_GROW(s->kind, s->kind_room, (size_t)s->kinds + 1, e) != OK)
    return FAIL;
  kind.hosts = (uint32_t)hosts;
  kind.cores = (uint32_t)cores;
  s->kind[s->kinds++] = kind;
  return OK;
}

/* Parses host kinds separated by '+'.  *hosts is the total number of hosts. */
static enum status read_kinds(struct site *s, const char *text, uint64_t *hosts, struct err *e)
{
  char copy[FIELDS_LONGEST];
  snprintf(copy, sizeof copy, "%s", text);
  *hosts = 0;
  for (char *word = copy, *rest; word != NULL; word = rest) {
    rest = split(word, '+');
    if (add_kind(s, word, e) != OK)
      return err_prefix(e, "hosts: ");
    *hosts += s->kind[s->kinds - 1].hosts;
  }
  return OK;
}

/* Reads hosts= and topology=, of which at least one must be given. */
static enum status read_hosts(struct site *s, const struct field *fields, struct err *e)
{
  static const struct star_backbone none = {0};
  const char *kinds = fields[SITE_HOSTS].value, *spec = fields[SITE_TOPOLOGY].value;
  uint64_t hosts;
  char all[16];
  if (*spec != '\0' && (topology_new(&s->c.topology, spec, e) != OK ||
                        topology_check_simgrid(s->c.topology, e) != OK))
    return FAIL;
  if (*spec == '\0' && *kinds == '\0')
    return err_set(e, "neither hosts= nor topology= is given");
  if (*spec != '\0')
    snprintf(all, sizeof all, "%" PRIu32, topology_hosts(s->c.topology));
  if (read_kinds(s, *kinds == '\0' ? all : kinds, &hosts, e) != OK)
    return FAIL;
  if (*spec != '\0' && hosts != topology_hosts(s->c.topology))
    return err_set(e, "hosts: %" PRIu64 " hosts, and topology %s has %" PRIu32, hosts,
                   topology_spec(s->c.topology), topology_hosts(s->c.topology));
  if (*spec == '\0' && hosts > TOPOLOGY_MAX_HOSTS)
    return err_set(e, "hosts: %" PRIu64 " are above the maximum of %u", hosts, TOPOLOGY_MAX_HOSTS);
  return *spec != '\0' ? OK : topology_star_new(&s->c.topology, (uint32_t)hosts, &none, e);
}

static enum status read_links(struct site *s, const struct field *f, struct err *e)
{
  struct cluster *c = &s->c;
  if (fields_quantity(&f[SITE_BANDWIDTH], NUM_BANDWIDTH, 125e6, &c->bandwidth, e) != OK ||
      fields_quantity(&f[SITE_LATENCY], NUM_TIME, 25e-6, &c->latency, e) != OK ||
      fields_quantity(&f[SITE_LOOPBACK_BANDWIDTH], NUM_BANDWIDTH, 10e9, &c->loopback_bandwidth,
                      e) != OK ||
      fields_quantity(&f[SITE_LOOPBACK_LATENCY], NUM_TIME, 50e-9, &c->loopback_latency, e) != OK)
    return FAIL;
  return fields_quantity(&f[SITE_UPLINK], NUM_BANDWIDTH, 0, &s->uplink_Bps, e);
}

static enum status read_inbound(struct site *s, const char *text, struct err *e)
{
  s->c.no_inbound = strcmp(text, "no") == 0;
  return *text == '\0' || s->c.no_inbound || strcmp(text, "yes") == 0
             ? OK
             : err_set(e, "inbound: '%.80s' is neither yes nor no", text);
}

static enum status read_gateway(struct site *s, const char *text, struct err *e)
{
  uint64_t host = 0;
  const bool middle = topology_is_star(s->c.topology);
  if (*text == '\0')
    return OK;
  if (middle)
    return err_set(e, "gateway: the switch of %s is next to the wide-area links, no host",
                   topology_spec(s->c.topology));
  if (num_u64(text, topology_hosts(s->c.topology) - 1, &host, e) != OK)
    return err_prefix(e, "gateway: ");
  s->gateway = (uint32_t)host;
  return OK;
}

/* SimGrid's <cluster> has a single number of cores.  Only stars can be written host by host. */
static enum status check_cores(struct site *s, struct err *e)
{
  const struct topology *t = s->c.topology;
  const bool plain_star = topology_is_star(t) && topology_backbone(t) == NULL;
  s->c.cores = s->kind[0].cores;
  for (uint32_t i = 0; i < s->kinds; i++) {
    s->c.speed = s->kind[i].speed > s->c.speed ? s->kind[i].speed : s->c.speed;
    if (s->kind[i].cores != s->c.cores && !plain_star)
      return err_set(e,
                     "hosts: %" PRIu32 " and %" PRIu32
                     " cores; SimGrid has clusters of unequal cores only as stars "
                     "without a backbone",
                     s->c.cores, s->kind[i].cores);
  }
  for (uint32_t i = 0; i < s->kinds; i++)
    if (cluster_scale(s->kind[i].speed, s->c.speed) <= 0)
      return err_set(e, "hosts: speeds of %g and %g flop/s are too far apart", s->kind[i].speed,
                     s->c.speed);
  return OK;
}

static enum status fill(struct site *s, const char *name, const struct field *f, struct err *e)
{
  snprintf(s->c.id, sizeof s->c.id, "%s", name);
  snprintf(s->c.prefix, sizeof s->c.prefix, "%s-", name);
  s->c.split = true;
  if (read_hosts(s, f, e) != OK || read_links(s, f, e) != OK ||
      read_inbound(s, f[SITE_INBOUND].value, e) != OK ||
      read_gateway(s, f[SITE_GATEWAY].value, e) != OK)
    return FAIL;
  if (topology_is_star(s->c.topology))
    snprintf(s->c.router, sizeof s->c.router, "%s-router", name);
  return check_cores(s, e);
}

static enum status count_unequal(struct multicluster *m, const struct site *s, struct err *e)
{
  if (s->kinds == 1)
    return OK;
  if (topology_hosts(s->c.topology) > MULTICLUSTER_MOST_UNEQUAL - m->unequal)
    return err_set(e, "more than %u hosts in clusters of unequal hosts", MULTICLUSTER_MOST_UNEQUAL);
  m->unequal += topology_hosts(s->c.topology);
  return OK;
}

enum status multicluster_add(struct multicluster *m, const char *name, const struct field *fields,
                             struct err *e)
{
  if (check_name(m, name, e) != OK ||
      MEM_GROW(m->site, m->site_room, (size_t)m->sites + 1, e) != OK)
    return FAIL;
  struct site *s = &m->site[m->sites];
  *s = (struct site){0};
  if (fill(s, name, fields, e) != OK) {
    clear_site(s);
    return FAIL;
  }
  m->sites++;
  return count_unequal(m, s, e);
}

/* --- wide-area links -------------------------------------------------------------------------- */

enum status multicluster_join(struct multicluster *m, struct err *e)
{
  return (m->wan = mem_array((size_t)m->sites * m->sites, sizeof *m->wan, e)) == NULL ? FAIL : OK;
}

struct wan *multicluster_wan(const struct multicluster *m, uint32_t a, uint32_t b)
{
  return &m->wan[(size_t)(a < b ? a : b) * m->sites + (a < b ? b : a)];
}
