#include "sim/simgrid_platform.h"

#include <simgrid/engine.h>
#include <simgrid/host.h>
#include <simgrid/link.h>
#include <stdio.h>
#include <xbt/dynar.h>

/* Small stacks for many ranks; the sanitizers know only the stacks of threads. */
#ifdef HAICHI_SANITIZED
#define CONTEXTS "--cfg=contexts/factory:thread"
#else
#define CONTEXTS "--cfg=contexts/stack-size:256"
#endif

void simgrid_platform_load(const struct engine_config *c, bool full)
{
  char model[64], precision[64], solver[64];
  snprintf(model, sizeof model, "--cfg=network/model:%s", c->model->simgrid);
  snprintf(precision, sizeof precision, "--cfg=surf/precision:%.17g", c->precision_s);
  snprintf(solver, sizeof solver, "--cfg=maxmin/precision:%.17g", c->maxmin_precision);
  char program[] = "haichi", log[] = "--log=root.thresh:critical", contexts[] = CONTEXTS;
  char update[] = "--cfg=network/optim:Full";
  char *argv[] = {program, log, model, precision, solver, contexts, full ? update : NULL, NULL};
  int argc = (int)(sizeof argv / sizeof *argv) - (full ? 1 : 2);
  simgrid_init(&argc, argv);
  simgrid_load_platform(c->platform_file);
}

void simgrid_platform_route(const char *src, const char *dst, engine_link_fn *link, void *arg)
{
  xbt_dynar_t links = xbt_dynar_new(sizeof(sg_link_t), NULL);
  sg_host_get_route(sg_host_by_name(src), sg_host_by_name(dst), links);
  for (unsigned long i = 0; i < xbt_dynar_length(links); i++) {
    const sg_link_t l = xbt_dynar_get_as(links, i, sg_link_t);
    link(arg, sg_link_get_name(l), sg_link_get_bandwidth(l));
  }
  xbt_dynar_free(&links);
}

void simgrid_platform_host(const char *name, double *speed, uint32_t *cores)
{
  const sg_host_t h = sg_host_by_name(name);
  *speed = sg_host_get_speed(h);
  *cores = (uint32_t)sg_host_core_count(h);
}
