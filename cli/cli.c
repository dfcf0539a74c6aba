#include "cli/cli.h"

#include <inttypes.h>
#include <stdio.h>

int cli_fail(const struct err *e)
{
  fflush(stdout);
  fprintf(stderr, "haichi: %s\n", e->text);
  return CLI_FAILED;
}

int cli_simulate(enum status (*run)(const void *args, FILE *blocked, struct err *e),
                 const void *args)
{
  struct err e;
  FILE *blocked = tmpfile();
  if (blocked == NULL) {
    err_errno(&e, "temporary file", "cannot create");
    return cli_fail(&e);
  }
  const int code = run(args, blocked, &e) == OK ? CLI_OK : cli_fail(&e);
  rewind(blocked);
  for (int c; (c = fgetc(blocked)) != EOF;)
    fputc(c, stderr);
  fclose(blocked);
  return code;
}

void cli_note_moved(const char *mapper, uint32_t moved)
{
  if (moved > 0)
    fprintf(stderr,
            "haichi: note: mapper '%s' filled hosts too much: %" PRIu32
            " rank%s moved to the nearest free hosts\n",
            mapper, moved, moved == 1 ? "" : "s");
}
