#include "platforms/clusters/multicluster.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/mem.h"
#include "common/num.h"
#include "platforms/platform.h"
#include "platforms/topology/star.h"

const char *const wan_sharings[] = {"pair", "all", "flow", NULL};

/* The record of a cluster line. */
struct description {
  struct site site;
  const char *hosts, *topology; /* "": not given */
  enum { INBOUND_YES, INBOUND_NO } inbound;
};

#define AT(FIELD) offsetof(struct description, FIELD)

static const char *const INBOUND[] = {"yes", "no", NULL};

static const struct spec_option OPTIONS[] = {
    {"hosts", SPEC_TEXT, AT(hosts), "", .help = "kinds of hosts, such as 4x2Gf:8+2x1Gf"},
    {"topology", SPEC_TEXT, AT(topology), "", .help = "spec of a topology; a star if not given"},
    {"bandwidth", SPEC_BANDWIDTH, AT(site.c.bandwidth), "125MBps", .help = "of its links"},
    {"latency", SPEC_TIME, AT(site.c.latency), "25e-6s", .help = "of its links"},
    {"loopback_bandwidth", SPEC_BANDWIDTH, AT(site.c.loopback_bandwidth), "10GBps",
     .help = "within a host"},
    {"loopback_latency", SPEC_TIME, AT(site.c.loopback_latency), "50e-9s", .help = "within a host"},
    {"uplink", SPEC_BANDWIDTH, AT(site.uplink_Bps), "", .help = "to all other clusters together"},
    {"inbound", SPEC_CHOICE, AT(inbound), "yes", .help = "no: refuses connections",
     .names = INBOUND},
    {"gateway", SPEC_U32, AT(site.gateway), "", .help = "host next to the wide-area links"},
    {.name = NULL},
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
                   "cluster '%.80s': expected a letter, then letters, digits, '_' and '.', at most "
                   "%d characters",
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
      (core != NULL && num_u64(core, PLATFORM_MOST_CORES, &cores, e) != OK))
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
  char *copy = mem_strdup(text, e);
  enum status status = copy == NULL ? FAIL : OK;
  *hosts = 0;
  for (char *word = copy, *rest; word != NULL && status == OK; word = rest) {
    rest = split(word, '+');
    if ((status = add_kind(s, word, e)) == OK)
      *hosts += s->kind[s->kinds - 1].hosts;
    else
      err_prefix(e, "hosts: ");
  }
  free(copy);
  return status;
}

/* Reads hosts= and topology=, of which at least one must be given. */
static enum status read_hosts(struct site *s, const char *kinds, const char *spec, struct err *e)
{
  static const struct star_backbone none = {0};
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

static enum status check_gateway(const struct site *s, struct err *e)
{
  const uint32_t last = topology_hosts(s->c.topology) - 1;
  if (topology_is_star(s->c.topology))
    return err_set(e, "gateway: on %s the switch is next to the wide-area links, not a host",
                   topology_spec(s->c.topology));
  if (s->gateway > last)
    return err_set(e, "gateway: %" PRIu32 " is above the maximum of %" PRIu32, s->gateway, last);
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

/* Reads the options of a cluster and completes it. */
static enum status fill(struct site *out, const char *name, char *options, struct err *e)
{
  struct description d = {.site = {.kind = NULL}};
  struct spec given;
  struct site *s = &d.site;
  enum status status = spec_split(&given, OPTIONS, options, " \t\r", &d, e);
  if (status == OK)
    status = read_hosts(s, d.hosts, d.topology, e);
  if (status == OK && spec_given(&given, "gateway"))
    status = check_gateway(s, e);
  if (status == OK)
    status = check_cores(s, e);
  if (status != OK) {
    clear_site(s);
    return FAIL;
  }
  snprintf(s->c.id, sizeof s->c.id, "%s", name);
  snprintf(s->c.prefix, sizeof s->c.prefix, "%s-", name);
  if (topology_is_star(s->c.topology))
    snprintf(s->c.router, sizeof s->c.router, "%s-router", name);
  s->c.split = true;
  s->c.no_inbound = d.inbound == INBOUND_NO;
  *out = *s;
  return OK;
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

enum status multicluster_add(struct multicluster *m, const char *name, char *options, struct err *e)
{
  if (check_name(m, name, e) != OK ||
      MEM_GROW(m->site, m->site_room, (size_t)m->sites + 1, e) != OK ||
      fill(&m->site[m->sites], name, options, e) != OK)
    return FAIL;
  return count_unequal(m, &m->site[m->sites++], e);
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
