/* Expands the input as a host list.  The names of an accepted list, as a list, expand to the same
 * names. */
#define _GNU_SOURCE
#include <string.h>

#include "platforms/mapping/hostlist.h"
#include "tests/fuzz/input.h"

enum { LONGEST = 1000 };

static void check_names(const struct hostlist *l)
{
  struct hostlist again;
  struct err e;
  for (size_t i = 0; i < l->count; i++) {
    if (strlen(l->name[i]) > HOSTLIST_NAME_MAX || hostlist_parse(&again, l->name[i], &e) != OK ||
        again.count != 1 || strcmp(again.name[0], l->name[i]) != 0)
      abort();
    hostlist_clear(&again);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  char text[LONGEST + 1] = "";
  struct hostlist l;
  struct err e;
  memcpy(text, data, size < LONGEST ? size : LONGEST);
  if (hostlist_parse(&l, text, &e) == OK && l.count > HOSTLIST_MOST)
    abort();
  check_names(&l);
  hostlist_clear(&l);
  return 0;
}
