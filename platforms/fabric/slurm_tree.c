#include "platforms/fabric/slurm_tree.h"

#include <stdlib.h>
#include <string.h>

#include "common/arena.h"
#include "common/containers/index.h"
#include "common/containers/union_find.h"
#include "common/mem.h"
#include "platforms/fabric/fabric.h"
#include "platforms/fabric/slurm_file.h"

/* The name of the switch above several roots. */
#define ROOTS "roots"

/* Switches and hosts while the file is read. */
struct reading {
  const char *path;
  struct slurm_file file;
  struct index switches; /* names of file.item */
  uint32_t *parent;      /* by switch: a switch above it; FABRIC_NONE: none */
  uint32_t *same;        /* by switch: union-find of the switches that become one */
  uint32_t most_levels;
  struct slurm_tree *tree;
  struct index host_names;
  struct err *e;
};

static void clear_reading(struct reading *r)
{
  slurm_file_clear(&r->file);
  index_clear(&r->switches);
  free(r->parent);
  free(r->same);
  index_clear(&r->host_names);
}

void slurm_tree_clear(struct slurm_tree *t)
{
  hostlist_clear(&t->hosts);
  free(t->leaf);
  for (uint32_t i = 0; t->name != NULL && i < t->switches; i++)
    free(t->name[i]);
  free(t->name);
  free(t->parent);
  *t = (struct slurm_tree){0};
}

/* --- names ------------------------------------------------------------------------------------ */

static uint64_t hash_switch(const void *items, uint32_t i)
{
  return index_text(((const struct slurm_switch *)items)[i].name);
}

static bool same_switch(const void *items, uint32_t i, const void *name)
{
  return strcmp(((const struct slurm_switch *)items)[i].name, name) == 0;
}

static uint32_t find_switch(const struct reading *r, const char *name)
{
  return index_find(&r->switches, index_text(name), same_switch, r->file.item, name);
}

static uint32_t find_host(const struct reading *r, const char *name)
{
  return index_find_string(&r->host_names, r->tree->hosts.name, name);
}

/* The switch that switch @p i has become. */
static uint32_t merged(struct reading *r, uint32_t i)
{
  return i == FABRIC_NONE ? FABRIC_NONE : union_find_root(r->same, i);
}

static enum status index_switches(struct reading *r)
{
  const struct slurm_switch *item = r->file.item;
  const size_t n = (size_t)r->file.count + 1; /* room for ROOTS */
  if (index_build(&r->switches, 0, r->file.count, hash_switch, item, r->e) != OK ||
      (r->parent = mem_array(n, sizeof *r->parent, r->e)) == NULL ||
      (r->same = mem_array(n, sizeof *r->same, r->e)) == NULL)
    return FAIL;
  union_find_reset(r->same, (uint32_t)n);
  for (uint32_t i = 0; i < r->file.count; i++) {
    if (find_switch(r, item[i].name) != INDEX_NONE)
      return err_at(r->e, r->path, item[i].line, "a second switch '%.80s'", item[i].name);
    index_add(&r->switches, hash_switch(item, i), i);
    r->parent[i] = FABRIC_NONE;
  }
  return OK;
}

/* Expands a host list of switch @p i and calls @p use with it. */
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

/* --- switches --------------------------------------------------------------------------------- */

/* Sets the parent of the switches below switch @p i.  The parents of a switch become one. */
static enum status join_switches(struct reading *r, uint32_t i, struct hostlist *below)
{
  for (size_t k = 0; k < below->count; k++) {
    const uint32_t child = find_switch(r, below->name[k]);
    if (child == INDEX_NONE)
      return err_set(r->e, "no switch '%.80s'", below->name[k]);
    if (r->parent[child] == FABRIC_NONE)
      r->parent[child] = i;
    union_find_unite(r->same, r->parent[child], i);
  }
  return OK;
}

/* Merges the parents of merged switches.  Returns true if it merged any. */
static bool merge_parents(struct reading *r)
{
  bool changed = false;
  for (uint32_t i = 0; i < r->file.count; i++) {
    const uint32_t at = merged(r, i), above = merged(r, r->parent[i]);
    if (above == FABRIC_NONE || merged(r, r->parent[at]) == above)
      continue;
    if (r->parent[at] == FABRIC_NONE)
      r->parent[at] = above;
    union_find_unite(r->same, r->parent[at], above);
    changed = true;
  }
  return changed;
}

/* Fails if a switch is its own ancestor.  @p state by switch: 1 on the path that is being followed
 * to the root, 2 once its path is known to end there. */
static enum status check_ways(struct reading *r, uint8_t *state)
{
  const struct slurm_switch *item = r->file.item;
  for (uint32_t i = 0; i < r->file.count; i++) {
    uint32_t at = merged(r, i);
    for (; at != FABRIC_NONE && state[at] == 0; at = merged(r, r->parent[at]))
      state[at] = 1;
    if (at != FABRIC_NONE && state[at] == 1)
      return err_at(r->e, r->path, item[at].line, "switch '%.80s' is its own ancestor",
                    item[at].name);
    for (at = merged(r, i); at != FABRIC_NONE && state[at] == 1; at = merged(r, r->parent[at]))
      state[at] = 2;
  }
  return OK;
}

/* Number of switches above switch @p i; most_levels + 1 if there are more than most_levels. */
static uint32_t depth_of(struct reading *r, uint32_t i)
{
  uint32_t above = 0;
  for (uint32_t at = merged(r, r->parent[merged(r, i)]);
       at != FABRIC_NONE && above <= r->most_levels; at = merged(r, r->parent[at]))
    above++;
  return above;
}

/* Adds the switch above several roots. */
static enum status join_roots(struct reading *r)
{
  const uint32_t top = r->file.count;
  char name[] = ROOTS;
  uint32_t roots = 0;
  for (uint32_t i = 0; i < top; i++)
    roots += merged(r, i) == i && r->parent[i] == FABRIC_NONE;
  if (roots == 1)
    return OK;
  if (find_switch(r, ROOTS) != INDEX_NONE)
    return err_set(r->e,
                   "%s: several roots need a switch '%s' above them, but a switch of the file has "
                   "this name",
                   r->path, ROOTS);
  if (slurm_file_add(&r->file, &(struct slurm_switch){.name = name}, r->e) != OK)
    return FAIL;
  for (uint32_t i = 0; i < top; i++)
    if (merged(r, i) == i && r->parent[i] == FABRIC_NONE)
      r->parent[i] = top;
  r->parent[top] = FABRIC_NONE;
  return OK;
}

static enum status join_tree(struct reading *r)
{
  const struct slurm_switch *item = r->file.item;
  for (uint32_t i = 0; i < r->file.count; i++)
    if (with_list(r, i, item[i].switches, join_switches) != OK)
      return FAIL;
  /* Each step merges the next level.  If there are more steps than levels, the switches form a
   * cycle or too deep a tree, which the checks below refuse. */
  for (uint32_t step = 0; step <= r->most_levels && merge_parents(r); step++)
    continue;
  uint8_t *state = mem_array(r->file.count, 1, r->e);
  const enum status s = state == NULL ? FAIL : check_ways(r, state);
  free(state);
  if (s != OK || join_roots(r) != OK)
    return FAIL;
  item = r->file.item;
  for (uint32_t i = 0; i < r->file.count; i++)
    if (depth_of(r, i) > r->most_levels)
      return err_at(r->e, r->path, item[i].line, "switch '%.80s' is below more than %u others",
                    item[i].name, r->most_levels);
  return OK;
}

/* --- hosts ------------------------------------------------------------------------------------ */

/* Puts a host below switch @p i.  Takes the name. */
static enum status add_host(struct reading *r, uint32_t i, char **name)
{
  struct hostlist *h = &r->tree->hosts;
  const uint32_t n = (uint32_t)h->count;
  if (h->count == HOSTLIST_MOST)
    return err_set(r->e, "more than %d nodes", HOSTLIST_MOST);
  if (MEM_GROW(r->tree->leaf, r->tree->leaf_room, (size_t)n + 1, r->e) != OK ||
      MEM_GROW(h->name, h->room, (size_t)n + 1, r->e) != OK ||
      index_reserve(&r->host_names, n, index_hash_string, h->name, r->e) != OK)
    return FAIL;
  h->name[h->count++] = *name;
  *name = NULL;
  r->tree->leaf[n] = i;
  index_add(&r->host_names, index_text(h->name[n]), n);
  return OK;
}

/* Puts the hosts of @p l below switch @p i, which has no switches. */
static enum status add_hosts(struct reading *r, uint32_t i, struct hostlist *l)
{
  for (size_t k = 0; k < l->count; k++) {
    const uint32_t there = find_host(r, l->name[k]);
    if (there != INDEX_NONE)
      return err_set(r->e, "node '%.80s' is below switch '%.80s' and below '%.80s'", l->name[k],
                     r->file.item[r->tree->leaf[there]].name, r->file.item[i].name);
    if (add_host(r, i, &l->name[k]) != OK)
      return FAIL;
  }
  return OK;
}

/* Adds the hosts of @p l that are below no switch yet below switch @p i, which has switches.  The
 * other hosts must be below switch @p i already: scontrol prints the nodes of all levels below. */
static enum status complete_hosts(struct reading *r, uint32_t i, struct hostlist *l)
{
  for (size_t k = 0; k < l->count; k++) {
    const uint32_t host = find_host(r, l->name[k]), top = merged(r, i);
    uint32_t at = host == INDEX_NONE ? FABRIC_NONE : merged(r, r->tree->leaf[host]);
    while (at != FABRIC_NONE && at != top)
      at = merged(r, r->parent[at]);
    if (host != INDEX_NONE && at == FABRIC_NONE)
      return err_set(r->e, "node '%.80s' is below switch '%.80s', which is not below '%.80s'",
                     l->name[k], r->file.item[r->tree->leaf[host]].name, r->file.item[i].name);
    if (host == INDEX_NONE && add_host(r, i, &l->name[k]) != OK)
      return FAIL;
  }
  return OK;
}

/* Adds the hosts of the lowest switches, then the hosts of the switches above, from the bottom up.
 */
static enum status read_hosts(struct reading *r)
{
  ARENA(mem, r->e);
  const struct slurm_switch *item = r->file.item;
  uint32_t *depth = arena_array(&mem, r->file.count, sizeof *depth);
  if (arena_status(&mem) != OK)
    return FAIL;
  for (uint32_t i = 0; i < r->file.count; i++) {
    depth[i] = depth_of(r, i);
    if (item[i].switches == NULL && with_list(r, i, item[i].nodes, add_hosts) != OK)
      return FAIL;
  }
  for (uint32_t d = r->most_levels + 1; d-- > 0;)
    for (uint32_t i = 0; i < r->file.count; i++)
      if (depth[i] == d && item[i].switches != NULL &&
          with_list(r, i, item[i].nodes, complete_hosts) != OK)
        return FAIL;
  return r->tree->hosts.count > 0 ? OK : err_set(r->e, "%s: no nodes", r->path);
}

/* --- the tree --------------------------------------------------------------------------------- */

/* Numbers the switches that remain after merging. */
static enum status keep_switches(struct reading *r)
{
  ARENA(mem, r->e);
  struct slurm_tree *t = r->tree;
  uint32_t *number = arena_array(&mem, r->file.count, sizeof *number);
  if (arena_status(&mem) != OK ||
      (t->name = mem_array(r->file.count, sizeof *t->name, r->e)) == NULL ||
      (t->parent = mem_array(r->file.count, sizeof *t->parent, r->e)) == NULL)
    return FAIL;
  for (uint32_t i = 0; i < r->file.count; i++)
    if (merged(r, i) == i) {
      t->name[t->switches] = r->file.item[i].name;
      r->file.item[i].name = NULL;
      number[i] = t->switches++;
    }
  for (uint32_t i = 0; i < r->file.count; i++) {
    const uint32_t above = merged(r, r->parent[i]);
    if (merged(r, i) == i)
      t->parent[number[i]] = above == FABRIC_NONE ? FABRIC_NONE : number[above];
  }
  for (size_t h = 0; h < t->hosts.count; h++)
    t->leaf[h] = number[merged(r, t->leaf[h])];
  return OK;
}

enum status slurm_tree_read(struct slurm_tree *t, const char *path, uint32_t most_levels,
                            struct err *e)
{
  struct reading r = {.path = path, .most_levels = most_levels, .tree = t, .e = e};
  *t = (struct slurm_tree){0};
  enum status s = slurm_file_read(&r.file, path, e);
  if (s == OK && (index_switches(&r) != OK || join_tree(&r) != OK || read_hosts(&r) != OK ||
                  keep_switches(&r) != OK))
    s = FAIL;
  clear_reading(&r);
  if (s != OK)
    slurm_tree_clear(t);
  return s;
}
