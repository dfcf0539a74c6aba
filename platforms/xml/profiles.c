#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/mem.h"
#include "common/num.h"
#include "platforms/platform_internal.h"

/* A <trace> that multiplies a speed by a constant from simulated time 0 on. */
struct profile {
  const char *id;
  size_t position; /**< index among the elements read */
  double scale;
  bool connected;
};

struct reading {
  struct platform *p;
  struct profile *profiles; /**< sorted by id */
  size_t count;
  bool opaque;
  struct err *e;
};

static uint64_t line_of(const xmlNode *node)
{
  return (uint64_t)xmlGetLineNo(node);
}

static bool is_trace(const xmlNode *node)
{
  return strcmp((const char *)node->name, "trace") == 0;
}

/* Reads "0 FACTOR" on a line of its own, blanks around it allowed. */
static bool parse_scale(char *text, double *scale)
{
  static const char blank[] = " \t\r\n";
  struct err ignored;
  double date;
  char *date_text = text + strspn(text, blank);
  char *value_text = date_text + strcspn(date_text, blank);
  if (*value_text == '\0' || *value_text == '\r' || *value_text == '\n')
    return false;
  *value_text++ = '\0';
  value_text += strspn(value_text, " \t");
  char *end = value_text + strcspn(value_text, blank);
  if (end[strspn(end, blank)] != '\0')
    return false;
  *end = '\0';
  return num_double(date_text, 0.0, 0.0, &date, &ignored) == OK &&
         num_double(value_text, DBL_MIN, DBL_MAX, scale, &ignored) == OK;
}

/* Reads a constant factor; false for any other profile, which only SimGrid understands. */
static bool read_scale(const xmlNode *node, double *scale)
{
  struct err ignored;
  double period;
  const char *file = platform_xml_attribute(node, "file");
  if ((file != NULL && file[0] != '\0') || num_double(platform_xml_attribute(node, "periodicity"),
                                                      -DBL_MAX, 0.0, &period, &ignored) != OK)
    return false;
  xmlChar *text = xmlNodeGetContent(node);
  const bool constant = text != NULL && parse_scale((char *)text, scale);
  xmlFree(text);
  return constant;
}

static int compare_profiles(const void *a, const void *b)
{
  const struct profile *x = a, *y = b;
  const int order = strcmp(x->id, y->id);
  return order != 0 ? order : (x->position > y->position) - (x->position < y->position);
}

static enum status read_profiles(struct reading *r, xmlNode *const *nodes, size_t count)
{
  static const char *const known[] = {"id", "periodicity", "file", NULL};
  for (size_t i = 0; i < count; i++) {
    struct profile *f = &r->profiles[r->count];
    if (!is_trace(nodes[i]))
      continue;
    if (platform_xml_check(nodes[i], known, 2, r->p->path, r->e) != OK)
      return FAIL;
    *f = (struct profile){.id = platform_xml_attribute(nodes[i], "id"), .position = i};
    if (!read_scale(nodes[i], &f->scale))
      r->opaque = true;
    r->count++;
  }
  qsort(r->profiles, r->count, sizeof *r->profiles, compare_profiles);
  for (size_t i = 1; i < r->count; i++)
    if (strcmp(r->profiles[i - 1].id, r->profiles[i].id) == 0)
      return err_at(r->e, r->p->path, line_of(nodes[r->profiles[i].position]),
                    "a second <trace> named '%.80s'", r->profiles[i].id);
  return OK;
}

static int by_id(const void *id, const void *profile)
{
  return strcmp(id, ((const struct profile *)profile)->id);
}

static struct profile *find_profile(const struct reading *r, const char *id)
{
  return r->count == 0 ? NULL : bsearch(id, r->profiles, r->count, sizeof *r->profiles, by_id);
}

/* Sets the scale of a host; refuses a second one, as SimGrid does. */
static enum status scale_host(struct reading *r, const xmlNode *node, uint32_t host, double scale)
{
  struct platform *p = r->p;
  if (p->scale == NULL && (p->scale = mem_array(platform_hosts(p), sizeof *p->scale, r->e)) == NULL)
    return FAIL;
  if (p->scale[host] > 0)
    return err_at(r->e, p->path, line_of(node), "a second speed <trace> for host '%.80s'",
                  platform_xml_attribute(node, "element"));
  p->scale[host] = scale;
  const double full = platform_full_speed(p, host), speed = full * scale;
  if (!isfinite(speed) || speed <= 0)
    return err_at(r->e, p->path, line_of(node), "a speed of %g times %g flop/s is out of range",
                  scale, full);
  return OK;
}

static enum status connect(struct reading *r, const xmlNode *node, size_t position)
{
  static const char *const known[] = {"trace", "element", "kind", NULL};
  if (platform_xml_check(node, known, 2, r->p->path, r->e) != OK)
    return FAIL;
  const char *kind = platform_xml_attribute(node, "kind");
  const char *trace = platform_xml_attribute(node, "trace");
  const char *element = platform_xml_attribute(node, "element");
  if (kind == NULL || strcmp(kind, "SPEED") != 0) {
    r->opaque = true;
    return OK;
  }
  struct profile *f = find_profile(r, trace);
  if (f == NULL || f->position > position)
    return err_at(r->e, r->p->path, line_of(node), "no <trace> '%.80s' before this line", trace);
  if (f->connected)
    return err_at(r->e, r->p->path, line_of(node),
                  "<trace> '%.80s' is connected twice; SimGrid would use the first only", trace);
  f->connected = true;
  uint32_t host;
  if (platform_find_host(r->p, element, &host))
    return scale_host(r, node, host, f->scale);
  if (r->p->one != NULL && cluster_carries(r->p->one, element))
    return OK;
  return err_at(r->e, r->p->path, line_of(node), "no host '%.80s' on this platform", element);
}

static enum status read_all(struct reading *r, xmlNode *const *nodes, size_t count)
{
  if (read_profiles(r, nodes, count) != OK)
    return FAIL;
  for (size_t i = 0; i < count && !r->opaque; i++)
    if (!is_trace(nodes[i]) && connect(r, nodes[i], i) != OK)
      return FAIL;
  if (r->p->scale == NULL)
    return OK;
  for (uint32_t h = 0; h < platform_hosts(r->p); h++)
    if (r->p->scale[h] <= 0)
      r->p->scale[h] = 1.0;
  return OK;
}

enum status platform_traces_read(struct platform *p, xmlNode *const *nodes, size_t count,
                                 bool *opaque, struct err *e)
{
  struct reading r = {.p = p, .e = e};
  if ((r.profiles = mem_array(count, sizeof *r.profiles, e)) == NULL)
    return FAIL;
  const enum status s = read_all(&r, nodes, count);
  free(r.profiles);
  *opaque = r.opaque;
  return s;
}
