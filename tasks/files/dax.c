/* DAX, the XML format of Pegasus workflows, read like SimGrid's SD_daxload: one second of the
 * runtime of a job is 4.2e9 flop. */
#include <libxml/parser.h>
#include <string.h>

#include "common/num.h"
#include "tasks/files/format.h"
#include "tasks/files/workflow.h"

static const double FLOP_A_SECOND = 4.2e9;

struct importer {
  struct workflow w;
  const char *path;
  struct err *e;
};

static enum status fail(const struct importer *x, const xmlNode *node, const char *what,
                        const char *value)
{
  return err_at(x->e, x->path, (uint64_t)xmlGetLineNo(node), "%s '%.80s'", what, value);
}

static const char *attribute_of(const xmlNode *node, const char *name)
{
  for (const xmlAttr *a = node->properties; a != NULL; a = a->next)
    if (strcmp((const char *)a->name, name) == 0)
      return a->children == NULL || a->children->content == NULL
                 ? ""
                 : (const char *)a->children->content;
  return NULL;
}

static bool is_element(const xmlNode *node, const char *name)
{
  return node->type == XML_ELEMENT_NODE && strcmp((const char *)node->name, name) == 0;
}

static enum status need_attribute(const struct importer *x, const xmlNode *node, const char *name,
                                  const char **out)
{
  *out = attribute_of(node, name);
  return *out != NULL ? OK : fail(x, node, "an element lacks the attribute", name);
}

static enum status number_of(const struct importer *x, const xmlNode *node, const char *name,
                             double *out)
{
  const char *text = attribute_of(node, name);
  *out = 0;
  if (text == NULL || num_double(text, 0, TASKNET_MOST_COST / FLOP_A_SECOND, out, x->e) == OK)
    return OK;
  return err_at(x->e, x->path, (uint64_t)xmlGetLineNo(node), "%s: %s", name, x->e->text);
}

static enum status find_task(const struct importer *x, const xmlNode *node, uint32_t *task)
{
  const char *ref;
  if (need_attribute(x, node, "ref", &ref) != OK)
    return FAIL;
  *task = workflow_find(&x->w, ref);
  return *task != TASKNET_NONE ? OK : fail(x, node, "there is no job", ref);
}

static enum status add_use(struct importer *x, const xmlNode *node, uint32_t task)
{
  const char *name = attribute_of(node, "file"), *link = attribute_of(node, "link");
  double size;
  uint32_t file;
  if (name == NULL && need_attribute(x, node, "name", &name) != OK)
    return FAIL;
  if (number_of(x, node, "size", &size) != OK ||
      workflow_add_file(&x->w, name, attribute_of(node, "size") == NULL ? -1 : size, &file, x->e) !=
          OK)
    return FAIL;
  /* SD_daxload takes "inout" for an output, too. */
  const bool out = link != NULL && (strcmp(link, "output") == 0 || strcmp(link, "inout") == 0);
  const bool in = link != NULL && strcmp(link, "input") == 0;
  if (out && workflow_add_use(&x->w, task, file, true, x->e) != OK)
    return FAIL;
  return in ? workflow_add_use(&x->w, task, file, false, x->e) : OK;
}

static enum status add_job(struct importer *x, const xmlNode *job)
{
  const char *id;
  double runtime;
  if (need_attribute(x, job, "id", &id) != OK || number_of(x, job, "runtime", &runtime) != OK)
    return FAIL;
  if (workflow_add_task(&x->w, id, runtime * FLOP_A_SECOND, (uint64_t)xmlGetLineNo(job), x->e) !=
      OK)
    return err_place(x->e, x->path, (uint64_t)xmlGetLineNo(job));
  const uint32_t task = workflow_find(&x->w, id);
  for (const xmlNode *use = job->children; use != NULL; use = use->next)
    if (is_element(use, "uses") && add_use(x, use, task) != OK)
      return FAIL;
  return OK;
}

static enum status add_parents(struct importer *x, const xmlNode *child)
{
  uint32_t from, to;
  if (find_task(x, child, &to) != OK)
    return FAIL;
  for (const xmlNode *parent = child->children; parent != NULL; parent = parent->next)
    if (is_element(parent, "parent") &&
        (find_task(x, parent, &from) != OK || workflow_add_edge(&x->w, from, to, 0, x->e) != OK))
      return FAIL;
  return OK;
}

static enum status read_adag(struct importer *x, const xmlNode *root)
{
  for (const xmlNode *node = root->children; node != NULL; node = node->next)
    if (is_element(node, "job") && add_job(x, node) != OK)
      return FAIL;
  for (const xmlNode *node = root->children; node != NULL; node = node->next)
    if (is_element(node, "child") && add_parents(x, node) != OK)
      return FAIL;
  return workflow_finish(&x->w, x->e);
}

static enum status read_dax(struct tasknet *n, struct tasknet_text *t, struct err *e)
{
  struct importer x = {.w = {.n = n}, .path = t->path, .e = e};
  xmlParserCtxt *parser = xmlNewParserCtxt();
  if (parser == NULL)
    return err_set(e, "%s: out of memory in libxml2", t->path);
  xmlDoc *doc = xmlCtxtReadMemory(parser, t->bytes, (int)t->length, NULL, NULL,
                                  XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING |
                                      XML_PARSE_NOCDATA | XML_PARSE_BIG_LINES);
  enum status s = FAIL;
  if (doc == NULL) {
    const char *text = parser->lastError.message;
    err_at(e, t->path, parser->lastError.line < 1 ? 1 : (uint64_t)parser->lastError.line, "%.*s",
           text == NULL ? 0 : (int)strcspn(text, "\n"), text == NULL ? "" : text);
  } else {
    s = read_adag(&x, xmlDocGetRootElement(doc));
  }
  xmlFreeDoc(doc);
  xmlFreeParserCtxt(parser);
  workflow_clear(&x.w);
  return s;
}

static bool is_dax(const char *begin)
{
  return tasknet_root_is(begin, "adag");
}

const struct tasknet_format tasknet_dax = {.name = "dax",
                                           .help = "Pegasus' DAX, as SimGrid reads it: runtimes at "
                                                   "4.2e9 flop per second, sizes in bytes",
                                           .is = is_dax,
                                           .read = read_dax};
