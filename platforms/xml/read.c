#include <libxml/parser.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "common/files/textfile.h"
#include "common/mem.h"
#include "common/num.h"
#include "platforms/platform_internal.h"

#define MAX_BYTES ((size_t)256 << 20)
#define DTD       "https://simgrid.org/simgrid.dtd"
#define DTD_OLD   "http://simgrid.gforge.inria.fr/simgrid/simgrid.dtd"

char *platform_xml_text(const char *path, size_t *length, struct err *e)
{
  char *text;
  if (strcmp(path, "-") == 0) {
    err_set(e, "-: a platform file is not read from standard input");
    return NULL;
  }
  if (textfile_load_plain(&text, length, path, MAX_BYTES, e) != OK ||
      strncmp(text, "\xef\xbb\xbf", 3) != 0)
    return text;
  free(text);
  err_at(e, path, 1, "starts with a byte order mark, which SimGrid does not read");
  return NULL;
}

/* The first occurrence of @p what outside comments; NULL if there is none. */
static const char *find(const char *text, const char *what)
{
  const size_t n = strlen(what);
  for (; *text != '\0'; text++) {
    if (strncmp(text, what, n) == 0)
      return text;
    const char *end = strncmp(text, "<!--", 4) == 0 ? strstr(text + 4, "-->") : NULL;
    text = end == NULL ? text : end;
  }
  return NULL;
}

/* True if the DOCTYPE has an internal subset.  SimGrid refuses even an empty one. */
static bool has_subset(const char *text)
{
  const char *doctype = find(text, "<!DOCTYPE");
  return doctype != NULL && memchr(doctype, '[', strcspn(doctype, ">")) != NULL;
}

/* Keeps the first error of a document, which explains the later ones.  References to entities are
 * errors too: SimGrid's DTD, which is not loaded, defines none. */
static void keep_first_error(void *data, xmlErrorPtr error)
{
  const xmlParserCtxt *parser = data;
  struct err *first = parser->_private;
  if (error->level < XML_ERR_ERROR || first->text[0] != '\0')
    return;
  const char *message = error->message == NULL ? "not well-formed" : error->message;
  err_set(first, "%d: %.*s", error->line, (int)strcspn(message, "\n"), message);
}

xmlDoc *platform_xml_parse(const char *text, size_t length, const char *path, struct err *e)
{
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  struct err first = {.text = ""};
  pthread_once(&once, xmlInitParser); /* libxml2 demands it before threads use it */
  xmlParserCtxt *parser = xmlNewParserCtxt();
  if (parser == NULL) {
    err_set(e, "out of memory for an XML parser");
    return NULL;
  }
  parser->_private = &first;
  parser->sax->serror = keep_first_error;
  xmlDoc *doc = xmlCtxtReadMemory(parser, text, (int)length, NULL, NULL,
                                  XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING |
                                      XML_PARSE_NOCDATA | XML_PARSE_BIG_LINES);
  xmlFreeParserCtxt(parser);
  if (doc != NULL && first.text[0] == '\0')
    return doc;
  err_set(e, "%s:%s", path, first.text[0] == '\0' ? "1: not XML" : first.text);
  xmlFreeDoc(doc);
  return NULL;
}

/* Checks the requirements of SimGrid's parser on the file before the first element. */
static enum status check_prolog(xmlDoc *doc, const char *text, const char *path, struct err *e)
{
  const xmlNode *root = xmlDocGetRootElement(doc);
  const uint64_t line = (uint64_t)xmlGetLineNo(root);
  if (strcmp((const char *)root->name, "platform") != 0)
    return err_at(e, path, line, "the root element is <%.80s>, not <platform>",
                  (const char *)root->name);
  const xmlDtd *dtd = doc->intSubset;
  const char *system = dtd == NULL ? NULL : (const char *)dtd->SystemID;
  if (system == NULL || dtd->ExternalID != NULL || dtd->children != NULL || has_subset(text) ||
      (strcmp(system, DTD) != 0 && strcmp(system, DTD_OLD) != 0))
    return err_at(e, path, line, "SimGrid demands <!DOCTYPE platform SYSTEM \"%s\">%s", DTD,
                  dtd == NULL ? ", and there is none" : " and nothing else there");
  if (doc->standalone >= 0)
    return err_at(e, path, 1, "SimGrid does not read 'standalone' in <?xml?>");
  static const char *const known[] = {"version", NULL};
  if (platform_xml_check(root, known, 1, path, e) != OK)
    return FAIL;
  const char *version = platform_xml_attribute(root, "version");
  double v;
  if (num_double(version, 0, 100, &v, e) != OK || (v != 4.0 && v != 4.1))
    return err_at(e, path, line, "platform version '%.40s' is neither 4 nor 4.1", version);
  return OK;
}

/* Seals the network.  A platform without hosts becomes opaque: SimGrid reports the error. */
static enum status seal(struct platform *p, bool *opaque, struct err *e)
{
  if (network_seal(&p->n, e) != OK)
    return err_prefix(e, "%s: ", p->name);
  *opaque = p->n.hosts == 0;
  return OK;
}

static enum status understand(struct platform *p, xmlDoc *doc, bool *opaque, struct err *e)
{
  OWNED xmlNode **traces = NULL;
  size_t count = 0;
  enum status s = platform_zones_read(p, xmlDocGetRootElement(doc), &traces, &count, opaque, e);
  if (s == OK && !*opaque)
    s = seal(p, opaque, e);
  if (s == OK && !*opaque && p->n.order == NULL)
    p->one = p->n.zone[p->n.clusters[0]].cluster;
  if (s == OK && !*opaque)
    s = platform_profiles_read(p, xmlDocGetRootElement(doc), traces, count, opaque, e);
  if (s == OK && !*opaque && p->naming != NULL && platform_apply_names(p, e) != OK)
    s = err_place(e, p->name, p->naming_line);
  return s;
}

static bool has_bare_cluster(const xmlNode *root)
{
  for (const xmlNode *c = root->children; c != NULL; c = c->next)
    if (c->type == XML_ELEMENT_NODE && strcmp((const char *)c->name, "cluster") == 0)
      return true;
  return false;
}

enum status platform_read(struct platform *p, const char *text, size_t length, struct err *e)
{
  xmlDoc *doc = platform_xml_parse(text, length, p->name, e);
  if (doc == NULL)
    return FAIL;
  enum status s =
      check_prolog(doc, text, p->name, e) == OK ? understand(p, doc, &p->opaque, e) : FAIL;
  p->bare = s == OK && has_bare_cluster(xmlDocGetRootElement(doc));
  if (p->opaque) {
    network_clear(&p->n);
    p->one = NULL;
    platform_drop_profiles(p);
  }
  if (s == OK)
    s = platform_static_read(p, xmlDocGetRootElement(doc), e);
  xmlFreeDoc(doc);
  return s;
}

enum status platform_read_file(struct platform **out, const char *path, struct err *e)
{
  OWNED char *text = NULL;
  size_t length;
  const size_t n = strlen(path);
  if (n > 3 && strcmp(path + n - 3, ".so") == 0)
    return err_set(e, "%s: SimGrid would run a file of this name as a program; rename it", path);
  struct platform *p = mem_array(1, sizeof *p, e);
  if (p == NULL)
    return FAIL;
  enum status s = FAIL;
  p->of_file = true;
  if ((p->name = mem_strdup(path, e)) != NULL &&
      (text = platform_xml_text(path, &length, e)) != NULL)
    s = platform_read(p, text, length, e);
  if (s == OK)
    *out = p;
  else
    platform_free(p);
  return s;
}
