#include "sim/engine.h"

#include "common/registry.h"

#define LIST(ROW)                                                                                  \
  ROW(engine_flow)                                                                                 \
  ROW(engine_simgrid)                                                                              \
  ROW(engine_simgrid_full)

#define DECLARE(row) extern const struct engine row;
LIST(DECLARE)

const struct registry engines = REGISTRY("engine", LIST);
