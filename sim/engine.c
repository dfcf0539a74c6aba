#include "sim/engine.h"

#include <string.h>

static const struct engine *const TABLE[] = {&engine_flow, &engine_simgrid, &engine_simgrid_full};

const struct engine *engine_at(size_t i)
{
  return i < sizeof TABLE / sizeof *TABLE ? TABLE[i] : NULL;
}

enum status engine_find(const char *name, const struct engine **out, struct err *e)
{
  char names[64] = "";
  for (size_t i = 0; engine_at(i) != NULL; i++) {
    if (strcmp(engine_at(i)->name, name) == 0) {
      *out = engine_at(i);
      return OK;
    }
    err_list(names, sizeof names, engine_at(i)->name);
  }
  return err_set(e, "unknown engine '%.64s'; there are: %s", name, names);
}
