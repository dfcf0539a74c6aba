/* Writes the XML of a platform with additional speed profiles and with every cluster inside a zone.
 */
#include <inttypes.h>
#include <libxml/tree.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/files/textout.h"
#include "common/mem.h"
#include "platforms/platform_internal.h"
#include "platforms/profiles.h"

struct writing {
  const struct profiles *s;
  const struct platform *p;
  xmlNode *root;
  bool failed; /* out of memory */
};

static void set(struct writing *w, xmlNode *node, const char *name, const char *value)
{
  w->failed |= node == NULL || xmlNewProp(node, BAD_CAST name, BAD_CAST value) == NULL;
}

static xmlNode *add(struct writing *w, const char *name, const char *text)
{
  xmlNode *node = xmlNewTextChild(w->root, NULL, BAD_CAST name, BAD_CAST text);
  w->failed |= node == NULL || xmlAddChild(w->root, xmlNewText(BAD_CAST "\n")) == NULL;
  return node;
}

/* Prints dates from 0, with 17 digits so that they read back as the same doubles. */
static void print_events(const struct profile *x, FILE *f)
{
  double date = 0;
  fputc('\n', f);
  for (size_t i = 0; i < x->events; i++) {
    date += x->after[i];
    fprintf(f, "%.17g %.17g\n", date, x->value[i]);
  }
  if (x->repeat_s >= 0)
    fprintf(f, "LOOPAFTER %.17g\n", x->repeat_s);
}

static void add_profile(struct writing *w, uint32_t i)
{
  const struct profile *x = &w->s->profile[i];
  char *text, id[32], name[PLATFORM_NAME_SIZE];
  struct textout m;
  struct err ignored;
  w->failed |= textout_begin(&m, &ignored) != OK;
  if (w->failed)
    return;
  print_events(x, m.f);
  w->failed = (text = textout_end(&m, OK, &ignored)) == NULL;
  snprintf(id, sizeof id, "haichi-profile-%" PRIu32, i);
  xmlNode *trace = add(w, "trace", text), *connect = add(w, "trace_connect", NULL);
  set(w, trace, "id", id);
  set(w, trace, "periodicity", "-1");
  set(w, connect, "kind", "SPEED");
  set(w, connect, "trace", id);
  set(w, connect, "element", platform_simgrid_host(w->p, x->target, name, sizeof name));
  free(text);
}

static bool is_replaced(const struct writing *w, const xmlNode *node)
{
  uint32_t host;
  if (node->type != XML_ELEMENT_NODE || strcmp((const char *)node->name, "trace_connect") != 0)
    return false;
  const char *kind = platform_xml_attribute(node, "kind");
  const char *element = platform_xml_attribute(node, "element");
  return kind != NULL && strcmp(kind, "SPEED") == 0 && element != NULL &&
         platform_find_simgrid_host(w->p, element, &host) &&
         pairs_find(&w->s->taken, PROFILE_SPEED, host) != PAIRS_NONE;
}

/* Removes the <trace_connect> of a constant speed factor if another profile replaces it.  The
 * values of that profile already include the factor. */
static void drop_scales(const struct writing *w, xmlNode *node)
{
  for (xmlNode *next, *c = node->children; c != NULL; c = next) {
    next = c->next;
    if (is_replaced(w, c)) {
      xmlUnlinkNode(c);
      xmlFreeNode(c);
    } else {
      drop_scales(w, c);
    }
  }
}

/* Puts a zone around the first cluster outside any zone; SimGrid accepts only one.  The name of the
 * zone must differ only from the name of the cluster. */
static void add_zone(struct writing *w)
{
  xmlNode *cluster = w->root->children;
  while (cluster != NULL &&
         (cluster->type != XML_ELEMENT_NODE || strcmp((const char *)cluster->name, "cluster") != 0))
    cluster = cluster->next;
  const char *id = cluster == NULL ? NULL : platform_xml_attribute(cluster, "id");
  if (id == NULL)
    return;
  xmlNode *zone = xmlNewNode(NULL, BAD_CAST "zone");
  xmlChar *name = xmlStrncatNew(BAD_CAST id, BAD_CAST ".zone", -1);
  set(w, zone, "id", (const char *)name);
  set(w, zone, "routing", "Full");
  xmlFree(name);
  if (!w->failed) {
    xmlReplaceNode(cluster, zone);
    xmlAddChild(zone, cluster);
  }
}

static enum status print_text(const struct profiles *s, const struct platform *p, const char *text,
                              size_t length, FILE *f, struct err *e)
{
  xmlDoc *doc = platform_xml_parse(text, length, p->name, e);
  if (doc == NULL)
    return FAIL;
  struct writing w = {.s = s, .p = p, .root = xmlDocGetRootElement(doc)};
  drop_scales(&w, w.root);
  add_zone(&w);
  for (uint32_t i = 0; i < s->count; i++)
    if (s->profile[i].kind == PROFILE_SPEED)
      add_profile(&w, i);
  if (!w.failed)
    xmlDocDump(f, doc);
  xmlFreeDoc(doc);
  return w.failed ? err_set(e, "out of memory") : OK;
}

/* The XML of the platform as text, freed by the caller.  NULL with @p e filled on failure. */
static char *base_text(const struct platform *p, size_t *length, struct err *e)
{
  struct textout m;
  if (p->of_file)
    return platform_xml_text(p->name, length, e);
  if (textout_begin(&m, e) != OK)
    return NULL;
  const enum status s = platform_print(p, m.f, e);
  char *text = textout_end(&m, OK, e);
  if (s == OK && text != NULL) {
    *length = strlen(text);
    return text;
  }
  free(text);
  return NULL;
}

enum status platform_print_zoned(const struct platform *p, FILE *f, struct err *e)
{
  const struct profiles none = {0};
  return profiles_print(&none, p, f, e);
}

enum status profiles_print(const struct profiles *s, const struct platform *p, FILE *f,
                           struct err *e)
{
  size_t length = 0;
  OWNED char *text = base_text(p, &length, e);
  if (text == NULL)
    return FAIL;
  return print_text(s, p, text, length, f, e);
}
