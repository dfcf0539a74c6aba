#include "plots/report/page.h"

#include <assert.h>
#include <libxml/HTMLtree.h>
#include <libxml/parser.h>
#include <libxml/xmlsave.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "common/containers/names.h"
#include "common/files/textout.h"
#include "common/mem.h"

#define PART BAD_CAST "data-part"
#define SLOT BAD_CAST "data-slot"

struct page {
  xmlDoc *doc;
  struct names name; /* names of the parts */
  xmlNode **part;    /* parts, removed from the document */
  size_t room;
  bool failed;
  struct err why;          /* the first failure */
  const char *no_pictures; /* reason why the page has no pictures; NULL: it has pictures */
};

/* --- template --------------------------------------------------------------------------------- */

static void fail_page(struct page *p, const char *what, const char *name)
{
  if (!p->failed)
    err_set(&p->why, "template of the report: %s%s", what, name);
  p->failed = true;
}

/* libxml2 reports missing memory to this function, also where its functions return success. */
static void note_error(void *page, xmlErrorPtr error)
{
  if (error->code == XML_ERR_NO_MEMORY)
    fail_page(page, "out of memory", "");
}

static bool has_value(const xmlNode *node, const xmlChar *attribute, const char *value)
{
  xmlChar *is = node->type == XML_ELEMENT_NODE ? xmlGetNoNsProp(node, attribute) : NULL;
  const bool same = is != NULL && (value == NULL || strcmp((const char *)is, value) == 0);
  xmlFree(is);
  return same;
}

/* Finds the first element in the tree at @p node that has the attribute, with any value if @p value
 * is NULL. */
static xmlNode *find(xmlNode *node, const xmlChar *attribute, const char *value)
{
  if (node == NULL || has_value(node, attribute, value))
    return node;
  if (node->type != XML_ELEMENT_NODE)
    return NULL;
  for (xmlNode *child = node->children; child != NULL; child = child->next) {
    xmlNode *found = find(child, attribute, value);
    if (found != NULL)
      return found;
  }
  return NULL;
}

static enum status take_part(struct page *p, xmlNode *node, struct err *e)
{
  uint32_t number;
  xmlChar *name = xmlGetNoNsProp(node, PART);
  enum status s = name == NULL ? err_set(e, "out of memory") : OK;
  if (s == OK && names_find(&p->name, (const char *)name) != NAMES_NONE)
    s = err_set(e, "template of the report: two parts '%.64s'", (const char *)name);
  if (s == OK)
    s = MEM_GROW(p->part, p->room, (size_t)p->name.count + 1, e);
  if (s == OK)
    s = names_add(&p->name, (const char *)name, &number, e);
  if (s == OK) {
    xmlUnlinkNode(node);
    xmlUnsetProp(node, PART);
    p->part[number] = node;
  }
  xmlFree(name);
  return s;
}

static void drop_templates(const struct page *p)
{
  for (xmlNode *child = page_root(p)->children, *next; child != NULL; child = next) {
    next = child->next;
    if (!xmlStrEqual(child->name, BAD_CAST "templates"))
      continue;
    xmlUnlinkNode(child);
    xmlFreeNode(child);
  }
}

enum status page_load(struct page **out, const char *path, struct err *e)
{
  struct page *p = mem_array(1, sizeof *p, e);
  if (p == NULL)
    return FAIL;
  xmlSetStructuredErrorFunc(p, note_error);
  p->doc = xmlReadFile(path, "UTF-8", XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING);
  enum status s = p->doc == NULL ? err_set(e, "%s: no template of a page", path) : OK;
  for (xmlNode *node; s == OK && (node = find(page_root(p), PART, NULL)) != NULL;)
    s = take_part(p, node, e);
  if (s != OK) {
    page_free(p);
    return FAIL;
  }
  drop_templates(p);
  *out = p;
  return OK;
}

void page_leave_out_pictures(struct page *p, const char *why)
{
  p->no_pictures = why;
}

const char *page_why_no_pictures(const struct page *p)
{
  return p->no_pictures;
}

void page_free(struct page *p)
{
  if (p == NULL)
    return;
  xmlSetStructuredErrorFunc(NULL, NULL);
  for (uint32_t i = 0; i < p->name.count; i++)
    xmlFreeNode(p->part[i]);
  xmlFreeDoc(p->doc);
  names_clear(&p->name);
  free(p->part);
  free(p);
}

/* --- filling ---------------------------------------------------------------------------------- */

xmlNode *page_root(const struct page *p)
{
  return xmlDocGetRootElement(p->doc);
}

xmlNode *page_part(struct page *p, const char *name)
{
  const uint32_t number = names_find(&p->name, name);
  if (number == NAMES_NONE)
    fail_page(p, "no part ", name);
  xmlNode *copy = p->failed ? NULL : xmlDocCopyNode(p->part[number], p->doc, 1);
  if (copy == NULL)
    fail_page(p, "out of memory", "");
  return copy;
}

/* Finds the first element in @p part, including itself, with that slot. */
static xmlNode *slot_of(struct page *p, xmlNode *part, const char *slot)
{
  xmlNode *found = p->failed || part == NULL ? NULL : find(part, SLOT, slot);
  if (found == NULL)
    fail_page(p, "no slot ", slot);
  return found;
}

void page_text(struct page *p, xmlNode *part, const char *slot, const char *text)
{
  xmlNode *to = slot_of(p, part, slot);
  xmlNode *node = to == NULL ? NULL : xmlNewDocText(p->doc, BAD_CAST text);
  if (node == NULL || xmlAddChild(to, node) == NULL)
    fail_page(p, "out of memory", "");
}

void page_print(struct page *p, xmlNode *part, const char *slot, const char *format, ...)
{
  struct err why;
  va_list args;
  va_start(args, format);
  OWNED char *text = mem_vprintf(&why, format, args);
  va_end(args);
  if (text == NULL)
    fail_page(p, why.text, "");
  else
    page_text(p, part, slot, text);
}

void page_add(struct page *p, xmlNode *part, const char *slot, xmlNode *child)
{
  xmlNode *to = slot_of(p, part, slot);
  if (to == NULL)
    xmlFreeNode(child);
  else if (child == NULL || xmlAddChild(to, child) == NULL)
    fail_page(p, "out of memory", "");
}

void page_attribute(struct page *p, xmlNode *part, const char *slot, const char *name,
                    const char *value)
{
  xmlNode *to = slot_of(p, part, slot);
  if (to == NULL || xmlSetProp(to, BAD_CAST name, BAD_CAST value) == NULL)
    fail_page(p, "out of memory", "");
}

void page_remove(struct page *p, xmlNode *part, const char *slot)
{
  xmlNode *node = slot_of(p, part, slot);
  assert(node != part || node == NULL);
  xmlUnlinkNode(node);
  xmlFreeNode(node);
}

/* --- SVG -------------------------------------------------------------------------------------- */

/* The new value of an attribute: references to identifiers, in the forms '#a' and 'url(#a)', get
 * the prefix, and a colour 'rgb( 51,  51,  51)' loses its spaces.  The caller frees it with
 * free(). */
static char *new_value(const xmlAttr *a, const char *value, const char *prefix)
{
  const bool is_id = strcmp((const char *)a->name, "id") == 0;
  const bool is_colour = strncmp(value, "rgb(", 4) == 0;
  const bool refers = strcmp((const char *)a->name, "href") == 0 || strncmp(value, "url(#", 5) == 0;
  struct textout m;
  struct err ignored;
  if (textout_begin(&m, &ignored) != OK)
    return NULL;
  fputs(is_id ? prefix : "", m.f);
  for (; *value != '\0'; value++) {
    if (!is_colour || *value != ' ')
      fputc(*value, m.f);
    if (refers && *value == '#')
      fputs(prefix, m.f);
  }
  return textout_end(&m, OK, &ignored);
}

static void change_attributes(struct page *p, xmlNode *node, const char *prefix)
{
  for (xmlAttr *a = node->properties; a != NULL; a = a->next) {
    xmlChar *value = xmlNodeListGetString(node->doc, a->children, 1);
    OWNED char *text = value == NULL ? NULL : new_value(a, (const char *)value, prefix);
    if (text != NULL && strcmp(text, (const char *)value) != 0)
      xmlSetNsProp(node, a->ns, a->name, BAD_CAST text);
    if (value != NULL && text == NULL)
      fail_page(p, "out of memory", "");
    xmlFree(value);
  }
}

/* gnuplot's own titles, for example "Gnuplot" or "gnuplot_plot_2", do not help a reader. */
static bool is_title(const xmlNode *node)
{
  return node->type == XML_ELEMENT_NODE &&
         (xmlStrEqual(node->name, BAD_CAST "title") || xmlStrEqual(node->name, BAD_CAST "desc"));
}

static void adapt(struct page *p, xmlNode *node, const char *prefix)
{
  if (node->type != XML_ELEMENT_NODE)
    return;
  change_attributes(p, node, prefix);
  for (xmlNode *child = node->children, *next; child != NULL; child = next) {
    next = child->next;
    if (is_title(child) || xmlIsBlankNode(child)) {
      xmlUnlinkNode(child);
      xmlFreeNode(child);
    } else {
      adapt(p, child, prefix);
    }
  }
}

static void add_label(struct page *p, xmlNode *svg, const char *kind, const char *text,
                      const char *id)
{
  xmlNode *node = xmlNewDocRawNode(p->doc, svg->ns, BAD_CAST kind, NULL);
  xmlNode *words = xmlNewDocText(p->doc, BAD_CAST text);
  if (node == NULL || words == NULL || xmlAddChild(node, words) == NULL ||
      xmlSetProp(node, BAD_CAST "id", BAD_CAST id) == NULL || svg->children == NULL ||
      xmlAddPrevSibling(svg->children, node) == NULL)
    fail_page(p, "out of memory", "");
}

static void describe(struct page *p, xmlNode *svg, const char *prefix, const char *const *text)
{
  static const char *const KIND[] = {"desc", "title"};
  char id[2][96], both[200];
  for (int i = 0; i < 2; i++) {
    snprintf(id[i], sizeof id[i], "%s%s", prefix, KIND[i]);
    add_label(p, svg, KIND[i], text[i], id[i]);
  }
  snprintf(both, sizeof both, "%s %s", id[1], id[0]);
  xmlUnsetProp(svg, BAD_CAST "width");
  xmlUnsetProp(svg, BAD_CAST "height");
  xmlSetProp(svg, BAD_CAST "role", BAD_CAST "img");
  if (xmlSetProp(svg, BAD_CAST "aria-labelledby", BAD_CAST both) == NULL)
    fail_page(p, "out of memory", "");
}

static xmlDoc *read_svg(FILE *svg)
{
  rewind(svg);
  return xmlReadFd(fileno(svg), "picture.svg", "UTF-8",
                   XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING | XML_PARSE_HUGE);
}

xmlNode *page_svg(struct page *p, FILE *svg, const char *prefix, const char *title,
                  const char *description)
{
  const char *const text[] = {description, title};
  xmlDoc *doc = p->failed ? NULL : read_svg(svg);
  xmlNode *root = doc == NULL ? NULL : xmlDocGetRootElement(doc);
  xmlNode *copy = root == NULL ? NULL : xmlDocCopyNode(root, p->doc, 1);
  xmlFreeDoc(doc);
  if (copy == NULL) {
    fail_page(p, "gnuplot has drawn no SVG", "");
    return NULL;
  }
  adapt(p, copy, prefix);
  describe(p, copy, prefix, text);
  return copy;
}

/* --- writing ---------------------------------------------------------------------------------- */

static void drop_slots(xmlNode *node)
{
  if (node->type != XML_ELEMENT_NODE)
    return;
  xmlUnsetProp(node, SLOT);
  for (xmlNode *child = node->children; child != NULL; child = child->next)
    drop_slots(child);
}

enum status page_save(struct page *p, FILE *f, struct err *e)
{
  drop_slots(page_root(p));
  if (p->failed) {
    *e = p->why;
    return FAIL;
  }
  fputs("<!DOCTYPE html>\n", f);
  /* Through memory: libxml2 prints errors of files itself.  The caller checks @p f at its end. */
  xmlBuffer *text = xmlBufferCreate();
  xmlOutputBuffer *out = text == NULL ? NULL : xmlOutputBufferCreateBuffer(text, NULL);
  if (out != NULL)
    htmlNodeDumpFormatOutput(out, p->doc, page_root(p), "UTF-8", 0);
  const bool dumped = out != NULL && xmlOutputBufferClose(out) >= 0;
  if (dumped)
    fprintf(f, "%s\n", (const char *)xmlBufferContent(text));
  xmlBufferFree(text);
  return dumped && !p->failed ? OK : err_set(e, "out of memory");
}
