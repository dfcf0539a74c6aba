#define _GNU_SOURCE
#include <float.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/num.h"
#include "common/outfile.h"
#include "platforms/platform_internal.h"
#include "platforms/topology/grid.h"
#include "platforms/topology/star.h"

/* The shortest decimal with a unit that reads back as the same double. */
static void quantity_text(char *text, size_t size, double value, enum num_unit kind)
{
  static const char *const units[][5] = {
      {"Tf", "Gf", "Mf", "kf", "f"},
      {"TBps", "GBps", "MBps", "kBps", "Bps"},
      {"TB", "GB", "MB", "kB", "B"},
      {"ps", "ns", "us", "ms", "s"},
  };
  snprintf(text, size, "%.17g%s", value, units[kind][4]);
  for (size_t u = 0; u < 5; u++)
    for (int digits = 1; digits <= DBL_DECIMAL_DIG; digits++) {
      char one[8], word[64];
      double factor = 1.0, back = -1.0;
      struct err ignored;
      snprintf(one, sizeof one, "1%s", units[kind][u]);
      num_quantity(one, kind, &factor, &ignored);
      snprintf(word, sizeof word, "%.*g%s", digits, value / factor, units[kind][u]);
      if (strlen(word) < strlen(text) && num_quantity(word, kind, &back, &ignored) == OK &&
          back == value)
        snprintf(text, size, "%s", word);
    }
}

static void put_quantity(FILE *f, const char *name, double value, enum num_unit kind)
{
  char text[64];
  quantity_text(text, sizeof text, value, kind);
  fprintf(f, " %s=\"%s\"", name, text);
}

static void put_text(FILE *f, const char *name, const char *value)
{
  fprintf(f, " %s=\"", name);
  for (; *value != '\0'; value++)
    if (*value == '&')
      fputs("&amp;", f);
    else if (*value == '<')
      fputs("&lt;", f);
    else if (*value == '"')
      fputs("&quot;", f);
    else
      fputc(*value, f);
  fputc('"', f);
}

/* The hosts that SimGrid makes: for a mesh those of the torus that carries it. */
static uint64_t count_hosts(const struct topology *t)
{
  uint64_t hosts = 1;
  uint32_t ndims;
  if (!topology_is_grid(t))
    return t->hosts;
  grid_sides(t, &ndims);
  for (uint32_t d = 0; d < ndims; d++)
    hosts *= grid_carrier_side(t, d);
  return hosts;
}

static void put_radical(FILE *f, const struct cluster *c)
{
  if (c->range == NULL)
    fprintf(f, " radical=\"0-%" PRIu64, count_hosts(c->topology) - 1);
  for (uint32_t i = 0; i < c->ranges; i++)
    fprintf(f, "%s%" PRIu32 "-%" PRIu32, i == 0 ? " radical=\"" : ",", c->range[i].first,
            c->range[i].last);
  fputc('"', f);
}

static void put_topology(FILE *f, const struct topology *t)
{
  const bool carried = topology_is_grid(t);
  fprintf(f, " topology=\"%s\"",
          t->kind->print_simgrid == NULL ? "FLAT"
          : carried                      ? "TORUS"
                                         : t->kind->simgrid);
  if (t->kind->print_simgrid == NULL)
    return;
  fputs(" topo_parameters=\"", f);
  t->kind->print_simgrid(t, f);
  fputc('"', f);
}

/* SimGrid makes the router's name of the cluster's, unless it is given. */
static void put_router(FILE *f, const struct cluster *c)
{
  char usual[sizeof c->router];
  snprintf(usual, sizeof usual, "%s%s_router%s", c->prefix, c->id, c->suffix);
  if (c->router[0] != '\0' && strcmp(c->router, usual) != 0)
    put_text(f, "router_id", c->router);
}

static void put_cluster(FILE *f, const struct cluster *c)
{
  const struct star_backbone *b = topology_backbone(c->topology);
  fputs("  <cluster", f);
  put_text(f, "id", c->id);
  put_topology(f, c->topology);
  fputs("\n          ", f);
  put_text(f, "prefix", c->prefix);
  put_text(f, "suffix", c->suffix);
  put_radical(f, c);
  put_quantity(f, "speed", c->speed, NUM_SPEED);
  fputs("\n          ", f);
  put_quantity(f, "bw", c->bandwidth, NUM_BANDWIDTH);
  put_quantity(f, "lat", c->latency, NUM_TIME);
  fprintf(f, " sharing_policy=\"%s\"\n          ", c->split ? "SPLITDUPLEX" : "SHARED");
  if (c->loopback_bandwidth > 0) {
    put_quantity(f, "loopback_bw", c->loopback_bandwidth, NUM_BANDWIDTH);
    put_quantity(f, "loopback_lat", c->loopback_latency, NUM_TIME);
  }
  if (c->limiter > 0)
    put_quantity(f, "limiter_link", c->limiter, NUM_BANDWIDTH);
  if (c->cores > 1)
    fprintf(f, " core=\"%" PRIu32 "\"", c->cores);
  put_router(f, c);
  if (b != NULL) {
    put_quantity(f, "bb_bw", b->bandwidth_Bps, NUM_BANDWIDTH);
    put_quantity(f, "bb_lat", b->latency_s, NUM_TIME);
    fprintf(f, " bb_sharing_policy=\"%s\"", b->fat ? "FATPIPE" : "SHARED");
  }
  if (!topology_is_grid(c->topology)) {
    fputs("/>\n", f);
    return;
  }
  fprintf(f, ">\n    <prop id=\"%s\" value=\"%s\"/>\n  </cluster>\n", PLATFORM_PROP,
          topology_spec(c->topology));
}

/* A cluster has one speed; a profile that holds from simulated time 0 on scales it on one host.
 * Each profile can be connected to one host only. */
static void put_scales(FILE *f, const struct platform *p)
{
  const uint32_t hosts = p->scale == NULL ? 0 : platform_hosts(p);
  for (uint32_t h = 0; h < hosts; h++) {
    char name[PLATFORM_NAME_SIZE];
    if (p->scale[h] == 1.0)
      continue;
    fprintf(f, "  <trace id=\"speed-%u\" periodicity=\"-1\">0 %.17g</trace>\n", h, p->scale[h]);
    fprintf(f, "  <trace_connect kind=\"SPEED\" trace=\"speed-%u\"", h);
    put_text(f, "element", platform_host_name(p, h, name, sizeof name));
    fputs("/>\n", f);
  }
}

/* SimGrid 3.32 reads past the end of its tables on a dragonfly of more groups than a chassis has
 * routers. */
static enum status check_writable(const struct platform *p, struct err *e)
{
  struct topology *again;
  struct err why;
  char *parameters;
  size_t size;
  if (p->one == NULL)
    return err_set(e, "%s: only a platform of one cluster can be written", p->path);
  const struct topology *t = p->one->topology;
  if (t->kind->print_simgrid == NULL || topology_is_grid(t))
    return OK;
  FILE *f = open_memstream(&parameters, &size);
  if (f == NULL)
    return err_set(e, "out of memory");
  t->kind->print_simgrid(t, f);
  fclose(f);
  const struct topology_counters none = {0};
  const enum status s = t->kind->parse_simgrid(&again, parameters, t->hosts, &none, &why);
  free(parameters);
  if (s != OK)
    return err_set(e, "%s: %s", topology_spec(t), why.text);
  topology_free(again);
  return OK;
}

enum status platform_print(const struct platform *p, FILE *f, struct err *e)
{
  if (check_writable(p, e) != OK)
    return FAIL;
  fputs("<?xml version=\"1.0\"?>\n"
        "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
        "<platform version=\"4.1\">\n",
        f);
  put_cluster(f, p->one);
  put_scales(f, p);
  fputs("</platform>\n", f);
  return OK;
}

enum status platform_save(const struct platform *p, const char *path, struct err *e)
{
  struct outfile o;
  if (outfile_open(&o, path, e) != OK)
    return FAIL;
  if (platform_print(p, o.f, e) == OK)
    return outfile_commit(&o, e);
  outfile_abandon(&o);
  return FAIL;
}
