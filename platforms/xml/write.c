#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/num.h"
#include "common/outfile.h"
#include "platforms/platform_internal.h"

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

/* Leaves out sides of 1, which change no route and no name: with two of them SimGrid would declare
 * the link from a host to itself twice, and refuse it. */
static uint64_t put_sides(FILE *f, const struct topology *t)
{
  uint32_t ndims;
  uint64_t hosts = 1;
  const char *separator = "";
  topology_sides(t, &ndims);
  fputs(" topo_parameters=\"", f);
  for (uint32_t d = 0; d < ndims; d++) {
    const uint32_t k = topology_carrier_side(t, d);
    if (k == 1)
      continue;
    fprintf(f, "%s%u", separator, k);
    separator = ",";
    hosts *= k;
  }
  fputs(hosts == 1 ? "1\"" : "\"", f);
  return hosts;
}

static void put_cluster(FILE *f, const struct platform *p)
{
  fputs("  <cluster", f);
  put_text(f, "id", p->id);
  fputs(" topology=\"TORUS\"", f);
  const uint64_t hosts = put_sides(f, p->topology);
  fputs("\n          ", f);
  put_text(f, "prefix", p->prefix);
  put_text(f, "suffix", p->suffix);
  fprintf(f, " radical=\"0-%u\"", (unsigned)(hosts - 1));
  put_quantity(f, "speed", p->speed, NUM_SPEED);
  fputs("\n          ", f);
  put_quantity(f, "bw", p->bandwidth, NUM_BANDWIDTH);
  put_quantity(f, "lat", p->latency, NUM_TIME);
  fputs(" sharing_policy=\"SPLITDUPLEX\"\n          ", f);
  put_quantity(f, "loopback_bw", p->loopback_bandwidth, NUM_BANDWIDTH);
  put_quantity(f, "loopback_lat", p->loopback_latency, NUM_TIME);
  fprintf(f, ">\n    <prop id=\"%s\" value=\"%s\"/>\n  </cluster>\n", PLATFORM_PROP,
          topology_spec(p->topology));
}

/* A cluster has one speed; a profile that holds from simulated time 0 on scales it on one host.
 * Each profile can be connected to one host only. */
static void put_scales(FILE *f, const struct platform *p)
{
  const uint32_t hosts = p->scale == NULL ? 0 : topology_hosts(p->topology);
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

enum status platform_print(const struct platform *p, FILE *f, struct err *e)
{
  const struct topology *t;
  if (platform_need_topology(p, "writing a platform", &t, e) != OK)
    return FAIL;
  fputs("<?xml version=\"1.0\"?>\n"
        "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
        "<platform version=\"4.1\">\n",
        f);
  put_cluster(f, p);
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
