#include "mappers/refine/objective.h"

#include <stddef.h>

const char *const objectives[] = {"hopbytes", "linkload", "blend", "time", "rmatt", NULL};
const char *const objectives_refine[] = {"hopbytes", "linkload", "blend", "time", NULL};
