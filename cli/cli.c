#include "cli/cli.h"

#include <stdio.h>

int cli_fail(const struct err *e)
{
  fflush(stdout);
  fprintf(stderr, "haichi: %s\n", e->text);
  return CLI_FAILED;
}
