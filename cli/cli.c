#include "cli/cli.h"

#include <inttypes.h>
#include <stdio.h>

int cli_fail(const struct err *e)
{
  fflush(stdout);
  fprintf(stderr, "haichi: %s\n", e->text);
  return CLI_FAILED;
}

void cli_note_moved(const char *mapper, uint32_t moved)
{
  if (moved > 0)
    fprintf(stderr,
            "haichi: note: mapper '%s' filled hosts too much: %" PRIu32
            " rank%s moved to the nearest free hosts\n",
            mapper, moved, moved == 1 ? "" : "s");
}
