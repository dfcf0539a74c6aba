/* Finds the parts of a platform that only SimGrid can simulate, the parts in other files, and the
 * parts that are refused on any platform. */
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "platforms/platform_internal.h"
#include "platforms/xml/radical.h"

/* Maximum number of hosts of an opaque platform.  SimGrid uses about 3 kB per host. */
#define MOST_HOSTS (1u << 22)

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

/* Attributes that name files. */
static const char *const FILES[] = {PROFILES, "file"};
enum { FILE_COUNT = sizeof FILES / sizeof *FILES, PROFILE_COUNT = FILE_COUNT - 1 };

/* The name of the element, or of its attribute, if only SimGrid can simulate it; NULL for other
 * elements. */
static const char *dynamic_part(const xmlNode *node)
{
  static const char *const ELEMENTS[] = {"trace", "trace_connect", "model_prop"};
  for (size_t i = 0; i < sizeof ELEMENTS / sizeof *ELEMENTS; i++)
    if (strcmp((const char *)node->name, ELEMENTS[i]) == 0)
      return ELEMENTS[i];
  const char *found = one_of(node, FILES, PROFILE_COUNT);
  if (found != NULL)
    return found;
  return has_value(node, "sharing_policy", "WIFI") || has_value(node, "routing", "Wifi") ? "Wi-Fi"
                                                                                         : NULL;
}

/* The name of the part that lets a host or link fail; NULL if there is none. */
static const char *failing_part(const xmlNode *node)
{
  if (*platform_xml_value(node, "state_file") != '\0')
    return "state_file";
  if (strcmp((const char *)node->name, "trace_connect") != 0)
    return NULL;
  const char *kind = platform_xml_attribute(node, "kind");
  return kind == NULL || strcmp(kind, "HOST_AVAIL") == 0 || strcmp(kind, "LINK_AVAIL") == 0
             ? "trace_connect"
             : NULL;
}

/* The next node after @p node in document order below @p root; NULL after the last.  Skips the
 * children of entity references, which belong to the declaration of the entity. */
static const xmlNode *after(const xmlNode *node, const xmlNode *root)
{
  if (node->type == XML_ELEMENT_NODE && node->children != NULL)
    return node->children;
  while (node != root && node->next == NULL)
    node = node->parent;
  return node == root ? NULL : node->next;
}

/* Stores a part unless an earlier one is stored. */
static void keep(struct platform_part *part, const char *name, const xmlNode *node)
{
  if (part->name == NULL && name != NULL)
    *part = (struct platform_part){name, (uint64_t)xmlGetLineNo(node)};
}

/* Number of hosts in a radical: "0-3,7" has 5.  Ignores syntax errors, which SimGrid reports. */
static uint64_t count_radical(const char *text)
{
  uint64_t sum = 0;
  while (*text != '\0') {
    uint64_t first, last;
    if (radical_range(&text, &first, &last) && last >= first)
      sum += last - first + 1;
    text += strcspn(text, ",");
    text += *text == ',';
  }
  return sum;
}

static uint64_t hosts_of(const xmlNode *node)
{
  const char *name = (const char *)node->name, *radical = platform_xml_attribute(node, "radical");
  if (radical != NULL)
    return count_radical(radical);
  return strcmp(name, "host") == 0 || strcmp(name, "peer") == 0;
}

/* Refuses pipes, on which SimGrid would block, and devices, which it would read without end. */
static enum status check_file(const struct platform *p, const xmlNode *node, const char *attribute,
                              struct err *e)
{
  const char *name = platform_xml_value(node, attribute);
  char path[PATH_MAX];
  struct stat st;
  if (*name == '\0')
    return OK;
  const char *slash = *name == '/' ? NULL : strrchr(p->name, '/');
  snprintf(path, sizeof path, "%.*s%s", slash == NULL ? 0 : (int)(slash + 1 - p->name), p->name,
           name);
  if ((stat(path, &st) == 0 || stat(name, &st) == 0) && !S_ISREG(st.st_mode))
    return platform_xml_fail(e, p->name, node, "%s: '%.200s' is not a file", attribute, name);
  return OK;
}

static enum status check_element(struct platform *p, const xmlNode *node, struct err *e)
{
  if (strcmp((const char *)node->name, "config") == 0)
    return platform_config_read(p, node, e);
  for (size_t i = 0; i < FILE_COUNT; i++)
    if (check_file(p, node, FILES[i], e) != OK)
      return FAIL;
  return OK;
}

enum status platform_static_read(struct platform *p, const xmlNode *root, struct err *e)
{
  uint64_t hosts = 0;
  for (const xmlNode *node = root; node != NULL; node = after(node, root)) {
    if (node->type != XML_ELEMENT_NODE)
      continue;
    if (check_element(p, node, e) != OK)
      return FAIL;
    keep(&p->dynamic, dynamic_part(node), node);
    keep(&p->outside, one_of(node, FILES, FILE_COUNT), node);
    keep(&p->failing, failing_part(node), node);
    hosts += hosts_of(node);
    if (p->opaque && hosts > MOST_HOSTS)
      return platform_xml_fail(e, p->name, node, "more than %u hosts", MOST_HOSTS);
  }
  return OK;
}

enum status platform_need_static(const struct platform *p, const char *what, struct err *e)
{
  if (!p->opaque || p->dynamic.name == NULL)
    return OK;
  return err_at(e, p->name, p->dynamic.line, "%s: beyond %s", p->dynamic.name, what);
}

enum status platform_need_whole(const struct platform *p, const char *what, struct err *e)
{
  if (!p->opaque || p->outside.name == NULL)
    return OK;
  return err_at(e, p->name, p->outside.line, "%s names another file: %s", p->outside.name, what);
}
