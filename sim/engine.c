#include "sim/engine.h"

#include "common/names.h"

static const struct engine *const TABLE[] = {&engine_flow, &engine_simgrid, &engine_simgrid_full};

const struct engine *engine_at(size_t i)
{
  return i < sizeof TABLE / sizeof *TABLE ? TABLE[i] : NULL;
}

static const char *engine_name(size_t i)
{
  return engine_at(i) == NULL ? NULL : engine_at(i)->name;
}

enum status engine_find(const char *name, const struct engine **out, struct err *e)
{
  size_t row;
  if (names_get(engine_name, "engine", name, &row, e) != OK)
    return FAIL;
  *out = engine_at(row);
  return OK;
}
