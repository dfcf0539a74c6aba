/* InfiniBand networks, as ibnetdiscover describes them (ib_file.h): any graph of switches, with
 * forwarding tables that are computed or read.
 *
 * The name of a host is the first word in the description of its adapters, "node001 mlx5_0".
 * Between hosts with several ends, the sum of the two host numbers selects an end, the same one at
 * both hosts. */
#include "platforms/fabric/ib.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/arena.h"
#include "common/containers/names.h"
#include "common/mem.h"
#include "common/numeric/rising.h"
#include "common/spec.h"
#include "platforms/fabric/ib_file.h"

enum { LONGEST_NAME = 63 };

extern const struct topology_kind topology_ib;

static const struct ib *ib_of(const struct topology *t)
{
  return (const struct ib *)t;
}

struct options {
  const char *file, *tables;
  enum ib_routing routing;
};

#define AT(FIELD) offsetof(struct options, FIELD)

static const char *const ROUTINGS[] = {"minhop", "updown", NULL};

static const struct spec_option OPTIONS[] = {
    {"file", SPEC_TEXT, AT(file), NULL, .help = "output of ibnetdiscover", .ends = ','},
    {"routing", SPEC_CHOICE, AT(routing), "minhop", .help = "routes of computed forwarding tables",
     .names = ROUTINGS},
    {"lft", SPEC_TEXT, AT(tables), "", .help = "forwarding tables: output of dump_lfts or ibroute",
     .not_with = "routing"},
    {.name = NULL},
};

/* --- hosts ------------------------------------------------------------------------------------ */

/* The file, its hosts and its switches. */
struct reading {
  struct ib_file file;
  char **host; /* names; owned, as all arrays */
  size_t host_room;
  uint32_t hosts;
  struct index names;
  uint32_t *host_of; /* by node: host of an adapter, or number of a switch */
  char **switch_name;
  uint32_t switches;
  struct index descriptions; /* of nodes */
  uint32_t *rank;            /* by host: its place in the order of names */
  struct err *e;
};

static void clear_reading(struct reading *r)
{
  for (uint32_t i = 0; i < r->hosts; i++)
    free(r->host[i]);
  for (uint32_t i = 0; r->switch_name != NULL && i < r->switches; i++)
    free(r->switch_name[i]);
  free(r->host);
  free(r->host_of);
  free(r->switch_name);
  free(r->rank);
  index_clear(&r->names);
  index_clear(&r->descriptions);
  ib_file_clear(&r->file);
}

static bool same_description(const void *nodes, uint32_t i, const void *text)
{
  return strcmp(((const struct ib_node *)nodes)[i].description, text) == 0;
}

/* True for letters, digits, dots, hyphens and underscores. */
static bool is_host_name(const char *text, size_t length)
{
  size_t n = 0;
  while (n < length && (isalnum((unsigned char)text[n]) || strchr(".-_", text[n]) != NULL))
    n++;
  return n == length;
}

/* Writes the name of the host of an adapter: the first of one or two words of its description, or
 * the id of the adapter if the description has another form or belongs to an earlier adapter. */
static void name_host(struct reading *r, uint32_t node, char *name, size_t size)
{
  const struct ib_node *n = &r->file.node[node];
  const char *text = n->description;
  const size_t length = strcspn(text, " ");
  const char *second = text + length + strspn(text + length, " ");
  const uint64_t hash = index_text(text);
  const bool seen =
      index_find(&r->descriptions, hash, same_description, r->file.node, text) != INDEX_NONE;
  if (!seen)
    index_add(&r->descriptions, hash, node);
  if (seen || length == 0 || length > LONGEST_NAME || strchr(second, ' ') != NULL ||
      !is_host_name(text, length))
    snprintf(name, size, "%s", n->id);
  else
    snprintf(name, size, "%.*s", (int)length, text);
}

/* Finds the host of an adapter, or adds it. */
static enum status add_host(struct reading *r, uint32_t node)
{
  char name[LONGEST_NAME + 1];
  name_host(r, node, name, sizeof name);
  uint32_t host = index_find_string(&r->names, r->host, name);
  if (host == INDEX_NONE) {
    host = r->hosts;
    if (MEM_GROW(r->host, r->host_room, (size_t)host + 1, r->e) != OK ||
        index_reserve(&r->names, host, index_hash_string, r->host, r->e) != OK ||
        (r->host[host] = mem_strdup(name, r->e)) == NULL)
      return FAIL;
    index_add(&r->names, index_text(name), r->hosts++);
  }
  r->host_of[node] = host;
  return OK;
}

static enum status list_nodes(struct reading *r, const char *path)
{
  const struct ib_file *f = &r->file;
  if ((r->host_of = mem_array(f->nodes, sizeof *r->host_of, r->e)) == NULL ||
      (r->switch_name = mem_array(f->nodes, sizeof *r->switch_name, r->e)) == NULL ||
      index_build(&r->descriptions, 0, f->nodes, NULL, NULL, r->e) != OK)
    return FAIL;
  for (uint32_t i = 0; i < f->nodes; i++) {
    if (f->node[i].kind == IB_ADAPTER && add_host(r, i) != OK)
      return FAIL;
    if (f->node[i].kind != IB_SWITCH)
      continue;
    if ((r->switch_name[r->switches] = mem_strdup(f->node[i].id, r->e)) == NULL)
      return FAIL;
    r->host_of[i] = r->switches++;
  }
  return r->hosts > 0 ? OK : err_set(r->e, "%s: no adapters of hosts", path);
}

static enum status set_nodes(struct ib *x, struct reading *r)
{
  uint32_t *order;
  if (names_order(&order, r->host, r->hosts, r->e) != OK)
    return FAIL;
  enum status s = (r->rank = mem_array(r->hosts, sizeof *r->rank, r->e)) == NULL ? FAIL : OK;
  for (uint32_t i = 0; s == OK && i < r->hosts; i++)
    r->rank[order[i]] = i;
  if (s == OK)
    s = fabric_set_nodes(&x->f, r->host, order, r->hosts, r->switch_name, r->switches, r->e);
  free(order);
  return s;
}

/* --- cables ----------------------------------------------------------------------------------- */

static enum ib_kind kind_of(const struct reading *r, uint32_t node)
{
  return r->file.node[node].kind;
}

/* Counts the ends of each host into x->first, and the cables of each switch into x->out_first. */
static enum status count_cables(struct ib *x, const struct reading *r, const char *path)
{
  const struct ib_file *f = &r->file;
  for (uint32_t i = 0; i < f->ports; i++) {
    const struct ib_port *p = &f->port[i];
    const enum ib_kind from = kind_of(r, p->node), to = kind_of(r, p->peer);
    if (from == IB_ADAPTER && to == IB_ADAPTER)
      return err_at(r->e, path, p->line, "a cable from adapter '%s' to adapter '%s'",
                    f->node[p->node].id, f->node[p->peer].id);
    if (from == IB_ADAPTER && to == IB_SWITCH)
      x->first[r->rank[r->host_of[p->node]] + 1]++;
    if (from == IB_SWITCH && to == IB_SWITCH)
      x->out_first[r->host_of[p->node] + 1]++;
  }
  for (uint32_t h = 0; h < r->hosts; h++) {
    if (x->first[h + 1] == 0)
      return err_set(r->e, "%s: host '%s' has no cable to a switch", path, x->f.name[h]);
    x->first[h + 1] += x->first[h];
  }
  for (uint32_t s = 0; s < r->switches; s++)
    x->out_first[s + 1] += x->out_first[s];
  return OK;
}

/* The ends of each host, in the order of the file. */
static enum status add_ends(struct ib *x, const struct reading *r, uint32_t *taken)
{
  const struct ib_file *f = &r->file;
  struct fabric_cable none = {.level = 1};
  for (uint32_t i = 0; i < x->ends; i++)
    if (fabric_add_cable(&x->f, &none, r->e) != OK)
      return FAIL;
  for (uint32_t i = 0; i < f->ports; i++) {
    const struct ib_port *p = &f->port[i];
    if (kind_of(r, p->node) != IB_ADAPTER || kind_of(r, p->peer) != IB_SWITCH)
      continue;
    const uint32_t host = r->rank[r->host_of[p->node]], end = x->first[host] + taken[host];
    x->home[end] = r->host_of[p->peer];
    x->lid[end] = p->lid;
    x->f.cable[end] = (struct fabric_cable){.end = {host, r->hosts + x->home[end]},
                                            .number = taken[host]++,
                                            .level = 1,
                                            .bandwidth_Bps = p->bandwidth_Bps};
  }
  return OK;
}

static int by_port(const void *a, const void *b)
{
  return RISING(((const struct ib_out *)a)->port, ((const struct ib_out *)b)->port);
}

/* Lists the cables from each switch to other switches by port, without their links. */
static void list_outs(struct ib *x, const struct reading *r, uint32_t *taken)
{
  const struct ib_file *f = &r->file;
  for (uint32_t i = 0; i < f->ports; i++) {
    const struct ib_port *p = &f->port[i];
    if (kind_of(r, p->node) != IB_SWITCH || kind_of(r, p->peer) != IB_SWITCH)
      continue;
    const uint32_t s = r->host_of[p->node];
    x->out[x->out_first[s] + taken[s]++] =
        (struct ib_out){.to = r->host_of[p->peer], .port = p->number};
  }
  for (uint32_t s = 0; s < r->switches; s++)
    qsort(x->out + x->out_first[s], x->out_first[s + 1] - x->out_first[s], sizeof *x->out, by_port);
}

static struct ib_out *out_at(struct ib *x, uint32_t s, uint32_t port)
{
  const struct ib_out key = {.port = port};
  return bsearch(&key, x->out + x->out_first[s], x->out_first[s + 1] - x->out_first[s], sizeof key,
                 by_port);
}

/* Adds the cables between switches.  The first end is the lower switch; at equal heights, the
 * switch or the port with the lower number. */
static enum status add_outs(struct ib *x, const struct reading *r)
{
  const uint32_t *height = x->height;
  const struct ib_file *f = &r->file;
  for (uint32_t i = 0; i < f->ports; i++) {
    const struct ib_port *p = &f->port[i];
    if (kind_of(r, p->node) != IB_SWITCH || kind_of(r, p->peer) != IB_SWITCH)
      continue;
    const uint32_t a = r->host_of[p->node], b = r->host_of[p->peer];
    if (height[a] != height[b] ? height[a] > height[b]
                               : a > b || (a == b && p->number > p->peer_number))
      continue;
    const struct fabric_cable c = {.end = {r->hosts + a, r->hosts + b},
                                   .number = p->number,
                                   .level = height[a] == FABRIC_NONE ? 2 : 2 + height[a],
                                   .bandwidth_Bps = p->bandwidth_Bps};
    out_at(x, a, p->number)->link = 2 * x->f.cables;
    out_at(x, b, p->peer_number)->link = 2 * x->f.cables + 1;
    if (fabric_add_cable(&x->f, &c, r->e) != OK)
      return FAIL;
  }
  return OK;
}

static enum status lay_cables(struct ib *x, struct reading *r, const char *path)
{
  if ((x->first = mem_array((size_t)r->hosts + 1, sizeof *x->first, r->e)) == NULL ||
      (x->out_first = mem_array((size_t)r->switches + 1, sizeof *x->out_first, r->e)) == NULL ||
      count_cables(x, r, path) != OK)
    return FAIL;
  x->ends = x->first[r->hosts];
  ARENA(mem, r->e);
  uint32_t *taken = arena_array(&mem, (size_t)r->hosts + r->switches, sizeof *taken);
  if (taken == NULL || (x->home = mem_array(x->ends, sizeof *x->home, r->e)) == NULL ||
      (x->lid = mem_array(x->ends, sizeof *x->lid, r->e)) == NULL ||
      (x->out = mem_array(x->out_first[r->switches], sizeof *x->out, r->e)) == NULL ||
      add_ends(x, r, taken) != OK)
    return FAIL;
  list_outs(x, r, taken + r->hosts);
  return ib_heights(x, r->e) == OK ? add_outs(x, r) : FAIL;
}

/* --- routes ----------------------------------------------------------------------------------- */

/* Follows the forwarding tables from switch *s to the switch of @p end.  Writes the links to @p
 * link, unless it is NULL.  Returns their number, or FABRIC_NONE if an entry is missing or the
 * tables form a cycle; *s is then the switch where the search ended. */
static uint32_t follow(const struct ib *x, uint32_t *s, uint32_t end, uint32_t *link)
{
  uint32_t n = 0;
  while (*s != x->home[end]) {
    const uint16_t next = x->next[(size_t)*s * x->ends + end];
    if (next == IB_NO_PORT || n == x->f.base.switches)
      return FABRIC_NONE;
    const struct ib_out *out = &x->out[x->out_first[*s] + next];
    if (link != NULL)
      link[n] = out->link;
    n++;
    *s = out->to;
  }
  return n;
}

/* The ends that two hosts use. */
static void choose_ends(const struct ib *x, uint32_t src, uint32_t dst, uint32_t end[2])
{
  const uint32_t a = x->first[src + 1] - x->first[src], b = x->first[dst + 1] - x->first[dst];
  const uint32_t which = (src + dst) % (a < b ? a : b);
  end[0] = x->first[src] + which;
  end[1] = x->first[dst] + which;
}

static uint32_t hops(const struct topology *t, uint32_t src, uint32_t dst)
{
  const struct ib *x = ib_of(t);
  uint32_t end[2];
  choose_ends(x, src, dst, end);
  uint32_t s = x->home[end[0]];
  return 2 + follow(x, &s, end[1], NULL);
}

static void route(const struct topology *t, uint32_t src, uint32_t dst, struct topology_path *p)
{
  const struct ib *x = ib_of(t);
  uint32_t end[2];
  choose_ends(x, src, dst, end);
  uint32_t s = x->home[end[0]];
  topology_add(p, 2 * end[0]);
  p->links += follow(x, &s, end[1], p->link + p->links);
  topology_add(p, 2 * end[1] + 1);
}

/* Hosts with one end form a group with the other hosts of their switch.  Hosts with several ends
 * are groups of their own.  If routes from one switch have unequal lengths, each host is a group of
 * its own. */
static uint32_t group(const struct topology *t, uint32_t host)
{
  const struct ib *x = ib_of(t);
  const bool alone = x->uneven || x->first[host + 1] - x->first[host] > 1;
  return alone ? t->switches + host : x->home[x->first[host]];
}

static uint32_t bandwidth_class(const struct topology *t, uint32_t host)
{
  return fabric_of(t)->unequal ? host : 0;
}

/* The rail of an end as a bit: its index among the ends of its host. */
static uint64_t rail_of(const struct ib *x, uint32_t end)
{
  const uint32_t rail = end - x->first[x->f.cable[end].end[0]];
  return UINT64_C(1) << (rail < 63 ? rail : 63);
}

/* Follows the routes from switch @p s, which has ends of the rails @p rails, to all ends of these
 * rails.  Raises *longest to the length of the longest one. */
static enum status check_from(struct ib *x, uint32_t s, uint64_t rails, uint32_t *length,
                              uint32_t *longest, struct err *e)
{
  const struct fabric *f = &x->f;
  const uint32_t hosts = f->base.hosts;
  for (uint32_t i = 0; i < f->base.switches; i++)
    length[i] = FABRIC_NONE;
  for (uint32_t i = 0; i < x->ends; i++) {
    if ((rail_of(x, i) & rails) == 0)
      continue;
    uint32_t at = s;
    const uint32_t n = follow(x, &at, i, NULL), home = x->home[i];
    if (n == FABRIC_NONE)
      return err_set(e, "no route leads from switch '%s' to host '%s': %s '%s'", f->name[hosts + s],
                     f->name[f->cable[i].end[0]],
                     x->next[(size_t)at * x->ends + i] == IB_NO_PORT ? "no port at" : "a cycle at",
                     f->name[hosts + at]);
    x->uneven = x->uneven || (length[home] != FABRIC_NONE && length[home] != n);
    length[home] = n;
    *longest = n > *longest ? n : *longest;
  }
  return OK;
}

/* Checks the routes from all switches with hosts.  *diameter is the length of the longest one. */
static enum status check_routes(struct ib *x, uint32_t *diameter, struct err *e)
{
  const uint32_t switches = x->f.base.switches;
  ARENA(mem, e);
  uint64_t *rails = arena_array(&mem, switches, sizeof *rails);
  uint32_t *length = arena_array(&mem, switches, sizeof *length), longest = 0;
  if (arena_status(&mem) != OK)
    return FAIL;
  for (uint32_t i = 0; i < x->ends; i++)
    rails[x->home[i]] |= rail_of(x, i);
  for (uint32_t s = 0; s < switches; s++)
    if (rails[s] != 0 && check_from(x, s, rails[s], length, &longest, e) != OK)
      return FAIL;
  *diameter = x->f.base.hosts == 1 ? 0 : 2 + longest;
  return OK;
}

/* --- building --------------------------------------------------------------------------------- */

static enum status fill_tables(struct ib *x, const struct options *o, struct err *e)
{
  const size_t entries = (size_t)x->f.base.switches * x->ends;
  if ((x->next = mem_array(entries, sizeof *x->next, e)) == NULL)
    return FAIL;
  memset(x->next, 0xff, entries * sizeof *x->next);
  if (o->tables[0] != '\0')
    return ib_tables_read(x, o->tables, e);
  return ib_route_all(x, o->routing, e) == OK ? OK : err_prefix(e, "%s: ", o->file);
}

static enum status build(struct ib *x, const struct options *o, const char *fields,
                         struct reading *r)
{
  struct err *e = r->e;
  uint32_t diameter;
  const bool tables = o->tables[0] != '\0';
  if ((x->f.file[0] = mem_strdup(o->file, e)) == NULL ||
      (tables && (x->f.file[1] = mem_strdup(o->tables, e)) == NULL) ||
      ib_file_read(&r->file, o->file, e) != OK || list_nodes(r, o->file) != OK ||
      set_nodes(x, r) != OK || lay_cables(x, r, o->file) != OK || fill_tables(x, o, e) != OK)
    return FAIL;
  if (check_routes(x, &diameter, e) != OK)
    return err_prefix(e, "%s: ", tables ? o->tables : o->file);
  return fabric_finish(&x->f, &topology_ib, fields, diameter, e);
}

static void clear(struct topology *t)
{
  struct ib *x = (struct ib *)t;
  free(x->first);
  free(x->home);
  free(x->lid);
  free(x->height);
  free(x->out_first);
  free(x->out);
  free(x->next);
  fabric_clear(&x->f);
}

static enum status build_new(struct topology **out, const struct options *o, const char *fields,
                             struct err *e)
{
  struct reading r = {.e = e};
  struct ib *x = mem_array(1, sizeof *x, e);
  if (x == NULL)
    return FAIL;
  const enum status s = build(x, o, fields, &r);
  clear_reading(&r);
  if (s == OK) {
    *out = &x->f.base;
    return OK;
  }
  clear(&x->f.base);
  free(x);
  return FAIL;
}

static enum status parse(struct topology **out, const char *fields, struct err *e)
{
  struct options o = {0};
  struct spec s;
  if (spec_parse(&s, OPTIONS, fields, &o, e) != OK)
    return err_prefix(e, "topology 'ib:%.80s': ", fields);
  const enum status status = build_new(out, &o, fields, e);
  spec_clear(&s);
  return status;
}

/* True if each host has one end: the cable of the end carries no other traffic, because hosts do
 * not forward. */
static bool own_cables(const struct topology *t)
{
  return ib_of(t)->ends == t->hosts;
}

const struct topology_kind topology_ib = {
    .name = "ib",
    .example = "ib:FILE",
    .help = "InfiniBand network, as ibnetdiscover prints it; its forwarding tables are read "
            "(lft=FILE) or computed (routing=minhop, updown)",
    .names_file = true,
    .parse = parse,
    .clear = clear,
    .file = fabric_file,
    .host_name = fabric_host_name,
    .find_host = fabric_find_host,
    .hops = hops,
    .route = route,
    .link = fabric_link,
    .link_name = fabric_link_name,
    .group = group,
    .own_cables = own_cables,
    .bandwidth_class = bandwidth_class,
    .link_group = fabric_link_group,
};
