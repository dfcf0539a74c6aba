#include "sim/engine.h"

#include "common/names.h"
#include "common/rows.h"

#define ENGINES(ROW)                                                                               \
  ROW(engine_flow)                                                                                 \
  ROW(engine_simgrid)                                                                              \
  ROW(engine_simgrid_full)

#define DECLARE(row) extern const struct engine row;
ENGINES(DECLARE)

static const struct engine *const TABLE[] = {ENGINES(ROWS_ADDRESS)};

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
