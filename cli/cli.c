#include "cli/cli.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/mem.h"
#include "common/plural.h"
#include "common/process/machine.h"
#include "plots/gnuplot.h"
#include "traces/trace.h"

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

static void print_note(const char *text)
{
  fprintf(stderr, "haichi: %s\n", text);
}

struct reading cli_reading(void)
{
  struct reading r = reading_defaults();
  r.counts = true;
  r.note = print_note;
  return r;
}

struct settings cli_settings(bool counts)
{
  struct settings s = settings_defaults();
  s.reading.counts = counts;
  s.reading.note = print_note;
  return s;
}

uint32_t cli_jobs(uint32_t given)
{
  const uint32_t n = given > 0 ? given : machine_cores();
  return n < CLI_MOST_JOBS ? n : CLI_MOST_JOBS;
}

int cli_fail(const struct err *e)
{
  fflush(stdout);
  fprintf(stderr, "haichi: %s\n", e->text);
  return CLI_FAILED;
}

FILE *cli_report_stream(const char *const *path, size_t n)
{
  while (n > 0 && (path[n - 1] == NULL || strcmp(path[n - 1], "-") != 0))
    n--;
  return n > 0 ? stderr : stdout;
}

enum status cli_check_programs(const char *trace, const struct job_specs *jobs, struct err *e)
{
  bool ends = trace != NULL;
  if ((trace == NULL) == (jobs->count == 0))
    return err_set(e, trace == NULL ? "no --trace given"
                                    : "--trace and --job exclude each other; give a --job for each "
                                      "program");
  for (size_t i = 0; i < jobs->count; i++)
    ends = ends || !jobs->job[i].repeat;
  return ends ? OK : err_set(e, "all jobs are repeated, and none ends");
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

bool cli_can_draw(void)
{
  struct err why;
  if (gnuplot_check(&why) == OK)
    return true;
  fflush(stdout);
  fprintf(stderr, "haichi: note: no pictures are drawn: %s\n", why.text);
  return false;
}

void cli_note_moved(const char *mapper, uint32_t moved)
{
  if (moved > 0)
    fprintf(stderr,
            "haichi: note: mapper '%s' filled hosts too much: %" PRIu32
            " rank%s moved to the nearest free hosts\n",
            mapper, moved, PLURAL(moved));
}

void cli_note_firewalls(const struct platform *p, const struct sim_options *o)
{
  if (o->overlay.kind == NULL && platform_has_firewalls(p))
    fputs(
        "haichi: note: the platform has firewalls, which only --overlay simulates (see haichi list "
        "overlays)\n",
        stderr);
}

void cli_note_coverage(const struct platform *p, const struct coverage *c)
{
  const struct calibrated *r = platform_calibrated(p);
  char beyond[COVERAGE_TEXT];
  if (coverage_beyond(c, r, beyond))
    fprintf(stderr,
            "haichi: note: '%s' was calibrated with messages of %" PRIu64 " to %" PRIu64
            " bytes between two hosts%s%s; outside: %s\n",
            platform_name(p), r->smallest, r->largest, r->within ? ", within a host" : "",
            r->several ? ", of several hosts" : "", beyond);
}

static void note_cores(const struct platform *p, uint32_t host, uint32_t ranks)
{
  char name[PLATFORM_NAME_SIZE];
  fprintf(stderr,
          "haichi: note: host '%s' has %" PRIu32 " core%s for %" PRIu32
          " ranks, which share its speed%s\n",
          platform_host_name(p, host, name, sizeof name), platform_host_cores(p, host),
          PLURAL(platform_host_cores(p, host)), ranks,
          platform_path(p) == NULL && platform_topology(p) != NULL
              ? " (--cores N gives hosts N cores)"
              : "");
}

void cli_note_cores(const struct platform *p, const struct placed_job *job, size_t jobs,
                    const struct sim_options *o)
{
  OWNED uint32_t *ranks = o->compute_scale > 0 ? calloc(platform_hosts(p), sizeof *ranks) : NULL;
  for (size_t i = 0; ranks != NULL && i < jobs; i++)
    for (uint32_t r = 0; r < job[i].mapping.ranks; r++)
      ranks[job[i].mapping.host[r]]++;
  for (uint32_t h = 0; ranks != NULL && h < platform_hosts(p); h++)
    if (ranks[h] > platform_host_cores(p, h)) {
      note_cores(p, h, ranks[h]);
      break;
    }
}

void cli_note_cores_each(const struct platform *p, uint32_t each, const struct sim_options *o)
{
  for (uint32_t h = 0; o->compute_scale > 0 && h < platform_hosts(p); h++)
    if (each > platform_host_cores(p, h)) {
      note_cores(p, h, each);
      break;
    }
}

void cli_print_notes(struct trace *t)
{
  const char *note;
  while (t != NULL && (note = trace_next_note(t)) != NULL)
    print_note(note);
}
