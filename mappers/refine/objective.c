#include "mappers/refine/objective.h"

#include <stddef.h>

const char *const objectives[] = {"hopbytes", "linkload", "blend", "rmatt", NULL};
const char *const objectives_refine[] = {"hopbytes", "linkload", "blend", NULL};
