#include "sim/simgrid/platform.h"

#include <stdio.h>
#include <string.h>

#include "common/files/path.h"
#include "sim/simgrid/guard.h"

/* Small stacks, to allow many ranks.  Sanitizers support only the stacks of threads. */
#ifdef HAICHI_SANITIZED
#define CONTEXTS "--cfg=contexts/factory:thread"
#else
#define CONTEXTS "--cfg=contexts/stack-size:256"
#endif

char *simgrid_platform_folder(const struct platform *p, const char *file, char *text, size_t size)
{
  const char *path = platform_path(p);
  if (path == NULL || path_folder(path) == 0 || strcmp(path, file) == 0)
    return NULL;
  snprintf(text, size, "--cfg=path:%.*s", path_folder(path), path);
  return text;
}

enum status simgrid_platform_load(struct simgrid_api *sg, const struct engine_config *c, bool full,
                                  struct err *e)
{
  char model[64], precision[64], solver[64], folder[SIMGRID_FOLDER_SIZE];
  if (simgrid_api_open(sg, e) != OK)
    return FAIL;
  snprintf(model, sizeof model, "--cfg=network/model:%s", c->model->simgrid);
  snprintf(precision, sizeof precision, "--cfg=surf/precision:%.17g", c->precision_s);
  snprintf(solver, sizeof solver, "--cfg=maxmin/precision:%.17g", c->maxmin_precision);
  char program[] = "haichi", level[] = "--log=root.thresh:error", form[] = "--log=root.fmt:%m%n";
  char contexts[] = CONTEXTS, update[] = "--cfg=network/optim:Full";
  char *argv[10] = {program, level, form, model, precision, solver, contexts};
  int argc = 7;
  if (full)
    argv[argc++] = update;
  argv[argc] = simgrid_platform_folder(c->platform, c->platform_file, folder, sizeof folder);
  if (argv[argc] != NULL)
    argc++;
  simgrid_guard_init(sg, &argc, argv);
  sg->simgrid_load_platform(c->platform_file);
  return OK;
}
