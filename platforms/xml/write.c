#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/files/outfile.h"
#include "platforms/fabric/fabric.h"
#include "platforms/fabric/print.h"
#include "platforms/platform_internal.h"
#include "platforms/xml/nodes.h"
#include "platforms/xml/put.h"

static void put_scales(FILE *f, const struct platform *p)
{
  const uint32_t hosts = p->scale == NULL ? 0 : platform_hosts(p);
  for (uint32_t h = 0; h < hosts; h++) {
    char id[32], name[PLATFORM_NAME_SIZE];
    snprintf(id, sizeof id, "speed-%" PRIu32, h);
    if (p->scale[h] != 1.0)
      put_scale(f, id, platform_simgrid_host(p, h, name, sizeof name), p->scale[h]);
  }
}

static void put_factors(FILE *f, const struct platform *p)
{
  bool any = false;
  for (int i = 0; i < PLATFORM_FACTORS; i++) {
    if (p->factors[i].count == 0)
      continue;
    fprintf(f, "%s    <prop id=\"%s\" value=\"", any ? "" : "  <config id=\"General\">\n",
            platform_factor_option((enum platform_factor)i));
    factors_print(&p->factors[i], f);
    fputs("\"/>\n", f);
    any = true;
  }
  fputs(any ? "  </config>\n" : "", f);
}

static enum status check_simgrid(const struct platform *p, struct err *e)
{
  const struct topology *t = p->one->topology;
  if (p->inside != NULL)
    return nodes_check_print(p, e);
  return (topology_is_fabric(t) ? fabric_check_print : topology_check_simgrid)(t, e);
}

bool platform_savable(const struct platform *p)
{
  struct err unused;
  return (p->xml != NULL && p->inside == NULL) ||
         (p->one != NULL && check_simgrid(p, &unused) == OK);
}

static void put_list(FILE *f, const struct platform *p)
{
  for (uint32_t h = 0; h < platform_hosts(p); h++) {
    char name[PLATFORM_NAME_SIZE];
    fputs(h == 0 ? "" : ",", f);
    put_escaped(f, platform_host_name(p, h, name, sizeof name));
  }
}

/* Writes the names of the hosts as a property of the outermost zone. */
static void put_names(FILE *f, const struct platform *p)
{
  if (p->names.list.count == 0)
    return;
  fprintf(f, "    <prop id=\"%s\" value=\"", PLATFORM_NAMES);
  if (p->inside == NULL && p->naming[0] != '@')
    put_escaped(f, p->naming);
  else
    put_list(f, p);
  fputs("\"/>\n", f);
}

/* Writes the messages of the calibration as a property of the outermost zone. */
static void put_range(FILE *f, const struct platform *p)
{
  if (p->calibrated.largest == 0)
    return;
  fprintf(f, "    <prop id=\"%s\" value=\"", PLATFORM_CALIBRATED);
  calibrated_print(&p->calibrated, f);
  fputs("\"/>\n", f);
}

/* Writes the XML of several clusters, with the names after the begin tag of the outermost zone. */
static void put_clusters(FILE *f, const struct platform *p)
{
  const char *inside = strchr(strstr(p->xml, "<zone"), '\n') + 1;
  fwrite(p->xml, 1, (size_t)(inside - p->xml), f);
  put_names(f, p);
  fputs(inside, f);
}

static enum status put_zone_of(FILE *f, const struct platform *p, struct err *e)
{
  const struct topology *t = p->one->topology;
  const bool fabric = topology_is_fabric(t);
  enum status s = OK;
  put_zone(f, "world", fabric && p->inside == NULL ? fabric_routing(t) : "Full");
  put_names(f, p);
  put_range(f, p);
  if (p->inside != NULL)
    s = nodes_print(p, f, e);
  else if (fabric)
    s = fabric_print(p, f, e);
  else
    put_cluster(f, p->one);
  put_zone_end(f);
  if (!fabric && p->inside == NULL)
    put_scales(f, p);
  return s;
}

enum status platform_print(const struct platform *p, FILE *f, struct err *e)
{
  if (smpi_first_option(&p->smpi) != NULL)
    return err_set(e, "%s: haichi cannot write the option '%s'", p->name,
                   smpi_first_option(&p->smpi));
  if (p->xml != NULL && p->inside == NULL) {
    put_clusters(f, p);
    return OK;
  }
  if (p->one == NULL)
    return err_set(e, "%s: only the platform of a spec can be written", p->name);
  if (check_simgrid(p, e) != OK)
    return FAIL;
  put_begin(f);
  put_factors(f, p);
  const enum status s = put_zone_of(f, p, e);
  put_end(f);
  return s;
}

enum status platform_save(const struct platform *p, const char *path, struct err *e)
{
  struct outfile o;
  if (outfile_open(&o, path, e) != OK)
    return FAIL;
  return outfile_end(&o, platform_print(p, o.f, e), e);
}
