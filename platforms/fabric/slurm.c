/* Trees of switches, as Slurm describes a machine (slurm_tree.h).  Each node has cables to the
 * switch above it.  Routes go up to the first common switch and down again.  The number of the
 * destination selects among parallel cables upwards, the number of the source downwards, as in fat
 * trees (platforms/topology/fattree.c). */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/containers/names.h"
#include "common/mem.h"
#include "common/num.h"
#include "common/plural.h"
#include "common/spec.h"
#include "platforms/fabric/fabric.h"
#include "platforms/fabric/slurm_tree.h"

/* Maximum number of cables from a node to the switch above it, and of switches above a node. */
enum { MOST_PARALLEL = 65536, MOST_LEVELS = 64 };

struct tree {
  struct fabric f;
  /* by node; owned as one array, of which `parent` is the first part: */
  uint32_t *parent; /* FABRIC_NONE: the root */
  uint32_t *depth;  /* number of switches above it */
  uint32_t *first;  /* its first cable upwards */
  uint32_t *cables; /* number of its cables upwards */
};

extern const struct topology_kind topology_slurm;

static const struct tree *tree_of(const struct topology *t)
{
  return (const struct tree *)t;
}

/* --- options ---------------------------------------------------------------------------------- */

struct options {
  const char *file, *bandwidths;
  struct spec_list cables;
  double bandwidth_Bps[SPEC_LIST_MOST]; /* by level */
  uint32_t bandwidth_count;
};

#define AT(FIELD) offsetof(struct options, FIELD)

static const struct spec_option OPTIONS[] = {
    {"file", SPEC_TEXT, AT(file), NULL, .help = "topology.conf, or scontrol show topology",
     .ends = ','},
    {"cables", SPEC_LIST, AT(cables), "",
     .help = "of a host to its switch, of that switch upwards, and so on", .least = 1,
     .most = MOST_PARALLEL, .separator = '+'},
    {"bandwidth", SPEC_TEXT, AT(bandwidths), "", .help = "of a cable, by the same levels"},
    {.name = NULL},
};

static enum status read_bandwidths(struct options *o, struct err *e)
{
  if (o->bandwidths[0] == '\0')
    return OK;
  for (const char *text = o->bandwidths;; text++) {
    char word[64];
    const size_t n = strcspn(text, "+");
    snprintf(word, sizeof word, "%.*s", (int)(n < sizeof word ? n : sizeof word - 1), text);
    if (o->bandwidth_count == SPEC_LIST_MOST)
      return err_set(e, "bandwidth: more than %d levels", SPEC_LIST_MOST);
    if (num_quantity(word, NUM_BANDWIDTH, &o->bandwidth_Bps[o->bandwidth_count++], e) != OK)
      return err_prefix(e, "bandwidth: ");
    text += n;
    if (*text == '\0')
      return OK;
  }
}

/* --- building --------------------------------------------------------------------------------- */

/* Moves the names to the fabric and sets the parents of its nodes. */
static enum status take_nodes(struct tree *t, struct slurm_tree *r, struct err *e)
{
  const uint32_t hosts = (uint32_t)r->hosts.count, switches = r->switches;
  const size_t nodes = (size_t)hosts + switches;
  uint32_t *order = NULL;
  enum status s = names_order(&order, r->hosts.name, hosts, e);
  if (s == OK && (t->parent = mem_array(nodes * 4, sizeof *t->parent, e)) == NULL)
    s = FAIL;
  if (s == OK) {
    t->depth = t->parent + nodes;
    t->first = t->depth + nodes;
    t->cables = t->first + nodes;
    for (uint32_t i = 0; i < hosts; i++)
      t->parent[i] = hosts + r->leaf[order[i]];
    for (uint32_t i = 0; i < switches; i++)
      t->parent[hosts + i] = r->parent[i] == FABRIC_NONE ? FABRIC_NONE : hosts + r->parent[i];
    s = fabric_set_nodes(&t->f, r->hosts.name, order, hosts, r->name, switches, e);
  }
  free(order);
  return s;
}

/* Computes for each node its depth and its level: 1 for hosts and switches without children, 1 more
 * than the highest child for other switches.  Lists the nodes in @p order, parents first. */
static void measure(struct tree *t, uint32_t nodes, uint32_t *level, uint32_t *order)
{
  uint32_t *count = t->cables, deepest = 0; /* count: by depth */
  for (uint32_t i = nodes; i-- > 0;) {
    uint32_t depth = 0;
    for (uint32_t at = t->parent[i]; at != FABRIC_NONE; at = t->parent[at])
      depth++;
    t->depth[i] = depth;
    deepest = depth > deepest ? depth : deepest;
  }
  for (uint32_t i = 0; i < nodes; i++)
    count[t->depth[i]]++;
  for (uint32_t d = 0, sum = 0; d <= deepest; d++) {
    const uint32_t n = count[d];
    count[d] = sum;
    sum += n;
  }
  for (uint32_t i = 0; i < nodes; i++)
    order[count[t->depth[i]]++] = i;
  memset(count, 0, nodes * sizeof *count);
  for (uint32_t i = nodes; i-- > 0;) {
    const uint32_t node = order[i], above = t->parent[node];
    level[node] = level[node] == 0 ? 1 : level[node];
    if (above != FABRIC_NONE && level[above] <= level[node])
      level[above] = level[node] + 1;
  }
}

/* Number of cables of a node upwards: the value of the option, or by default 1 for a host and the
 * number of cables downwards for a switch. */
static uint32_t choose_cables(const struct options *o, uint32_t level, uint32_t down)
{
  return level <= o->cables.count ? o->cables.value[level - 1] : level == 1 ? 1 : down;
}

/* Fails if an option has values for more than the @p levels levels of cables. */
static enum status check_levels(const struct options *o, uint32_t levels, struct err *e)
{
  const bool cables = o->cables.count > levels;
  const uint32_t values = cables ? o->cables.count : o->bandwidth_count;
  return values <= levels
             ? OK
             : err_set(e, "%s: %s: %" PRIu32 " values for %" PRIu32 " level%s of cables", o->file,
                       cables ? "cables" : "bandwidth", values, levels, PLURAL(levels));
}

static enum status lay_cables(struct tree *t, const struct options *o, const uint32_t *level,
                              const uint32_t *order, struct err *e)
{
  const uint32_t nodes = t->f.base.hosts + t->f.base.switches;
  uint32_t *down = mem_array(nodes, sizeof *down, e);
  enum status s = down == NULL ? FAIL : OK;
  for (uint32_t i = nodes; s == OK && i-- > 1;) {
    const uint32_t node = order[i], l = level[node], n = choose_cables(o, l, down[node]);
    struct fabric_cable c = {.end = {node, t->parent[node]}, .level = l};
    c.bandwidth_Bps = l <= o->bandwidth_count ? o->bandwidth_Bps[l - 1] : 0;
    t->first[node] = t->f.cables;
    t->cables[node] = n;
    down[c.end[1]] += n;
    for (; s == OK && c.number < n; c.number++)
      s = fabric_add_cable(&t->f, &c, e);
  }
  free(down);
  return s;
}

/* The number of cables of the longest route, which joins the deepest hosts below two children of a
 * switch. */
static uint32_t find_diameter(const struct tree *t, const uint32_t *order, uint32_t *far)
{
  const uint32_t nodes = t->f.base.hosts + t->f.base.switches;
  uint32_t longest = 0;
  memset(far, 0, nodes * sizeof *far);
  for (uint32_t i = nodes; i-- > 1;) { /* far: cables down to the farthest host so far, 0: none */
    const uint32_t node = order[i], above = t->parent[node];
    if (node >= t->f.base.hosts && far[node] == 0)
      continue; /* no hosts below */
    const uint32_t here = far[node] + 1;
    longest = far[above] > 0 && far[above] + here > longest ? far[above] + here : longest;
    far[above] = here > far[above] ? here : far[above];
  }
  return longest;
}

static enum status build(struct tree *t, const struct options *o, const char *fields, struct err *e)
{
  const uint32_t nodes = t->f.base.hosts + t->f.base.switches;
  uint32_t *level = mem_array(nodes, sizeof *level, e);
  uint32_t *order = level == NULL ? NULL : mem_array(nodes, sizeof *order, e);
  enum status s = order == NULL ? FAIL : OK;
  if (s == OK) {
    measure(t, nodes, level, order);
    s = check_levels(o, level[order[0]] - 1, e);
  }
  if (s == OK)
    s = lay_cables(t, o, level, order, e);
  if (s == OK)
    s = fabric_finish(&t->f, &topology_slurm, fields, find_diameter(t, order, level), e);
  free(level);
  free(order);
  return s;
}

static void clear(struct topology *base)
{
  struct tree *t = (struct tree *)base;
  free(t->parent);
  fabric_clear(&t->f);
}

static enum status build_new(struct topology **out, const struct options *o, const char *fields,
                             struct err *e)
{
  struct slurm_tree read;
  struct tree *t = mem_array(1, sizeof *t, e);
  if (t == NULL)
    return FAIL;
  enum status s = (t->f.file[0] = mem_strdup(o->file, e)) == NULL ? FAIL : OK;
  if (s == OK && (s = slurm_tree_read(&read, o->file, MOST_LEVELS, e)) == OK) {
    s = take_nodes(t, &read, e) == OK ? OK : err_prefix(e, "%s: ", o->file);
    slurm_tree_clear(&read);
  }
  if (s == OK && build(t, o, fields, e) == OK) {
    *out = &t->f.base;
    return OK;
  }
  clear(&t->f.base);
  free(t);
  return FAIL;
}

static enum status parse(struct topology **out, const char *fields, struct err *e)
{
  struct options o = {0};
  struct spec s;
  if (spec_parse(&s, OPTIONS, fields, &o, e) != OK)
    return err_prefix(e, "topology 'slurm:%.80s': ", fields);
  const enum status status = read_bandwidths(&o, e) == OK
                                 ? build_new(out, &o, fields, e)
                                 : err_prefix(e, "topology 'slurm:%.80s': ", fields);
  spec_clear(&s);
  return status;
}

/* --- routes ----------------------------------------------------------------------------------- */

static uint32_t hops(const struct topology *base, uint32_t a, uint32_t b)
{
  const struct tree *t = tree_of(base);
  uint32_t n = 0;
  for (; a != b; n++)
    if (t->depth[a] >= t->depth[b])
      a = t->parent[a];
    else
      b = t->parent[b];
  return n;
}

/* Writes the upward links from the front and the downward links from the back. */
static void route(const struct topology *base, uint32_t src, uint32_t dst, struct topology_path *p)
{
  const struct tree *t = tree_of(base);
  uint32_t a = src, b = dst, *up = p->link + p->links, *down = up + hops(base, src, dst);
  p->links = (uint32_t)(down - p->link);
  while (a != b)
    if (t->depth[a] >= t->depth[b]) {
      *up++ = 2 * (t->first[a] + dst % t->cables[a]);
      a = t->parent[a];
    } else {
      *--down = 2 * (t->first[b] + src % t->cables[b]) + 1;
      b = t->parent[b];
    }
}

static uint32_t group(const struct topology *t, uint32_t host)
{
  return tree_of(t)->parent[host];
}

/* Parallel cables, and cables of one level, have equal bandwidths. */
static uint32_t bandwidth_class(const struct topology *t, uint32_t host)
{
  return fabric_of(t)->unequal ? tree_of(t)->parent[host] : 0;
}

static bool own_cables(const struct topology *base)
{
  const struct tree *t = tree_of(base);
  bool own = true;
  for (uint32_t h = 0; h < base->hosts; h++)
    own = own && t->cables[h] == 1;
  return own;
}

const struct topology_kind topology_slurm = {
    .name = "slurm",
    .example = "slurm:FILE",
    .help = "tree of switches in a topology file of Slurm; cables= and bandwidth=: values of a "
            "host, of its switch, and so on upwards",
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
