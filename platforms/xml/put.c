#include "platforms/xml/put.h"

#include <float.h>
#include <inttypes.h>
#include <string.h>

#include "platforms/platform_internal.h"
#include "platforms/topology/grid.h"
#include "platforms/topology/star.h"

/* Replaces @p text if the value has a shorter decimal representation with @p unit.  Tries more
 * digits than necessary only to avoid a positive exponent: 1e+02 becomes 100. */
static void shorten(char *text, size_t size, double value, const char *unit, enum num_unit kind)
{
  char one[8], word[64];
  double factor = 1.0, back;
  struct err ignored;
  snprintf(one, sizeof one, "1%s", unit);
  num_quantity(one, kind, &factor, &ignored);
  for (int digits = 1; digits <= DBL_DECIMAL_DIG; digits++) {
    snprintf(word, sizeof word, "%.*g%s", digits, value / factor, unit);
    if (num_quantity(word, kind, &back, &ignored) != OK || back != value)
      continue;
    if (strlen(word) < strlen(text))
      snprintf(text, size, "%s", word);
    if (strstr(word, "e+") == NULL)
      return;
  }
}

/* The shortest decimal number with a unit that reads back as the same double. */
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
    shorten(text, size, value, units[kind][u], kind);
}

/* Writes an attribute: the shortest number with a unit that reads back as the same double. */
static void put_quantity(FILE *f, const char *name, double value, enum num_unit kind)
{
  char text[64];
  quantity_text(text, sizeof text, value, kind);
  fprintf(f, " %s=\"%s\"", name, text);
}

void put_text(FILE *f, const char *name, const char *value)
{
  fprintf(f, " %s=\"", name);
  put_escaped(f, value);
  fputc('"', f);
}

void put_escaped(FILE *f, const char *value)
{
  for (; *value != '\0'; value++)
    if (*value == '&')
      fputs("&amp;", f);
    else if (*value == '<')
      fputs("&lt;", f);
    else if (*value == '"')
      fputs("&quot;", f);
    else
      fputc(*value, f);
}

static void put_radical(FILE *f, const struct cluster *c)
{
  if (c->range == NULL)
    fprintf(f, " radical=\"0-%" PRIu32, grid_carrier_hosts(c->topology) - 1);
  for (uint32_t i = 0; i < c->ranges; i++)
    fprintf(f, "%s%" PRIu32 "-%" PRIu32, i == 0 ? " radical=\"" : ",", c->range[i].first,
            c->range[i].last);
  fputc('"', f);
}

static void put_topology(FILE *f, const struct topology *t)
{
  fprintf(f, " topology=\"%s\"", t->kind->simgrid);
  if (t->kind->print_simgrid == NULL)
    return;
  fputs(" topo_parameters=\"", f);
  t->kind->print_simgrid(t, f);
  fputc('"', f);
}

/* Writes the name of the router, unless it is SimGrid's default. */
static void put_router(FILE *f, const struct cluster *c)
{
  char usual[sizeof c->router];
  snprintf(usual, sizeof usual, "%s%s_router%s", c->prefix, c->id, c->suffix);
  if (c->router[0] != '\0' && strcmp(c->router, usual) != 0)
    put_text(f, "router_id", c->router);
}

void put_no_inbound(FILE *f)
{
  fprintf(f, "    <prop id=\"%s\" value=\"no\"/>\n", PLATFORM_INBOUND);
}

static void put_props(FILE *f, const struct cluster *c)
{
  fputs(">\n", f);
  if (topology_is_grid(c->topology))
    fprintf(f, "    <prop id=\"%s\" value=\"%s\"/>\n", PLATFORM_PROP, topology_spec(c->topology));
  if (c->no_inbound)
    put_no_inbound(f);
  fputs("  </cluster>\n", f);
}

void put_cluster(FILE *f, const struct cluster *c)
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
  if (topology_is_grid(c->topology) || c->no_inbound)
    put_props(f, c);
  else
    fputs("/>\n", f);
}

void put_scale(FILE *f, const char *id, const char *host, double scale)
{
  fputs("  <trace", f);
  put_text(f, "id", id);
  fprintf(f, " periodicity=\"-1\">0 %.17g</trace>\n  <trace_connect kind=\"SPEED\"", scale);
  put_text(f, "trace", id);
  put_text(f, "element", host);
  fputs("/>\n", f);
}

void put_zone(FILE *f, const char *id, const char *routing)
{
  fputs("  <zone", f);
  put_text(f, "id", id);
  put_text(f, "routing", routing);
  fputs(">\n", f);
}

void put_zone_end(FILE *f)
{
  fputs("  </zone>\n", f);
}

void put_host(FILE *f, const char *id, double speed, uint32_t cores)
{
  fputs("    <host", f);
  put_text(f, "id", id);
  put_quantity(f, "speed", speed, NUM_SPEED);
  fprintf(f, " core=\"%" PRIu32 "\"/>\n", cores);
}

void put_link(FILE *f, const char *id, double bandwidth, double latency_s, const char *sharing)
{
  fputs("    <link", f);
  put_text(f, "id", id);
  put_quantity(f, "bandwidth", bandwidth, NUM_BANDWIDTH);
  put_quantity(f, "latency", latency_s, NUM_TIME);
  fprintf(f, " sharing_policy=\"%s\"/>\n", sharing);
}

void put_begin(FILE *f)
{
  fputs("<?xml version=\"1.0\"?>\n"
        "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
        "<platform version=\"4.1\">\n",
        f);
}

void put_end(FILE *f)
{
  fputs("</platform>\n", f);
}
