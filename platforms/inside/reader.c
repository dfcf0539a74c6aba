#include "platforms/inside/reader.h"

#include <ctype.h>
#include <hwloc.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/files/textfile.h"
#include "common/mem.h"
#include "common/process/child.h"
#include "common/process/library.h"

/* Maximum number of processing units, checked before hwloc allocates them. */
enum { MOST_UNITS = 1 << 16 };

/* Time limit for reading a file, in s. */
enum { MOST_SECONDS = 120 };

#define HWLOC_FUNCTIONS(F)                                                                         \
  F(hwloc_topology_init)                                                                           \
  F(hwloc_topology_destroy)                                                                        \
  F(hwloc_topology_set_synthetic)                                                                  \
  F(hwloc_topology_set_xmlbuffer)                                                                  \
  F(hwloc_topology_load)                                                                           \
  F(hwloc_get_type_depth)                                                                          \
  F(hwloc_get_nbobjs_by_depth)                                                                     \
  F(hwloc_get_obj_by_depth)                                                                        \
  F(hwloc_bitmap_isset)                                                                            \
  F(hwloc_bitmap_weight)                                                                           \
  F(hwloc_bitmap_first)

struct hwloc_api {
  HWLOC_FUNCTIONS(LIBRARY_MEMBER)
};

/* The types of objects that become levels.  If two levels have equal objects, the level listed
 * first is the outer one. */
static const struct {
  hwloc_obj_type_t type;
  const char *name;
} TYPES[] = {
    {HWLOC_OBJ_PACKAGE, "package"}, {HWLOC_OBJ_DIE, "die"},    {HWLOC_OBJ_NUMANODE, "numa"},
    {HWLOC_OBJ_L3CACHE, "l3"},      {HWLOC_OBJ_L2CACHE, "l2"},
};

enum { TYPES_COUNT = sizeof TYPES / sizeof *TYPES };

/* A loaded topology. */
struct reader {
  struct hwloc_api api;
  hwloc_topology_t topology;
  uint32_t objects; /* most objects of a type so far, also of types that are no level */
};

static enum status open_api(struct hwloc_api *api, struct err *e)
{
  static const char *const names[] = {HWLOC_FUNCTIONS(LIBRARY_NAME) NULL};
  return library_load(HAICHI_LIBHWLOC, names, api, "libhwloc", e);
}

/* --- descriptions ----------------------------------------------------------------------------- */

/* Finds the next word of a synthetic description and its number of children, 1 if it has none.
 * Skips attributes in parentheses.  Returns the end of the word. */
static const char *next_word(const char *at, uint64_t *children, const char **word)
{
  int depth = 0;
  bool number = false;
  *children = 1;
  *word = at += strspn(at, " \t");
  for (; *at != '\0' && (depth > 0 || !isblank((unsigned char)*at)); at++) {
    depth += (*at == '(' || *at == '[') - (*at == ')' || *at == ']');
    if (depth > 0 || !isdigit((unsigned char)*at)) {
      number = false;
      continue;
    }
    *children = number ? *children * 10 + (uint64_t)(*at - '0') : (uint64_t)(*at - '0');
    *children = *children > MOST_UNITS ? MOST_UNITS + 1 : *children;
    number = true;
  }
  return at;
}

/* Checks the size of a synthetic description.  Sets *units if it has processing units. */
static enum status check_synthetic(const char *text, bool *units, struct err *e)
{
  uint64_t product = 1, children;
  const char *word;
  *units = false;
  for (const char *at = text; *at != '\0';) {
    at = next_word(at, &children, &word);
    if (*word == '\0')
      break;
    *units = isdigit((unsigned char)*word) || strncasecmp(word, "pu:", 3) == 0;
    if (children > 0 && product > MOST_UNITS / children)
      return err_set(e, "'%.80s' has more than %d processing units", text, MOST_UNITS);
    product *= children > 0 ? children : 1;
  }
  return OK;
}

static enum status set_synthetic(struct reader *r, const char *text, struct err *e)
{
  bool units;
  if (text[strspn(text, " \t")] == '\0')
    return err_set(e, "an empty description");
  if (check_synthetic(text, &units, e) != OK)
    return FAIL;
  char *whole = mem_printf(e, units ? "%s" : "%s pu:1", text);
  if (whole == NULL)
    return FAIL;
  const int failed = r->api.hwloc_topology_set_synthetic(r->topology, whole);
  free(whole);
  return failed == 0
             ? OK
             : err_set(e,
                       "'%.80s' is no hwloc XML file, and libhwloc refuses it as a synthetic "
                       "description, such as 'pack:2 numa:2 core:8'",
                       text);
}

/* --- objects ---------------------------------------------------------------------------------- */

/* Number and depth of the cores: objects of type core, or processing units if there are none. */
static uint32_t count_cores(const struct reader *r, int *depth)
{
  *depth = r->api.hwloc_get_type_depth(r->topology, HWLOC_OBJ_CORE);
  if (*depth < 0)
    *depth = r->api.hwloc_get_type_depth(r->topology, HWLOC_OBJ_PU);
  return *depth < 0 ? 0 : (uint32_t)r->api.hwloc_get_nbobjs_by_depth(r->topology, *depth);
}

static enum status read_cores(struct reader *r, struct inside *in, struct err *e)
{
  int depth;
  in->cores = count_cores(r, &depth);
  if (in->cores == 0 || in->cores > INSIDE_MOST_CORES)
    return err_set(e, "%" PRIu32 " cores; a node has 1 to %d", in->cores, INSIDE_MOST_CORES);
  if ((in->cpu = mem_array(in->cores, sizeof *in->cpu, e)) == NULL)
    return FAIL;
  for (uint32_t c = 0; c < in->cores; c++) {
    const hwloc_obj_t core = r->api.hwloc_get_obj_by_depth(r->topology, depth, c);
    const int cpu = core->cpuset == NULL ? -1 : r->api.hwloc_bitmap_first(core->cpuset);
    if (cpu < 0)
      return err_set(e, "core %" PRIu32 " has no processing unit", c);
    in->cpu[c] = (uint32_t)cpu;
  }
  return OK;
}

/* The smallest object at @p depth that contains the processing unit @p cpu; -1: there is none. */
static int find_object(const struct reader *r, int depth, uint32_t cpu)
{
  const int n = r->api.hwloc_get_nbobjs_by_depth(r->topology, depth);
  int found = -1, least = 0;
  for (int i = 0; i < n; i++) {
    const hwloc_obj_t o = r->api.hwloc_get_obj_by_depth(r->topology, depth, (unsigned)i);
    if (o->cpuset == NULL || !r->api.hwloc_bitmap_isset(o->cpuset, cpu))
      continue;
    const int weight = r->api.hwloc_bitmap_weight(o->cpuset);
    if (found < 0 || weight < least) {
      found = i;
      least = weight;
    }
  }
  return found;
}

/* Renumbers the objects in the order of their first cores. */
static enum status renumber(struct inside_level *l, const int *object, uint32_t cores,
                            struct err *e)
{
  if ((l->object = mem_array(cores, sizeof *l->object, e)) == NULL)
    return FAIL;
  for (uint32_t c = 0; c < cores; c++) {
    uint32_t same = 0;
    while (object[same] != object[c])
      same++;
    l->object[c] = same == c ? (uint16_t)l->objects++ : l->object[same];
  }
  return OK;
}

/* True for a single NUMA node around several packages or dies, which libhwloc adds to a description
 * without NUMA nodes: memory at equal distance says nothing about the distance of the cores. */
static bool is_whole_node(const struct reader *r, size_t type, const struct inside_level *l)
{
  return TYPES[type].type == HWLOC_OBJ_NUMANODE && l->objects == 1 && r->objects > 1;
}

/* Adds the level of a type, unless each of its objects has a single core or its only object is the
 * whole node. */
static enum status add_type(struct reader *r, struct inside *in, size_t type, int *object,
                            struct err *e)
{
  const int depth = r->api.hwloc_get_type_depth(r->topology, TYPES[type].type);
  struct inside_level l = {.name = TYPES[type].name};
  uint32_t missing = 0;
  if (depth == HWLOC_TYPE_DEPTH_UNKNOWN || depth == HWLOC_TYPE_DEPTH_MULTIPLE)
    return OK;
  for (uint32_t c = 0; c < in->cores; c++)
    missing += (object[c] = find_object(r, depth, in->cpu[c])) < 0;
  if (missing > 0 && missing < in->cores)
    return err_set(e, "%" PRIu32 " of %" PRIu32 " cores are in no object of level '%s'", missing,
                   in->cores, l.name);
  if (missing > 0)
    return OK;
  if (renumber(&l, object, in->cores, e) != OK)
    return FAIL;
  const bool omitted = l.objects == in->cores || is_whole_node(r, type, &l);
  r->objects = l.objects > r->objects ? l.objects : r->objects;
  if (omitted) {
    free(l.object);
    return OK;
  }
  uint32_t at = in->levels++;
  for (; at > 1 && in->level[at - 1].objects > l.objects; at--)
    in->level[at] = in->level[at - 1];
  in->level[at] = l;
  return OK;
}

static enum status check_nesting(const struct inside *in, struct err *e)
{
  for (uint32_t l = 1; l < in->levels; l++) {
    const struct inside_level *outer = &in->level[l - 1], *inner = &in->level[l];
    for (uint32_t c = 1, first = 0; c < in->cores; c++) {
      for (first = 0; inner->object[first] != inner->object[c];)
        first++;
      if (outer->object[first] != outer->object[c])
        return err_set(e,
                       "core %" PRIu32 " and core %" PRIu32 " share an object of level '%s' but "
                       "none of level '%s': levels must be nested",
                       first, c, inner->name, outer->name);
    }
  }
  return OK;
}

static enum status read_levels(struct reader *r, struct inside *in, struct err *e)
{
  enum status s = OK;
  int *object = mem_array(in->cores, sizeof *object, e);
  in->level[0] = (struct inside_level){.name = "machine", .objects = 1};
  in->levels = 1;
  if (object == NULL ||
      (in->level[0].object = mem_array(in->cores, sizeof *in->level[0].object, e)) == NULL)
    s = FAIL;
  for (size_t t = 0; t < TYPES_COUNT && s == OK; t++)
    s = add_type(r, in, t, object, e);
  free(object);
  return s == OK ? check_nesting(in, e) : FAIL;
}

/* --- files ------------------------------------------------------------------------------------ */

/* The text of an XML file. */
struct text {
  const struct hwloc_api *api;
  char *at;
  size_t length;
};

static enum status load_text(struct reader *r, const struct text *x, const char *path,
                             struct err *e)
{
  if (r->api.hwloc_topology_set_xmlbuffer(r->topology, x->at, (int)x->length + 1) != 0)
    return err_set(e, "%s: libhwloc refuses it: not an hwloc XML file", path);
  return r->api.hwloc_topology_load(r->topology) == 0
             ? OK
             : err_set(e, "%s: libhwloc cannot read it", path);
}

/* Runs in a child process: reads the text.  Returns 0 unless libhwloc crashes. */
static int try_text(void *arg)
{
  const struct text *x = arg;
  struct reader r = {.api = *x->api};
  struct inside in = {.cores = 0};
  struct err unused;
  if (r.api.hwloc_topology_init(&r.topology) == 0 && load_text(&r, x, "", &unused) == OK &&
      read_cores(&r, &in, &unused) == OK && read_levels(&r, &in, &unused) == OK)
    r.api.hwloc_topology_destroy(r.topology);
  return 0;
}

/* Reads the text in a child process first, because libhwloc crashes on some damaged files. */
static enum status check_text(struct text *x, const char *path, struct err *e)
{
  const struct child_spec spec = {
      .run = try_text, .arg = x, .input = -1, .keep = -1, .parent_signal = SIGKILL};
  struct child child;
  struct child_end end;
  bool timeout;
  if (child_start(&child, &spec, e) != OK ||
      child_wait(&child, MOST_SECONDS, &end, &timeout, e) != OK)
    return FAIL;
  if (timeout)
    return err_set(e, "%s: libhwloc takes more than %d s to read it", path, MOST_SECONDS);
  return end.signal == 0 && end.code == 0
             ? OK
             : err_set(e, "%s: libhwloc crashes on it: a damaged hwloc XML file", path);
}

static enum status load_file(struct reader *r, const char *path, struct err *e)
{
  struct text x = {.api = &r->api};
  if (textfile_load(&x.at, &x.length, path, path, READER_MOST_BYTES, e) != OK)
    return FAIL;
  enum status s = OK;
  if (strstr(x.at, "<!ENTITY") != NULL)
    s = err_set(e, "%s: entities are not supported", path);
  else if (check_text(&x, path, e) != OK)
    s = FAIL;
  else
    s = load_text(r, &x, path, e);
  free(x.at);
  return s;
}

static enum status load(struct reader *r, const struct inside *in, const char *description,
                        struct err *e)
{
  if (in->file != NULL)
    return load_file(r, in->file, e);
  if (strcmp(description, "here") != 0 && set_synthetic(r, description, e) != OK)
    return FAIL;
  return r->api.hwloc_topology_load(r->topology) == 0
             ? OK
             : err_set(e, "libhwloc cannot load '%.80s'", description);
}

enum status reader_read(struct inside *in, const char *description, struct err *e)
{
  struct reader r = {.topology = NULL};
  struct err why;
  if (open_api(&r.api, e) != OK)
    return FAIL;
  if (r.api.hwloc_topology_init(&r.topology) != 0)
    return err_set(e, "libhwloc cannot start: out of memory");
  enum status s = load(&r, in, description, e);
  if (s == OK && (read_cores(&r, in, &why) != OK || read_levels(&r, in, &why) != OK))
    s = in->file != NULL ? err_set(e, "%s: %s", in->file, why.text) : err_set(e, "%s", why.text);
  r.api.hwloc_topology_destroy(r.topology);
  return s;
}
