#include "sim/simgrid/platform.h"

#include <stdio.h>

#include "sim/simgrid/guard.h"

/* Small stacks for many ranks; the sanitizers know only the stacks of threads. */
#ifdef HAICHI_SANITIZED
#define CONTEXTS "--cfg=contexts/factory:thread"
#else
#define CONTEXTS "--cfg=contexts/stack-size:256"
#endif

enum status simgrid_platform_load(struct simgrid_api *sg, const struct engine_config *c, bool full,
                                  struct err *e)
{
  char model[64], precision[64], solver[64];
  if (simgrid_api_open(sg, e) != OK)
    return FAIL;
  snprintf(model, sizeof model, "--cfg=network/model:%s", c->model->simgrid);
  snprintf(precision, sizeof precision, "--cfg=surf/precision:%.17g", c->precision_s);
  snprintf(solver, sizeof solver, "--cfg=maxmin/precision:%.17g", c->maxmin_precision);
  char program[] = "haichi", level[] = "--log=root.thresh:error", form[] = "--log=root.fmt:%m%n";
  char contexts[] = CONTEXTS, update[] = "--cfg=network/optim:Full";
  char *argv[] = {program, level, form, model, precision, solver, contexts, full ? update : NULL,
                  NULL};
  int argc = (int)(sizeof argv / sizeof *argv) - (full ? 1 : 2);
  sg->simgrid_init(&argc, argv);
  simgrid_guard_signals();
  sg->simgrid_load_platform(c->platform_file);
  return OK;
}
