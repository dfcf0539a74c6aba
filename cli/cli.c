#include "cli/cli.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/num.h"
#include "sim/opaque.h"

void cli_parse(const struct argp *argp, int argc, char **argv, void *input)
{
  const error_t bad = argp_parse(argp, argc, argv, ARGP_IN_ORDER, NULL, input);
  if (bad == 0)
    return;
  fprintf(stderr, "%s: bad usage; see `%s --help'\n", argv[0], argv[0]);
  exit(CLI_USAGE);
}

uint64_t cli_number(const struct argp_state *state, const char *option, const char *text,
                    uint64_t min, uint64_t max)
{
  uint64_t value = 0;
  struct err e;
  if (num_u64(text, max, &value, &e) != OK)
    argp_error(state, "%s: %s", option, e.text);
  else if (value < min)
    argp_error(state, "%s: %" PRIu64 " is below the minimum of %" PRIu64, option, value, min);
  return value;
}

void cli_collective(const struct argp_state *state, struct collectives *c, const char *text)
{
  struct err e;
  if (collectives_set(c, text, &e) != OK)
    argp_error(state, "--collective: %s", e.text);
}

void cli_report_format(const struct argp_state *state, enum report_format *format, const char *text)
{
  struct err e;
  if (report_parse_format(text, format, &e) != OK)
    argp_error(state, "--format: %s", e.text);
}

void cli_operand(const struct argp_state *state, const char **place, const char *text)
{
  if (*place != NULL)
    argp_error(state, "'%s' is one operand too many", text);
  *place = text;
}

int cli_fail(const struct err *e)
{
  fflush(stdout);
  fprintf(stderr, "haichi: %s\n", e->text);
  return CLI_FAILED;
}

enum status cli_trace_open(struct cli_trace *t, const char *path, const struct collectives *c,
                           struct err *e)
{
  struct cli_trace open = {0};
  if (trace_open(&open.trace, path, e) != OK)
    return FAIL;
  if (program_new(&open.program, open.trace, c, e) != OK) {
    trace_free(open.trace);
    return FAIL;
  }
  *t = open;
  return OK;
}

void cli_trace_close(struct cli_trace *t)
{
  program_free(t->program);
  trace_free(t->trace);
  *t = (struct cli_trace){0};
}

enum status cli_traffic(struct matrix *m, const char *path, const struct collectives *c,
                        struct err *e)
{
  struct cli_trace t;
  if (cli_trace_open(&t, path, c, e) != OK)
    return FAIL;
  const enum status s = matrix_from_program(m, t.program, false, e);
  cli_trace_close(&t);
  return s;
}

enum status cli_platform_open(struct platform **out, const char *text, struct err *e)
{
  const struct platform_params defaults = {0};
  if (platform_is_spec(text))
    return platform_from_spec(out, text, &defaults, e);
  struct platform *p;
  if (platform_load(&p, text, e) != OK)
    return FAIL;
  /* Only SimGrid knows the hosts of a platform that is not one cluster. */
  if (platform_topology(p) == NULL && opaque_open(p, e) != OK) {
    platform_free(p);
    return FAIL;
  }
  *out = p;
  return OK;
}
