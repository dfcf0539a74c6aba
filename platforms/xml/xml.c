#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "platforms/platform_internal.h"

enum status platform_xml_fail(struct err *e, const char *path, const xmlNode *node, const char *fmt,
                              ...)
{
  char text[sizeof e->text];
  va_list args;
  va_start(args, fmt);
  vsnprintf(text, sizeof text, fmt, args);
  va_end(args);
  return err_at(e, path, (uint64_t)xmlGetLineNo(node), "%s", text);
}

const char *platform_xml_attribute(const xmlNode *node, const char *name)
{
  for (const xmlAttr *a = node->properties; a != NULL; a = a->next)
    if (strcmp((const char *)a->name, name) == 0)
      return a->children == NULL || a->children->content == NULL
                 ? ""
                 : (const char *)a->children->content;
  return NULL;
}

const char *platform_xml_value(const xmlNode *node, const char *name)
{
  const char *value = platform_xml_attribute(node, name);
  return value == NULL ? "" : value;
}

static bool is_known(const char *name, const char *const *known)
{
  while (*known != NULL && strcmp(*known, name) != 0)
    known++;
  return *known != NULL;
}

enum status platform_xml_check(const xmlNode *node, const char *const *known, size_t required,
                               const char *path, struct err *e)
{
  const char *element = (const char *)node->name;
  for (const xmlAttr *a = node->properties; a != NULL; a = a->next)
    if (a->ns != NULL || !is_known((const char *)a->name, known))
      return platform_xml_fail(e, path, node, "<%.40s> has no attribute '%.40s' in SimGrid",
                               element, (const char *)a->name);
  for (size_t i = 0; i < required; i++)
    if (platform_xml_attribute(node, known[i]) == NULL)
      return platform_xml_fail(e, path, node, "<%.40s> lacks the attribute '%s'", element,
                               known[i]);
  return OK;
}

enum status platform_xml_inbound(const xmlNode *prop, bool *no_inbound, const char *path,
                                 struct err *e)
{
  const char *value = platform_xml_attribute(prop, "value");
  if (strcmp(platform_xml_attribute(prop, "id"), PLATFORM_INBOUND) != 0)
    return OK;
  *no_inbound = strcmp(value, "no") == 0;
  if (*no_inbound || strcmp(value, "yes") == 0)
    return OK;
  return platform_xml_fail(e, path, prop, "property %s: '%.80s' is neither yes nor no",
                           PLATFORM_INBOUND, value);
}
