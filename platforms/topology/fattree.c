/* Fat trees, as built and routed by FatTreeZone of SimGrid 3.32
 * (src/kernel/routing/FatTreeZone.cpp): extended generalised fat trees with d-mod-k routing.
 *
 * Level 0 contains the hosts, levels 1 to L the switches.  A node of level l has up[l] parents,
 * with cables[l] cables to each; a node of level l + 1 has down[l] children.  The position of a
 * node in its level is written with L digits, of which digit 0 varies fastest.  Digit i is less
 * than up[i] if i < l, and less than down[i] if i >= l.  The positions of a child of level l and of
 * its parent differ in digit l only.
 *
 * Cables are numbered by level, child, parent and parallel cable.  Link ids are 2 * cable + (1 if
 * downward). */
#include <inttypes.h>
#include <string.h>

#include "common/spec.h"
#include "platforms/topology/kind.h"

enum { MOST_LEVELS = 8, MOST_ARITY = 65536 };

struct fattree {
  struct topology base;
  uint32_t levels;
  uint32_t down[MOST_LEVELS], up[MOST_LEVELS], cables[MOST_LEVELS];
  uint32_t nodes[MOST_LEVELS + 1]; /* number of nodes of each level */
  uint32_t first[MOST_LEVELS + 1]; /* first cable from each level upwards */
  struct topology_counters before;
};

/* A node of a route. */
struct node {
  uint32_t level;
  uint32_t digit[MOST_LEVELS];
};

extern const struct topology_kind topology_fattree;

static const struct fattree *tree_of(const struct topology *t)
{
  return (const struct fattree *)t;
}

/* --- building --------------------------------------------------------------------------------- */

static uint32_t radix(const struct fattree *f, uint32_t level, uint32_t digit)
{
  return digit < level ? f->up[digit] : f->down[digit];
}

static enum status count(struct fattree *f, struct err *e)
{
  uint64_t cables = 0, switches = 0;
  for (uint32_t l = 0; l <= f->levels; l++) {
    uint64_t n = 1;
    for (uint32_t i = 0; i < f->levels && n <= TOPOLOGY_MAX_HOSTS; i++)
      n *= radix(f, l, i);
    if (n > TOPOLOGY_MAX_HOSTS)
      return err_set(e, "more than %u nodes on level %" PRIu32, TOPOLOGY_MAX_HOSTS, l);
    f->nodes[l] = (uint32_t)n;
    f->first[l] = (uint32_t)cables;
    switches += l == 0 ? 0 : n;
    if (l < f->levels)
      cables += n * f->up[l] * f->cables[l];
    if (cables > TOPOLOGY_MAX_HOSTS * UINT64_C(8))
      return err_set(e, "more than %" PRIu64 " cables", TOPOLOGY_MAX_HOSTS * UINT64_C(8));
  }
  f->base.hosts = f->nodes[0];
  f->base.switches = (uint32_t)switches;
  f->base.link_ids = f->base.links = (uint32_t)(2 * cables);
  for (uint32_t l = 0; l < f->levels; l++)
    if (f->down[l] > 1)
      f->base.diameter = 2 * (l + 1);
  return OK;
}

/* The k of the spec fattree:k=K of this tree; 0 if it has none. */
static uint32_t arity(const struct fattree *f)
{
  const uint32_t half = f->down[0], last = f->levels - 1;
  bool equal = f->levels > 1 && f->down[last] == 2 * half;
  for (uint32_t l = 0; l < f->levels; l++)
    equal = equal && f->cables[l] == 1 && f->up[l] == (l == 0 ? 1 : half) &&
            (l == last || f->down[l] == half);
  return equal ? 2 * half : 0;
}

static size_t put_list(char *text, size_t size, const char *name, const uint32_t *value,
                       uint32_t levels)
{
  size_t n = (size_t)snprintf(text, size, "%s=", name);
  for (uint32_t l = 0; l < levels && n < size; l++)
    n += (size_t)snprintf(text + n, size - n, l == 0 ? "%" PRIu32 : "x%" PRIu32, value[l]);
  return n;
}

static void write_spec(struct fattree *f)
{
  char *spec = f->base.spec;
  const size_t size = sizeof f->base.spec;
  size_t n = (size_t)snprintf(spec, size, "fattree:");
  if (arity(f) > 0) {
    snprintf(spec + n, size - n, f->levels == 3 ? "k=%" PRIu32 : "k=%" PRIu32 ",levels=%" PRIu32,
             arity(f), f->levels);
    return;
  }
  n += put_list(spec + n, size - n, "down", f->down, f->levels);
  n += put_list(spec + n, size - n, ",up", f->up, f->levels);
  put_list(spec + n, size - n, ",cables", f->cables, f->levels);
}

/* Completes a fat tree whose parameters are set. */
static enum status finish(struct topology **out, struct fattree *f, struct err *e)
{
  f->base.kind = &topology_fattree;
  if (count(f, e) != OK)
    return FAIL;
  write_spec(f);
  return topology_keep(out, &f->base, sizeof *f, e);
}

/* Sets up the fat tree of switches with k ports: k/2 hosts per switch, no oversubscription. */
static enum status from_arity(struct fattree *f, uint32_t ports, uint32_t levels, struct err *e)
{
  if (ports == 0)
    return err_set(e, "option 'k' is missing");
  if (ports % 2 != 0)
    return err_set(e, "k: %" PRIu32 " is not even", ports);
  f->levels = levels;
  for (uint32_t l = 0; l < f->levels; l++) {
    f->down[l] = l + 1 < f->levels ? ports / 2 : ports;
    f->up[l] = l == 0 ? 1 : ports / 2;
    f->cables[l] = 1;
  }
  return OK;
}

struct options {
  uint32_t k, levels;
  struct spec_list list[3]; /* children, parents and cables by level */
};

#define AT(FIELD) offsetof(struct options, FIELD)
#define LEVELS(NAME, LIST, DEFAULT, SEPARATOR, ENDS, HELP)                                         \
  {                                                                                                \
    NAME, SPEC_LIST, AT(list[LIST]), DEFAULT, .help = HELP, .least = 1, .most = MOST_ARITY,        \
                                              .separator = SEPARATOR, .ends = ENDS                 \
  }

static const struct spec_option OPTIONS[] = {
    {"k", SPEC_U32, AT(k), "", .help = "ports of a switch", .least = 1, .most = MOST_ARITY},
    {"levels", SPEC_U32, AT(levels), "3", .help = "levels of switches of k ports", .least = 2,
     .most = MOST_LEVELS},
    LEVELS("down", 0, "", 'x', 0, "children of a node by level, as 4x4"),
    LEVELS("up", 1, "", 'x', 0, "parents of a node by level, as 1x2"),
    LEVELS("cables", 2, "", 'x', 0, "cables to a parent by level, as 1x2"),
    {.name = NULL},
};

static const struct spec_option SIMGRID_OPTIONS[] = {
    {"levels", SPEC_U32, AT(levels), NULL, .help = "", .least = 1, .most = MOST_LEVELS,
     .ends = ';'},
    LEVELS("children", 0, NULL, ',', ';', ""),
    LEVELS("parents", 1, NULL, ',', ';', ""),
    LEVELS("cables", 2, NULL, ',', ';', ""),
    {.name = NULL},
};

/* Copies the three lists and checks their lengths.  @p row is the option of the first list. */
static enum status from_lists(struct fattree *f, const struct options *o,
                              const struct spec_option *row, struct err *e)
{
  uint32_t *const level[3] = {f->down, f->up, f->cables};
  f->levels = o->list[0].count;
  for (size_t i = 0; i < 3; i++) {
    const struct spec_list *l = &o->list[i];
    if (l->count == 0)
      return err_set(e, "option '%s' is missing", row[i].name);
    if (l->count > MOST_LEVELS)
      return err_set(e, "%s: more than %d numbers", row[i].name, MOST_LEVELS);
    if (l->count != f->levels)
      return err_set(e, "%s has %" PRIu32 " levels, but %s has %" PRIu32, row[i].name, l->count,
                     row[0].name, f->levels);
    memcpy(level[i], l->value, l->count * sizeof *l->value);
  }
  return OK;
}

static enum status parse(struct topology **out, const char *text, struct err *e)
{
  struct fattree f = {.levels = 0};
  struct options o;
  struct spec s;
  if (spec_parse(&s, OPTIONS, text, &o, e) != OK)
    return FAIL;
  const bool arity = spec_given(&s, "k") || spec_given(&s, "levels");
  const bool lists = o.list[0].count + o.list[1].count + o.list[2].count > 0;
  spec_clear(&s);
  if (lists && arity)
    return err_set(e, "give k and levels, or down, up and cables, but not both");
  const enum status status =
      lists ? from_lists(&f, &o, OPTIONS + 2, e) : from_arity(&f, o.k, o.levels, e);
  return status == OK ? finish(out, &f, e) : FAIL;
}

/* Parses "LEVELS;DOWN,..;UP,..;CABLES,..". */
static enum status parse_simgrid(struct topology **out, const char *parameters, uint32_t hosts,
                                 const struct topology_counters *before, struct err *e)
{
  struct fattree f = {.before = *before};
  struct options o;
  struct err why;
  (void)hosts;
  if (spec_parse(NULL, SIMGRID_OPTIONS, parameters, &o, &why) != OK)
    return err_set(e, "%s; expected LEVELS;CHILDREN,...;PARENTS,...;CABLES,...", why.text);
  if (from_lists(&f, &o, SIMGRID_OPTIONS + 1, e) != OK)
    return FAIL;
  if (f.levels != o.levels)
    return err_set(e, "%" PRIu32 " levels, but lists of %" PRIu32, o.levels, f.levels);
  return finish(out, &f, e);
}

static void print_list(const uint32_t *value, uint32_t levels, FILE *f)
{
  for (uint32_t l = 0; l < levels; l++)
    fprintf(f, "%c%" PRIu32, l == 0 ? ';' : ',', value[l]);
}

static void print_simgrid(const struct topology *t, FILE *f)
{
  const struct fattree *x = tree_of(t);
  fprintf(f, "%" PRIu32, x->levels);
  print_list(x->down, x->levels, f);
  print_list(x->up, x->levels, f);
  print_list(x->cables, x->levels, f);
}

/* --- routes ----------------------------------------------------------------------------------- */

static struct node node_at(const struct fattree *f, uint32_t level, uint32_t position)
{
  struct node n = {.level = level};
  for (uint32_t i = 0; i < f->levels; i++) {
    n.digit[i] = position % radix(f, level, i);
    position /= radix(f, level, i);
  }
  return n;
}

static uint32_t position_of(const struct fattree *f, const struct node *n)
{
  uint32_t position = 0;
  for (uint32_t i = f->levels; i-- > 0;)
    position = position * radix(f, n->level, i) + n->digit[i];
  return position;
}

/* Number of a node in the order of limiters: hosts, then switches by level. */
static uint32_t number_of(const struct fattree *f, uint32_t level, uint32_t position)
{
  for (uint32_t l = 0; l < level; l++)
    position += f->nodes[l];
  return position;
}

/* The cable from the node of level @p l at @p position to its parent whose digit l is @p q. */
static uint32_t cable_at(const struct fattree *f, uint32_t l, uint32_t position, uint32_t q,
                         uint32_t parallel)
{
  return f->first[l] + (position * f->up[l] + q) * f->cables[l] + parallel;
}

/* The level at which the route between two hosts turns downwards. */
static uint32_t turn(const struct fattree *f, uint32_t src, uint32_t dst)
{
  uint32_t level = 1;
  for (uint32_t l = 0; l < f->levels && src != dst; l++) {
    src /= f->down[l];
    dst /= f->down[l];
    level = l + 1;
  }
  return level;
}

static uint32_t hops(const struct topology *t, uint32_t src, uint32_t dst)
{
  return 2 * turn(tree_of(t), src, dst);
}

static void add_limiter(const struct fattree *f, const struct node *n, struct topology_path *p)
{
  if (p->limiters)
    topology_add_limiter(&f->base, p, number_of(f, n->level, position_of(f, n)));
}

/* The position of the destination selects the parent and the cable (d mod k). */
static void go_up(const struct fattree *f, struct node *at, uint32_t dst, uint32_t level,
                  struct topology_path *p)
{
  uint32_t d = dst + f->before.hosts;
  for (; at->level < level; at->level++) {
    const uint32_t l = at->level, port = d % (f->up[l] * f->cables[l]), q = port % f->up[l];
    add_limiter(f, at, p);
    topology_add(p, 2 * cable_at(f, l, position_of(f, at), q, port / f->up[l]));
    at->digit[l] = q;
    d /= f->up[l];
  }
}

/* The position of the source selects one of the parallel cables.  As in SimGrid, the loop over the
 * ports continues on the next level at the next port that leads to the right child; if there is
 * none, it restarts at the selected cable. */
static void go_down(const struct fattree *f, struct node *at, uint32_t src, uint32_t dst,
                    struct topology_path *p)
{
  const struct node to = node_at(f, 0, dst);
  bool continues = false;
  for (uint32_t port = 0; at->level > 0; port++) {
    const uint32_t l = at->level - 1, n = f->down[l];
    if (!continues)
      port = (src + f->before.hosts) % f->cables[l] * n;
    port += (to.digit[l] + n - port % n) % n;
    continues = port < n * f->cables[l];
    if (!continues)
      continue;
    const uint32_t q = at->digit[l];
    const struct node above = *at;
    at->digit[l] = to.digit[l];
    at->level = l;
    topology_add(p, 2 * cable_at(f, l, position_of(f, at), q, port / n) + 1);
    add_limiter(f, &above, p);
  }
}

static void route(const struct topology *t, uint32_t src, uint32_t dst, struct topology_path *p)
{
  const struct fattree *f = tree_of(t);
  struct node at = node_at(f, 0, src);
  go_up(f, &at, dst, turn(f, src, dst), p);
  go_down(f, &at, src, dst, p);
  add_limiter(f, &at, p);
}

static double bisection(const struct topology *t)
{
  const struct fattree *f = tree_of(t);
  uint32_t top = f->levels - 1;
  while (top > 0 && f->down[top] == 1)
    top--;
  double least = 0;
  for (uint32_t l = 0; l <= top; l++) {
    const double cables = (double)f->nodes[l] * f->up[l] * f->cables[l];
    least = l == 0 || cables < least ? cables : least;
  }
  return least * 2 * (f->down[top] / 2) / f->down[top];
}

/* --- links ------------------------------------------------------------------------------------ */

static uint32_t level_of(const struct fattree *f, uint32_t cable)
{
  uint32_t l = 0;
  while (cable >= f->first[l + 1])
    l++;
  return l;
}

static struct topology_link describe_link(const struct topology *t, uint32_t link)
{
  (void)t;
  return (struct topology_link){.up = link & ~1u, .width = 1};
}

/* SimGrid numbers switches downwards from 2 * hosts - 1; the numbers may become negative. */
static uint32_t switch_id(const struct topology *t, uint32_t s)
{
  return 2 * t->hosts - 1 - s;
}

static int32_t node_id(const struct fattree *f, uint32_t level, uint32_t position)
{
  const uint32_t n = number_of(f, level, position);
  return (int32_t)(level == 0 ? n : switch_id(&f->base, n - f->nodes[0]));
}

static void link_name(const struct topology *t, uint32_t link, const char *id, uint32_t number,
                      char *name, size_t size)
{
  const struct fattree *f = tree_of(t);
  const uint32_t cable = link / 2, l = level_of(f, cable);
  const uint32_t in_level = (cable - f->first[l]) / f->cables[l], position = in_level / f->up[l];
  struct node parent = node_at(f, l, position);
  (void)id;
  (void)number;
  parent.digit[l] = in_level % f->up[l];
  parent.level = l + 1;
  snprintf(name, size, "link_from_%" PRId32 "_%" PRId32 "_%" PRIu32, node_id(f, l, position),
           node_id(f, l + 1, position_of(f, &parent)), f->before.cables + cable);
}

static void link_group(const struct topology *t, uint32_t link, char *name, size_t size)
{
  snprintf(name, size, "level %" PRIu32 " %s", level_of(tree_of(t), link / 2) + 1,
           link % 2 == 0 ? "up" : "down");
}

static uint32_t group(const struct topology *t, uint32_t host)
{
  return host / tree_of(t)->down[0];
}

static bool own_cables(const struct topology *t)
{
  const struct fattree *f = tree_of(t);
  return f->up[0] == 1 && f->cables[0] == 1;
}

const struct topology_kind topology_fattree = {
    .name = "fattree",
    .example = "fattree:k=8",
    .help = "fat tree of switches with k ports; or down=4x4,up=1x2,cables=1x2 by level",
    .simgrid = "FAT_TREE",
    .parse = parse,
    .parse_simgrid = parse_simgrid,
    .print_simgrid = print_simgrid,
    .hops = hops,
    .route = route,
    .bisection = bisection,
    .link = describe_link,
    .link_name = link_name,
    .switch_id = switch_id,
    .group = group,
    .own_cables = own_cables,
    .link_group = link_group,
};
