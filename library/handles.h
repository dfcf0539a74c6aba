/** @file handles.h
 *  Private to library/: the types behind the handles of the public headers in haichi/.
 */
#pragma once

#include "common/err.h"
#include "library/haichi/haichi.h"
#include "platforms/mapping/mapping.h"
#include "platforms/platform.h"
#include "setup/inputs.h"
#include "traces/matrix/matrix.h"

struct haichi_platform {
  struct platform *p;
};

struct haichi_trace {
  char *name;
  struct reading reading;
  struct input_trace input;
};

struct haichi_traffic {
  struct matrix m;
};

struct haichi_mapping {
  struct mapping m;
};

/** Refuses a path, or a spec with a value, that is "-", for which other functions use the standard
 *  streams. */
enum status library_check_input(const char *text, struct err *e);

/** Copies the error of a failed function to @p out, unless it is NULL, and returns HAICHI_FAIL. */
enum haichi_status library_fail(struct haichi_error *out, const struct err *e);
