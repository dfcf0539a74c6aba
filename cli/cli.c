#include "cli/cli.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

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

static int print_subcommands(const struct registry *subcommands, const char *operand,
                             const char *command)
{
  const struct cli_command *c;
  printf("Usage: %s SUBCOMMAND [OPTION...] %s\n\nSubcommands:\n", command, operand);
  for (size_t i = 0; (c = registry_at(subcommands, i)) != NULL; i++)
    printf("  %-10s %s\n", c->name, c->help);
  printf("\n`%s SUBCOMMAND --help' describes one.\n", command);
  return CLI_OK;
}

int cli_subcommand(const struct registry *subcommands, const char *operand, int argc, char **argv)
{
  char name[64];
  struct err e;
  if (argc < 2) {
    fprintf(stderr, "%s: no subcommand given; see `%s --help'\n", argv[0], argv[0]);
    return CLI_USAGE;
  }
  if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)
    return print_subcommands(subcommands, operand, argv[0]);
  const struct cli_command *c = registry_get(subcommands, argv[1], &e);
  if (c == NULL) {
    fprintf(stderr, "%s: %s; see `%s --help'\n", argv[0], e.text, argv[0]);
    return CLI_USAGE;
  }
  snprintf(name, sizeof name, "%s %s", argv[0], argv[1]);
  argv[1] = name;
  return c->run(argc - 1, argv + 1);
}
