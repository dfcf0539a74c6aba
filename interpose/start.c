#include "interpose/interpose.h"

static interpose_next_function *next;

void *interpose_next(const char *name)
{
  return next(name);
}

INTERPOSE_PUBLIC void haichi_interpose_start(interpose_next_function *function)
{
  next = function;
  interpose_begin();
}
