/* Reads the input as the inside of a node: as a synthetic description with values of levels, and as
 * an hwloc XML file.  Routes within accepted nodes are walked. */
#include <string.h>

#include "platforms/inside/inside.h"
#include "tests/fuzz/input.h"

enum { LONGEST = 1000, SOME_CORES = 64 };

static void check_route(const struct inside *in, uint32_t a, uint32_t b)
{
  uint32_t link[INSIDE_MOST_LINKS];
  char name[128];
  double latency_s, own_s;
  bool fat;
  const uint32_t n = inside_route(in, a, b, link, &latency_s);
  if (n == 0 || n > INSIDE_MOST_LINKS || inside_common(in, a, b) != inside_common(in, b, a))
    abort();
  for (uint32_t i = 0; i < n; i++) {
    inside_link_name(in, link[i], "node", name, sizeof name);
    if (link[i] >= inside_links(in) || !(inside_link(in, link[i], &own_s, &fat) > 0) ||
        strncmp(name, "node-", 5) != 0)
      abort();
  }
}

/* Every core is a core of an object of each level. */
static void check_levels(const struct inside *in)
{
  for (uint32_t l = 0; l < in->levels; l++) {
    uint32_t found = 0, core;
    for (uint32_t o = 0; o < in->level[l].objects; o++)
      for (uint32_t i = 0; inside_find(in, in->level[l].name, o, i, &core); i++) {
        if (core >= in->cores || in->level[l].object[core] != o)
          abort();
        found++;
      }
    if (found != in->cores)
      abort();
  }
}

static void check(const char *text)
{
  struct inside *in;
  struct err e;
  if (inside_new(&in, text, &e) != OK)
    return;
  if (in->cores == 0 || in->cores > INSIDE_MOST_CORES || in->levels == 0)
    abort();
  for (uint32_t a = 0; a < in->cores && a < SOME_CORES; a++)
    for (uint32_t b = 0; b < in->cores && b < SOME_CORES; b++)
      if (a != b)
        check_route(in, a, b);
  if (in->cores <= SOME_CORES)
    check_levels(in);
  inside_free(in);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  char text[LONGEST + 1] = "", path[64];
  memcpy(text, data, size < LONGEST ? size : LONGEST);
  check(text);
  const int fd = input_file(path, sizeof path, data, size);
  check(path);
  close(fd);
  return 0;
}
