#include "cli/cli.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static int list_subcommands(const struct registry *all, const char *operands, const char *name)
{
  const struct cli_command *c;
  printf("Usage: %s SUBCOMMAND [OPTION...]%s\n\nSubcommands:\n", name, operands);
  for (size_t i = 0; (c = registry_at(all, i)) != NULL; i++)
    printf("  %-12s %s\n", c->name, c->help);
  printf("\n`%s SUBCOMMAND --help' describes one.\n", name);
  return CLI_OK;
}

int cli_run_subcommand(const struct registry *all, const char *operands, int argc, char **argv)
{
  char name[64];
  struct err e;
  if (argc < 2) {
    fprintf(stderr, "%s: no subcommand given; see `%s --help'\n", argv[0], argv[0]);
    return CLI_USAGE;
  }
  if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)
    return list_subcommands(all, operands, argv[0]);
  const struct cli_command *c = registry_get(all, argv[1], &e);
  if (c == NULL) {
    fprintf(stderr, "%s: %s; see `%s --help'\n", argv[0], e.text, argv[0]);
    return CLI_USAGE;
  }
  snprintf(name, sizeof name, "%s %s", argv[0], argv[1]);
  argv[1] = name;
  return c->run(argc - 1, argv + 1);
}

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
