/* Trees of switches, as Slurm describes a machine (slurm_file.h).  Each node has cables to the
 * switch above it.  Routes go up to the first common switch and down again.  Of parallel cables,
 * the number of the destination selects the one upwards and the number of the source the one
 * downwards, as d-mod-k does in fat trees (platforms/topology/fattree.c). */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/mem.h"
#include "common/num.h"
#include "common/spec.h"
#include "platforms/fabric/fabric.h"
#include "platforms/fabric/slurm_file.h"
#include "platforms/mapping/hostlist.h"

/* Parallel cables, and switches above one. */
enum { MOST_PARALLEL = 65536, MOST_LEVELS = 64 };

struct tree {
  struct fabric f;
  /* by node; owned as one array, of which `parent` is the first part: */
  uint32_t *parent; /* FABRIC_NONE: the root */
  uint32_t *depth;  /* cables below the root */
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
  for (const char *text = o->bandwidths; *text != '\0';) {
    char word[64];
    const size_t n = strcspn(text, "+");
    snprintf(word, sizeof word, "%.*s", (int)(n < sizeof word ? n : sizeof word - 1), text);
    if (o->bandwidth_count == SPEC_LIST_MOST)
      return err_set(e, "bandwidth: more than %d levels", SPEC_LIST_MOST);
    if (num_quantity(word, NUM_BANDWIDTH, &o->bandwidth_Bps[o->bandwidth_count++], e) != OK)
      return err_prefix(e, "bandwidth: ");
    text += n + (text[n] == '+');
  }
  return OK;
}

/* --- reading ---------------------------------------------------------------------------------- */

/* Switches and hosts while the file is read. */
struct reading {
  const char *path;
  struct slurm_file file;
  struct index switches; /* names of file.item */
  uint32_t *parent;      /* by switch: the switch above it; FABRIC_NONE: none */
  struct hostlist hosts; /* names, in the order of the file */
  uint32_t *leaf;        /* by host: its switch */
  size_t leaf_room;
  struct index host_names;
  struct err *e;
};

static void clear_reading(struct reading *r)
{
  slurm_file_clear(&r->file);
  index_clear(&r->switches);
  free(r->parent);
  hostlist_clear(&r->hosts);
  free(r->leaf);
  index_clear(&r->host_names);
}

static uint64_t hash_switch(const void *items, uint32_t i)
{
  return index_text(((const struct slurm_switch *)items)[i].name);
}

static bool same_switch(const void *items, uint32_t i, const void *name)
{
  return strcmp(((const struct slurm_switch *)items)[i].name, name) == 0;
}

static uint64_t hash_host(const void *names, uint32_t i)
{
  return index_text(((char *const *)names)[i]);
}

static bool same_host(const void *names, uint32_t i, const void *name)
{
  return strcmp(((char *const *)names)[i], name) == 0;
}

static uint32_t find_switch(const struct reading *r, const char *name)
{
  return index_find(&r->switches, index_text(name), same_switch, r->file.item, name);
}

static uint32_t find_host(const struct reading *r, const char *name)
{
  return index_find(&r->host_names, index_text(name), same_host, r->hosts.name, name);
}

static enum status index_switches(struct reading *r)
{
  const struct slurm_switch *item = r->file.item;
  if (index_build(&r->switches, 0, r->file.count, hash_switch, item, r->e) != OK ||
      (r->parent = mem_array(r->file.count, sizeof *r->parent, r->e)) == NULL)
    return FAIL;
  for (uint32_t i = 0; i < r->file.count; i++) {
    if (find_switch(r, item[i].name) != INDEX_NONE)
      return err_at(r->e, r->path, item[i].line, "a second switch '%.80s'", item[i].name);
    index_add(&r->switches, hash_switch(item, i), i);
    r->parent[i] = FABRIC_NONE;
  }
  return OK;
}

/* Sets the parent of the switches below switch @p i. */
static enum status join_switches(struct reading *r, uint32_t i, struct hostlist *below)
{
  const struct slurm_switch *item = r->file.item;
  for (size_t k = 0; k < below->count; k++) {
    const uint32_t child = find_switch(r, below->name[k]);
    if (child == INDEX_NONE)
      return err_set(r->e, "no switch '%.80s'", below->name[k]);
    if (r->parent[child] != FABRIC_NONE)
      return err_set(r->e, "switch '%.80s' is below '%.80s' and below '%.80s'", below->name[k],
                     item[r->parent[child]].name, item[i].name);
    r->parent[child] = i;
  }
  return OK;
}

/* Puts the hosts of @p l below switch @p i. */
static enum status add_hosts(struct reading *r, uint32_t i, struct hostlist *l)
{
  struct hostlist *h = &r->hosts;
  if (l->count > HOSTLIST_MOST - h->count)
    return err_set(r->e, "more than %d nodes", HOSTLIST_MOST);
  for (size_t k = 0; k < l->count; k++) {
    const uint32_t there = find_host(r, l->name[k]), n = (uint32_t)h->count;
    if (there != INDEX_NONE)
      return err_set(r->e, "node '%.80s' is below switch '%.80s' and below '%.80s'", l->name[k],
                     r->file.item[r->leaf[there]].name, r->file.item[i].name);
    if (MEM_GROW(r->leaf, r->leaf_room, (size_t)n + 1, r->e) != OK ||
        MEM_GROW(h->name, h->room, (size_t)n + 1, r->e) != OK ||
        index_reserve(&r->host_names, n, hash_host, h->name, r->e) != OK)
      return FAIL;
    h->name[h->count++] = l->name[k];
    l->name[k] = NULL;
    r->leaf[n] = i;
    index_add(&r->host_names, hash_host(h->name, n), n);
  }
  return OK;
}

/* The nodes of a switch above others, which scontrol prints, must be below these. */
static enum status check_hosts(struct reading *r, uint32_t i, struct hostlist *l)
{
  for (size_t k = 0; k < l->count; k++) {
    const uint32_t host = find_host(r, l->name[k]);
    uint32_t at = host == INDEX_NONE ? FABRIC_NONE : r->leaf[host];
    while (at != FABRIC_NONE && at != i)
      at = r->parent[at];
    if (at == FABRIC_NONE)
      return err_set(r->e, "node '%.80s' is not below a switch of '%.80s'", l->name[k],
                     r->file.item[i].name);
  }
  return OK;
}

/* Expands a list of switch @p i and hands it to @p use. */
static enum status with_list(struct reading *r, uint32_t i, const char *text,
                             enum status (*use)(struct reading *, uint32_t, struct hostlist *))
{
  struct hostlist l;
  enum status s = text == NULL ? OK : hostlist_parse(&l, text, r->e);
  if (text != NULL && s == OK) {
    s = use(r, i, &l);
    hostlist_clear(&l);
  }
  return s == OK ? OK : err_place(r->e, r->path, r->file.item[i].line);
}

/* Fails if a switch is its own ancestor.  Marks the switches that lead to the root in *state: 1
 * while the way is followed, 2 afterwards. */
static enum status check_ways(struct reading *r, uint8_t *state)
{
  const struct slurm_switch *item = r->file.item;
  for (uint32_t i = 0; i < r->file.count; i++) {
    uint32_t at = i;
    for (; at != FABRIC_NONE && state[at] == 0; at = r->parent[at])
      state[at] = 1;
    if (at != FABRIC_NONE && state[at] == 1)
      return err_at(r->e, r->path, item[at].line, "switch '%.80s' is its own ancestor",
                    item[at].name);
    for (at = i; at != FABRIC_NONE && state[at] == 1; at = r->parent[at])
      state[at] = 2;
  }
  return OK;
}

/* Bounds the time of walks to the root. */
static enum status check_depth(struct reading *r, uint32_t i)
{
  uint32_t above = 0;
  for (uint32_t at = r->parent[i]; at != FABRIC_NONE && above <= MOST_LEVELS; at = r->parent[at])
    above++;
  return above <= MOST_LEVELS ? OK
                              : err_at(r->e, r->path, r->file.item[i].line,
                                       "switch '%.80s' is below more than %d others",
                                       r->file.item[i].name, MOST_LEVELS);
}

static enum status check_tree(struct reading *r)
{
  const struct slurm_switch *item = r->file.item;
  uint32_t root = FABRIC_NONE;
  uint8_t *state = mem_array(r->file.count, 1, r->e);
  enum status s = state == NULL ? FAIL : check_ways(r, state);
  free(state);
  for (uint32_t i = 0; s == OK && i < r->file.count; i++) {
    s = check_depth(r, i);
    if (s != OK || r->parent[i] != FABRIC_NONE)
      continue;
    if (root != FABRIC_NONE)
      return err_at(r->e, r->path, item[i].line,
                    "no switch is above both '%.80s' and '%.80s': no route joins their nodes",
                    item[root].name, item[i].name);
    root = i;
  }
  return s;
}

static enum status read_tree(struct reading *r)
{
  if (slurm_file_read(&r->file, r->path, r->e) != OK || index_switches(r) != OK)
    return FAIL;
  const struct slurm_switch *item = r->file.item;
  for (uint32_t i = 0; i < r->file.count; i++)
    if (with_list(r, i, item[i].switches, join_switches) != OK)
      return FAIL;
  if (check_tree(r) != OK)
    return FAIL;
  for (uint32_t i = 0; i < r->file.count; i++)
    if (item[i].switches == NULL && with_list(r, i, item[i].nodes, add_hosts) != OK)
      return FAIL;
  for (uint32_t i = 0; i < r->file.count; i++)
    if (item[i].switches != NULL && with_list(r, i, item[i].nodes, check_hosts) != OK)
      return FAIL;
  return r->hosts.count > 0 ? OK : err_set(r->e, "%s: no nodes", r->path);
}

/* --- building --------------------------------------------------------------------------------- */

/* Moves the names to the fabric and sets the parents of its nodes. */
static enum status take_nodes(struct tree *t, struct reading *r)
{
  const uint32_t hosts = (uint32_t)r->hosts.count, switches = r->file.count;
  const size_t nodes = (size_t)hosts + switches;
  uint32_t *order = NULL;
  char **name = mem_array(switches, sizeof *name, r->e);
  enum status s = name == NULL ? FAIL : fabric_sort(&order, r->hosts.name, hosts, r->e);
  if (s == OK && (t->parent = mem_array(nodes * 4, sizeof *t->parent, r->e)) == NULL)
    s = FAIL;
  if (s == OK) {
    t->depth = t->parent + nodes;
    t->first = t->depth + nodes;
    t->cables = t->first + nodes;
    for (uint32_t i = 0; i < hosts; i++)
      t->parent[i] = hosts + r->leaf[order[i]];
    for (uint32_t i = 0; i < switches; i++) {
      t->parent[hosts + i] = r->parent[i] == FABRIC_NONE ? FABRIC_NONE : hosts + r->parent[i];
      name[i] = r->file.item[i].name;
      r->file.item[i].name = NULL;
    }
    s = fabric_set_nodes(&t->f, r->hosts.name, order, hosts, name, switches, r->e);
    for (uint32_t i = 0; i < switches; i++)
      free(name[i]);
  }
  free(order);
  free(name);
  return s == OK ? OK : err_prefix(r->e, "%s: ", r->path);
}

/* Computes by node: its depth, and in @p level the cables down to the farthest host, plus 1.  Lists
 * the nodes in @p order, with parents first. */
static void measure(struct tree *t, uint32_t nodes, uint32_t *level, uint32_t *order)
{
  uint32_t *count = t->cables, deepest = 0; /* by depth + 1 */
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

/* Number of cables of a node upwards: the value of the option.  Without one, 1 for a host, and the
 * number of cables downwards for a switch. */
static uint32_t choose_cables(const struct options *o, uint32_t level, uint32_t down)
{
  return level <= o->cables.count ? o->cables.value[level - 1] : level == 1 ? 1 : down;
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

/* The number of cables of the longest route: between the deepest hosts below two children of a
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

static enum status build(struct tree *t, const struct options *o, const char *fields,
                         struct reading *r)
{
  if (read_tree(r) != OK || take_nodes(t, r) != OK)
    return FAIL;
  const uint32_t nodes = t->f.base.hosts + t->f.base.switches;
  uint32_t *level = mem_array(nodes, sizeof *level, r->e);
  uint32_t *order = level == NULL ? NULL : mem_array(nodes, sizeof *order, r->e);
  enum status s = order == NULL ? FAIL : OK;
  if (s == OK) {
    measure(t, nodes, level, order);
    s = lay_cables(t, o, level, order, r->e);
  }
  if (s == OK)
    s = fabric_finish(&t->f, &topology_slurm, fields, find_diameter(t, order, level), r->e);
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
  struct reading r = {.path = o->file, .e = e};
  struct tree *t = mem_array(1, sizeof *t, e);
  if (t == NULL)
    return FAIL;
  enum status s = (t->f.file[0] = mem_strdup(o->file, e)) == NULL ? FAIL : build(t, o, fields, &r);
  clear_reading(&r);
  if (s == OK) {
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

/* Writes the links upwards from the begin, and the links downwards from the end. */
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
    .help = "tree of switches in a topology file of Slurm; cables=, bandwidth=: of a host, of its "
            "switch, ...",
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
