#include "platforms/part.h"

#include <stdio.h>
#include <string.h>

#include "common/mem.h"
#include "platforms/box.h"
#include "platforms/platform_internal.h"

const struct platform *platform_whole(const struct platform *p)
{
  return p->whole == NULL ? p : p->whole;
}

uint32_t platform_whole_host(const struct platform *p, uint32_t h)
{
  return p->inside != NULL ? h : platform_own_host(p, h);
}

uint32_t platform_part_host(const struct platform *p, uint32_t h)
{
  const uint32_t at = p->whole == NULL ? h : pairs_find(&p->part, h, 0);
  return at == PAIRS_NONE ? UINT32_MAX : at;
}

struct platform *platform_cores_of(const struct platform *nodes, const struct inside *in,
                                   struct err *e)
{
  struct platform *p = mem_array(1, sizeof *p, e);
  if (p != NULL)
    *p = (struct platform){.inside = (struct inside *)in, .nodes = (struct platform *)nodes};
  return p;
}

/* --- boxes ------------------------------------------------------------------------------------ */

/* The topology of the platform if it is a grid; NULL for other platforms. */
static const struct topology *grid_of(const struct platform *p)
{
  const struct topology *t = platform_topology(p);
  return t != NULL && topology_is_grid(t) ? t : NULL;
}

static enum status box_topology(struct topology **out, const struct box *b,
                                const struct topology *whole, struct err *e)
{
  char spec[192] = "mesh:";
  size_t n = strlen(spec);
  uint32_t ndims;
  if (b->hosts == topology_hosts(whole))
    return topology_new(out, topology_spec(whole), e);
  grid_sides(whole, &ndims);
  for (uint32_t d = 0; d < ndims; d++)
    n += (size_t)snprintf(spec + n, sizeof spec - n, d == 0 ? "%u" : "x%u", b->side[d]);
  return topology_new(out, spec, e);
}

/* --- parts ------------------------------------------------------------------------------------ */

static enum status add(struct platform *p, uint32_t host, struct err *e)
{
  uint32_t unused;
  return pairs_add(&p->part, host, 0, &unused, e);
}

static enum status fill(struct platform *p, const uint32_t *host, uint32_t n, struct err *e)
{
  for (uint32_t i = 0; i < n; i++)
    if (add(p, host[i], e) != OK)
      return FAIL;
  return OK;
}

static enum status fill_box(struct platform *p, const struct box *b, struct err *e)
{
  const struct topology *t = platform_topology(p->whole);
  for (uint32_t i = 0; i < b->hosts; i++)
    if (add(p, box_host(b, t, i), e) != OK)
      return FAIL;
  return box_topology(&p->box, b, t, e);
}

/* Makes the part with the hosts of box @p b or, if b->hosts is 0, with the @p n hosts @p host. */
static enum status make(struct platform **out, const struct platform *whole, const struct box *b,
                        const uint32_t *host, uint32_t n, struct err *e)
{
  struct platform *p = mem_array(1, sizeof *p, e);
  if (p == NULL)
    return FAIL;
  *p = *whole;
  p->whole = whole;
  if ((b->hosts > 0 ? fill_box(p, b, e) : fill(p, host, n, e)) != OK) {
    platform_free(p);
    return FAIL;
  }
  *out = p;
  return OK;
}

enum status platform_part_new(struct platform **out, const struct platform *whole,
                              const uint32_t *host, uint32_t n, struct err *e)
{
  const struct topology *t = grid_of(whole);
  struct box b = {.hosts = 0};
  if (t != NULL && n == topology_hosts(t))
    b = box_whole(t);
  else if (t != NULL && box_is_searchable(t, n) && box_is_likely(t, host, n) &&
           box_find(&b, t, host, n, n, e) != OK)
    return FAIL;
  return make(out, whole, &b, host, n, e);
}

bool platform_part_has_boxes(const struct platform *p)
{
  const struct topology *t = grid_of(platform_whole(p));
  return p->whole != NULL && p->box == NULL && t != NULL && box_is_searchable(t, p->part.count);
}

enum status platform_part_box(struct platform **out, const struct platform *whole,
                              const uint32_t *host, uint32_t n, uint32_t least, struct err *e)
{
  struct box b;
  *out = NULL;
  if (box_find(&b, grid_of(whole), host, n, least, e) != OK)
    return FAIL;
  return b.hosts == 0 ? OK : make(out, whole, &b, NULL, 0, e);
}
