#include "platforms/topology/topology.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/mem.h"
#include "common/num.h"
#include "common/registry.h"

#define MAX_SIDES 8 /* of a torus or mesh */

struct topology {
  enum topology_kind kind;
  uint32_t ndims;
  uint32_t side[TOPOLOGY_MAX_DIMS];
  uint32_t hosts;
  char spec[128];
};

struct kind_name {
  const char *name;
  enum topology_kind kind;
};

static const struct kind_name TORUS = {"torus", TOPOLOGY_TORUS}, MESH = {"mesh", TOPOLOGY_MESH},
                              HYPERCUBE = {"hypercube", TOPOLOGY_HYPERCUBE};

#define LIST(ROW) ROW(TORUS) ROW(MESH) ROW(HYPERCUBE)

const struct registry topologies = REGISTRY("topology", LIST);

static const struct kind_name *find_kind(const char *spec)
{
  const size_t n = strcspn(spec, ":");
  return spec[n] == ':' ? registry_find(&topologies, spec, n) : NULL;
}

bool topology_is_spec(const char *text)
{
  return find_kind(text) != NULL;
}

/* Reads the number that ends at the next 'x' or at the end of the text; *text moves past it. */
static enum status parse_number(const char **text, uint64_t max, uint32_t *out, struct err *e)
{
  char word[16];
  const size_t n = strcspn(*text, "x");
  if (n == 0 || n >= sizeof word)
    return err_set(e, "'%.40s' is not a number of hosts", *text);
  memcpy(word, *text, n);
  word[n] = '\0';
  uint64_t value;
  if (num_u64(word, max, &value, e) != OK)
    return FAIL;
  if (value == 0)
    return err_set(e, "0 is below the minimum of 1");
  *out = (uint32_t)value;
  *text += n;
  return OK;
}

static enum status parse_sides(struct topology *t, const char *text, struct err *e)
{
  for (;;) {
    if (t->ndims == MAX_SIDES)
      return err_set(e, "more than %d sides", MAX_SIDES);
    if (parse_number(&text, TOPOLOGY_MAX_HOSTS, &t->side[t->ndims], e) != OK)
      return FAIL;
    t->ndims++;
    if (*text == '\0')
      return OK;
    text++;
  }
}

static enum status parse_cube(struct topology *t, const char *text, struct err *e)
{
  if (strchr(text, 'x') != NULL)
    return err_set(e, "'%.40s' is not a number of dimensions", text);
  if (parse_number(&text, TOPOLOGY_MAX_DIMS, &t->ndims, e) != OK)
    return FAIL;
  for (uint32_t d = 0; d < t->ndims; d++)
    t->side[d] = 2;
  return OK;
}

/* The carrier has at least as many hosts as the topology, so its limit is the one to check. */
static enum status set_size(struct topology *t, struct err *e)
{
  uint64_t carrier = 1;
  t->hosts = 1;
  for (uint32_t d = 0; d < t->ndims; d++) {
    carrier *= topology_carrier_side(t, d);
    if (carrier > TOPOLOGY_MAX_HOSTS)
      return err_set(e, "more than %u hosts%s", TOPOLOGY_MAX_HOSTS,
                     t->kind == TOPOLOGY_MESH ? " in the torus that carries the mesh" : "");
    t->hosts *= t->side[d];
  }
  return OK;
}

static void write_spec(struct topology *t, const char *name)
{
  const size_t size = sizeof t->spec;
  size_t n = (size_t)snprintf(t->spec, size, "%s:", name);
  if (t->kind == TOPOLOGY_HYPERCUBE) {
    snprintf(t->spec + n, size - n, "%u", t->ndims);
    return;
  }
  for (uint32_t d = 0; d < t->ndims; d++)
    n += (size_t)snprintf(t->spec + n, size - n, d == 0 ? "%u" : "x%u", t->side[d]);
}

static enum status parse(struct topology *t, const char *spec, struct err *e)
{
  const struct kind_name *kind = find_kind(spec);
  if (kind == NULL)
    return err_set(e, "expected torus:AxBx..., mesh:AxBx... or hypercube:N");
  const char *text = spec + strlen(kind->name) + 1;
  t->kind = kind->kind;
  if ((t->kind == TOPOLOGY_HYPERCUBE ? parse_cube : parse_sides)(t, text, e) != OK)
    return FAIL;
  write_spec(t, kind->name);
  return set_size(t, e);
}

enum status topology_new(struct topology **out, const char *spec, struct err *e)
{
  struct topology *t = mem_array(1, sizeof *t, e);
  if (t == NULL)
    return FAIL;
  struct err cause;
  if (parse(t, spec, &cause) != OK) {
    free(t);
    return err_set(e, "topology '%.80s': %s", spec, cause.text);
  }
  *out = t;
  return OK;
}

void topology_free(struct topology *t)
{
  free(t);
}

const char *topology_spec(const struct topology *t)
{
  return t->spec;
}

enum topology_kind topology_kind(const struct topology *t)
{
  return t->kind;
}

const uint32_t *topology_sides(const struct topology *t, uint32_t *ndims)
{
  *ndims = t->ndims;
  return t->side;
}

uint32_t topology_hosts(const struct topology *t)
{
  return t->hosts;
}

uint32_t topology_link_ids(const struct topology *t)
{
  return t->hosts * t->ndims * 2;
}

/* Do the hosts along dimension @p d form a path?  A ring of 2 counts as one: of its two links
 * each way, routes use one. */
static bool is_path(const struct topology *t, uint32_t d)
{
  return t->kind == TOPOLOGY_MESH || t->side[d] <= 2;
}

uint32_t topology_links(const struct topology *t)
{
  uint32_t links = 0;
  for (uint32_t d = 0; d < t->ndims; d++) {
    const uint32_t k = t->side[d];
    links += t->hosts / k * 2 * (is_path(t, d) ? k - 1 : k);
  }
  return links;
}

bool topology_has_link(const struct topology *t, uint32_t link)
{
  if (link >= topology_link_ids(t))
    return false;
  const bool down = link % 2 == 1;
  const uint32_t d = link / 2 % t->ndims;
  if (!is_path(t, d))
    return true;
  uint32_t at = link / 2 / t->ndims;
  for (uint32_t i = 0; i < d; i++)
    at /= t->side[i];
  at %= t->side[d];
  return down ? at > 0 : at + 1 < t->side[d];
}

/* Hops upwards, through the wrap-around if need be, from coordinate @p a to @p b of a ring of k. */
static uint32_t steps_up(uint32_t a, uint32_t b, uint32_t k)
{
  return b >= a ? b - a : b + k - a;
}

/* Does SimGrid go up from coordinate @p a to @p b != @p a?  It goes the shorter way, and on a tie
 * (distance k/2) up, except from k/2 to 0. */
static bool goes_up(const struct topology *t, uint32_t d, uint32_t a, uint32_t b)
{
  if (is_path(t, d))
    return b > a;
  const uint32_t k = t->side[d], up = steps_up(a, b, k);
  return up == k - up ? b != 0 : up < k - up;
}

static uint32_t hops_along(const struct topology *t, uint32_t d, uint32_t a, uint32_t b)
{
  if (is_path(t, d))
    return b > a ? b - a : a - b;
  const uint32_t up = steps_up(a, b, t->side[d]), down = t->side[d] - up;
  return up < down ? up : down;
}

uint32_t topology_hops(const struct topology *t, uint32_t src, uint32_t dst)
{
  uint32_t hops = 0;
  for (uint32_t d = 0; d < t->ndims; d++) {
    const uint32_t k = t->side[d];
    hops += hops_along(t, d, src % k, dst % k);
    src /= k;
    dst /= k;
  }
  return hops;
}

uint32_t topology_diameter(const struct topology *t)
{
  uint32_t hops = 0;
  for (uint32_t d = 0; d < t->ndims; d++)
    hops += is_path(t, d) ? t->side[d] - 1 : t->side[d] / 2;
  return hops;
}

/* Links of the best cut of @p hosts hosts, across sides that are not in the bit set @p done.  A cut
 * across an even side halves every line along it; across an odd one it leaves the middle layer,
 * which is cut across another side. */
static uint64_t best_cut(const struct topology *t, uint32_t done, uint64_t hosts)
{
  uint64_t best = 0;
  for (uint32_t d = 0; d < t->ndims; d++) {
    const uint32_t k = t->side[d], bit = (uint32_t)1 << d;
    if (k == 1 || (done & bit) != 0)
      continue;
    uint64_t cut = hosts / k * (is_path(t, d) ? 2 : 4);
    if (k % 2 == 1)
      cut += best_cut(t, done | bit, hosts / k);
    if (best == 0 || cut < best)
      best = cut;
  }
  return best;
}

uint64_t topology_bisection(const struct topology *t)
{
  return best_cut(t, 0, t->hosts);
}

uint32_t topology_route(const struct topology *t, uint32_t src, uint32_t dst, uint32_t *links)
{
  uint32_t n = 0, host = src, stride = 1;
  for (uint32_t d = 0; src != dst; stride *= t->side[d++]) { /* until the rest is equal */
    const uint32_t k = t->side[d], to = dst % k;
    uint32_t at = src % k;
    const bool up = at != to && goes_up(t, d, at, to);
    src /= k;
    dst /= k;
    while (at != to) {
      links[n++] = (host * t->ndims + d) * 2 + !up;
      const uint32_t before = at;
      at = up ? (at + 1 == k ? 0 : at + 1) : (at == 0 ? k : at) - 1;
      host += (at - before) * stride;
    }
  }
  return n;
}

uint32_t topology_carrier_side(const struct topology *t, uint32_t dim)
{
  return t->kind == TOPOLOGY_MESH ? 2 * t->side[dim] - 1 : t->side[dim];
}

uint32_t topology_carrier_host(const struct topology *t, uint32_t h)
{
  uint32_t carrier = 0, stride = 1;
  for (uint32_t d = 0; d < t->ndims; d++) {
    carrier += h % t->side[d] * stride;
    stride *= topology_carrier_side(t, d);
    h /= t->side[d];
  }
  return carrier;
}

bool topology_from_carrier(const struct topology *t, uint32_t carrier, uint32_t *h)
{
  uint32_t host = 0, stride = 1;
  for (uint32_t d = 0; d < t->ndims; d++) {
    const uint32_t k = topology_carrier_side(t, d), at = carrier % k;
    if (at >= t->side[d])
      return false;
    host += at * stride;
    stride *= t->side[d];
    carrier /= k;
  }
  if (carrier != 0)
    return false;
  *h = host;
  return true;
}
