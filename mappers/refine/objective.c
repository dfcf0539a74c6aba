#include "mappers/refine/objective.h"

static const struct objective_name HOPBYTES = {"hopbytes", OBJECTIVE_HOPBYTES},
                                   LINKLOAD = {"linkload", OBJECTIVE_LINKLOAD},
                                   BLEND = {"blend", OBJECTIVE_BLEND},
                                   RMATT = {"rmatt", OBJECTIVE_RMATT};

#define COMMON(ROW) ROW(HOPBYTES) ROW(LINKLOAD) ROW(BLEND)
#define ALL(ROW)    COMMON(ROW) ROW(RMATT)

const struct registry objectives = REGISTRY("objective", ALL);
const struct registry objectives_refine = REGISTRY("objective", COMMON);
