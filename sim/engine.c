#include "sim/engine.h"

#include <string.h>

static const struct engine *const TABLE[] = {&engine_flow, &engine_simgrid, &engine_simgrid_full};

const struct engine *engine_at(size_t i)
{
  return i < sizeof TABLE / sizeof *TABLE ? TABLE[i] : NULL;
}

enum status engine_find(const char *name, const struct engine **out, struct err *e)
{
  for (size_t i = 0; engine_at(i) != NULL; i++)
    if (strcmp(engine_at(i)->name, name) == 0) {
      *out = engine_at(i);
      return OK;
    }
  return err_set(e, "'%s' is not an engine; see 'haichi list engines'", name);
}
