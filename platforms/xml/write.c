#include <inttypes.h>
#include <stdio.h>

#include "common/files/outfile.h"
#include "platforms/platform_internal.h"
#include "platforms/xml/put.h"

static void put_scales(FILE *f, const struct platform *p)
{
  const uint32_t hosts = p->scale == NULL ? 0 : platform_hosts(p);
  for (uint32_t h = 0; h < hosts; h++) {
    char id[32], name[PLATFORM_NAME_SIZE];
    snprintf(id, sizeof id, "speed-%" PRIu32, h);
    if (p->scale[h] != 1.0)
      put_scale(f, id, platform_host_name(p, h, name, sizeof name), p->scale[h]);
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

bool platform_savable(const struct platform *p)
{
  struct err unused;
  return p->xml != NULL ||
         (p->one != NULL && topology_check_simgrid(p->one->topology, &unused) == OK);
}

enum status platform_print(const struct platform *p, FILE *f, struct err *e)
{
  if (p->xml != NULL) {
    fputs(p->xml, f);
    return OK;
  }
  if (p->one == NULL)
    return err_set(e, "%s: only the platform of a spec can be written", p->name);
  if (topology_check_simgrid(p->one->topology, e) != OK)
    return FAIL;
  put_begin(f);
  put_factors(f, p);
  put_zone(f, "world", "Full");
  put_cluster(f, p->one);
  put_zone_end(f);
  put_scales(f, p);
  put_end(f);
  return OK;
}

enum status platform_save(const struct platform *p, const char *path, struct err *e)
{
  struct outfile o;
  if (outfile_open(&o, path, e) != OK)
    return FAIL;
  return outfile_end(&o, platform_print(p, o.f, e), e);
}
