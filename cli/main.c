#include <argp.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "common/files/cleanup.h"
#include "common/files/inputs.h"
#include "common/files/outfile.h"
#include "common/mem.h"
#include "common/registry.h"

#define LIST(ROW)                                                                                  \
  ROW(cmd_platform)                                                                                \
  ROW(cmd_trace)                                                                                   \
  ROW(cmd_record)                                                                                  \
  ROW(cmd_map)                                                                                     \
  ROW(cmd_metrics)                                                                                 \
  ROW(cmd_sim)                                                                                     \
  ROW(cmd_explain)                                                                                 \
  ROW(cmd_predict)                                                                                 \
  ROW(cmd_compare)                                                                                 \
  ROW(cmd_report)                                                                                  \
  ROW(cmd_regress)                                                                                 \
  ROW(cmd_fit)                                                                                     \
  ROW(cmd_instrument)                                                                              \
  ROW(cmd_calibrate)                                                                               \
  ROW(cmd_wan)                                                                                     \
  ROW(cmd_tasknet)                                                                                 \
  ROW(cmd_schedule)                                                                                \
  ROW(cmd_tune_collectives)                                                                        \
  ROW(cmd_plot)                                                                                    \
  ROW(cmd_list)

#define DECLARE(row) extern const struct cli_command row;
LIST(DECLARE)

static const struct registry commands = REGISTRY("command", LIST);

enum { MAX_ARGS = 64 };

static const struct cli_command *find_command(const char *name)
{
  return registry_find(&commands, name, strlen(name));
}

static int unknown_command(const char *name)
{
  const char *nearest = registry_nearest(&commands, name, strlen(name));
  struct err e;
  err_set(&e, "unknown command '%.200s'%s%s%s; see 'haichi help'", name,
          nearest == NULL ? "" : ", perhaps '", nearest == NULL ? "" : nearest,
          nearest == NULL ? "" : "'");
  cli_fail(&e);
  return CLI_USAGE;
}

/* Exits with an error if results did not reach standard output, whichever function printed them. */
static void check_stdout(int status, void *unused)
{
  (void)unused;
  struct err e;
  if (status == CLI_OK && outfile_flush(stdout, "standard output", &e) != OK)
    _exit(cli_fail(&e));
}

/* Opens /dev/null on closed standard descriptors.  If they stayed closed, the next opened file
 * would get their number and receive the output of the program.  It is opened read-only, so that
 * printing there fails. */
static bool occupy_streams(void)
{
  int fd;
  do
    fd = open("/dev/null", O_RDONLY);
  while (fd >= 0 && fd <= STDERR_FILENO);
  return fd >= 0 && close(fd) == 0;
}

static void print_usage(FILE *f)
{
  fputs("Usage: haichi COMMAND [OPTION...] [OPERAND...]\n"
        "       haichi help [COMMAND] | --help | --version\n",
        f);
}

static int print_help(void)
{
  print_usage(stdout);
  fputs("Replays communication traces on simulated machines and compares mappings of the "
        "ranks.\n\nCommands:\n",
        stdout);
  const struct cli_command *c;
  for (size_t i = 0; (c = registry_at(&commands, i)) != NULL; i++)
    printf("  %-10s %s\n", c->name, c->help);
  fputs("\n`haichi help COMMAND' describes one.\n", stdout);
  return CLI_OK;
}

/* Runs a command under the name "haichi COMMAND", which argp prints. */
static int run_command(const struct cli_command *c, int argc, char **argv)
{
  char name[64];
  snprintf(name, sizeof name, "haichi %s", c->name);
  argv[0] = name;
  return c->run(argc, argv);
}

static bool is_one_of(const char *word, const char *a, const char *b, const char *c)
{
  return strcmp(word, a) == 0 || strcmp(word, b) == 0 || strcmp(word, c) == 0;
}

/* "haichi help", "haichi help map", "haichi help trace info". */
static int help(int argc, char **argv)
{
  static char ask[] = "--help";
  char *args[MAX_ARGS + 2];
  if (argc <= 2 || is_one_of(argv[2], "help", "--help", "-h"))
    return print_help();
  const struct cli_command *c = find_command(argv[2]);
  if (c == NULL)
    return unknown_command(argv[2]);
  int n = 0;
  for (int i = 2; i < argc && n < MAX_ARGS; i++)
    args[n++] = argv[i];
  args[n++] = ask;
  args[n] = NULL;
  return run_command(c, n, args);
}

int main(int argc, char **argv)
{
  argp_err_exit_status = CLI_USAGE;
  struct err e;
  if (!occupy_streams()) {
    err_errno(&e, "/dev/null", "cannot open");
    return cli_fail(&e);
  }
  if (on_exit(check_stdout, NULL) != 0)
    return CLI_FAILED;
  signal(SIGXFSZ, SIG_IGN); /* a write beyond the file size limit then fails with an error */
  signal(SIGCHLD, SIG_DFL); /* if inherited as ignored, wait() loses exit codes of children */
  cleanup_catch_signals();
  inputs_watch();
  if (argc < 2) {
    print_usage(stderr);
    return CLI_USAGE;
  }
  if (strcmp(argv[1], "help") == 0)
    return help(argc, argv);
  if (is_one_of(argv[1], "--help", "-h", "-?"))
    return print_help();
  if (is_one_of(argv[1], "--version", "-v", "-V")) {
    puts("haichi " HAICHI_VERSION);
    return CLI_OK;
  }
  const struct cli_command *c = find_command(argv[1]);
  mem_prepare_heap();
  return c == NULL ? unknown_command(argv[1]) : run_command(c, argc - 1, argv + 1);
}
