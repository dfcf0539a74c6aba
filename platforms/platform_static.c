/* What in a platform only SimGrid itself can simulate. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "platforms/platform_internal.h"

static bool has_value(const xmlNode *node, const char *attribute, const char *value)
{
  const char *text = platform_xml_attribute(node, attribute);
  return text != NULL && strcasecmp(text, value) == 0;
}

/* Of one element: its name or an attribute's; NULL if there is nothing. */
static const char *dynamic_part(const xmlNode *node)
{
  static const char *const elements[] = {"trace", "trace_connect", "config", "model_prop"};
  static const char *const attributes[] = {"availability_file", "speed_file", "state_file",
                                           "bandwidth_file", "latency_file"};
  for (size_t i = 0; i < sizeof elements / sizeof *elements; i++)
    if (strcmp((const char *)node->name, elements[i]) == 0)
      return elements[i];
  for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++)
    if (platform_xml_attribute(node, attributes[i]) != NULL)
      return attributes[i];
  return has_value(node, "sharing_policy", "WIFI") || has_value(node, "routing", "Wifi") ? "Wi-Fi"
                                                                                         : NULL;
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

void platform_static_read(struct platform *p, const xmlNode *root)
{
  for (const xmlNode *node = root; node != NULL && p->dynamic == NULL; node = after(node, root))
    if (node->type == XML_ELEMENT_NODE && (p->dynamic = dynamic_part(node)) != NULL)
      p->dynamic_line = (uint64_t)xmlGetLineNo(node);
}

enum status platform_need_static(const struct platform *p, const char *what, struct err *e)
{
  if (p->topology != NULL || p->dynamic == NULL)
    return OK;
  return err_at(e, p->path, p->dynamic_line, "%s: beyond %s", p->dynamic, what);
}
