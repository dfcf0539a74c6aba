/* Reads profiles: <trace> and <trace_connect>, and the profile files of hosts and links. */
#include <fcntl.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common/files/inputs.h"
#include "common/mem.h"
#include "common/num.h"
#include "common/numeric/rising.h"
#include "platforms/platform_internal.h"

/* Maximum size of a file in bytes. */
enum { MOST_BYTES = 64 << 20 };

/* A <trace> element. */
struct trace {
  const char *id;
  const xmlNode *node;
  size_t position; /* index in the list of elements */
  bool connected;
};

struct reading {
  struct platform *p;
  struct trace *traces; /* sorted by id */
  size_t count;
  struct pairs given; /* kind and target of each profile */
  bool opaque;
  struct err *e;
};

/* --- profile texts ---------------------------------------------------------------------------- */

/* Reads a whole open file.  NULL with @p e filled on failure. */
static char *read_all(int fd, const char *path, struct err *e)
{
  struct stat st;
  if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode) || st.st_size > MOST_BYTES) {
    err_set(e, "%s: a profile is a file of at most %d bytes", path, MOST_BYTES);
    return NULL;
  }
  char *text = mem_array((size_t)st.st_size + 1, 1, e);
  ssize_t n = 1;
  for (off_t done = 0; text != NULL && n > 0 && done < st.st_size; done += n)
    if ((n = read(fd, text + done, (size_t)(st.st_size - done))) < 0)
      err_errno(e, path, "cannot read");
  if (n >= 0)
    return text;
  free(text);
  return NULL;
}

/* Opens a file like SimGrid: in the current folder, or, if it is not there, in the folder of the
 * platform file.  The caller frees *path. */
static int open_beside(const struct platform *p, const char *name, char **path, struct err *e)
{
  const char *slash = *name == '/' ? NULL : strrchr(p->name, '/');
  int fd = -1;
  for (int i = 0; i < 2 && fd < 0; i++) {
    const int folder = i == 0 || slash == NULL ? 0 : (int)(slash + 1 - p->name);
    if ((*path = mem_printf(e, "%.*s%s", folder, p->name, name)) == NULL)
      return -1;
    fd = open(*path, O_RDONLY | O_NONBLOCK | O_CLOEXEC); /* does not block on a pipe */
    if (fd >= 0 || i == 1)
      break;
    free(*path);
  }
  if (fd < 0)
    err_errno(e, *path, "cannot read");
  else
    inputs_note(fd);
  return fd;
}

static enum status parse_file(struct reading *r, const xmlNode *node, const char *name,
                              struct profile *out)
{
  OWNED char *path = NULL;
  OWNED char *text = NULL;
  const int fd = open_beside(r->p, name, &path, r->e);
  enum status s = FAIL;
  if (fd >= 0 && (text = read_all(fd, path, r->e)) != NULL &&
      platform_keep_file(r->p, path, r->e) == OK)
    s = profile_parse(out, text, -1, path, 1, &r->opaque, r->e);
  if (s != OK)
    err_place(r->e, r->p->name, (uint64_t)xmlGetLineNo(node));
  if (fd >= 0)
    close(fd);
  return s;
}

static enum status parse_trace(struct reading *r, const xmlNode *node, struct profile *out)
{
  const char *file = platform_xml_value(node, "file");
  double period;
  if (*file != '\0')
    return parse_file(r, node, file, out);
  if (num_double(platform_xml_value(node, "periodicity"), -DBL_MAX, 1e300, &period, r->e) != OK)
    return platform_xml_fail(r->e, r->p->name, node, "periodicity: %s", r->e->text);
  xmlChar *text = xmlNodeGetContent(node);
  if (text == NULL)
    return err_set(r->e, "out of memory");
  const enum status s = profile_parse(out, (char *)text, period, r->p->name,
                                      (uint64_t)xmlGetLineNo(node), &r->opaque, r->e);
  xmlFree(text);
  return s;
}

/* --- targets ---------------------------------------------------------------------------------- */

/* Stores a constant speed factor in the host. */
static enum status scale_host(struct reading *r, const xmlNode *node, const struct profile *x)
{
  struct platform *p = r->p;
  if (p->scale == NULL && (p->scale = mem_array(platform_hosts(p), sizeof *p->scale, r->e)) == NULL)
    return FAIL;
  const double full = platform_full_speed(p, x->target), speed = full * x->value[0];
  p->scale[x->target] = x->value[0];
  if (isfinite(speed) && speed > 0)
    return OK;
  return platform_xml_fail(r->e, p->name, node, "a speed of %g times %g flop/s is out of range",
                           x->value[0], full);
}

/* Stores a profile.  Like SimGrid, refuses a second profile of the same kind for a target. */
static enum status keep(struct reading *r, const xmlNode *node, struct profile *x)
{
  struct platform *p = r->p;
  const bool constant =
      x->kind == PROFILE_SPEED && x->events == 1 && x->after[0] <= 0 && x->repeat_s < 0;
  uint32_t pair;
  if (pairs_find(&r->given, x->kind, x->target) != PAIRS_NONE)
    return platform_xml_fail(r->e, p->name, node, "a second %s profile of the same target",
                             profile_kinds[x->kind]);
  if (pairs_add(&r->given, x->kind, x->target, &pair, r->e) != OK)
    return FAIL;
  if (constant && x->value[0] > 0) {
    const enum status s = scale_host(r, node, x);
    profile_clear(x);
    return s;
  }
  if (MEM_GROW(p->profile, p->profile_room, p->profiles + 1, r->e) != OK)
    return FAIL;
  p->profile[p->profiles++] = *x;
  return OK;
}

static enum status add(struct reading *r, const xmlNode *node, enum profile_kind kind,
                       uint32_t target, const xmlNode *trace, const char *file)
{
  struct profile x = {.kind = kind, .target = target};
  enum status s = trace != NULL ? parse_trace(r, trace, &x) : parse_file(r, node, file, &x);
  if (s == OK && !r->opaque && x.events > 0)
    s = keep(r, node, &x);
  if (s != OK || r->opaque || x.events == 0)
    profile_clear(&x);
  return s;
}

/* --- <trace_connect> -------------------------------------------------------------------------- */

static bool is_trace(const xmlNode *node)
{
  return strcmp((const char *)node->name, "trace") == 0;
}

static int compare_traces(const void *a, const void *b)
{
  const struct trace *x = a, *y = b;
  return strcmp(x->id, y->id) ?: RISING(x->position, y->position);
}

static enum status list_traces(struct reading *r, xmlNode *const *nodes, size_t count)
{
  static const char *const known[] = {"id", "periodicity", "file", NULL};
  for (size_t i = 0; i < count; i++) {
    if (!is_trace(nodes[i]))
      continue;
    if (platform_xml_check(nodes[i], known, 2, r->p->name, r->e) != OK)
      return FAIL;
    r->traces[r->count++] = (struct trace){
        .id = platform_xml_attribute(nodes[i], "id"), .node = nodes[i], .position = i};
  }
  qsort(r->traces, r->count, sizeof *r->traces, compare_traces);
  for (size_t i = 1; i < r->count; i++)
    if (strcmp(r->traces[i - 1].id, r->traces[i].id) == 0)
      return platform_xml_fail(r->e, r->p->name, r->traces[i].node,
                               "a second <trace> named '%.80s'", r->traces[i].id);
  return OK;
}

static int by_id(const void *id, const void *trace)
{
  return strcmp(id, ((const struct trace *)trace)->id);
}

static struct trace *find_trace(const struct reading *r, const char *id)
{
  return r->count == 0 ? NULL : bsearch(id, r->traces, r->count, sizeof *r->traces, by_id);
}

/* Finds the host of a <trace_connect>.  Sets *host to NETWORK_NONE for a host of the torus that
 * carries a mesh, if the host is not in the mesh. */
static enum status find_host(struct reading *r, const xmlNode *node, uint32_t *host)
{
  struct platform *p = r->p;
  const char *element = platform_xml_value(node, "element");
  if (platform_find_host(p, element, host))
    return OK;
  *host = NETWORK_NONE;
  if (p->one != NULL && cluster_carries(p->one, element))
    return OK;
  return platform_xml_fail(r->e, p->name, node, "no host '%.80s' on this platform", element);
}

/* Reads a <trace_connect>.  Skips states of hosts and links (HOST_AVAIL, the default, and
 * LINK_AVAIL), which platform_need_lasting() refuses. */
static enum status connect(struct reading *r, const xmlNode *node, size_t position)
{
  static const char *const known[] = {"trace", "element", "kind", NULL};
  const char *kind = platform_xml_value(node, "kind");
  uint32_t host;
  if (platform_xml_check(node, known, 2, r->p->name, r->e) != OK)
    return FAIL;
  struct trace *t = find_trace(r, platform_xml_value(node, "trace"));
  if (t == NULL || t->position > position)
    return platform_xml_fail(r->e, r->p->name, node, "no <trace> '%.80s' before this line",
                             platform_xml_value(node, "trace"));
  if (t->connected)
    return platform_xml_fail(r->e, r->p->name, node,
                             "<trace> '%.80s' is connected twice; SimGrid would use the first only",
                             t->id);
  t->connected = true;
  if (strcmp(kind, "BANDWIDTH") == 0 || strcmp(kind, "LATENCY") == 0)
    return platform_xml_fail(r->e, r->p->name, node,
                             "SimGrid 3.32 connects no <trace> to a link: name a file as its %s",
                             *kind == 'B' ? "bandwidth_file" : "latency_file");
  if (strcmp(kind, "SPEED") != 0)
    return OK;
  if (find_host(r, node, &host) != OK)
    return FAIL;
  return host == NETWORK_NONE ? OK : add(r, node, PROFILE_SPEED, host, t->node, NULL);
}

/* --- profile files ---------------------------------------------------------------------------- */

/* Adds a profile of a link; for a split link, of both directions. */
static enum status add_of_link(struct reading *r, const xmlNode *node, enum profile_kind kind,
                               const char *file)
{
  static const char *const ENDS[] = {"", "_UP", "_DOWN"};
  for (size_t i = 0; i < 3; i++) {
    uint32_t link;
    OWNED char *name = mem_printf(r->e, "%s%s", platform_xml_value(node, "id"), ENDS[i]);
    if (name == NULL)
      return FAIL;
    const bool found = network_find_link(&r->p->n, name, &link);
    if (found && add(r, node, kind, link, NULL, file) != OK)
      return FAIL;
    if (found && i == 0)
      return OK;
  }
  return OK;
}

static enum status read_files(struct reading *r, const xmlNode *node)
{
  static const struct {
    const char *attribute;
    enum profile_kind kind;
  } FILES[] = {{"availability_file", PROFILE_SPEED},
               {"speed_file", PROFILE_SPEED},
               {"bandwidth_file", PROFILE_BANDWIDTH},
               {"latency_file", PROFILE_LATENCY}};
  uint32_t host;
  for (size_t i = 0; i < sizeof FILES / sizeof *FILES; i++) {
    const char *file = platform_xml_value(node, FILES[i].attribute);
    if (*file == '\0' || r->opaque)
      continue;
    if (FILES[i].kind != PROFILE_SPEED) {
      if (add_of_link(r, node, FILES[i].kind, file) != OK)
        return FAIL;
    } else if (platform_find_host(r->p, platform_xml_value(node, "id"), &host) &&
               add(r, node, PROFILE_SPEED, host, NULL, file) != OK) {
      return FAIL;
    }
  }
  return OK;
}

static enum status read_all_files(struct reading *r, const xmlNode *node)
{
  for (const xmlNode *c = node->children; c != NULL && !r->opaque; c = c->next)
    if (c->type == XML_ELEMENT_NODE && (read_files(r, c) != OK || read_all_files(r, c) != OK))
      return FAIL;
  return OK;
}

/* --- public ----------------------------------------------------------------------------------- */

static enum status read_profiles(struct reading *r, const xmlNode *root, xmlNode *const *nodes,
                                 size_t count)
{
  struct platform *p = r->p;
  if (list_traces(r, nodes, count) != OK || read_all_files(r, root) != OK)
    return FAIL;
  for (size_t i = 0; i < count && !r->opaque; i++)
    if (!is_trace(nodes[i]) && connect(r, nodes[i], i) != OK)
      return FAIL;
  for (uint32_t h = 0; p->scale != NULL && h < platform_hosts(p); h++)
    if (p->scale[h] <= 0)
      p->scale[h] = 1.0;
  return OK;
}

enum status platform_profiles_read(struct platform *p, const xmlNode *root, xmlNode *const *nodes,
                                   size_t count, bool *opaque, struct err *e)
{
  struct reading r = {.p = p, .e = e};
  if ((r.traces = mem_array(count, sizeof *r.traces, e)) == NULL)
    return FAIL;
  const enum status s = read_profiles(&r, root, nodes, count);
  free(r.traces);
  pairs_clear(&r.given);
  *opaque = r.opaque;
  return s;
}
