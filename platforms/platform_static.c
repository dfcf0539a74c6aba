/* What in a platform only SimGrid itself can simulate, and what it has from other files. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "platforms/platform_internal.h"

static bool has_value(const xmlNode *node, const char *attribute, const char *value)
{
  const char *text = platform_xml_attribute(node, attribute);
  return text != NULL && strcasecmp(text, value) == 0;
}

/* The first of @p n attributes that the element has; NULL if it has none. */
static const char *one_of(const xmlNode *node, const char *const *attribute, size_t n)
{
  for (size_t i = 0; i < n; i++)
    if (platform_xml_attribute(node, attribute[i]) != NULL)
      return attribute[i];
  return NULL;
}

#define PROFILES "availability_file", "speed_file", "state_file", "bandwidth_file", "latency_file"

/* Of one element: its name or an attribute's; NULL if there is nothing. */
static const char *dynamic_part(const xmlNode *node)
{
  static const char *const ELEMENTS[] = {"trace", "trace_connect", "config", "model_prop"};
  static const char *const ATTRIBUTES[] = {PROFILES};
  for (size_t i = 0; i < sizeof ELEMENTS / sizeof *ELEMENTS; i++)
    if (strcmp((const char *)node->name, ELEMENTS[i]) == 0)
      return ELEMENTS[i];
  const char *found = one_of(node, ATTRIBUTES, sizeof ATTRIBUTES / sizeof *ATTRIBUTES);
  if (found != NULL)
    return found;
  return has_value(node, "sharing_policy", "WIFI") || has_value(node, "routing", "Wifi") ? "Wi-Fi"
                                                                                         : NULL;
}

static const char *outside_part(const xmlNode *node)
{
  static const char *const ATTRIBUTES[] = {PROFILES, "file"};
  return one_of(node, ATTRIBUTES, sizeof ATTRIBUTES / sizeof *ATTRIBUTES);
}

/* The node after @p node in the file's order, below @p root; NULL after the last. */
static const xmlNode *after(const xmlNode *node, const xmlNode *root)
{
  if (node->children != NULL)
    return node->children;
  while (node != root && node->next == NULL)
    node = node->parent;
  return node == root ? NULL : node->next;
}

/* Keeps the first. */
static void keep(struct platform_part *part, const char *name, const xmlNode *node)
{
  if (part->name == NULL && name != NULL)
    *part = (struct platform_part){name, (uint64_t)xmlGetLineNo(node)};
}

void platform_static_read(struct platform *p, const xmlNode *root)
{
  for (const xmlNode *node = root; node != NULL; node = after(node, root)) {
    if (node->type != XML_ELEMENT_NODE)
      continue;
    keep(&p->dynamic, dynamic_part(node), node);
    keep(&p->outside, outside_part(node), node);
  }
}

enum status platform_need_static(const struct platform *p, const char *what, struct err *e)
{
  if (p->topology != NULL || p->dynamic.name == NULL)
    return OK;
  return err_at(e, p->path, p->dynamic.line, "%s: beyond %s", p->dynamic.name, what);
}

enum status platform_need_whole(const struct platform *p, const char *what, struct err *e)
{
  if (p->outside.name == NULL)
    return OK;
  return err_at(e, p->path, p->outside.line, "%s names another file: %s", p->outside.name, what);
}
