/* Expands the input as a host list, and reads it as a file of names.  The names of an accepted
 * list, as a list, expand to the same names. */
#include <string.h>

#include "platforms/mapping/hostlist.h"
#include "platforms/names.h"
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
  const uint32_t hosts = l.count == 0 ? 1 : (uint32_t)l.count;
  struct host_names names = {0};
  char path[64], file[80];
  const int fd = input_file(path, sizeof path, data, size);
  snprintf(file, sizeof file, "@%s", path);
  if (host_names_read(&names, file, hosts, &e) == OK)
    check_names(&names.list);
  host_names_clear(&names);
  close(fd);
  hostlist_clear(&l);
  return 0;
}
