/* Opens platforms: builds them from specs, or reads their files, and names their hosts.  The text
 * of a platform is PLATFORM[,node=TEXT][,names=LIST]. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/mem.h"
#include "common/num.h"
#include "platforms/platform_internal.h"

#define INSIDE ",node="
#define NAMES  ",names="

/* Sets the speed of each host in flop/s.  The fastest speed becomes the speed of the cluster. */
static enum status set_speeds(struct platform *p, const double *speeds, struct err *e)
{
  const uint32_t n = platform_hosts(p);
  double fastest = 0.0;
  for (uint32_t h = 0; h < n; h++)
    fastest = fmax(fastest, speeds[h]);
  OWNED double *scale = mem_array(n, sizeof *scale, e);
  if (scale == NULL)
    return FAIL;
  bool equal = true;
  for (uint32_t h = 0; h < n; h++) {
    scale[h] = cluster_scale(speeds[h], fastest);
    equal = equal && speeds[h] == fastest;
    if (scale[h] <= 0)
      return err_set(e, "speeds of %g and %g flop/s are too far apart", speeds[h], fastest);
  }
  if (!equal) {
    p->scale = scale;
    scale = NULL;
  }
  p->one->speed = fastest;
  return OK;
}

/* Parses @p text, or @p fallback if it is NULL.  Errors name the option. */
static enum status set_quantity(double *out, const char *option, const char *text,
                                const char *fallback, enum num_unit unit, struct err *e)
{
  return num_quantity(text == NULL ? fallback : text, unit, out, e) == OK
             ? OK
             : err_prefix(e, "--%s: ", option);
}

static enum status set_params(struct cluster *c, const struct platform_params *q, struct err *e)
{
  if (set_quantity(&c->speed, "speed", q->speed, "1Gf", NUM_SPEED, e) != OK ||
      set_quantity(&c->bandwidth, "bandwidth", q->bandwidth, "1.25GBps", NUM_BANDWIDTH, e) != OK ||
      set_quantity(&c->latency, "latency", q->latency, "100ns", NUM_TIME, e) != OK ||
      set_quantity(&c->loopback_bandwidth, "loopback-bandwidth", q->loopback_bandwidth, "10GBps",
                   NUM_BANDWIDTH, e) != OK)
    return FAIL;
  return set_quantity(&c->loopback_latency, "loopback-latency", q->loopback_latency, "50ns",
                      NUM_TIME, e);
}

static enum status deal_speeds(struct platform *p, const char *text, struct err *e)
{
  double *speeds;
  if (platform_speeds_parse(&speeds, text, platform_hosts(p), e) != OK)
    return FAIL;
  const enum status s = set_speeds(p, speeds, e);
  free(speeds);
  return s;
}

enum status platform_keep_file(struct platform *p, const char *path, struct err *e)
{
  for (size_t i = 0; i < p->files; i++)
    if (strcmp(p->file[i], path) == 0)
      return OK;
  if (MEM_GROW(p->file, p->file_room, p->files + 1, e) != OK ||
      (p->file[p->files] = mem_strdup(path, e)) == NULL)
    return FAIL;
  p->files++;
  return OK;
}

enum status platform_apply_names(struct platform *p, struct err *e)
{
  host_names_clear(&p->names);
  return p->naming == NULL ? OK : host_names_read(&p->names, p->naming, platform_hosts(p), e);
}

/* The names of an opaque platform are applied when it has hosts. */
static enum status set_names(struct platform *p, const char *text, struct err *e)
{
  free(p->naming);
  if ((p->naming = mem_strdup(text, e)) == NULL ||
      (text[0] == '@' && platform_keep_file(p, text + 1, e) != OK))
    return FAIL;
  return p->opaque && p->hosts == 0 ? OK : platform_apply_names(p, e);
}

static enum status keep_files(struct platform *p, const struct topology *t, struct err *e)
{
  const char *path;
  for (size_t i = 0; (path = topology_file(t, i)) != NULL; i++)
    if (platform_keep_file(p, path, e) != OK)
      return FAIL;
  return OK;
}

/* Builds a platform with one cluster, "haichi", whose hosts are node-0, node-1, ... */
static enum status build(struct platform *p, const char *spec, const struct platform_params *params,
                         struct err *e)
{
  struct cluster *c = mem_array(1, sizeof *c, e);
  if (c == NULL)
    return FAIL;
  *c = (struct cluster){.id = "haichi", .prefix = "node-", .split = true};
  c->cores = params->cores > 0 ? params->cores : 1;
  if (topology_new(&c->topology, spec, e) != OK || set_params(c, params, e) != OK ||
      network_add_cluster(&p->n, c, e) != OK) {
    cluster_clear(c);
    free(c);
    return FAIL;
  }
  p->one = c;
  if ((p->name = mem_strdup(topology_spec(c->topology), e)) == NULL)
    return FAIL;
  if (network_seal(&p->n, e) != OK || keep_files(p, c->topology, e) != OK)
    return FAIL;
  return params->speeds == NULL ? OK : deal_speeds(p, params->speeds, e);
}

/* Builds the platform of a spec without names. */
static enum status build_plain(struct platform **out, const char *spec,
                               const struct platform_params *params, struct err *e)
{
  static const struct platform_params defaults = {0};
  if (topology_is_multicluster(spec))
    return platform_clusters_build(out, spec, e);
  struct platform *p = mem_array(1, sizeof *p, e);
  if (p == NULL)
    return FAIL;
  if (build(p, spec, params == NULL ? &defaults : params, e) != OK) {
    platform_free(p);
    return FAIL;
  }
  *out = p;
  return OK;
}

/* The last @p option in the text of a platform; NULL if there is none. */
static const char *last_in(const char *text, const char *option)
{
  const char *last = NULL;
  for (const char *at = strstr(text, option); at != NULL; at = strstr(at + 1, option))
    last = at;
  return last;
}

static bool is_plain(const char *text)
{
  return last_in(text, INSIDE) == NULL && last_in(text, NAMES) == NULL;
}

/* The parts of the text of a platform. */
struct pieces {
  char *plain;        /* before the options; owned */
  char *inside;       /* value of node=; owned; NULL: none */
  const char *naming; /* ",names=" and its value; NULL: none */
};

static void clear_pieces(struct pieces *x)
{
  free(x->plain);
  free(x->inside);
}

static enum status cut_pieces(struct pieces *out, const char *text, struct err *e)
{
  struct pieces x = {.naming = last_in(text, NAMES)};
  const size_t all = x.naming == NULL ? strlen(text) : (size_t)(x.naming - text);
  if ((x.plain = mem_printf(e, "%.*s", (int)all, text)) == NULL)
    return FAIL;
  char *inside = (char *)last_in(x.plain, INSIDE);
  if (inside != NULL && (x.inside = mem_strdup(inside + strlen(INSIDE), e)) == NULL) {
    clear_pieces(&x);
    return FAIL;
  }
  if (inside != NULL)
    *inside = '\0';
  *out = x;
  return OK;
}

/* The text of the pieces with the values of options. */
static char *join_pieces(const struct pieces *x, const char *node, const char *names, struct err *e)
{
  const char *inside = node != NULL ? node : x->inside;
  const char *twice = node != NULL && x->inside != NULL    ? "node"
                      : names != NULL && x->naming != NULL ? "names"
                                                           : NULL;
  if (twice != NULL) {
    err_set(e, "--%s: the platform has %s=, too", twice, twice);
    return NULL;
  }
  return mem_printf(e, "%s%s%s%s%s", x->plain, inside == NULL ? "" : INSIDE,
                    inside == NULL ? "" : inside,
                    names != NULL       ? NAMES "@"
                    : x->naming != NULL ? x->naming
                                        : "",
                    names != NULL ? names : "");
}

char *platform_text(const char *text, const char *node, const char *names, struct err *e)
{
  struct pieces x = {.naming = NULL};
  if (is_plain(text) || (!platform_is_spec(text) && access(text, F_OK) == 0))
    x.plain = mem_strdup(text, e);
  else if (cut_pieces(&x, text, e) != OK)
    return NULL;
  char *joined = x.plain == NULL ? NULL : join_pieces(&x, node, names, e);
  clear_pieces(&x);
  return joined;
}

/* Gives the hosts of @p p, whose text is @p text, their names and their inside.  Frees @p p on
 * failure. */
static enum status complete(struct platform **out, struct platform *p, const struct pieces *x,
                            const char *text, struct err *e)
{
  char *name = mem_strdup(text, e);
  enum status s = name == NULL ? FAIL : OK;
  if (s == OK && x->naming != NULL)
    s = set_names(p, x->naming + strlen(NAMES), e);
  if (s == OK && !p->of_file) { /* a file keeps its own name */
    free(p->name);
    p->name = name;
    name = NULL;
  }
  if (s == OK && x->inside != NULL)
    s = platform_set_inside(p, x->inside, e);
  free(name);
  if (s == OK)
    *out = p;
  else
    platform_free(p);
  return s;
}

enum status platform_from_spec(struct platform **out, const char *spec,
                               const struct platform_params *params, struct err *e)
{
  struct pieces x;
  struct platform *p;
  if (is_plain(spec))
    return build_plain(out, spec, params, e);
  if (cut_pieces(&x, spec, e) != OK)
    return FAIL;
  enum status s = OK;
  if (x.inside != NULL && params != NULL && params->cores > 0)
    s = err_set(e, "--cores: node= gives the cores of the nodes");
  if (s == OK && (s = build_plain(&p, x.plain, params, e)) == OK)
    s = complete(out, p, &x, spec, e);
  clear_pieces(&x);
  return s;
}

enum status platform_load(struct platform **out, const char *path, struct err *e)
{
  struct pieces x;
  struct platform *p;
  if (is_plain(path) || access(path, F_OK) == 0)
    return platform_read_file(out, path, e);
  if (cut_pieces(&x, path, e) != OK)
    return FAIL;
  enum status s = platform_read_file(&p, x.plain, e);
  if (s == OK)
    s = complete(out, p, &x, path, e);
  clear_pieces(&x);
  return s;
}
