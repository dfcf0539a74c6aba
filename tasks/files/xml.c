/* Reads haichi's own XML with libxml2's SAX parser, which also validates it against the schema.
 * Each element is processed at its end, when its attributes have been validated. */
#include <libxml/parser.h>
#include <libxml/xmlschemas.h>
#include <stdlib.h>
#include <string.h>

#include "common/containers/names.h"
#include "common/files/path.h"
#include "common/mem.h"
#include "common/num.h"
#include "common/plural.h"
#include "tasks/files/format.h"
#include "tasks/meta/meta.h"

/* Bytes parsed at a time.  libxml2 limits an attribute to 10 MB. */
enum { PIECE = 1 << 16 };

/* Attributes of elements, in the order of NAMES. */
enum attribute {
  ID,
  COUNT,
  COMPUTE,
  INPUT,
  OUTPUT,
  LOOPS,
  PATTERN,
  PROGRAM,
  ARGS,
  FROM,
  TO,
  WIDTH,
  VOLUME,
  PROGRAM_FILE,
  WORK,
  DATA,
  ATTRIBUTES
};

static const char *const NAMES[ATTRIBUTES] = {
    "id",   "count", "compute", "input", "output", "loops", "pattern", "program",
    "args", "from",  "to",      "width", "volume", "file",  "work",    "data"};

/* Attributes of a task that are lists with one number per element. */
enum { FIRST_COST = COMPUTE, COSTS = 4 };

struct reader {
  struct tasknet *n;
  const char *path;
  xmlParserCtxt *ctxt;
  bool failed;
  char *text; /* attribute values of the element, then its content */
  size_t text_used, text_room;
  size_t value[ATTRIBUTES]; /* by attribute: index in `text` plus 1; 0: absent */
  size_t content;           /* index in `text` where the content begins */
  uint64_t line;            /* line of the element */
  double *number;           /* numbers of all lists of the element */
  size_t number_room, numbers;
  struct names program; /* in the order of the network's programs */
  struct err *e;
};

static void stop(struct reader *r)
{
  r->failed = true;
  xmlStopParser(r->ctxt);
}

/* Puts the line of the element in front of the error. */
static enum status fail(struct reader *r)
{
  return err_place(r->e, r->path, r->line);
}

static enum status fail_text(struct reader *r, const char *what, const char *value)
{
  return err_at(r->e, r->path, r->line, "%s '%.80s'", what, value);
}

static char *value_of(const struct reader *r, enum attribute a)
{
  return r->value[a] == 0 ? NULL : r->text + r->value[a] - 1;
}

static enum status add_text(struct reader *r, const char *text, size_t length)
{
  if (MEM_GROW(r->text, r->text_room, r->text_used + length + 1, r->e) != OK)
    return FAIL;
  memcpy(r->text + r->text_used, text, length);
  r->text_used += length;
  r->text[r->text_used] = '\0';
  return OK;
}

/* --- lists --- */

/* Terminates and returns the next word of a list; NULL if there is none. */
static char *next_word(char **rest)
{
  char *word = *rest + strspn(*rest, " \t\r\n");
  if (*word == '\0')
    return NULL;
  *rest = word + strcspn(word, " \t\r\n");
  if (**rest != '\0')
    *(*rest)++ = '\0';
  return word;
}

static enum status add_number(struct reader *r, double number)
{
  if (MEM_GROW(r->number, r->number_room, r->numbers + 1, r->e) != OK)
    return FAIL;
  r->number[r->numbers++] = number;
  return OK;
}

/* Adds the numbers of a range such as "1..1000". */
static enum status add_range(struct reader *r, char *word, char *dots)
{
  int64_t from, to;
  *dots = '\0';
  if (num_i64(word, -INT32_MAX, INT32_MAX, &from, r->e) != OK ||
      num_i64(dots + 2, -INT32_MAX, INT32_MAX, &to, r->e) != OK)
    return fail(r);
  if (to < from || to - from >= TASKNET_MOST)
    return fail_text(r, "a range that is empty or too long, to", dots + 2);
  for (int64_t i = from; i <= to; i++)
    if (add_number(r, (double)i) != OK)
      return FAIL;
  return OK;
}

/* Adds the numbers of an attribute.  @p word, unless NULL, is a word for the number @p stands. */
static enum status read_numbers(struct reader *r, enum attribute a, const char *word, double stands)
{
  char *rest = value_of(r, a), *item;
  while ((item = next_word(&rest)) != NULL) {
    double number;
    char *dots = a == ARGS ? strstr(item, "..") : NULL;
    if (dots != NULL) {
      if (add_range(r, item, dots) != OK)
        return FAIL;
      continue;
    }
    if (word != NULL && strcmp(item, word) == 0)
      number = stands;
    else if (num_double(item, -TASKNET_MOST_COST, TASKNET_MOST_COST, &number, r->e) != OK)
      return err_at(r->e, r->path, r->line, "%s: %s", NAMES[a], r->e->text);
    if (add_number(r, number) != OK)
      return FAIL;
  }
  return OK;
}

/* --- elements --- */

/* Reads an attribute that counts elements.  1 if it is absent. */
static enum status count_of(struct reader *r, enum attribute a, uint32_t *count)
{
  uint64_t n = 1;
  if (value_of(r, a) != NULL && num_u64(value_of(r, a), TASKNET_MOST, &n, r->e) != OK)
    return fail(r);
  *count = (uint32_t)n;
  return OK;
}

/* The numbers of a cost attribute: one for all elements or one for each. */
struct list {
  size_t first, count;
};

/* Reads a cost attribute.  Fails unless it has one number or one for each element. */
static enum status read_list(struct reader *r, enum attribute a, uint32_t count, struct list *out)
{
  out->first = r->numbers;
  if (value_of(r, a) == NULL) {
    out->count = 1;
    return add_number(r, a == LOOPS ? 1 : a == INPUT ? TASKNET_ARRIVING : 0);
  }
  if (read_numbers(r, a, NULL, 0) != OK)
    return FAIL;
  out->count = r->numbers - out->first;
  if (out->count == 1 || out->count == count) {
    if (a != INPUT || r->number[out->first] >= 0)
      return OK;
    return err_at(r->e, r->path, r->line, "input: an input cost of %g is not in [0, %g]",
                  r->number[out->first], TASKNET_MOST_COST);
  }
  return err_at(r->e, r->path, r->line, "%s: %zu number%s for %u element%s", NAMES[a], out->count,
                PLURAL(out->count), count, PLURAL(count));
}

static struct tasknet_cost cost_at(const struct reader *r, const struct list *list, uint32_t k)
{
  double c[COSTS];
  for (int i = 0; i < COSTS; i++)
    c[i] = r->number[list[i].first + (list[i].count == 1 ? 0 : k)];
  return (struct tasknet_cost){c[0], c[1], c[2], c[3]};
}

static enum status add_array(struct reader *r, struct tasknet_new_array *a, const struct list *list)
{
  struct tasknet_cost *costs = NULL;
  bool varied = false;
  for (int i = 0; i < COSTS; i++)
    varied = varied || list[i].count > 1;
  if (varied && (costs = mem_array(a->count, sizeof *costs, r->e)) == NULL)
    return FAIL;
  for (uint32_t k = 0; varied && k < a->count; k++)
    costs[k] = cost_at(r, list, k);
  a->costs = costs;
  a->cost = cost_at(r, list, 0);
  const enum status s = tasknet_add_array(r->n, a, r->e);
  free(costs);
  return s == OK ? OK : fail(r);
}

static enum status read_costs(struct reader *r, struct tasknet_new_array *a)
{
  const char *pattern = value_of(r, PATTERN);
  struct list list[COSTS];
  for (int i = 0; i < COSTS; i++)
    if (read_list(r, FIRST_COST + i, a->count, &list[i]) != OK)
      return FAIL;
  if (value_of(r, ARGS) != NULL)
    return fail_text(r, "args of a task without a program:", a->name);
  a->pattern = pattern == NULL ? TASKNET_A : (enum tasknet_pattern)(pattern[0] - 'A');
  return add_array(r, a, list);
}

static enum status use_program(struct reader *r, struct tasknet_new_array *a)
{
  uint32_t program;
  for (enum attribute i = COMPUTE; i <= PATTERN; i++)
    if (value_of(r, i) != NULL)
      return fail_text(r, "the program already defines the attribute", NAMES[i]);
  program = names_find(&r->program, value_of(r, PROGRAM));
  if (program == NAMES_NONE)
    return fail_text(r, "there is no program", value_of(r, PROGRAM));
  if (value_of(r, ARGS) != NULL && read_numbers(r, ARGS, NULL, 0) != OK)
    return FAIL;
  a->cost = (struct tasknet_cost){.loops = 1};
  if (r->numbers % a->count != 0 || r->numbers / a->count > META_MOST_ARGS)
    return err_at(r->e, r->path, r->line, "args: %zu number%s for %u element%s", r->numbers,
                  PLURAL(r->numbers), a->count, PLURAL(a->count));
  if (tasknet_add_array(r->n, a, r->e) == OK &&
      tasknet_set_program(r->n, program, (uint32_t)(r->numbers / a->count), r->number, r->e) == OK)
    return OK;
  return fail(r);
}

static enum status end_task(struct reader *r)
{
  struct tasknet_new_array a = {.name = value_of(r, ID), .line = r->line};
  if (count_of(r, COUNT, &a.count) != OK)
    return FAIL;
  return value_of(r, PROGRAM) == NULL ? read_costs(r, &a) : use_program(r, &a);
}

/* Finds a task by the name in a stream. */
static enum status find_task(struct reader *r, const char *name, uint32_t *array)
{
  *array = tasknet_find(r->n, name);
  return *array == TASKNET_NONE ? fail_text(r, "there is no task", name) : OK;
}

static enum status width_of(struct reader *r, uint32_t *width)
{
  const char *text = value_of(r, WIDTH);
  uint32_t array;
  if (text == NULL || strcmp(text, "each") != 0)
    return count_of(r, WIDTH, width);
  const char *from = value_of(r, FROM);
  char name[TASKNET_LONGEST_NAME + 1];
  from += strspn(from, " ");
  snprintf(name, sizeof name, "%.*s", (int)strcspn(from, " "), from);
  if (find_task(r, name, &array) != OK)
    return FAIL;
  *width = r->n->array[array].count;
  return OK;
}

static enum status add_ends(struct reader *r, enum attribute side)
{
  char *rest = value_of(r, side), *name;
  for (size_t i = 0; (name = next_word(&rest)) != NULL; i++) {
    uint32_t array;
    if (find_task(r, name, &array) != OK)
      return FAIL;
    const double volume = r->numbers == 0   ? TASKNET_OUTPUT
                          : r->numbers == 1 ? r->number[0]
                                            : r->number[i % r->numbers];
    if ((side == FROM ? tasknet_add_producer(r->n, array, volume, r->e)
                      : tasknet_add_consumer(r->n, array, r->e)) != OK)
      return fail(r);
  }
  return OK;
}

static enum status end_stream(struct reader *r)
{
  uint32_t width;
  if ((value_of(r, VOLUME) != NULL && read_numbers(r, VOLUME, "output", TASKNET_OUTPUT) != OK) ||
      width_of(r, &width) != OK)
    return FAIL;
  if (tasknet_add_stream(r->n, value_of(r, ID), width, r->line, r->e) != OK)
    return fail(r);
  if (add_ends(r, FROM) != OK || add_ends(r, TO) != OK)
    return FAIL;
  const uint32_t producers = r->n->stream[r->n->streams - 1].producers;
  if (r->numbers <= 1 || r->numbers == producers)
    return OK;
  return err_at(r->e, r->path, r->line, "volume: %zu numbers for %u producer%s", r->numbers,
                producers, PLURAL(producers));
}

/* Loads a program from a file whose path is relative to the network file. */
static enum status load_program(struct reader *r, const char *name, struct meta **out)
{
  const int folder = name[0] == '/' ? 0 : path_folder(r->path);
  OWNED char *path = mem_printf(r->e, "%.*s%s", folder, r->path, name);
  return path == NULL ? FAIL : meta_load(out, path, r->e);
}

static enum status end_program(struct reader *r)
{
  const char *name = value_of(r, ID), *file = value_of(r, PROGRAM_FILE);
  const char *text = r->text + r->content;
  struct meta *m;
  uint32_t number;
  if (names_find(&r->program, name) != NAMES_NONE)
    return fail_text(r, "there are two programs", name);
  if (file != NULL && text[strspn(text, " \t\r\n")] != '\0')
    return fail_text(r, "a program with both a text and a file:", name);
  if ((file != NULL ? load_program(r, file, &m) : meta_parse(&m, text, r->path, r->line, r->e)) !=
          OK ||
      tasknet_add_program(r->n, m, &number, r->e) != OK)
    return FAIL;
  return names_add(&r->program, name, &number, r->e);
}

/* --- libxml2 --- */

static void take_attribute(struct reader *r, const xmlChar **attribute)
{
  for (enum attribute a = 0; a < ATTRIBUTES; a++)
    if (strcmp((const char *)attribute[0], NAMES[a]) == 0 && r->value[a] == 0) {
      const size_t at = r->text_used;
      if (add_text(r, (const char *)attribute[3], (size_t)(attribute[4] - attribute[3])) != OK)
        stop(r);
      r->text_used++; /* keeps its NUL */
      r->value[a] = at + 1;
    }
}

/* Reads the meaning of a cost of 1, which must be above 0. */
static enum status read_unit(struct reader *r, enum attribute a, double *unit)
{
  if (r->value[a] == 0)
    return OK;
  struct err why;
  if (num_double(value_of(r, a), 0, TASKNET_MOST_COST, unit, &why) != OK)
    return err_at(r->e, r->path, r->line, "the amount of a cost of 1: %s", why.text);
  return *unit > 0
             ? OK
             : fail_text(r, "the amount of a cost of 1 must be above 0, but is", value_of(r, a));
}

static void on_start(void *reader, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri,
                     int namespaces, const xmlChar **ns, int attributes, int defaulted,
                     const xmlChar **attribute)
{
  struct reader *r = reader;
  (void)name, (void)prefix, (void)uri, (void)namespaces, (void)ns, (void)defaulted;
  r->text_used = 0;
  r->numbers = 0;
  r->line = (uint64_t)r->ctxt->input->line;
  memset(r->value, 0, sizeof r->value);
  for (int i = 0; i < attributes && !r->failed; i++)
    take_attribute(r, &attribute[(ptrdiff_t)i * 5]);
  r->content = r->text_used;
  if (!r->failed && (add_text(r, "", 0) != OK || read_unit(r, WORK, &r->n->units.work) != OK ||
                     read_unit(r, DATA, &r->n->units.data) != OK))
    stop(r);
}

static void on_end(void *reader, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri)
{
  static const struct {
    const char *name;
    enum status (*end)(struct reader *r);
  } ELEMENTS[] = {
      {"task", end_task}, {"array", end_task}, {"stream", end_stream}, {"program", end_program}};
  struct reader *r = reader;
  (void)prefix, (void)uri;
  for (size_t i = 0; i < sizeof ELEMENTS / sizeof *ELEMENTS && !r->failed; i++)
    if (strcmp((const char *)name, ELEMENTS[i].name) == 0 && ELEMENTS[i].end(r) != OK)
      stop(r);
}

static void on_text(void *reader, const xmlChar *text, int length)
{
  struct reader *r = reader;
  if (!r->failed && add_text(r, (const char *)text, (size_t)length) != OK)
    stop(r);
}

static void on_doctype(void *reader, const xmlChar *name, const xmlChar *external,
                       const xmlChar *system)
{
  struct reader *r = reader;
  (void)name, (void)external, (void)system;
  if (!r->failed)
    err_at(r->e, r->path, (uint64_t)r->ctxt->input->line, "document types are not supported");
  stop(r);
}

/* Reports libxml2's error message without its newline. */
static void on_error(void *reader, xmlErrorPtr error)
{
  struct reader *r = reader;
  if (r->failed || error->level < XML_ERR_ERROR)
    return;
  const char *text = error->message == NULL ? "not valid" : error->message;
  const uint64_t line = r->ctxt->input == NULL ? 1 : (uint64_t)r->ctxt->input->line;
  err_at(r->e, r->path, line, "%.*s", (int)strcspn(text, "\n"), text);
  stop(r);
}

static xmlSchemaValidCtxt *open_schema(xmlSchema **schema)
{
  xmlSchemaParserCtxt *parser =
      xmlSchemaNewMemParserCtxt(tasknet_schema, (int)strlen(tasknet_schema));
  *schema = parser == NULL ? NULL : xmlSchemaParse(parser);
  xmlSchemaFreeParserCtxt(parser);
  return *schema == NULL ? NULL : xmlSchemaNewValidCtxt(*schema);
}

static enum status parse(struct reader *r, xmlSchemaValidCtxt *valid, const struct tasknet_text *t)
{
  xmlSchemaSetValidStructuredErrors(valid, on_error, r);
  xmlSchemaSAXPlugPtr plug = xmlSchemaSAXPlug(valid, &r->ctxt->sax, &r->ctxt->userData);
  if (plug == NULL)
    return err_set(r->e, "%s: libxml2 cannot validate", t->path);
  for (size_t at = 0; at < t->length && !r->failed; at += PIECE) {
    const size_t left = t->length - at;
    xmlParseChunk(r->ctxt, t->bytes + at, left < PIECE ? (int)left : PIECE, 0);
    if (!r->failed && r->ctxt->wellFormed == 0)
      on_error(r, &r->ctxt->lastError);
  }
  if (!r->failed)
    xmlParseChunk(r->ctxt, NULL, 0, 1);
  if (!r->failed && r->ctxt->wellFormed == 0)
    on_error(r, &r->ctxt->lastError);
  xmlSchemaSAXUnplug(plug);
  return r->failed ? FAIL : OK;
}

static enum status read_xml(struct tasknet *n, struct tasknet_text *t, struct err *e)
{
  xmlSAXHandler sax = {.initialized = XML_SAX2_MAGIC,
                       .startElementNs = on_start,
                       .endElementNs = on_end,
                       .characters = on_text,
                       .cdataBlock = on_text,
                       .internalSubset = on_doctype};
  struct reader r = {.n = n, .path = t->path, .e = e};
  xmlSchema *schema = NULL;
  enum status s = FAIL;
  xmlSchemaValidCtxt *valid = open_schema(&schema);
  r.ctxt = xmlCreatePushParserCtxt(&sax, &r, NULL, 0, NULL);
  if (valid == NULL || r.ctxt == NULL) {
    err_set(e, "%s: out of memory in libxml2", t->path);
  } else {
    /* NOENT replaces "&amp;" in attributes by '&'.  Other entities would need a document type,
     * which is refused. */
    xmlCtxtUseOptions(r.ctxt,
                      XML_PARSE_NONET | XML_PARSE_NOENT | XML_PARSE_NOERROR | XML_PARSE_NOWARNING);
    s = parse(&r, valid, t);
  }
  xmlFreeParserCtxt(r.ctxt);
  xmlSchemaFreeValidCtxt(valid);
  xmlSchemaFree(schema);
  names_clear(&r.program);
  free(r.text);
  free(r.number);
  return s;
}

static bool is_xml(const char *begin)
{
  return tasknet_root_is(begin, "tasknet");
}

const struct tasknet_format tasknet_xml = {
    .name = "xml", .help = "haichi's own, with meta programs", .is = is_xml, .read = read_xml};
